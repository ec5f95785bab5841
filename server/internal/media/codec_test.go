package media

import (
	"testing"

	"github.com/penstock-media/penstock/server/codec"
)

func TestCodecNames(t *testing.T) {
	for body, want := range map[string]string{
		`17 01 000000 00`: "H.264", `1C 01 000000 00`: "H.265", `1D 01 000000 00`: "AV1",
		`11 00`: "JPEG", `12 00`: "Sorenson H.263", `13 00`: "Screen Video", `14 00`: "VP6", `15 00`: "VP6 with alpha", `16 00`: "Screen Video 2",
		`91 "avc1" 000000`: "H.264", `93 "hvc1"`: "H.265", `93 "vvc1"`: "H.266", `91 "av01"`: "AV1", `91 "vp08"`: "VP8", `91 "vp09"`: "VP9",
		`91 "xyz1"`: "xyz1", `91 00000000`: "", `19 00`: "", ``: "", `17`: "",
	} {
		p := New(Video, 0, bytesOf(t, body))
		if got := VideoCodecName(p); got != want {
			t.Errorf("video %s: %q, want %q", body, got, want)
		}
		if got := AudioCodecName(p); got != "" {
			t.Errorf("video %s is audio: %q", body, got)
		}
	}
	for body, want := range map[string]string{
		`AF 01 00`: "AAC", `2F 00`: "MP3", `EF 00`: "MP3", `0F 00`: "PCM", `3F 00`: "PCM", `1F 00`: "ADPCM", `4F 00`: "Nellymoser", `5F 00`: "Nellymoser", `6F 00`: "Nellymoser",
		`7F 00`: "G.711 A-law", `8F 00`: "G.711 mu-law", `BF 00`: "Speex", `DF 00`: "Opus", `FF 00`: "",
		`91 "mp4a"`: "AAC", `91 "Opus"`: "Opus", `91 "fLaC"`: "FLAC", `91 "ac-3"`: "AC-3", `91 "ec-3"`: "E-AC-3", `91 ".mp3"`: "MP3", `91 "xyz1"`: "xyz1", ``: "",
	} {
		p := New(Audio, 0, bytesOf(t, body))
		if got := AudioCodecName(p); got != want {
			t.Errorf("audio %s: %q, want %q", body, got, want)
		}
		if got := VideoCodecName(p); got != "" {
			t.Errorf("audio %s is video: %q", body, got)
		}
	}
}

func TestAudioConfig(t *testing.T) {
	for body, want := range map[string]codec.AudioConfig{
		`AF 00 1190`:           {Codec: "AAC", Profile: "LC", SampleRate: 48000, Channels: 2},
		`95 00 "mp4a" 01 1190`: {Codec: "AAC", Profile: "LC", SampleRate: 48000, Channels: 2},
		`90 "OpusOpusHead" 0102380180bb0000000000`: {Codec: "Opus", SampleRate: 48000, Channels: 2},
		`B2 36`: {Codec: "Speex", SampleRate: 16000, Channels: 1},
		`2F FF`: {Codec: "MP3", SampleRate: 44100, Channels: 2},
	} {
		if got, ok := New(Audio, 0, bytesOf(t, body)).AudioConfig(); !ok || got != want {
			t.Errorf("%s: %+v, %t", body, got, ok)
		}
	}
	for _, body := range []string{`AF 01 21`, `AF 00`, `AF 00 16`, `90 "Opus"`, `91 "mp4a" 21`, `90 "xyz1" 00`, ``, `95`} {
		if got, ok := New(Audio, 0, bytesOf(t, body)).AudioConfig(); ok {
			t.Errorf("%s: %+v", body, got)
		}
	}
}

func TestVideoConfig(t *testing.T) {
	const avcC = `0142c028ffe1001a6742c028d900780227e5c044000003000400000300c83c60c92001000568cb83cb20`
	const hvcC = `0101600000009000000000005df000fcfdf8f800000f00`
	const vpcC = `010000000115860202020000`
	for body, want := range map[string]string{
		`17 00 000000 ` + avcC:            "H.264",
		`90 "avc1" ` + avcC:               "H.264",
		`96 00 "avc1" 01 ` + avcC:         "H.264",
		`1C 00 000000 ` + hvcC:            "H.265",
		`90 "hvc1" ` + hvcC:               "H.265",
		`90 "av01" 81280c00`:              "AV1",
		`90 "vp09" ` + vpcC:               "VP9",
		`90 "vp08" ` + vpcC:               "VP8",
		`17 00 000000`:                    "",
		`17 00 000000 02`:                 "",
		`17 01 000000 00000001 65`:        "",
		`90 "vvc1" 00`:                    "",
		`95 "av01" 00`:                    "",
		`90 "hvc1" ` + hvcC[:len(hvcC)-2]: "",
	} {
		c, ok := New(Video, 0, bytesOf(t, body)).VideoConfig()
		if got := c.Codec; ok != (want != "") || ok && got != want {
			t.Errorf("%s: %+v, %t", body, c, ok)
		}
	}
	if _, ok := New(Audio, 0, []byte{0xAF, 0, 0x11, 0x90}).VideoConfig(); ok {
		t.Error("audio has a video configuration")
	}
}
