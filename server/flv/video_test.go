package flv

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// videoCases are heads in both directions: read test, write test, fuzz seeds.
func videoCases() []struct {
	name string
	wire string
	want Video
} {
	nalu := []byte{0, 0, 0, 1, 0x65}
	return []struct {
		name string
		wire string
		want Video
	}{
		{"AVC configuration", `17 00 000000 0164`, Video{Frame: KeyFrame, Codec: VideoAVC, FourCC: AVC1, Packet: VideoSequenceStart, Body: []byte{1, 0x64}}},
		{"AVC key frame", `17 01 000028 0000000165`, Video{Frame: KeyFrame, Codec: VideoAVC, FourCC: AVC1, Packet: VideoCodedFrames, CompositionTime: 40, Body: nalu}},
		// C-36: signed, in both heads.
		{"negative composition time", `27 01 FFFFD8 0000000165`, Video{Frame: InterFrame, Codec: VideoAVC, FourCC: AVC1, Packet: VideoCodedFrames, CompositionTime: -40, Body: nalu}},
		{"AVC frame without a unit (C-30)", `27 01 000000`, Video{Frame: InterFrame, Codec: VideoAVC, FourCC: AVC1, Packet: VideoCodedFrames}},
		{"AVC end of sequence", `17 02 000000`, Video{Frame: KeyFrame, Codec: VideoAVC, FourCC: AVC1, Packet: VideoSequenceEnd}},
		{"HEVC as codec 12 (C-53)", `1C 00 000000 01`, Video{Frame: KeyFrame, Codec: VideoHEVC, FourCC: HVC1, Packet: VideoSequenceStart, Body: []byte{1}}},
		{"HEVC frame as codec 12", `2C 01 000050 0000000165`, Video{Frame: InterFrame, Codec: VideoHEVC, FourCC: HVC1, Packet: VideoCodedFrames, CompositionTime: 80, Body: nalu}},
		{"AV1 as codec 13", `1D 00 000000 81`, Video{Frame: KeyFrame, Codec: VideoAV1, FourCC: AV01, Packet: VideoSequenceStart, Body: []byte{0x81}}},
		{"Sorenson H.263", `22 0000`, Video{Frame: InterFrame, Codec: VideoSorenson, Packet: VideoCodedFrames, Body: []byte{0, 0}}},
		{"disposable", `32 00`, Video{Frame: DisposableFrame, Codec: VideoSorenson, Packet: VideoCodedFrames, Body: []byte{0}}},
		{"command of AVC", `57 00`, Video{Frame: CommandFrame, Codec: VideoAVC, FourCC: AVC1, Packet: VideoCodedFrames, Body: []byte{0}}},

		{"HEVC configuration (C-46)", `90 "hvc1" 01014060`, Video{Enhanced: true, Frame: KeyFrame, FourCC: HVC1, Packet: VideoSequenceStart, Body: []byte{1, 1, 0x40, 0x60}}},
		{"empty configuration of FFmpeg 7", `90 "av01"`, Video{Enhanced: true, Frame: KeyFrame, FourCC: AV01, Packet: VideoSequenceStart}},
		{"avc1 frame has a composition time (C-47)", `91 "avc1" 000050 0000000165`, Video{Enhanced: true, Frame: KeyFrame, FourCC: AVC1, Packet: VideoCodedFrames, CompositionTime: 80, Body: nalu}},
		{"hvc1 frame, negative", `A1 "hvc1" FFFFFF 0000000165`, Video{Enhanced: true, Frame: InterFrame, FourCC: HVC1, Packet: VideoCodedFrames, CompositionTime: -1, Body: nalu}},
		{"vvc1 frame", `91 "vvc1" 000001 00`, Video{Enhanced: true, Frame: KeyFrame, FourCC: VVC1, Packet: VideoCodedFrames, CompositionTime: 1, Body: []byte{0}}},
		{"CodedFramesX has none (C-47)", `93 "avc1" 0000000165`, Video{Enhanced: true, Frame: KeyFrame, FourCC: AVC1, Packet: VideoCodedFramesX, Body: nalu}},
		{"av01 frame has none (C-47)", `91 "av01" 0A0B`, Video{Enhanced: true, Frame: KeyFrame, FourCC: AV01, Packet: VideoCodedFrames, Body: []byte{0x0A, 0x0B}}},
		{"vp09 frame has none", `A1 "vp09" 86`, Video{Enhanced: true, Frame: InterFrame, FourCC: VP09, Packet: VideoCodedFrames, Body: []byte{0x86}}},
		{"vp08 frame has none", `A1 "vp08" 86`, Video{Enhanced: true, Frame: InterFrame, FourCC: VP08, Packet: VideoCodedFrames, Body: []byte{0x86}}},
		{"end of sequence", `92 "hvc1"`, Video{Enhanced: true, Frame: KeyFrame, FourCC: HVC1, Packet: VideoSequenceEnd}},
		{"colour metadata of FFmpeg 8 with frame type 5 (C-49)", `D4 "hvc1" 02`, Video{Enhanced: true, Frame: CommandFrame, FourCC: HVC1, Packet: VideoMetadata, Body: []byte{2}}},
		{"command", `D0 01`, Video{Enhanced: true, Frame: CommandFrame, Packet: VideoSequenceStart, Body: []byte{1}}},
		{"command with an offset", `D7 02 000001 00 01`, Video{Enhanced: true, Frame: CommandFrame, Packet: VideoSequenceStart, NanoOffset: 1, Body: []byte{1}}},
		{"nanosecond offset", `97 02 0F423F 01 "av01" 0A`, Video{Enhanced: true, Frame: KeyFrame, FourCC: AV01, Packet: VideoCodedFrames, NanoOffset: 999999, Body: []byte{0x0A}}},
		{"one track of FFmpeg 8 (C-50)", `96 00 "avc1" 01 0164`, Video{Enhanced: true, Frame: KeyFrame, FourCC: AVC1, Packet: VideoSequenceStart, Multitrack: true, Track: 1, Body: []byte{1, 0x64}}},
		{"one track, frame", `A6 01 "avc1" 01 000050 0000000165`, Video{Enhanced: true, Frame: InterFrame, FourCC: AVC1, Packet: VideoCodedFrames, CompositionTime: 80, Multitrack: true, Track: 1, Body: nalu}},
		{"many tracks, one there", `96 11 "hvc1" 02 000004 000001 99`, Video{Enhanced: true, Frame: KeyFrame, FourCC: HVC1, Packet: VideoCodedFrames, CompositionTime: 1, Multitrack: true, Layout: ManyTracks, Track: 2, Body: []byte{0x99}}},
		{"multitrack behind an offset", `97 02 000007 06 03 "av01" 03 0A`, Video{Enhanced: true, Frame: KeyFrame, FourCC: AV01, Packet: VideoCodedFramesX, NanoOffset: 7, Multitrack: true, Track: 3, Body: []byte{0x0A}}},
	}
}

