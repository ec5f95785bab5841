package media

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server/flv"
)

// bytesOf turns hexadecimal digits with spaces, and quoted text among them, into bytes.
func bytesOf(tb testing.TB, s string) []byte {
	tb.Helper()
	var out []byte
	for i, part := range strings.Split(s, `"`) {
		if i%2 == 1 {
			out = append(out, part...)
			continue
		}
		b, err := hex.DecodeString(strings.ReplaceAll(part, " ", ""))
		if err != nil {
			tb.Fatalf("%q: %v", s, err)
		}
		out = append(out, b...)
	}
	return out
}

// mediaCase is a body and what New makes of it. Time and Payload of want are filled
// in by the test.
type mediaCase struct {
	name, body string
	want       Packet
	// payload is the one players get, if New makes another.
	payload string
}

func mediaCases() []mediaCase {
	const (
		avc, hevc, av1 = uint32(flv.AVC1), uint32(flv.HVC1), uint32(flv.AV01)
		aac            = uint32(flv.MP4A)
	)
	return []mediaCase{
		// AVC under its codec id.
		{"configuration", `17 00 000000 0164`, Packet{Kind: Video, FourCC: avc, Config: true}, ``},
		{"empty configuration", `17 00 000000`, Packet{Kind: Video, FourCC: avc, Empty: true}, ``},
		{"key frame", `17 01 000000 00000003 658884`, Packet{Kind: Video, FourCC: avc, Key: true}, ``},
		{"inter frame", `27 01 000000 00000003 419A02`, Packet{Kind: Video, FourCC: avc}, ``},
		{"IDR in a frame marked inter", `27 01 000000 00000002 09F0 00000003 658884`, Packet{Kind: Video, FourCC: avc, Key: true}, `17 01 000000 00000002 09F0 00000003 658884`},
		{"P slice in a frame marked key", `17 01 000000 00000003 419A02`, Packet{Kind: Video, FourCC: avc}, ``},
		{"I slice in a frame marked key: open GOP", `17 01 000000 00000003 418884`, Packet{Kind: Video, FourCC: avc, Key: true}, ``},
		{"I slice in a frame marked inter", `27 01 000000 00000003 418884`, Packet{Kind: Video, FourCC: avc}, ``},
		{"recovery point and P slice in a frame marked key", `17 01 000000 00000004 06060180 00000003 419A02`, Packet{Kind: Video, FourCC: avc, Key: true}, ``},
		{"recovery point in a frame marked inter", `27 01 000000 00000004 06060180 00000003 419A02`, Packet{Kind: Video, FourCC: avc}, ``},
		{"SPS, PPS and P slice in a frame marked key", `17 01 000000 00000002 6742 00000002 68CE 00000003 419A02`, Packet{Kind: Video, FourCC: avc, Key: true}, ``},
		{"user data and P slice in a frame marked key", `17 01 000000 00000003 060500 00000003 419A02`, Packet{Kind: Video, FourCC: avc}, ``},
		{"Annex B, IDR, marked inter", `27 01 000000 00000001 6742 00000001 68CE 000001 658884`, Packet{Kind: Video, FourCC: avc, Key: true}, `17 01 000000 00000002 6742 00000002 68CE 00000003 658884`},
		{"Annex B, P slice, marked key", `17 01 000000 00000001 419A02`, Packet{Kind: Video, FourCC: avc}, `17 01 000000 00000003 419A02`},
		{"start code behind a length, IDR, marked inter", `27 01 000000 00000007 00000001 658884`, Packet{Kind: Video, FourCC: avc, Key: true}, `17 01 000000 00000003 658884`},
		{"lengths of two bytes, IDR, marked inter", `27 01 000000 0002 09F0 0003 658884`, Packet{Kind: Video, FourCC: avc, Key: true}, `17 01 000000 0002 09F0 0003 658884`},
		{"lengths that do not fit, marked key", `17 01 000000 FFFFFFFF 419A02`, Packet{Kind: Video, FourCC: avc, Key: true}, ``},
		{"lengths that do not fit, marked inter", `27 01 000000 FFFFFFFF 658884`, Packet{Kind: Video, FourCC: avc}, ``},
		{"frame without a unit (C-30)", `27 01 000000`, Packet{Kind: Video, FourCC: avc, Empty: true}, ``},
		{"units of length 0", `17 01 000000 00000000 00000000`, Packet{Kind: Video, FourCC: avc, Empty: true}, ``},
		{"end of sequence goes to players", `17 02 000000`, Packet{Kind: Video, FourCC: avc}, ``},
		{"head cut (C-30)", `17`, Packet{Kind: Video, Empty: true}, ``},
		{"head cut behind the packet type", `27 01 00`, Packet{Kind: Video, Empty: true}, ``},
		{"unknown packet type", `17 09 000000 01`, Packet{Kind: Video}, ``},
		{"command", `57 00`, Packet{Kind: Video, FourCC: avc}, ``},
		{"nothing", ``, Packet{Kind: Video, Empty: true}, ``},

		// HEVC under the unofficial codec id (C-53).
		{"HEVC configuration", `1C 00 000000 01`, Packet{Kind: Video, FourCC: hevc, Config: true}, ``},
		{"HEVC IDR", `1C 01 000000 00000003 2601AF`, Packet{Kind: Video, FourCC: hevc, Key: true}, ``},
		{"HEVC CRA in a frame marked inter", `2C 01 000000 00000003 2A01AF`, Packet{Kind: Video, FourCC: hevc, Key: true}, `1C 01 000000 00000003 2A01AF`},
		{"HEVC trailing picture in a frame marked key", `1C 01 000000 00000003 0201D0`, Packet{Kind: Video, FourCC: hevc}, ``},
		{"HEVC recovery point in a frame marked key", `1C 01 000000 00000004 4E010601 00000003 0201D0`, Packet{Kind: Video, FourCC: hevc, Key: true}, ``},
		{"HEVC VPS and trailing picture in a frame marked key", `1C 01 000000 00000003 40010C 00000003 0201D0`, Packet{Kind: Video, FourCC: hevc, Key: true}, ``},

		// Other codecs: the head is believed.
		{"Sorenson key frame", `12 0000`, Packet{Kind: Video, Key: true}, ``},
		{"Sorenson inter frame", `22 0000`, Packet{Kind: Video}, ``},
		{"Sorenson without a frame", `22`, Packet{Kind: Video, Empty: true}, ``},
		{"generated key frame", `42 00`, Packet{Kind: Video, Key: true}, ``},

		// Enhanced RTMP.
		{"hvc1 configuration (C-46)", `90 "hvc1" 01014060`, Packet{Kind: Video, FourCC: hevc, Config: true}, ``},
		{"av01 configuration, empty", `90 "av01"`, Packet{Kind: Video, FourCC: av1, Empty: true}, ``},
		{"av01 key frame", `91 "av01" 0A0B`, Packet{Kind: Video, FourCC: av1, Key: true}, ``},
		{"av01 inter frame", `A1 "av01" 3201`, Packet{Kind: Video, FourCC: av1}, ``},
		{"av01 frame without a frame", `A1 "av01"`, Packet{Kind: Video, FourCC: av1, Empty: true}, ``},
		{"hvc1 IDR marked inter", `A1 "hvc1" 000000 00000003 2601AF`, Packet{Kind: Video, FourCC: hevc, Key: true}, `91 "hvc1" 000000 00000003 2601AF`},
		{"hvc1 CodedFramesX", `93 "hvc1" 00000003 2601AF`, Packet{Kind: Video, FourCC: hevc, Key: true}, ``},
		{"hvc1 frame without a unit", `A1 "hvc1" 000000`, Packet{Kind: Video, FourCC: hevc, Empty: true}, ``},
		{"colour metadata (C-49)", `D4 "hvc1" 02 0009 "colorInfo" 03 000009`, Packet{Kind: Video, FourCC: hevc, Info: true}, ``},
		{"end of sequence", `92 "hvc1"`, Packet{Kind: Video, FourCC: hevc}, ``},
		{"command", `D0 01`, Packet{Kind: Video}, ``},
		{"track 1, configuration (C-50)", `96 00 "avc1" 01 0164`, Packet{Kind: Video, FourCC: avc, Config: true, Track: 1, Multitrack: true}, ``},
		{"track 1, frame", `A6 01 "avc1" 01 000000 00000003 419A02`, Packet{Kind: Video, FourCC: avc, Track: 1, Multitrack: true}, ``},
		{"two tracks, one with a key frame", `A6 13 "avc1" 00 000007 00000003 419A02 01 000007 00000003 658884`, Packet{Kind: Video, FourCC: avc, Key: true, Multitrack: true}, ``},
		{"two tracks, one empty", `A6 13 "avc1" 00 000000 01 000007 00000003 419A02`, Packet{Kind: Video, FourCC: avc, Multitrack: true}, ``},
		{"nanosecond offset", `97 02 000001 01 "av01" 0A`, Packet{Kind: Video, FourCC: av1, Key: true}, ``},
		{"unknown FourCC", `91 "xxxx" 0A`, Packet{Kind: Video, FourCC: 0x78787878, Key: true}, ``},
		{"malformed multitrack", `96 06 "avc1" 00 00`, Packet{Kind: Video}, ``},

		// Audio.
		{"AAC configuration", `AF 00 1190`, Packet{Kind: Audio, FourCC: aac, Config: true}, ``},
		{"AAC configuration, empty (C-39)", `AF 00`, Packet{Kind: Audio, FourCC: aac, Empty: true}, ``},
		{"AAC frame", `AF 01 21`, Packet{Kind: Audio, FourCC: aac}, ``},
		{"AAC frame, empty (C-30)", `AF 01`, Packet{Kind: Audio, FourCC: aac, Empty: true}, ``},
		{"AAC head cut (C-30)", `AF`, Packet{Kind: Audio, Empty: true}, ``},
		{"silence", ``, Packet{Kind: Audio, Empty: true}, ``},
		{"MP3", `2F FFFB`, Packet{Kind: Audio, FourCC: uint32(flv.MP3)}, ``},
		{"Speex", `B2 36`, Packet{Kind: Audio}, ``},
		{"Speex, empty", `B2`, Packet{Kind: Audio, Empty: true}, ``},
		{"Opus configuration", `90 "OpusOpusHead"`, Packet{Kind: Audio, FourCC: uint32(flv.Opus), Config: true}, ``},
		{"Opus configuration, empty, which is allowed", `90 "Opus"`, Packet{Kind: Audio, FourCC: uint32(flv.Opus)}, ``},
		{"FLAC configuration, empty", `90 "fLaC"`, Packet{Kind: Audio, FourCC: uint32(flv.FLAC), Empty: true}, ``},
		{"channel layout", `94 "Opus" 01 02 00000003`, Packet{Kind: Audio, FourCC: uint32(flv.Opus), Info: true}, ``},
		{"end of audio", `92 "mp4a"`, Packet{Kind: Audio, FourCC: aac}, ``},
		{"audio track 1", `95 00 "mp4a" 01 1190`, Packet{Kind: Audio, FourCC: aac, Config: true, Track: 1, Multitrack: true}, ``},

		// What is repaired.
		{"units of length 0 among others", `27 01 FFFFD8 00000000 00000003 419A02 00000000`, Packet{Kind: Video, FourCC: avc}, `27 01 FFFFD8 00000003 419A02`},
		{"several start codes behind one length", `17 01 000000 00000014 00000001 6742 00000001 68CE 00000001 658884 00`, Packet{Kind: Video, FourCC: avc, Key: true}, `17 01 000000 00000002 6742 00000002 68CE 00000004 65888400`},
		{"Annex B in an enhanced head", `93 "avc1" 000001 658884`, Packet{Kind: Video, FourCC: avc, Key: true}, `93 "avc1" 00000003 658884`},
		{"Annex B, HEVC, behind a modifier", `A7 02 000001 01 "hvc1" FFFFD8 00000001 2601AF`, Packet{Kind: Video, FourCC: hevc, Key: true}, `97 02 000001 01 "hvc1" FFFFD8 00000003 2601AF`},
		{"Annex B, track 1", `A6 01 "avc1" 01 000000 000001 419A02`, Packet{Kind: Video, FourCC: avc, Track: 1, Multitrack: true}, `A6 01 "avc1" 01 000000 00000003 419A02`},
		{"Annex B, two tracks: as it is", `A6 13 "avc1" 00 000009 00000001 419A02 0101 01 000007 00000003 419A02`, Packet{Kind: Video, FourCC: avc, Multitrack: true}, ``},
		{"AVC configuration in Annex B", `17 00 000000 00000001 6742C028D9 00000001 68CB83`, Packet{Kind: Video, FourCC: avc, Config: true}, `17 00 000000 0142C028FFE1 0005 6742C028D9 01 0003 68CB83`},
		{"AVC configuration in Annex B without a PPS: as it is", `17 00 000000 00000001 6742C028D9`, Packet{Kind: Video, FourCC: avc, Config: true}, ``},
		{"AAC with an ADTS header", `AF 01 FFF14C800100FC 21`, Packet{Kind: Audio, FourCC: aac, AAC: 0x1190}, `AF 01 21`},
		{"AAC with an ADTS header and a checksum", `AF 01 FFF04C800140FC BEEF 21`, Packet{Kind: Audio, FourCC: aac, AAC: 0x1190}, `AF 01 21`},
		{"mp4a with an ADTS header", `91 "mp4a" FFF94C800100FC 21`, Packet{Kind: Audio, FourCC: aac, AAC: 0x1190}, `91 "mp4a" 21`},
		{"AAC with an ADTS header and no frame", `AF 01 FFF14C8000E0FC`, Packet{Kind: Audio, FourCC: aac, AAC: 0x1190, Empty: true}, `AF 01`},
		{"AAC that begins like an ADTS header", `AF 01 FFF14C800200FC 21`, Packet{Kind: Audio, FourCC: aac}, ``},
		{"an ADTS header as configuration", `AF 00 FFF14C800100FC`, Packet{Kind: Audio, FourCC: aac, Config: true}, `AF 00 1190`},

		// What nobody needs.
		{"AVC frame that no other needs", `27 01 000000 00000003 019A02`, Packet{Kind: Video, FourCC: avc, Disposable: true}, ``},
		{"delimiter and two slices that no other needs", `27 01 000000 00000002 09F0 00000003 019A02 00000003 019A03`, Packet{Kind: Video, FourCC: avc, Disposable: true}, ``},
		{"one of two slices is needed", `27 01 000000 00000003 019A02 00000003 219A03`, Packet{Kind: Video, FourCC: avc}, ``},
		{"needed, though marked disposable", `37 01 000000 00000003 419A02`, Packet{Kind: Video, FourCC: avc}, ``},
		{"I slice that no other needs, marked key: intra only", `17 01 000000 00000003 018884`, Packet{Kind: Video, FourCC: avc, Key: true}, ``},
		{"HEVC picture that no other needs", `2C 01 000000 00000003 0001D0`, Packet{Kind: Video, FourCC: hevc, Disposable: true}, ``},
		{"HEVC picture of the second temporal sub-layer", `A3 "hvc1" 00000003 0202D0`, Packet{Kind: Video, FourCC: hevc, Disposable: true}, ``},
		{"Sorenson disposable frame", `32 0000`, Packet{Kind: Video, Disposable: true}, ``},
		{"Sorenson disposable frame without content", `32`, Packet{Kind: Video, Empty: true}, ``},
		{"two tracks, one with a frame that no other needs", `A6 13 "avc1" 00 000007 00000003 419A02 01 000007 00000003 019A02`, Packet{Kind: Video, FourCC: avc, Multitrack: true}, ``},
	}
}

