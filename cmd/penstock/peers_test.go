package main

import (
	"path/filepath"
	"testing"
	"time"
)

// TestRtmpdumpPlays: librtmp's own player writes what it gets into a file, which
// holds the published frames.
func TestRtmpdumpPlays(t *testing.T) {
	t.Parallel()
	needs(t, "rtmpdump")
	files := samples(t, "gen/h264_baseline_aac.flv", "gen/h263_speex.flv")
	p := open(t)
	for _, file := range files {
		t.Run(name(file), func(t *testing.T) {
			t.Parallel()
			tags := readFLV(t, file)
			out := filepath.Join(t.TempDir(), "dump.flv")
			joined := p.joining(t, p.url(name(file)))
			player := background(t, "rtmpdump", "--quiet", "--live", "--timeout", "5", "-r", p.url(name(file)), "-o", out)
			joined(nil)
			publish(within(t, time.Minute), t, p.url(name(file)), tags, 3)
			p.kick(t, name(file), "player")
			<-player
			if err := compare(tags, readFLV(t, out)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFFmpegPlays: ffmpeg copies a live stream into a file, over RTMP and over
// HTTP-FLV, and the elementary streams are those that were published.
func TestFFmpegPlays(t *testing.T) {
	t.Parallel()
	needs(t, "ffmpeg")
	files := samples(t, "gen/h264_bframes_aac.flv")
	p := open(t)
	for transport, url := range map[string]string{"rtmp": p.url("rtmp"), "http-flv": p.flv("http-flv")} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			tags := readFLV(t, files[0])
			out := filepath.Join(t.TempDir(), "played.flv")
			joined := p.joining(t, url)
			player := ffmpeg(t, "-i", url, "-c", "copy", "-f", "flv", out)
			joined(nil)
			publish(within(t, time.Minute), t, p.url(transport), tags, 1)
			p.kick(t, transport, "player")
			<-player
			played := readFLV(t, out)
			if err := comparePayloads(tags, played); err != nil {
				t.Error(err)
			}
		})
	}
}
