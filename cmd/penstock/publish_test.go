package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/flv"
)

// made runs ffmpeg to make a file, and returns its path.
func made(t *testing.T, name string, args ...string) string {
	t.Helper()
	needs(t, "ffmpeg")
	file := filepath.Join(t.TempDir(), name)
	if done := <-ffmpeg(t, append(args, file)...); done.err != nil {
		t.Fatalf("ffmpeg makes %s: %v\n%s", name, done.err, done.said)
	}
	return file
}

const (
	bars = "testsrc2=size=320x240:rate=30:duration=3"
	tone = "sine=frequency=440:sample_rate=44100:duration=3"
)

// movie is a file with pictures that are shown in another order than they are decoded.
func movie(t *testing.T, codec string, options ...string) string {
	t.Helper()
	args := []string{"-f", "lavfi", "-i", bars, "-c:v", codec, "-pix_fmt", "yuv420p", "-preset", "ultrafast", "-g", "30"}
	return made(t, "movie.mp4", append(args, options...)...)
}

// raw takes the video out of a file as a byte stream.
func raw(t *testing.T, file, name string) string {
	t.Helper()
	return made(t, name, "-i", file, "-c", "copy")
}

// units cuts a byte stream at its start codes: the slices in it.
func slicesOf(t *testing.T, file string, isSlice func(byte) bool) [][]byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for part := range bytes.SplitSeq(data, []byte{0, 0, 1}) {
		if part = bytes.TrimRight(part, "\x00"); len(part) > 0 && isSlice(part[0]) {
			out = append(out, part)
		}
	}
	return out
}

func avcSlices(b byte) bool  { return b&0x1F == 1 || b&0x1F == 5 }
func hevcSlices(b byte) bool { return b>>1&0x3F < 32 }

// played is the video of what a player got: the slices, and how much later each picture
// is shown than decoded, ms.
func pictures(t *testing.T, tags []flv.Tag, isSlice func(byte) bool) (nals [][]byte, shown []int32) {
	t.Helper()
	for _, tag := range frames(tags) {
		if tag.Type != flv.TagVideo {
			continue
		}
		v, err := flv.ParseVideo(tag.Body)
		if err != nil {
			t.Fatal(err)
		}
		shown = append(shown, v.CompositionTime)
		for b := v.Body; len(b) > 4; {
			n := binary.BigEndian.Uint32(b)
			if isSlice(b[4]) {
				nals = append(nals, b[4:4+n])
			}
			b = b[4+n:]
		}
	}
	return nals, shown
}

// delays asks ffprobe how much later each picture is shown than decoded.
func delays(t *testing.T, file string) []float64 {
	t.Helper()
	needs(t, "ffprobe")
	out, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time,dts_time", "-of", "csv=p=0", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []float64
	for line := range strings.FieldsSeq(string(out)) {
		pts, dts, _ := strings.Cut(line, ",")
		p, err1 := strconv.ParseFloat(strings.Trim(pts, ","), 64)
		d, err2 := strconv.ParseFloat(strings.Trim(dts, ","), 64)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		all = append(all, 1000*(p-d))
	}
	return all
}

// publishes runs `penstock publish` and returns what a player got meanwhile.
func (p *program) publishes(t *testing.T, stream string, args ...string) ([]flv.Tag, string) {
	t.Helper()
	ctx := within(t, time.Minute)
	player := p.playRTMP(ctx, t, p.url(stream))
	said, err := p.try("", append([]string{"publish", "--rate", "4"}, args...)...)
	if err != nil {
		t.Fatalf("penstock publish: %v", err)
	}
	return player.collect(), said
}

