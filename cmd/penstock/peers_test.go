package main

import (
	"encoding/json"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/flv"
)

// watcher is a program that plays a stream into a file. It ends by itself, and well,
// when the stream does.
type watcher struct {
	name    string
	program string
	url     func(p *program, stream string) string
	// start runs it; check says what is wrong with what it made of the published tags.
	start func(t *testing.T, url string) (end <-chan ended, check func(published []flv.Tag) error)
}

func overRTMP(p *program, stream string) string { return p.url(stream) }
func overHTTP(p *program, stream string) string { return p.flv(stream) }

// recording is for a program that writes an FLV file itself, or sends one through to a
// file: the file has the published frames.
func recording(compared func(published, played []flv.Tag) error, start func(t *testing.T, url, out string) <-chan ended,
) func(*testing.T, string) (<-chan ended, func([]flv.Tag) error) {
	return func(t *testing.T, url string) (<-chan ended, func([]flv.Tag) error) {
		t.Helper()
		out := filepath.Join(t.TempDir(), "played.flv")
		return start(t, url, out), func(published []flv.Tag) error {
			t.Helper()
			return compared(published, readFLV(t, out))
		}
	}
}

var watchers = []watcher{
	{"rtmpdump", "rtmpdump", overRTMP, recording(compare, func(t *testing.T, url, out string) <-chan ended {
		t.Helper()
		return background(t, "rtmpdump", "--quiet", "--live", "--timeout", "20", "-r", url, "-o", out)
	})},
	{"ffmpeg", "ffmpeg", overRTMP, recording(comparePayloads, func(t *testing.T, url, out string) <-chan ended {
		t.Helper()
		return ffmpeg(t, "-i", url, "-c", "copy", "-f", "flv", out)
	})},
	{"ffmpeg over HTTP", "ffmpeg", overHTTP, recording(comparePayloads, func(t *testing.T, url, out string) <-chan ended {
		t.Helper()
		return ffmpeg(t, "-i", url, "-c", "copy", "-f", "flv", out)
	})},
	{"curl over HTTP", "curl", overHTTP, recording(compare, func(t *testing.T, url, out string) <-chan ended {
		t.Helper()
		return background(t, "curl", "--silent", "--no-buffer", "--output", out, url)
	})},
	{"GStreamer rtmp2src", "gst-launch-1.0", overRTMP, recording(compare, func(t *testing.T, url, out string) <-chan ended {
		t.Helper()
		return gstreamer(t, "rtmp2src", "location="+url, "!", "filesink", "location="+out)
	})},
	{"GStreamer rtmpsrc", "gst-launch-1.0", overRTMP, recording(compare, func(t *testing.T, url, out string) <-chan ended {
		t.Helper()
		return gstreamer(t, "rtmpsrc", "location="+url+" live=1", "!", "filesink", "location="+out)
	})},
	{"GStreamer demuxes and muxes", "gst-launch-1.0", overRTMP, recording(remuxed, func(t *testing.T, url, out string) <-chan ended {
		t.Helper()
		return gstreamer(t, "rtmp2src", "location="+url, "!", "flvdemux", "name=in", "flvmux", "name=out", "streamable=true", "!",
			"filesink", "location="+out, "in.video", "!", "queue", "!", "out.video", "in.audio", "!", "queue", "!", "out.audio")
	})},
	{"VLC", "vlc", overRTMP, recording(remuxed, vlc)},
	{"VLC over HTTP", "vlc", overHTTP, recording(remuxed, vlc)},
	{"mpv", "mpv", overRTMP, mpv},
	{"mpv over HTTP", "mpv", overHTTP, mpv},
	{"ffprobe", "ffprobe", overRTMP, ffprobe},
	{"ffprobe over HTTP", "ffprobe", overHTTP, ffprobe},
}

// TestRealPlayers has programs that are not ours play a stream that is published while
// they wait for it. What each shows or writes is what was published.
//
// S0-48: ffprobe sees a picture and a sound, and no stream of data.
func TestRealPlayers(t *testing.T) {
	t.Parallel()
	file := samples(t, "gen/h264_bframes_aac.flv")[0]
	p := open(t)
	tags := readFLV(t, file)
	for i, w := range watchers {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			needs(t, w.program)
			stream := "watched" + strconv.Itoa(i)
			url := w.url(p, stream)
			joined := p.joining(t, url)
			end, check := w.start(t, url)
			joined(nil)
			publish(within(t, time.Minute), t, p.url(stream), tags, 2)
			p.kick(t, stream, "player")
			if done := waited(t, end); done.err != nil {
				t.Errorf("%s: %v\n%s", w.name, done.err, tail(done.said, 2000))
			}
			if err := check(tags); err != nil {
				t.Error(err)
			}
		})
	}
}