// C-29, C-30, C-39, C-46, C-49, C-53: what is dropped, what is passed on, and what is
// repaired.
func TestNew(t *testing.T) {
	for _, c := range mediaCases() {
		t.Run(c.name, func(t *testing.T) {
			body := bytesOf(t, c.body)
			c.want.Time, c.want.Payload = 1234, body
			if c.payload != "" {
				c.want.Payload = bytesOf(t, c.payload)
			}
			if d := cmp.Diff(c.want, New(c.want.Kind, 1234, body)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			if string(body) != string(bytesOf(t, c.body)) {
				t.Errorf("what was read is now % x", body)
			}
		})
	}
}

// TestNewAllocatesNothing: New is called for every message, and few need repair.
func TestNewAllocatesNothing(t *testing.T) {
	type input struct {
		kind Kind
		body []byte
	}
	var inputs []input
	for _, c := range mediaCases() {
		if c.payload != "" {
			continue
		}
		inputs = append(inputs, input{c.want.Kind, bytesOf(t, c.body)})
	}
	for _, c := range dataCases() {
		inputs = append(inputs, input{Data, bytesOf(t, c.body)})
	}
	var sink Packet
	if n := testing.AllocsPerRun(100, func() {
		for _, in := range inputs {
			sink = New(in.kind, 0, in.body)
		}
	}); n != 0 {
		t.Errorf("%v allocations for %d packets", n, len(inputs))
	}
	_ = sink
}

// TestLyingHeads: with every frame of a real file marked as inter, or every frame
// as key, the same packets are found to be key frames.
func TestLyingHeads(t *testing.T) {
	dir := samples(t)
	for _, file := range []string{
		"gen/h264_baseline_aac.flv", "gen/h264_bframes_aac.flv", "gen/large_keyframe.flv",
		"real/srs-bench_bbb.flv", "eflv/enhanced_hevc_aac.flv", "eflv/enhanced_multitrack_h264_hevc.flv",
	} {
		for _, lie := range []flv.FrameType{flv.KeyFrame, flv.InterFrame} {
			for i, p := range packets(t, filepath.Join(dir, file)) {
				if p.Kind != Video || p.Config || p.Info {
					continue
				}
				body := append([]byte(nil), p.Payload...)
				body[0] = body[0]&0x8F | byte(lie)<<4
				if got := New(Video, p.Time, body); got.Key != p.Key {
					t.Errorf("%s: packet %d: key frame %t when marked %d, %t as it is", file, i, got.Key, lie, p.Key)
				}
			}
		}
	}
}

// messages reads a chunk-level sample: messages of one chunk with full heads.
func messages(t *testing.T, file string) []Packet {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(samples(t), "vectors", file))
	if err != nil {
		t.Fatal(err)
	}
	const head = 12
	var ps []Packet
	for len(b) > 0 {
		if len(b) < head || b[0]>>6 != 0 {
			t.Fatalf("%s: no full head at % x", file, b)
		}
		size := int(b[4])<<16 | int(b[5])<<8 | int(b[6])
		kind, ok := map[byte]Kind{8: Audio, 9: Video, 18: Data}[b[7]]
		if !ok || head+size > len(b) {
			t.Fatalf("%s: message type %d of %d bytes", file, b[7], size)
		}
		ps = append(ps, New(kind, uint32(b[1])<<16|uint32(b[2])<<8|uint32(b[3]), b[head:head+size]))
		b = b[head+size:]
	}
	return ps
}

