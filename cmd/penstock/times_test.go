package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/flv"
)

// C-10, C-58: with times as they came, FFmpeg plays streams that go over 24, 31 and 32
// bits, whose frames are longer than a chunk: every continuation has the extended time
// that its reader wants there. It gets every frame as it was.
func TestFFmpegPlaysHighTimes(t *testing.T) {
	t.Parallel()
	needs(t, "ffmpeg")
	files := samples(t, "gen/ts_cross_*.flv", "gen/ts_above_24bit.flv")
	p := prepare(t)
	p.withAdmin()
	p.tool("vhost", "set", "default", "publish_policy=open", "queue_ms=60000", "timestamps=off", "chunk_size_bytes=512")
	p.start()
	for _, file := range files {
		t.Run(name(file), func(t *testing.T) {
			t.Parallel()
			ctx := within(t, time.Minute)
			want := readFLV(t, file)
			joined := p.joining(t, p.url(name(file)))
			out := filepath.Join(t.TempDir(), "played.flv")
			done := ffmpeg(t, "-rw_timeout", "8000000", "-i", p.url(name(file)), "-c", "copy", "-copyts", "-f", "flv", out)
			joined(nil)
			publish(ctx, t, p.url(name(file)), want, 3)
			select {
			case <-done: // however it says that the stream is over
			case <-ctx.Done():
				t.Fatal("ffmpeg does not end")
			}
			got := readFLV(t, out)
			if err := comparePayloads(want, got); err != nil {
				t.Error(err)
			}
			for _, typ := range []uint8{flv.TagAudio, flv.TagVideo} {
				if n := len(configurations(got, typ)); n != 1 {
					t.Errorf("%d configurations of type %d", n, typ)
				}
			}
		})
	}
}