// S2-28, S2-29: raw files made by ffmpeg arrive with the same slices, picture by picture,
// the configuration once, and each picture at the time to show it.
func TestPublishRawVideo(t *testing.T) {
	t.Parallel()
	p := open(t)
	for name, c := range map[string]struct {
		file    string
		options []string
		codec   string
		slices  func(byte) bool
	}{
		"h264":        {"a.h264", []string{"-bf", "3", "-x264-params", "slices=2:aud=1"}, "libx264", avcSlices},
		"h264-simple": {"a.264", []string{"-bf", "0", "-tune", "zerolatency"}, "libx264", avcSlices},
		"h265":        {"a.hevc", []string{"-x265-params", "log-level=error:bframes=3"}, "libx265", hevcSlices},
		"h265-simple": {"a.h265", []string{"-x265-params", "log-level=error:bframes=0"}, "libx265", hevcSlices},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := movie(t, c.codec, c.options...)
			file := raw(t, source, strings.Replace(strings.Replace(c.file, ".264", ".h264", 1), ".h265", ".hevc", 1))
			if filepath.Ext(file) != filepath.Ext(c.file) {
				renamed := filepath.Join(filepath.Dir(file), c.file)
				if err := os.Rename(file, renamed); err != nil {
					t.Fatal(err)
				}
				file = renamed
			}
			tags, said := p.publishes(t, "raw-"+name, "--fps", "30", file, p.url("raw-"+name))
			want := slicesOf(t, file, c.slices)
			got, shown := pictures(t, tags, c.slices)
			if len(got) != len(want) {
				t.Fatalf("%d slices of %d\n%s", len(got), len(want), said)
			}
			for i := range want {
				if !bytes.Equal(got[i], want[i]) {
					t.Fatalf("slice %d of %d differs", i, len(want))
				}
			}
			late := delays(t, source)
			if len(shown) != len(late) {
				t.Fatalf("%d pictures of %d", len(shown), len(late))
			}
			first := float64(shown[0]) - late[0]
			for i := range late {
				if d := float64(shown[i]) - late[i] - first; math.Abs(d) > 3 {
					t.Errorf("picture %d is shown %d ms after it is decoded, in the file %.0f", i, shown[i], late[i])
				}
			}
			if n := len(configurations(tags, flv.TagVideo)); n != 1 {
				t.Errorf("%d configurations", n)
			}
			if !strings.Contains(said, "320x240, 30 frames/s") || !strings.Contains(said, "91 video") {
				t.Errorf("said: %s", said)
			}
		})
	}
}

// S2-29: raw AAC and MP3 arrive frame by frame as ffmpeg cuts them.
func TestPublishRawSound(t *testing.T) {
	t.Parallel()
	p := open(t)
	for name, c := range map[string][]string{
		"aac": {"-c:a", "aac"}, "mp3": {"-c:a", "libmp3lame", "-id3v2_version", "3", "-metadata", "title=Tone"},
		"mp3-22050": {"-c:a", "libmp3lame", "-ar", "22050", "-ac", "1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ext, _, _ := strings.Cut(name, "-")
			file := made(t, "a."+ext, append([]string{"-f", "lavfi", "-i", tone}, c...)...)
			want := readFLV(t, made(t, "a.flv", "-i", file, "-c", "copy"))
			got, said := p.publishes(t, "sound-"+name, file, p.url("sound-"+name))
			in, out := frames(want), frames(got)
			if len(in) != len(out) {
				t.Fatalf("%d frames of %d\n%s", len(out), len(in), said)
			}
			for i := range in {
				// ffmpeg counts from where the encoder's delay ends, and rounds from there.
				apart := int(out[i].Timestamp-out[0].Timestamp) - int(in[i].Timestamp-in[0].Timestamp)
				if !bytes.Equal(in[i].Body, out[i].Body) || apart < -1 || apart > 1 {
					t.Fatalf("frame %d of %d differs, %d ms apart", i, len(in), apart)
				}
			}
			if n := len(configurations(got, flv.TagAudio)); name == "aac" && n != 1 {
				t.Errorf("%d configurations", n)
			}
		})
	}
}

// S2-29: video and sound from two files go out mixed by their times, and an FLV file as
// it is, here with other sound.
func TestPublishTwoFiles(t *testing.T) {
	t.Parallel()
	p := open(t)
	sound := made(t, "a.aac", "-f", "lavfi", "-i", tone, "-c:a", "aac")
	wantSound := readFLV(t, made(t, "a.flv", "-i", sound, "-c", "copy"))
	source := movie(t, "libx264", "-bf", "2")
	whole := made(t, "whole.flv", "-i", source, "-f", "lavfi", "-i", tone, "-c:v", "copy", "-c:a", "libmp3lame", "-shortest")
	for name, file := range map[string]string{"h264": raw(t, source, "a.h264"), "flv": whole} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tags, said := p.publishes(t, "two-"+name, "--audio", sound, file, p.url("two-"+name))
			_, shown := pictures(t, tags, avcSlices)
			if len(shown) != 90 {
				t.Errorf("%d pictures\n%s", len(shown), said)
			}
			only := func(tags []flv.Tag) (kept []flv.Tag) {
				for _, tag := range tags {
					if tag.Type == flv.TagAudio {
						kept = append(kept, tag)
					}
				}
				return kept
			}
			if err := compare(only(wantSound), only(tags)); err != nil {
				t.Error(err)
			}
			var last uint32
			for _, tag := range frames(tags) {
				if tag.Timestamp+50 < last {
					t.Fatalf("not mixed by time: %d after %d", tag.Timestamp, last)
				}
				last = tag.Timestamp
			}
		})
	}
	t.Run("flv as it is", func(t *testing.T) {
		t.Parallel()
		tags, _ := p.publishes(t, "as-it-is", whole, p.url("as-it-is"))
		if err := compare(readFLV(t, whole), tags); err != nil {
			t.Error(err)
		}
	})
}