// waited is how a program ended.
func waited(t *testing.T, end <-chan ended) ended {
	t.Helper()
	select {
	case done := <-end:
		return done
	case <-time.After(patience):
		t.Fatal("the program does not end")
		return ended{}
	}
}

// TestRtmpdumpPlays: librtmp's own player writes legacy codecs too.
func TestRtmpdumpPlays(t *testing.T) {
	t.Parallel()
	needs(t, "rtmpdump")
	file := samples(t, "gen/h263_speex.flv")[0]
	p := open(t)
	tags := readFLV(t, file)
	out := filepath.Join(t.TempDir(), "dump.flv")
	joined := p.joining(t, p.url("legacy"))
	player := background(t, "rtmpdump", "--quiet", "--live", "--timeout", "20", "-r", p.url("legacy"), "-o", out)
	joined(nil)
	publish(within(t, time.Minute), t, p.url("legacy"), tags, 3)
	p.kick(t, "legacy", "player")
	waited(t, player)
	if err := compare(tags, readFLV(t, out)); err != nil {
		t.Error(err)
	}
}

// gstreamer runs a pipeline until it ends.
func gstreamer(t *testing.T, pipeline ...string) <-chan ended {
	t.Helper()
	return background(t, "gst-launch-1.0", append([]string{"--quiet"}, pipeline...)...)
}

// vlc plays without a screen into an FLV file. It will not be root, so it is nobody then.
func vlc(t *testing.T, url, out string) <-chan ended {
	t.Helper()
	args := []string{"vlc", "--intf", "dummy", "--quiet", "--no-color", url, "vlc://quit"}
	const to = "#std{access=file,mux=ffmpeg{mux=flv},dst="
	if os.Geteuid() != 0 {
		return background(t, args[0], append(args[1:], "--sout", to+out+"}")...)
	}
	needs(t, "setpriv")
	const nobody = 65534
	home, err := os.MkdirTemp("", "penstock-vlc") //nolint:usetesting // nobody cannot get into the test's own
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	if err := os.Chown(home, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	made := filepath.Join(home, "played.flv")
	if err := os.Symlink(made, out); err != nil {
		t.Fatal(err)
	}
	as := []string{"--reuid", strconv.Itoa(nobody), "--regid", strconv.Itoa(nobody), "--clear-groups", "env", "HOME=" + home}
	return background(t, "setpriv", slices.Concat(as, args, []string{"--sout", to + made + "}"})...)
}

// mpv decodes the stream into pictures.
func mpv(t *testing.T, url string) (end <-chan ended, check func([]flv.Tag) error) {
	t.Helper()
	end, dir := picturesByMPV(t, url)
	return end, func(published []flv.Tag) error {
		t.Helper()
		return samePictures(published, shown(t, dir))
	}
}

func picturesByMPV(t *testing.T, url string) (end <-chan ended, dir string) {
	t.Helper()
	dir = t.TempDir()
	return background(t, "mpv", "--no-config", "--really-quiet", "--untimed", "--ao=null", "--vo=image", "--vo-image-format=jpg",
		"--vo-image-outdir="+dir, url), dir
}

// shown counts the pictures in a directory by their size.
func shown(t *testing.T, dir string) map[string]int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]int{}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := jpeg.DecodeConfig(f)
		_ = f.Close()
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		sizes[size(c.Width, c.Height)]++
	}
	return sizes
}

func size(width, height int) string { return strconv.Itoa(width) + "x" + strconv.Itoa(height) }

// ffprobe says what the stream is made of, and lists its packets.
func ffprobe(t *testing.T, url string) (end <-chan ended, check func([]flv.Tag) error) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "probed.json")
	end = background(t, "sh", "-c", `exec ffprobe -v error -of json -show_streams -show_packets "$0" >"$1"`, url, out)
	return end, func(published []flv.Tag) error {
		t.Helper()
		data, err := os.ReadFile(out)
		if err != nil {
			return err
		}
		var p probed
		if err := json.Unmarshal(data, &p); err != nil {
			return err
		}
		return p.check(published)
	}
}
