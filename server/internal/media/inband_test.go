package media

import (
	"path/filepath"
	"testing"

	"github.com/penstock-media/penstock/server/flv"
)

// TestInbandConfig: the configuration made of a key frame says what the encoder's
// own does.
func TestInbandConfig(t *testing.T) {
	const (
		sps  = `0000001A 6742c028d900780227e5c044000003000400000300c83c60c920`
		pps  = `00000005 68cb83cb20`
		idr  = `00000003 658884`
		avcC = `0142c028ffe1001a6742c028d900780227e5c044000003000400000300c83c60c92001000568cb83cb20`
	)
	for _, c := range []struct{ name, frame, want string }{
		{"codec id", `17 01 000028` + sps + pps + idr, `17 00 000000` + avcC},
		{"marked inter", `27 01 000028` + sps + pps + idr, `17 00 000000` + avcC},
		{"enhanced", `91 "avc1" 000028` + sps + pps + idr, `90 "avc1"` + avcC},
		{"track 1", `96 01 "avc1" 01 000028` + sps + pps + idr, `96 00 "avc1" 01` + avcC},
		{"repeated", `17 01 000028` + sps + pps + sps + pps + idr, `17 00 000000` + avcC},
		{"no SPS", `17 01 000028` + pps + idr, ``},
		{"no PPS", `17 01 000028` + sps + idr, ``},
		{"no key frame", `27 01 000028` + sps + pps + `00000003 419A02`, ``},
		{"a configuration", `17 00 000000` + avcC, ``},
		{
			"Annex B", `17 01 000028 00000001 6742c028d900780227e5c044000003000400000300c83c60c920 00000001 68cb83cb20 00000001 658884`,
			`17 00 000000` + avcC,
		},
		{"lengths of two bytes", `17 01 000028 001A 6742c028d900780227e5c044000003000400000300c83c60c920 0005 68cb83cb20 0003 658884`, ``},
		{"two tracks", `96 13 "avc1" 00 000007 00000003 658884 01 000007 00000003 658884`, ``},
		{"HEVC without parameter sets", `1C 01 000000 00000003 2601AF`, ``},
		{"AV1", `91 "av01" 0A0B`, ``},
	} {
		p, ok := New(Video, 40, bytesOf(t, c.frame)).InbandConfig()
		want := bytesOf(t, c.want)
		if ok != (len(want) > 0) || string(p.Payload) != string(want) {
			t.Errorf("%s: %t, %x, want %x", c.name, ok, p.Payload, want)
			continue
		}
		if v, known := p.VideoConfig(); ok && (!known || v.Width != 1920 || v.Height != 1080 || !p.Config || p.Time != 40) {
			t.Errorf("%s: %+v, %+v", c.name, p, v)
		}
	}
}

// C-53: the same for HEVC, with the parameter sets of a real encoder moved from the
// configuration into the key frame, behind start codes.
func TestInbandHEVC(t *testing.T) {
	var config Packet
	made := 0
	for _, p := range packets(t, filepath.Join(samples(t), "eflv/enhanced_hevc_aac.flv")) {
		if p.Kind == Video && p.Config {
			config = p
			continue
		}
		if !p.Key {
			continue
		}
		want, ok := config.VideoConfig()
		if !ok {
			t.Fatal("the sample has no configuration")
		}
		body := bytesOf(t, `1C 01 FFFFD8`)
		sets := config.Payload[5+22:]
		for n := int(sets[0]); n > 0; n-- { // one unit an array
			size := int(sets[4])<<8 | int(sets[5])
			body = append(append(body, 0, 0, 0, 1), sets[6:6+size]...)
			sets = sets[5+size:]
		}
		v, err := flv.ParseVideo(p.Payload)
		if err != nil {
			t.Fatal(err)
		}
		units(v.Body, func(nal []byte) { body = append(append(body, 0, 0, 1), nal...) })

		c, ok := New(Video, 40, body).InbandConfig()
		got, known := c.VideoConfig()
		if !ok || !known || got != want || c.Payload[0] != 0x1C || !c.Config {
			t.Errorf("%+v of % x, want %+v", got, c.Payload, want)
		}
		made++
	}
	if made == 0 {
		t.Error("the sample has no key frame")
	}
}

// The configuration that an ADTS header stands for, in the frame's own kind of head.
func TestInbandAAC(t *testing.T) {
	for _, c := range []struct{ frame, want string }{
		{`AF 01 FFF14C800100FC 21`, `AF 00 1190`},
		{`91 "mp4a" FFF14C800100FC 21`, `90 "mp4a" 1190`},
		{`95 01 "mp4a" 01 FFF14C800100FC 21`, `95 00 "mp4a" 01 1190`},
		{`AF 01 21`, ``},
	} {
		p, ok := New(Audio, 40, bytesOf(t, c.frame)).InbandConfig()
		if want := bytesOf(t, c.want); ok != (len(want) > 0) || string(p.Payload) != string(want) {
			t.Errorf("%s: %t, % x, want % x", c.frame, ok, p.Payload, want)
			continue
		}
		if a, known := p.AudioConfig(); ok && (!known || a.SampleRate != 48000 || a.Channels != 2 || a.Profile != "LC") {
			t.Errorf("%s: %+v", c.frame, a)
		}
	}
}