// With --loop the file goes on where it ended, its configuration said once, in real
// time; an interrupt ends it well.
func TestPublishLoops(t *testing.T) {
	t.Parallel()
	p := open(t)
	file := raw(t, movie(t, "libx264", "-t", "1"), "a.h264")
	ctx, cancel := context.WithCancel(within(t, time.Minute))
	player := p.playRTMP(ctx, t, p.url("loop"))
	cmd := exec.Command(built, append([]string{"publish", "--loop", "--rate", "2", file, p.url("loop")}, p.database...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cancel()
	eventually(t, patience, "three rounds", func() bool { return len(frames(player.got())) > 90 })
	if took := time.Since(begun); took < 1300*time.Millisecond {
		t.Errorf("three seconds took %v at twice the speed", took)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	tags := player.collect()
	if err := neverBack(tags, flv.TagVideo); err != nil {
		t.Error(err)
	}
	coded := frames(tags)
	for i, tag := range coded {
		if want := uint32(math.Round(float64(i) * 1000 / 30)); tag.Timestamp != want {
			t.Fatalf("picture %d at %d, want %d", i, tag.Timestamp, want)
		}
		if !bytes.Equal(tag.Body, coded[i%30].Body) {
			t.Fatalf("picture %d is not picture %d again", i, i%30)
		}
	}
	configs := 0
	for _, tag := range tags {
		if kindOf(tag) == setup {
			configs++
		}
	}
	if configs != 1 {
		t.Errorf("%d configurations", configs)
	}
	if !strings.Contains(out.String(), "sent ") {
		t.Errorf("said: %s", out.String())
	}
}

// What goes wrong is said with the server's reason and a next step, and without the key.
func TestPublishSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	p := prepare(t).withAdmin()
	p.newKey("live/stage")
	p.start()
	sound := made(t, "a.aac", "-f", "lavfi", "-i", tone, "-c:a", "aac")
	const key = "sk_secretsecretsecret"
	text := filepath.Join(t.TempDir(), "a.aac")
	if err := os.WriteFile(text, []byte("this is no sound at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args  []string
		wants []string
	}{
		"wrong key":      {[]string{sound, "rtmp://" + p.rtmp + "/live/" + key}, []string{"NetStream.Publish", "key", "Is the stream key right"}},
		"wrong token":    {[]string{sound, "rtmp://" + p.rtmp + "/live/stage?token=" + key}, []string{"NetStream.Publish"}},
		"nobody listens": {[]string{sound, "rtmp://127.0.0.1:1/live/" + key}, []string{"refused", "Nothing listens there"}},
		"not RTMP":       {[]string{sound, "rtmp://" + p.http + "/live/" + key}, []string{"no RTMP server"}},
		"no name":        {[]string{sound, "rtmp://" + p.rtmp + "/live"}, []string{"rtmp://HOST/APP/STREAM_KEY"}},
		"no URL":         {[]string{sound, "http://" + key}, []string{"rtmp://HOST/APP/STREAM_KEY"}},
		"no file":        {[]string{"missing.aac", p.url(key)}, []string{"no such file"}},
		"another kind":   {[]string{"a.mp4", p.url(key)}, []string{"no such file"}},
		"no sound in it": {[]string{text, p.url(key)}, []string{"read a.aac", "no ADTS frame"}},
		"a wrong rate":   {[]string{"--rate=-1", sound, p.url(key)}, []string{"--rate"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := p.try("", append([]string{"publish"}, c.args...)...)
			if err == nil {
				t.Fatalf("went well: %s", out)
			}
			said := out + err.Error()
			for _, want := range c.wants {
				if !strings.Contains(said, want) {
					t.Errorf("lacks %q: %s", want, said)
				}
			}
			if strings.Contains(said, key) {
				t.Errorf("says the key: %s", said)
			}
		})
	}
	kind := filepath.Join(t.TempDir(), "a.mp4")
	if err := os.WriteFile(kind, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := p.try("", "publish", kind, p.url(key)); err == nil || !strings.Contains(err.Error(), "ffmpeg -i a.mp4") {
		t.Errorf("%v", err)
	}
	// The URL by standard input, so that the key is in no list of processes.
	if _, err := p.try(fmt.Sprintf("rtmp://%s/live/%s\n", p.rtmp, key), "publish", sound, "-"); err == nil || !strings.Contains(err.Error(), "NetStream.Publish") {
		t.Errorf("%v", err)
	}
}

func TestPublishExplainsItself(t *testing.T) {
	var out bytes.Buffer
	if code := run(t.Context(), []string{"publish", "--help"}, environment{stdout: &out, stderr: &out}); code != 0 {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{"--audio", "--rate", "--loop", "--fps", "real time", ".h264"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("lacks %s:\n%s", want, out.String())
		}
	}
}
