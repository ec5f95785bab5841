package main

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/flv"
)

// needs skips the test where a program is not installed.
func needs(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
}

// ffmpeg starts ffmpeg and returns what ends when it does, with its error and
// what it said. It is killed when the test ends.
func ffmpeg(t *testing.T, args ...string) <-chan ended {
	t.Helper()
	return background(t, "ffmpeg", append([]string{"-hide_banner", "-nostdin", "-loglevel", "error", "-y"}, args...)...)
}

// ended is how a background program ended.
type ended struct {
	err  error
	said string
}

// background starts a program that is killed when the test ends.
func background(t *testing.T, name string, args ...string) <-chan ended {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, name, args...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	result, gone := make(chan ended, 1), make(chan struct{})
	go func() {
		defer close(gone)
		err := cmd.Wait()
		result <- ended{err, said.String()}
	}()
	t.Cleanup(func() {
		cancel()
		<-gone
	})
	return result
}

// publishFile has ffmpeg publish a file as it is, a little faster than real time.
func publishFile(ctx context.Context, t *testing.T, file, url string) {
	t.Helper()
	select {
	case done := <-ffmpeg(t, "-readrate", "3", "-i", file, "-c", "copy", "-f", "flv", url):
		if done.err != nil {
			t.Fatalf("ffmpeg: %v\n%s", done.err, done.said)
		}
	case <-ctx.Done():
		t.Fatal("ffmpeg does not end")
	}
}

// muxed is what ffmpeg sends when it publishes a file: the tags of a copy. It
// reports false for a file that ffmpeg cannot copy.
func muxed(t *testing.T, file string) (tags []flv.Tag, ok bool) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "copy.flv")
	if done := <-ffmpeg(t, "-i", file, "-c", "copy", "-f", "flv", out); done.err != nil {
		t.Logf("published with our own client, because ffmpeg cannot copy the file: %s", done.said)
		return nil, false
	}
	return readFLV(t, out), true
}

// name makes a stream's name from a file's.
func name(file string) string {
	base := filepath.Base(file)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// TestFFmpegPublishes has ffmpeg publish each sample while a player over RTMP and
// one over HTTP-FLV wait for it: both get the frames of the file, byte for byte.
func TestFFmpegPublishes(t *testing.T) {
	t.Parallel()
	needs(t, "ffmpeg")
	files := samples(t, "gen/*.flv", "real/srs-bench_*.flv")
	p := open(t)
	for _, file := range files {
		t.Run(name(file), func(t *testing.T) {
			t.Parallel()
			want, byFFmpeg := muxed(t, file)
			ctx := within(t, time.Minute)
			overRTMP := p.playRTMP(ctx, t, p.url(name(file)))
			overHTTP := p.playHTTP(ctx, t, p.flv(name(file)))
			if byFFmpeg {
				publishFile(ctx, t, file, p.url(name(file)))
			} else {
				want = readFLV(t, file)
				publish(ctx, t, p.url(name(file)), want, 3)
			}
			if err := compare(want, overRTMP.collect()); err != nil {
				t.Errorf("over RTMP: %v", err)
			}
			if err := compare(want, overHTTP.collect()); err != nil {
				t.Errorf("over HTTP-FLV: %v", err)
			}
		})
	}
}

// TestEnhancedPublishes publishes the Enhanced RTMP samples with our own client,
// because the ffmpeg of a stable Debian cannot: what comes out is what went in.
//
// C-46, C-49.
func TestEnhancedPublishes(t *testing.T) {
	t.Parallel()
	files := samples(t, "eflv/*.flv", "real/veovera_*.flv")
	p := open(t)
	for _, file := range files {
		t.Run(name(file), func(t *testing.T) {
			t.Parallel()
			want := readFLV(t, file)
			ctx := within(t, time.Minute)
			overRTMP := p.playRTMP(ctx, t, p.url(name(file)))
			overHTTP := p.playHTTP(ctx, t, p.flv(name(file)))
			publish(ctx, t, p.url(name(file)), want, 5)
			if err := compare(want, overRTMP.collect()); err != nil {
				t.Errorf("over RTMP: %v", err)
			}
			if err := compare(want, overHTTP.collect()); err != nil {
				t.Errorf("over HTTP-FLV: %v", err)
			}
		})
	}
}

// TestLateJoin joins a stream that is under way: a player starts at the newest
// key frame, with the decoder configuration in front, and misses nothing after it.
//
// S4-27.
func TestLateJoin(t *testing.T) {
	t.Parallel()
	files := samples(t, "gen/h264_bframes_aac.flv")
	p := open(t)
	tags := readFLV(t, files[0])
	ctx := within(t, time.Minute)
	witness := p.playRTMP(ctx, t, p.url("late"))
	client, over, err := startPublishing(ctx, t, p.url("late"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = client.Close()
		<-over
	}()
	write := func(tags []flv.Tag) {
		for _, tag := range tags {
			if err := client.WriteMedia(tag.Type, tag.Timestamp, tag.Body); err != nil {
				t.Fatal(err)
			}
		}
	}
	early := beyondSecondKey(t, tags)
	write(tags[:early])
	last := frames(tags[:early])
	eventually(t, patience, "the server has the first part", func() bool {
		got := frames(witness.got())
		return len(got) > 0 && bytes.Equal(got[len(got)-1].Body, last[len(last)-1].Body)
	})
	late := p.playRTMP(ctx, t, p.url("late"))
	write(tags[early:])
	overRTMP := late.collect()
	out := frames(overRTMP)
	if len(out) == 0 {
		t.Fatal("a late player gets nothing")
	}
	first := -1
	for i, tag := range out {
		if kindOf(tag) == starts {
			first = i
			break
		}
	}
	for _, tag := range out[:max(first, 0)] {
		if tag.Type == 9 {
			t.Fatal("video before the first key frame")
		}
	}
	in := frames(tags)
	if len(out) >= len(in) {
		t.Fatalf("a late player got all %d frames of %d: it did not join late", len(out), len(in))
	}
	rest := in[len(in)-len(out):]
	for i := range out {
		if !bytes.Equal(out[i].Body, rest[i].Body) {
			t.Fatalf("frame %d of %d differs from what was published", i, len(out))
		}
	}
	if len(configurations(overRTMP, 9)) != 1 || len(configurations(overRTMP, 8)) != 1 {
		t.Error("a late player did not get one video and one audio configuration")
	}
}

// beyondSecondKey is where the tags end that a player misses who comes some frames
// behind the second key frame, or is not to miss.
func beyondSecondKey(t *testing.T, tags []flv.Tag) int {
	t.Helper()
	keys := 0
	for i, tag := range tags {
		if kindOf(tag) == starts {
			if keys++; keys == 2 {
				return i + 10
			}
		}
	}
	t.Fatal("the sample has no second key frame")
	return 0
}
