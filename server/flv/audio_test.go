package flv

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// audioCases are heads in both directions: read test, write test, fuzz seeds.
func audioCases() []struct {
	name string
	wire string
	want Audio
} {
	aac := Audio{Format: AudioAAC, Rate: 3, Wide: true, Stereo: true, FourCC: MP4A}
	with := func(a Audio, p AudioPacket, body ...byte) Audio {
		a.Packet, a.Body = p, body
		return a
	}
	ex := func(f FourCC) Audio { return Audio{Enhanced: true, FourCC: f} }
	return []struct {
		name string
		wire string
		want Audio
	}{
		{"AAC configuration", `AF 00 1190`, with(aac, AudioSequenceStart, 0x11, 0x90)},
		{"empty AAC configuration (C-39)", `AF 00`, with(aac, AudioSequenceStart)},
		{"AAC frame", `AF 01 21`, with(aac, AudioCodedFrames, 0x21)},
		{"empty AAC frame (C-30)", `AF 01`, with(aac, AudioCodedFrames)},
		{"MP3", `2F FFFB`, Audio{Format: AudioMP3, Rate: 3, Wide: true, Stereo: true, FourCC: MP3, Packet: AudioCodedFrames, Body: []byte{0xFF, 0xFB}}},
		{"MP3 at 8 kHz", `E2 FF`, Audio{Format: AudioMP3At8k, Wide: true, FourCC: MP3, Packet: AudioCodedFrames, Body: []byte{0xFF}}},
		{"Speex", `B2 36`, Audio{Format: AudioSpeex, Wide: true, Packet: AudioCodedFrames, Body: []byte{0x36}}},
		{"PCM, 11 kHz, 8 bits", `34 80`, Audio{Format: AudioPCMLE, Rate: 1, Packet: AudioCodedFrames, Body: []byte{0x80}}},
		{"Opus as 13", `DF 01`, Audio{Format: AudioOpus, Rate: 3, Wide: true, Stereo: true, FourCC: Opus, Packet: AudioCodedFrames, Body: []byte{1}}},

		{"Opus configuration", `90 "Opus" "OpusHead"`, with(ex(Opus), AudioSequenceStart, []byte("OpusHead")...)},
		{"Opus frame", `91 "Opus" FC`, with(ex(Opus), AudioCodedFrames, 0xFC)},
		{"channel layout of FFmpeg 8", `94 "fLaC" 01 01 00000004`, with(ex(FLAC), AudioMultichannelConfig, 1, 1, 0, 0, 0, 4)},
		{"E-AC-3 frame", `91 "ec-3" 0B77`, with(ex(EAC3), AudioCodedFrames, 0x0B, 0x77)},
		{"AC-3 frame", `91 "ac-3" 0B77`, with(ex(AC3), AudioCodedFrames, 0x0B, 0x77)},
		{"MP3 frame", `91 ".mp3" FF`, with(ex(MP3), AudioCodedFrames, 0xFF)},
		{"end of sequence", `92 "mp4a"`, with(ex(MP4A), AudioSequenceEnd)},
		{"one track of FFmpeg 8 (C-50)", `95 00 "mp4a" 01 1190`, Audio{Enhanced: true, FourCC: MP4A, Multitrack: true, Track: 1, Body: []byte{0x11, 0x90}}},
		{"many tracks, one there", `95 11 "mp4a" 02 000001 21`, Audio{Enhanced: true, FourCC: MP4A, Packet: AudioCodedFrames, Multitrack: true, Layout: ManyTracks, Track: 2, Body: []byte{0x21}}},
		{"nanosecond offset", `97 02 000001 01 "Opus" FC`, Audio{Enhanced: true, FourCC: Opus, Packet: AudioCodedFrames, NanoOffset: 1, Body: []byte{0xFC}}},
	}
}

func audioDiff(want, got Audio) string {
	return cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Audio{}))
}

