package main

import (
	"bytes"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/flv"
)

// TestEncoderIsKilledAndBack: an encoder that dies, or hangs without a word, is followed
// at once by another with the same key. The players stay, and get both, the second from
// a key frame on with its configuration in front.
//
// C-54: who comes back with the key does not wait until the dead one is found.
func TestEncoderIsKilledAndBack(t *testing.T) {
	t.Parallel()
	needs(t, "ffmpeg")
	file := samples(t, "gen/h264_baseline_aac.flv")[0]
	want := readFLV(t, file)
	p := prepare(t).withAdmin()
	p.tool("vhost", "set", "default", "queue_ms=60000")
	deaths := map[string]syscall.Signal{"killed": syscall.SIGKILL}
	if runtime.GOOS == "linux" {
		deaths["hangs"] = syscall.SIGSTOP // its socket stays open, and silent
	}
	keys := map[string]string{}
	for death := range deaths {
		keys[death] = p.newKey("live/" + death)
	}
	p.start()
	for death, signal := range deaths {
		t.Run(death, func(t *testing.T) {
			t.Parallel()
			ctx := within(t, time.Minute)
			overRTMP, overHTTP := p.playRTMP(ctx, t, p.url(death)), p.playHTTP(ctx, t, p.flv(death))
			first := exec.CommandContext(ctx, "ffmpeg", "-nostdin", "-loglevel", "quiet", "-re", "-i", file, "-c", "copy", "-f", "flv", p.url(keys[death]))
			if err := first.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() {
				_ = first.Process.Kill()
				_ = first.Wait()
			}()
			players := map[string]*player{"RTMP": overRTMP, "HTTP-FLV": overHTTP}
			eventually(t, patience, "both players are well under way", func() bool {
				return len(frames(overRTMP.got())) > 80 && len(frames(overHTTP.got())) > 80
			})
			if err := first.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			publishFile(ctx, t, file, p.url(keys[death]))
			for transport, player := range players {
				played := player.collect()
				if err := twice(want, played); err != "" {
					t.Errorf("over %s: %s", transport, err)
				}
				for _, typ := range []uint8{flv.TagAudio, flv.TagVideo} {
					if err := neverBack(frames(played), typ); err != nil {
						t.Errorf("over %s: %v", transport, err)
					}
				}
			}
		})
	}
}

// twice says what is wrong with pictures that should be some from the beginning of a
// file, and then all of it.
func twice(file, played []flv.Tag) string {
	pictures := func(tags []flv.Tag) (all []flv.Tag) {
		for _, t := range frames(tags) {
			if t.Type == flv.TagVideo {
				all = append(all, t)
			}
		}
		return all
	}
	in, out := pictures(file), pictures(played)
	if len(out) <= len(in) {
		return "the second encoder's pictures are not all there, or none of the first's"
	}
	for i, t := range out[len(out)-len(in):] {
		if !bytes.Equal(t.Body, in[i].Body) {
			return "the second encoder's pictures are others"
		}
	}
	for i, t := range out[:len(out)-len(in)] {
		if !bytes.Equal(t.Body, in[i].Body) {
			return "the first encoder's pictures are others"
		}
	}
	return ""
}

// TestEncoderChangesItsPicture: the second publisher of a stream has another resolution.
// mpv, which stays, shows every picture of both, each in its size.
func TestEncoderChangesItsPicture(t *testing.T) {
	t.Parallel()
	needs(t, "mpv")
	needs(t, "ffmpeg")
	small, large := samples(t, "gen/h264_baseline_aac.flv")[0], samples(t, "real/srs-bench_bbb.flv")[0]
	p := open(t)
	joined := p.joining(t, p.url("changes"))
	end, dir := picturesByMPV(t, p.url("changes"))
	joined(nil)
	ctx := within(t, 2*time.Minute)
	want := map[string]int{}
	for file, size := range map[string]string{small: "320x180", large: "640x360"} {
		for _, tag := range frames(readFLV(t, file)) {
			if tag.Type == flv.TagVideo {
				want[size]++
			}
		}
	}
	publishFile(ctx, t, small, p.url("changes"))
	publishFile(ctx, t, large, p.url("changes"))
	p.kick(t, "changes", "player")
	if done := waited(t, end); done.err != nil {
		t.Errorf("mpv: %v\n%s", done.err, tail(done.said, 2000))
	}
	got := shown(t, dir)
	for size, n := range want {
		// A decoder may keep its last pictures to itself when another one takes over.
		if got[size] > n || got[size] < n-3 {
			t.Errorf("%d pictures of %s, published %d", got[size], size, n)
		}
	}
}