// C-36, C-39, C-49 and C-21 with the bytes of their reports.
func TestVectors(t *testing.T) {
	ps := messages(t, "C-39_empty_asc.bin")
	if len(ps) != 2 || !ps[0].Empty || ps[0].Config || !ps[1].Config {
		t.Errorf("C-39: %+v", ps)
	} else if c, ok := ps[1].AudioConfig(); !ok || c.Profile != "LC" || c.SampleRate != 48000 || c.Channels != 2 {
		t.Errorf("C-39: %+v, %t", c, ok)
	}
	ps = messages(t, "C-36_negative_cts.bin")
	if v, err := flv.ParseVideo(ps[0].Payload); len(ps) != 1 || err != nil || ps[0].Time != 1000 || v.CompositionTime != -40 {
		t.Errorf("C-36: %+v, %v", ps, err)
	}
	if ps = messages(t, "C-49_colorinfo_frametype5.bin"); len(ps) != 1 || !ps[0].Info || flv.FourCC(ps[0].FourCC) != flv.HVC1 {
		t.Errorf("C-49: %+v", ps)
	}
	ps = messages(t, "C-21_unterminated_array.bin")
	if m, ok := ps[0].Metadata(); len(ps) != 1 || !ok || m.Width != 640 {
		t.Errorf("C-21: %+v, %+v", ps, m)
	}
}

