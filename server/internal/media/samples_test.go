package media

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server/flv"
)

// samples returns a folder of the sample media, which lie beside the repository.
func samples(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("PENSTOCK_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared")
	}
	dir = filepath.Join(dir, "samples")
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("no sample media in %s: set PENSTOCK_SHARED to the folder that has samples/", dir)
	}
	return dir
}

// packets reads a sample file through New.
func packets(tb testing.TB, file string) []Packet {
	tb.Helper()
	f, err := os.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	kinds := map[uint8]Kind{flv.TagAudio: Audio, flv.TagVideo: Video, flv.TagData: Data}
	var ps []Packet
	r := flv.NewReader(bufio.NewReader(f))
	for {
		tag, err := r.Next()
		if errors.Is(err, io.EOF) {
			return ps
		}
		if err != nil {
			tb.Fatal(err)
		}
		kind, ok := kinds[tag.Type]
		if !ok {
			tb.Fatalf("tag type %d", tag.Type)
		}
		ps = append(ps, New(kind, tag.Timestamp, tag.Body))
	}
}

// facts is what a whole file comes to: one line a track, in the order of kind and
// number.
func facts(ps []Packet) []string {
	type track struct {
		kind Kind
		id   uint8
	}
	type count struct{ packets, keys, configs, empty int }
	name := map[track]string{}
	counts := map[track]count{}
	meta := 0
	var claim Metadata
	for _, p := range ps {
		if p.Kind == Data {
			if m, ok := p.Metadata(); ok {
				claim = m
				meta++
			}
			continue
		}
		id := track{p.Kind, p.Track}
		c := counts[id]
		c.packets++
		if p.Key {
			c.keys++
		}
		if p.Empty {
			c.empty++
		}
		if p.Config {
			c.configs++
		}
		counts[id] = c
		if v, ok := p.VideoConfig(); ok {
			name[id] = fmt.Sprintf("%s %s %s %dx%d %d bit", v.Codec, v.Profile, v.Level, v.Width, v.Height, v.BitDepth)
			if id.id == 0 && v.Width != 0 && (v.Width != claim.Width || v.Height != claim.Height) {
				name[id] += fmt.Sprintf(" but metadata says %dx%d", claim.Width, claim.Height)
			}
		} else if a, ok := p.AudioConfig(); ok {
			name[id] = strings.Join(strings.Fields(fmt.Sprintf("%s %s %d/%d", a.Codec, a.Profile, a.SampleRate, a.Channels)), " ")
		} else if name[id] == "" {
			name[id] = VideoCodecName(p) + AudioCodecName(p)
		}
	}
	lines := []string{}
	for id, c := range counts {
		kind := "audio"
		if id.kind == Video {
			kind = "video"
		}
		lines = append(lines, fmt.Sprintf("%s %d: %s, packets=%d keys=%d configs=%d empty=%d", kind, id.id, name[id], c.packets, c.keys, c.configs, c.empty))
	}
	slices.Sort(lines)
	return append(lines, fmt.Sprintf("meta=%d", meta))
}

