package media_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/penstock-media/penstock/server/internal/media"
)

func raw(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const (
	hvc1 = "68766331"
	avc1 = "61766331"
	mp4a = "6d703461"
	nalu = "00000002 0201" // HEVC, type 1: a trailing picture
)

// C-50, C-53: what a player gets in its form.
func TestForm(t *testing.T) {
	all, def := media.Form{}, media.Form{DefaultTracks: true}
	enhanced, legacy := media.Form{HEVC: media.HEVCEnhanced}, media.Form{HEVC: media.HEVCLegacy}
	for _, c := range []struct {
		name string
		kind media.Kind
		form media.Form
		in   string
		out  string // "" is nothing
	}{
		{"as published", media.Video, all, "96 00" + avc1 + "01 0142", "96 00" + avc1 + "01 0142"},
		{"further track", media.Video, def, "96 00" + avc1 + "01 0142", ""},
		{"further audio track", media.Audio, def, "95 00" + mp4a + "01 1190", ""},
		{"default track of one", media.Video, def, "96 00" + avc1 + "00 0142", "17 00 000000 0142"},
		{"its frames", media.Video, def, "a6 01" + avc1 + "00 000050 00000002 4101", "27 01 000050 00000002 4101"},
		{"default track of many", media.Video, def, "a6 13" + avc1 + "00 000006 00000002 4101 01 000006 00000002 4102", "27 01 000000 00000002 4101"},
		{"default track behind another", media.Video, def, "a6 13" + avc1 + "01 000006 00000002 4102 00 000006 00000002 4101", "27 01 000000 00000002 4101"},
		{"many codecs", media.Audio, def, "95 21" + "4f707573" + "01 000002 fcfc" + mp4a + "00 000002 2110", "af 01 2110"},
		{"default audio track", media.Audio, def, "95 00" + mp4a + "00 1190", "af 00 1190"},
		{"another codec stays enhanced", media.Video, def, "96 00" + "61763031" + "00 81", "90" + "61763031" + "81"},
		{"no default track", media.Video, def, "a6 13" + avc1 + "02 000006 00000002 4102", ""},
		{"plain track", media.Video, def, "27 01 000000 00000002 4101", "27 01 000000 00000002 4101"},

		{"configuration to legacy", media.Video, legacy, "90" + hvc1 + "0101", "1c 00 000000 0101"},
		{"frames to legacy", media.Video, legacy, "91" + hvc1 + "000050" + nalu, "1c 01 000050" + nalu},
		{"frames X to legacy", media.Video, legacy, "a3" + hvc1 + nalu, "2c 01 000000" + nalu},
		{"negative time to legacy", media.Video, legacy, "a1" + hvc1 + "ffffd8" + nalu, "2c 01 ffffd8" + nalu},
		{"colours to legacy", media.Video, legacy, "94" + hvc1 + "020009636f6c6f72496e666f03000009", ""},
		{"end to legacy", media.Video, legacy, "92" + hvc1, "1c 02 000000"},
		{"legacy is legacy", media.Video, legacy, "1c 01 000050" + nalu, "1c 01 000050" + nalu},
		{"AVC is AVC", media.Video, legacy, "17 01 000050 00000002 6501", "17 01 000050 00000002 6501"},

		{"configuration to enhanced", media.Video, enhanced, "1c 00 000000 0101", "90" + hvc1 + "0101"},
		{"frames to enhanced", media.Video, enhanced, "2c 01 000050" + nalu, "a1" + hvc1 + "000050" + nalu},
		{"frames at once to enhanced", media.Video, enhanced, "2c 01 000000" + nalu, "a3" + hvc1 + nalu},
		{"end to enhanced", media.Video, enhanced, "1c 02 000000", "92" + hvc1},
		{"enhanced is enhanced", media.Video, enhanced, "91" + hvc1 + "000050" + nalu, "91" + hvc1 + "000050" + nalu},
		{"AV1 is AV1", media.Video, enhanced, "91" + "61763031" + "0a01", "91" + "61763031" + "0a01"},
	} {
		p := media.New(c.kind, 1234, raw(t, c.in))
		q, ok := c.form.Apply(p)
		if got, want := hex.EncodeToString(q.Payload), hex.EncodeToString(raw(t, c.out)); got != want || ok != (c.out != "") {
			t.Errorf("%s: got %s, want %s", c.name, got, want)
		}
		if ok && (q.Time != 1234 || q.Kind != c.kind || q.Key != p.Key && p.Track == 0 && !p.Multitrack || q.Config != p.Config) {
			t.Errorf("%s: %+v became %+v", c.name, p, q)
		}
	}
	meta := media.NewData(7, raw(t, "02000a6f6e4d65746144617461 03 000009"))
	if q, ok := def.Apply(meta); !ok || !q.Meta {
		t.Error("metadata is touched")
	}
}

func TestEnhanced(t *testing.T) {
	for in, want := range map[string]uint32{
		"90" + hvc1 + "0101": 0x68766331, "1c 00 000000 0101": 0, "17 00 000000 0101": 0, "": 0,
	} {
		if got := media.New(media.Video, 0, raw(t, in)).Enhanced(); got != want {
			t.Errorf("%s: %x", in, got)
		}
	}
	if got := media.New(media.Audio, 0, raw(t, "90 4f707573 4f")).Enhanced(); got != 0x4f707573 {
		t.Errorf("Opus: %x", got)
	}
}