func TestParseAudio(t *testing.T) {
	for _, c := range audioCases() {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseAudio(bytesOf(t, c.wire))
			if err != nil {
				t.Fatal(err)
			}
			if d := audioDiff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestAudioAppendHead(t *testing.T) {
	for _, c := range audioCases() {
		t.Run(c.name, func(t *testing.T) {
			got := append(c.want.AppendHead(nil), c.want.Body...)
			if want := bytesOf(t, c.wire); string(got) != string(want) {
				t.Errorf("got  %x\nwant %x", got, want)
			}
		})
	}
}

func brokenAudio() map[string]error {
	return map[string]error{
		``:                   ErrShort,
		`AF`:                 ErrShort, // C-30
		`AF 02`:              ErrHead,
		`90 "Opu"`:           ErrShort,
		`95`:                 ErrShort,
		`95 05 "mp4a" 00`:    ErrHead,
		`95 F0 "mp4a" 00`:    ErrHead,
		`95 01 "mp4a"`:       ErrShort,
		`95 11 "mp4a" 00 00`: ErrShort,
		`97 05 00`:           ErrShort,
	}
}

func TestParseAudioErrors(t *testing.T) {
	for wire, want := range brokenAudio() {
		if a, err := ParseAudio(bytesOf(t, wire)); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v (%+v)", wire, err, want, a)
		}
	}
}

func TestAudioTracks(t *testing.T) {
	a, err := ParseAudio(bytesOf(t, `95 21 "mp4a" 00 000001 AA "Opus" 01 000002 BBCC "fLaC" 02`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for more := true; more; a, more = a.Next() {
		got = append(got, fmt.Sprintf("%s %d %x", a.FourCC, a.Track, a.Body))
	}
	if d := cmp.Diff([]string{"mp4a 0 aa", "Opus 1 bbcc"}, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestSampleRateChannels(t *testing.T) {
	for wire, want := range map[string][2]int{
		`2F`:        {44100, 2},
		`2A`:        {22050, 1},
		`36`:        {11025, 1},
		`12`:        {5512, 1},
		`B7`:        {16000, 1}, // Speex, whatever the bits say
		`42`:        {16000, 1},
		`5F`:        {8000, 1},
		`7F`:        {8000, 2},
		`82`:        {8000, 1},
		`EF`:        {8000, 2},
		`AF 01`:     {0, 0},
		`DF`:        {0, 0},
		`91 ".mp3"`: {0, 0},
	} {
		a, err := ParseAudio(bytesOf(t, wire))
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]int{a.SampleRate(), a.Channels()}; got != want {
			t.Errorf("%s: %v, want %v", wire, got, want)
		}
	}
}

// sameAudio: equal but for what follows their bodies. It is plain, because the fuzzer
// counts the branches of everything it runs.
func sameAudio(a, b Audio) bool {
	same := bytes.Equal(a.Body, b.Body)
	a.Body, a.rest, b.Body, b.rest = nil, nil, nil, nil
	return same && reflect.DeepEqual(a, b)
}

// FuzzParseAudio: no input panics, and the head of what is read is written so that
// it reads the same.
func FuzzParseAudio(f *testing.F) {
	for _, c := range audioCases() {
		f.Add(bytesOf(f, c.wire))
	}
	for wire := range brokenAudio() {
		f.Add(bytesOf(f, wire))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := ParseAudio(b)
		for more := err == nil; more; a, more = a.Next() {
			wire := append(a.AppendHead(nil), a.Body...)
			again, err := ParseAudio(wire)
			if err != nil {
				t.Fatalf("%x written as %x: %v", b, wire, err)
			}
			if !sameAudio(a, again) {
				t.Errorf("%x written as %x: %+v, then %+v", b, wire, a, again)
			}
		}
	})
}

// TestHeadsAllocateNothing: heads are read for every message.
func TestHeadsAllocateNothing(t *testing.T) {
	bodies := [][]byte{{0x17, 1, 0, 0, 0, 0}, {0x17}, bytesOf(t, `96 01 "avc1" 01 000050 00`), {0xAF, 1, 0}, {0x97}, {0xAF, 2}}
	if n := testing.AllocsPerRun(100, func() {
		for _, b := range bodies {
			if v, err := ParseVideo(b); err == nil {
				_, _ = v.Next()
			}
			if a, err := ParseAudio(b); err == nil {
				_, _ = a.Next()
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