// sampleFacts is what ffprobe and the makers of the files say of them.
func sampleFacts() map[string][]string {
	return map[string][]string{
		"gen/audio_only_aac.flv": {
			"audio 0: AAC LC 44100/1, packets=261 keys=0 configs=1 empty=0",
			"meta=1",
		},
		"gen/audio_only_mp3.flv": {
			"audio 0: MP3 44100/1, packets=231 keys=0 configs=0 empty=0",
			"meta=1",
		},
		"gen/audio_only_pcm_alaw.flv": {
			"audio 0: G.711 A-law 8000/1, packets=130 keys=0 configs=0 empty=0",
			"meta=1",
		},
		"gen/audio_only_pcm_mulaw.flv": {
			"audio 0: G.711 mu-law 8000/1, packets=130 keys=0 configs=0 empty=0",
			"meta=1",
		},
		"gen/audio_only_pcm_s16le.flv": {
			"audio 0: PCM 44100/2, packets=130 keys=0 configs=0 empty=0",
			"meta=1",
		},
		"gen/flashsv.flv": {
			"video 0: Screen Video, packets=30 keys=3 configs=0 empty=0",
			"meta=1",
		},
		"gen/h263_adpcm.flv": {
			"audio 0: ADPCM 22050/1, packets=33 keys=0 configs=0 empty=0",
			"video 0: Sorenson H.263, packets=150 keys=13 configs=0 empty=0",
			"meta=1",
		},
		"gen/h263_nellymoser.flv": {
			"audio 0: Nellymoser 22050/1, packets=517 keys=0 configs=0 empty=0",
			"video 0: Sorenson H.263, packets=150 keys=13 configs=0 empty=0",
			"meta=1",
		},
		"gen/h263_sorenson_mp3.flv": {
			"audio 0: MP3 44100/1, packets=231 keys=0 configs=0 empty=0",
			"video 0: Sorenson H.263, packets=150 keys=6 configs=0 empty=0",
			"meta=1",
		},
		"gen/h263_speex.flv": {
			"audio 0: Speex 16000/1, packets=300 keys=0 configs=0 empty=0",
			"video 0: Sorenson H.263, packets=150 keys=13 configs=0 empty=0",
			"meta=1",
		},
		"gen/h264_baseline_aac.flv": {
			"audio 0: AAC LC 44100/1, packets=261 keys=0 configs=1 empty=0",
			"video 0: H.264 Constrained Baseline 1.3 320x180 8 bit, packets=152 keys=6 configs=1 empty=0",
			"meta=1",
		},
		"gen/h264_bframes_aac.flv": {
			"audio 0: AAC LC 44100/2, packets=261 keys=0 configs=1 empty=0",
			"video 0: H.264 High 1.2 320x180 8 bit, packets=152 keys=3 configs=1 empty=0",
			"meta=1",
		},
		"gen/h264_mp3.flv": {
			"audio 0: MP3 44100/1, packets=231 keys=0 configs=0 empty=0",
			"video 0: H.264 Constrained Baseline 1.2 320x180 8 bit, packets=152 keys=6 configs=1 empty=0",
			"meta=1",
		},
		"gen/heaac_signalling_backward_compat.flv": {
			"audio 0: AAC HE-AAC 44100/2, packets=110 keys=0 configs=1 empty=0",
			"meta=1",
		},
		"gen/heaac_signalling_hierarchical.flv": {
			"audio 0: AAC HE-AAC 44100/2, packets=110 keys=0 configs=1 empty=0",
			"meta=1",
		},
		"gen/large_keyframe.flv": {
			"audio 0: AAC LC 44100/1, packets=46 keys=0 configs=1 empty=0",
			"video 0: H.264 Constrained Baseline 3.1 1280x720 8 bit, packets=4 keys=1 configs=1 empty=0",
			"meta=1",
		},
		"gen/ts_above_24bit.flv": {
			"audio 0: AAC LC 44100/1, packets=175 keys=0 configs=1 empty=0",
			"video 0: H.264 High 1.2 320x180 8 bit, packets=102 keys=4 configs=1 empty=0",
			"meta=1",
		},
		"gen/ts_cross_24bit.flv": {
			"audio 0: AAC LC 44100/1, packets=347 keys=0 configs=1 empty=0",
			"video 0: H.264 High 1.2 320x180 8 bit, packets=202 keys=8 configs=1 empty=0",
			"meta=1",
		},
		"gen/ts_cross_31bit.flv": {
			"audio 0: AAC LC 44100/1, packets=347 keys=0 configs=1 empty=0",
			"video 0: H.264 High 1.2 320x180 8 bit, packets=202 keys=8 configs=1 empty=0",
			"meta=1",
		},
		"gen/ts_cross_32bit.flv": {
			"audio 0: AAC LC 44100/1, packets=347 keys=0 configs=1 empty=0",
			"video 0: H.264 High 1.2 320x180 8 bit, packets=202 keys=8 configs=1 empty=0",
			"meta=1",
		},
		"gen/video_only_h264.flv": {
			"video 0: H.264 High 1.2 320x180 8 bit, packets=152 keys=6 configs=1 empty=0",
			"meta=1",
		},
		"real/srs-bench_bbb.flv": {
			"audio 0: AAC LC 44100/2, packets=433 keys=0 configs=1 empty=0",
			"video 0: H.264 Constrained Baseline 3.0 640x360 8 bit, packets=252 keys=4 configs=1 empty=0",
			"meta=1",
		},
		"real/veovera_bbb.flv": {
			"audio 0: Opus 48000/2, packets=1503 keys=0 configs=1 empty=0",
			"video 0: AV1 Main 3.0 960x540 8 bit, packets=900 keys=5 configs=1 empty=1",
			"meta=1",
		},
		"real/veovera_mptestsrc.flv": {
			"audio 0: Opus 48000/1, packets=503 keys=0 configs=1 empty=0",
			"video 0: AV1 Main 2.1 512x512 8 bit, packets=345 keys=3 configs=1 empty=1",
			"meta=1",
		},
		"real/veovera_testsrc.flv": {
			"audio 0: Opus 48000/1, packets=503 keys=0 configs=1 empty=0",
			"video 0: AV1 High 3.0 980x540 8 bit, packets=303 keys=1 configs=1 empty=1",
			"meta=1",
		},
		"eflv/enhanced_av1_opus.flv": {
			"audio 0: Opus 48000/1, packets=203 keys=0 configs=1 empty=0",
			"video 0: AV1 Main 2.0 320x180 8 bit, packets=102 keys=4 configs=1 empty=0",
			"meta=1",
		},
		"eflv/enhanced_h264_ac3.flv": {
			"audio 0: AC-3, packets=127 keys=0 configs=0 empty=0",
			"video 0: H.264 High 1.2 320x180 8 bit, packets=102 keys=4 configs=1 empty=0",
			"meta=1",
		},
		"eflv/enhanced_h264_eac3.flv": {
			"audio 0: E-AC-3, packets=127 keys=0 configs=0 empty=0",
			"video 0: H.264 High 1.2 320x180 8 bit, packets=102 keys=4 configs=1 empty=0",
			"meta=1",
		},
		"eflv/enhanced_hevc_aac.flv": {
			"audio 0: AAC LC 48000/1, packets=190 keys=0 configs=1 empty=0",
			"video 0: H.265 Main 2.0 320x180 8 bit, packets=102 keys=4 configs=1 empty=0",
			"meta=1",
		},
		"eflv/enhanced_multitrack_h264_hevc.flv": {
			"audio 0: AAC LC 48000/1, packets=190 keys=0 configs=1 empty=0",
			"audio 1: AAC LC 48000/1, packets=191 keys=0 configs=1 empty=0",
			"video 0: H.264 High 1.2 320x180 8 bit, packets=103 keys=4 configs=1 empty=0",
			"video 1: H.265 Main 2.0 320x180 8 bit, packets=101 keys=4 configs=1 empty=0",
			"meta=1",
		},
		"eflv/enhanced_multitrack_h264x2_aacx2.flv": {
			"audio 0: AAC LC 48000/1, packets=190 keys=0 configs=1 empty=0",
			"audio 1: AAC LC 48000/1, packets=191 keys=0 configs=1 empty=0",
			"video 0: H.264 High 1.2 320x180 8 bit, packets=103 keys=4 configs=1 empty=0",
			"video 1: H.264 High 1.1 160x90 8 bit, packets=101 keys=4 configs=1 empty=0",
			"meta=1",
		},
		"eflv/enhanced_vp9_flac.flv": {
			"audio 0: FLAC 48000/1, packets=44 keys=0 configs=1 empty=0",
			"video 0: VP9 Profile 0 1.1 0x0 8 bit, packets=102 keys=4 configs=1 empty=0",
			"meta=1",
		},
	}
}

// TestSamples: every sample file has exactly the tracks, codecs, sizes and counts.
func TestSamples(t *testing.T) {
	dir := samples(t)
	want := sampleFacts()
	var files []string
	for _, sub := range []string{"gen", "real", "eflv"} {
		found, err := filepath.Glob(filepath.Join(dir, sub, "*.flv"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		name, err := filepath.Rel(dir, file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			got := facts(packets(t, file))
			if diff := cmp.Diff(want[name], got); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", name, diff)
			}
		})
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("not there: %v", slices.Sorted(maps.Keys(want)))
	}
}
