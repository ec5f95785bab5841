package codec

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type (
	videoParser func([]byte) (VideoConfig, error)
	audioParser func([]byte) (AudioConfig, error)
)

func testVideo(t *testing.T, parse videoParser, cases []videoCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := bytesOf(t, c.record)
			got, err := parse(b)
			if err != nil {
				t.Error(err)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			for n := range b {
				if _, err := parse(b[:n:n]); err != nil && !errors.Is(err, ErrInvalid) {
					t.Errorf("%d bytes: %v", n, err)
				}
			}
		})
	}
}

func testAudio(t *testing.T, parse audioParser, cases []audioCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := bytesOf(t, c.record)
			got, err := parse(b)
			if err != nil {
				t.Error(err)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			for n := range b {
				if _, err := parse(b[:n:n]); err != nil && !errors.Is(err, ErrInvalid) {
					t.Errorf("%d bytes: %v", n, err)
				}
			}
		})
	}
}

func TestParseAVC(t *testing.T)  { testVideo(t, ParseAVC, avcCases()) }
func TestParseHEVC(t *testing.T) { testVideo(t, ParseHEVC, hevcCases()) }
func TestParseAV1(t *testing.T)  { testVideo(t, ParseAV1, av1Cases()) }
func TestParseVP9(t *testing.T)  { testVideo(t, ParseVP9, vp9Cases()) }
func TestParseAAC(t *testing.T)  { testAudio(t, ParseAAC, aacCases()) }
func TestParseOpus(t *testing.T) { testAudio(t, ParseOpus, opusCases()) }
func TestParseFLAC(t *testing.T) { testAudio(t, ParseFLAC, flacCases()) }

// TestInvalid: what is no configuration says so, and says what is wrong.
func TestInvalid(t *testing.T) {
	video := func(parse videoParser) func([]byte) error {
		return func(b []byte) error { _, err := parse(b); return err }
	}
	audio := func(parse audioParser) func([]byte) error {
		return func(b []byte) error { _, err := parse(b); return err }
	}
	for _, c := range []struct {
		name   string
		parse  func([]byte) error
		record string
	}{
		{"AVC of nothing", video(ParseAVC), ``},
		{"AVC, Annex B in its place", video(ParseAVC), `000000016742c028d9`},
		{"AVC, SPS longer than the record", video(ParseAVC), `0142c028ffe1ffff6742`},
		{"AVC, PPS in the SPS's place", video(ParseAVC), `0142c028ffe1000568cb83cb20`},
		{"AVC, SPS of zeros", video(ParseAVC), `0142c028ffe1000867000000000000000000`},
		{"AVC, picture of 2^20 pixels", video(ParseAVC), `0142c028ffe1000a6742c028da0000400039`},
		{"HEVC of nothing", video(ParseHEVC), ``},
		{"HEVC, version 2", video(ParseHEVC), `0201600000009000000000005df000fcfdf8f800000f00`},
		{"HEVC, arrays missing", video(ParseHEVC), `0101600000009000000000005df000fcfdf8f800000f03`},
		{"HEVC, unit longer than the record", video(ParseHEVC), `0101600000009000000000005df000fcfdf8f800000f01a10001ffff42`},
		{"AV1 of nothing", video(ParseAV1), ``},
		{"AV1, OBU in its place", video(ParseAV1), `0a0b00000042abbfc3732be401`},
		{"AV1, OBU longer than the record", video(ParseAV1), `81080c000aff`},
		{"AV1, size without an end", video(ParseAV1), `81080c000affffffffffffffffff`},
		{"VP9 of nothing", video(ParseVP9), ``},
		{"VP9 without its full box", video(ParseVP9), `000b820202020000`},
		{"AAC of nothing", audio(ParseAAC), ``},
		{"AAC of one byte", audio(ParseAAC), `11`},
		{"AAC, reserved rate", audio(ParseAAC), `1690`},
		{"Opus of nothing", audio(ParseOpus), ``},
		{"Opus, version 16", audio(ParseOpus), `"OpusHead" 1002380180bb0000000000`},
		{"Opus without channels", audio(ParseOpus), `"OpusHead" 0100380180bb0000000000`},
		{"FLAC of nothing", audio(ParseFLAC), ``},
		{"FLAC of zeros", audio(ParseFLAC), fmt.Sprintf("%068x", 0)},
	} {
		if err := c.parse(bytesOf(t, c.record)); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// FuzzParse: no input panics any parser, and no configuration claims nonsense.
func FuzzParse(f *testing.F) {
	for _, cases := range [][]videoCase{avcCases(), hevcCases(), av1Cases(), vp9Cases()} {
		for _, c := range cases {
			f.Add(bytesOf(f, c.record))
		}
	}
	for _, cases := range [][]audioCase{aacCases(), opusCases(), flacCases()} {
		for _, c := range cases {
			f.Add(bytesOf(f, c.record))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, parse := range []videoParser{ParseAVC, ParseHEVC, ParseAV1, ParseVP9} {
			c, err := parse(b)
			if err != nil && !errors.Is(err, ErrInvalid) {
				t.Errorf("%s: %v", c.Codec, err)
			}
			if c.Codec == "" || c.Width < 0 || c.Height < 0 || c.Width > maxSide || c.Height > maxSide || c.BitDepth > 16 {
				t.Errorf("%+v", c)
			}
		}
		for _, parse := range []audioParser{ParseAAC, ParseOpus, ParseFLAC} {
			c, err := parse(b)
			if err != nil && !errors.Is(err, ErrInvalid) {
				t.Errorf("%s: %v", c.Codec, err)
			}
			if c.Codec == "" || c.SampleRate < 0 || c.Channels < 0 || c.Channels > 255 {
				t.Errorf("%+v", c)
			}
		}
	})
}

func ExampleParseAAC() {
	c, err := ParseAAC([]byte{0x2B, 0x92, 0x08})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Codec, c.Profile, c.SampleRate, c.Channels)
	// Output: AAC HE-AAC 44100 2
}