func videoDiff(want, got Video) string {
	return cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Video{}))
}

func TestParseVideo(t *testing.T) { // C-30, C-36, C-46, C-47, C-49, C-53
	for _, c := range videoCases() {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseVideo(bytesOf(t, c.wire))
			if err != nil {
				t.Fatal(err)
			}
			if d := videoDiff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestVideoAppendHead(t *testing.T) {
	for _, c := range videoCases() {
		t.Run(c.name, func(t *testing.T) {
			got := append(c.want.AppendHead(nil), c.want.Body...)
			if want := bytesOf(t, c.wire); string(got) != string(want) {
				t.Errorf("got  %x\nwant %x", got, want)
			}
		})
	}
}

// TestVideoTracks: bodies with several tracks are walked, and a last track that ends
// early keeps what there is.
func TestVideoTracks(t *testing.T) {
	for _, c := range []struct {
		name, wire string
		want       []string
	}{
		{"one codec", `96 13 "avc1" 00 000002 AABB 01 000001 CC`, []string{"avc1 0 aabb", "avc1 1 cc"}},
		{"composition time of each", `96 11 "avc1" 00 000004 000001 AA 01 000004 000002 BB`, []string{"avc1 0 aa", "avc1 1 bb"}},
		{"many codecs", `96 23 "avc1" 00 000001 AA "hvc1" 01 000001 BB "av01" 02 000000`, []string{"avc1 0 aa", "hvc1 1 bb", "av01 2 "}},
		{"last one short", `96 13 "avc1" 00 000001 AA 01 000009 BB`, []string{"avc1 0 aa", "avc1 1 bb"}},
		{"head of the last one short", `96 13 "avc1" 00 000001 AA 01 00`, []string{"avc1 0 aa"}},
		{"composition time of the last one short", `96 11 "avc1" 00 000003 000001 01 000002 0000`, []string{"avc1 0 "}},
		{"one track", `96 03 "avc1" 01 AA`, []string{"avc1 1 aa"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := ParseVideo(bytesOf(t, c.wire))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for more := true; more; v, more = v.Next() {
				got = append(got, fmt.Sprintf("%s %d %s", v.FourCC, v.Track, hex.EncodeToString(v.Body)))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func brokenVideo() map[string]error {
	return map[string]error{
		``:                     ErrShort,
		`17`:                   ErrShort, // C-30
		`17 00 0000`:           ErrShort,
		`27 01 0000`:           ErrShort,
		`17 03 000000`:         ErrHead,
		`90 "hvc"`:             ErrShort,
		`91 "hvc1" 0000`:       ErrShort,
		`D0`:                   ErrShort,
		`96`:                   ErrShort,
		`96 36 "avc1" 00`:      ErrHead, // layout 3
		`96 06 "avc1" 00`:      ErrHead, // multitrack in multitrack
		`96 01 "avc1"`:         ErrShort,
		`96 10 "avc1" 00 0000`: ErrShort,
		`96 20 "avc"`:          ErrShort,
		`97`:                   ErrShort,
		`97 FF`:                ErrShort,
		`97 FF FFFF 00`:        ErrShort,
		`97 00 00`:             ErrShort,
		`97 00 00 07 00 00 07 00 00 07 00 00 07 00 00 07 00 00 07 00 00 07 00 00 07 00 00 07 00 00 00 "hvc1"`: ErrHead,
	}
}

func TestParseVideoErrors(t *testing.T) {
	for wire, want := range brokenVideo() {
		if v, err := ParseVideo(bytesOf(t, wire)); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v (%+v)", wire, err, want, v)
		}
	}
}

// TestModifiers: unknown ones are skipped, of any size, and so is an offset that is
// too short.
func TestModifiers(t *testing.T) {
	long := append([]byte{0x97, 0xFF, 0x01, 0x00}, make([]byte, 257)...)
	long = append(long, 0x51)
	long = append(long, "av01\x0a"...)
	for name, wire := range map[string][]byte{
		"257 bytes": long,
		"unknown":   bytesOf(t, `97 01 AABB 11 "av01" 0A`),
		"short":     bytesOf(t, `97 01 AABB 01 "av01" 0A`),
		"two":       bytesOf(t, `97 00 AA 17 00 AA 11 "av01" 0A`),
	} {
		v, err := ParseVideo(wire)
		if err != nil || v.FourCC != AV01 || v.Packet != VideoCodedFrames || v.NanoOffset != 0 || string(v.Body) != "\x0a" {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

func TestShortEndOfSequence(t *testing.T) {
	v, err := ParseVideo([]byte{0x17, 2, 0, 0})
	if err != nil || v.Packet != VideoSequenceEnd {
		t.Errorf("%+v, %v", v, err)
	}
}

// sameVideo: equal but for what follows their bodies. It is plain, because the fuzzer
// counts the branches of everything it runs.
func sameVideo(a, b Video) bool {
	same := bytes.Equal(a.Body, b.Body)
	a.Body, a.rest, b.Body, b.rest = nil, nil, nil, nil
	return same && reflect.DeepEqual(a, b)
}

// FuzzParseVideo: no input panics, and the head of what is read is written so that
// it reads the same.
func FuzzParseVideo(f *testing.F) {
	for _, c := range videoCases() {
		f.Add(bytesOf(f, c.wire))
	}
	for wire := range brokenVideo() {
		f.Add(bytesOf(f, wire))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := ParseVideo(b)
		for more := err == nil; more; v, more = v.Next() {
			wire := append(v.AppendHead(nil), v.Body...)
			again, err := ParseVideo(wire)
			if err != nil {
				t.Fatalf("%x written as %x: %v", b, wire, err)
			}
			if !sameVideo(v, again) {
				t.Errorf("%x written as %x: %+v, then %+v", b, wire, v, again)
			}
		}
	})
}

func ExampleParseVideo() {
	v, err := ParseVideo([]byte("\x91hvc1\x00\x00\x28the NAL units"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s, key frame: %t, composition time %d ms, %s\n", v.FourCC, v.Frame == KeyFrame, v.CompositionTime, v.Body)
	// Output: hvc1, key frame: true, composition time 40 ms, the NAL units
}