// FuzzNew: no input panics, and what New says of a packet does not contradict itself.
func FuzzNew(f *testing.F) {
	for _, c := range mediaCases() {
		f.Add(uint8(c.want.Kind), bytesOf(f, c.body))
	}
	for _, c := range dataCases() {
		f.Add(uint8(Data), bytesOf(f, c.body))
	}
	f.Fuzz(func(t *testing.T, kind uint8, b []byte) {
		p := New(Kind(kind%3), 7, b)
		if p.Time != 7 || p.Kind != Kind(kind%3) {
			t.Errorf("%+v", p)
		}
		if p.Empty && (p.Key || p.Config || p.Meta || p.Info) || p.Clear && !p.Empty || p.Key && (p.Config || p.Kind != Video) {
			t.Errorf("%+v", p)
		}
		if again := New(p.Kind, 7, p.Payload); string(again.Payload) != string(p.Payload) {
			t.Errorf("%x is made %x, and again %x", b, p.Payload, again.Payload)
		}
		p.VideoConfig()
		if c, ok := p.InbandConfig(); ok && (!c.Config || c.Track != p.Track) {
			t.Errorf("%+v of %x", c, b)
		}
		p.AudioConfig()
		VideoCodecName(p)
		AudioCodecName(p)
		m, ok := p.Metadata()
		if ok != p.Meta || m.Width < 0 || m.Height < 0 || m.FrameRate < 0 {
			t.Errorf("%+v, %t", m, ok)
		}
		live := p.Live("Penstock")
		if p.Meta && !New(Data, 7, live.Payload).Meta && len(live.Payload) == len(p.Payload) {
			t.Errorf("metadata %x without its duration is none: %x", p.Payload, live.Payload)
		}
		if again := live.Live("Penstock"); string(again.Payload) != string(live.Payload) {
			t.Errorf("%x is made %x, and again %x", p.Payload, live.Payload, again.Payload)
		}
	})
}

func BenchmarkNew(b *testing.B) {
	body := append(bytesOf(b, `27 01 000000 00000002 09F0 00004000 419A02`), make([]byte, 0x4000-3)...)
	b.ReportAllocs()
	for b.Loop() {
		if p := New(Video, 0, body); p.Key {
			b.Fatal("no key frame")
		}
	}
}
