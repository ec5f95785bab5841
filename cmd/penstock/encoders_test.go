package main

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/flv"
)

// encoder is a program that publishes a file.
type encoder struct {
	name    string
	program string
	// compared says how what a player got differs from the file.
	compared func(published, played []flv.Tag) error
	start    func(t *testing.T, p *program, file, stream string) <-chan ended
}

// byFFmpeg has ffmpeg publish a copy of the file with more options.
func byFFmpeg(options ...string) func(*testing.T, *program, string, string) <-chan ended {
	return func(t *testing.T, p *program, file, stream string) <-chan ended {
		t.Helper()
		args := append([]string{"-readrate", "2", "-i", file, "-c", "copy", "-f", "flv"}, options...)
		return ffmpeg(t, append(args, p.url(stream))...)
	}
}

// byGStreamer has GStreamer demux, mux and send the file; how names the sink.
func byGStreamer(sink ...string) func(*testing.T, *program, string, string) <-chan ended {
	return func(t *testing.T, p *program, file, stream string) <-chan ended {
		t.Helper()
		pipeline := []string{"filesrc", "location=" + file, "!", "flvdemux", "name=in", "flvmux", "name=out", "streamable=true", "!"}
		pipeline = append(pipeline, sink...)
		return gstreamer(t, append(pipeline, "location="+p.url(stream),
			"in.video", "!", "queue", "!", "out.video", "in.audio", "!", "queue", "!", "out.audio")...)
	}
}

var encoders = []encoder{
	{"ffmpeg without metadata", "ffmpeg", compare, byFFmpeg("-flvflags", "no_metadata")},
	{"ffmpeg without a duration", "ffmpeg", compare, byFFmpeg("-flvflags", "no_duration_filesize+no_sequence_end")},
	{"ffmpeg says more in connect", "ffmpeg", compare, byFFmpeg(
		"-rtmp_conn", "B:1 S:auth O:1 NS:who:me O:0", "-rtmp_pageurl", "http://example.com/", "-rtmp_flashver", "FMLE/3.2")},
	{"ffmpeg with a list of codecs", "ffmpeg -rtmp_enhanced_codecs", compare, byFFmpeg("-rtmp_enhanced_codecs", "hvc1,av01")},
	{"ffmpeg is told app and name apart", "ffmpeg", compare, func(t *testing.T, p *program, file, stream string) <-chan ended {
		t.Helper()
		return ffmpeg(t, "-readrate", "2", "-i", file, "-c", "copy", "-f", "flv", "-rtmp_app", "live", "-rtmp_playpath", stream, "rtmp://"+p.rtmp+"/")
	}},
	{"GStreamer rtmp2sink", "gst-launch-1.0", remuxed, byGStreamer("rtmp2sink")},
	{"GStreamer rtmpsink", "gst-launch-1.0", remuxed, byGStreamer("rtmpsink", "sync=true")},
}

// TestRealEncoders has programs that are not ours publish a file, to a player over RTMP
// and one over HTTP-FLV: both get its frames.
//
// C-27: ffmpeg without metadata.
func TestRealEncoders(t *testing.T) {
	t.Parallel()
	file := samples(t, "gen/h264_bframes_aac.flv")[0]
	p := open(t)
	want := readFLV(t, file)
	for i, e := range encoders {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			name, option, _ := strings.Cut(e.program, " ")
			needs(t, name)
			if option != "" {
				knows(t, option)
			}
			stream := "encoded" + strconv.Itoa(i)
			ctx := within(t, time.Minute)
			overRTMP, overHTTP := p.playRTMP(ctx, t, p.url(stream)), p.playHTTP(ctx, t, p.flv(stream))
			if done := waited(t, e.start(t, p, file, stream)); done.err != nil {
				t.Errorf("%v\n%s", done.err, tail(done.said, 2000))
			}
			if err := e.compared(want, overRTMP.collect()); err != nil {
				t.Errorf("over RTMP: %v", err)
			}
			if err := e.compared(want, overHTTP.collect()); err != nil {
				t.Errorf("over HTTP-FLV: %v", err)
			}
		})
	}
}

// knows skips the test where this ffmpeg does not know an option of RTMP.
func knows(t *testing.T, option string) {
	t.Helper()
	help, err := exec.Command("ffmpeg", "-hide_banner", "-help", "protocol=rtmp").CombinedOutput()
	if err != nil || !strings.Contains(string(help), option) {
		t.Skipf("this ffmpeg does not know %s", option)
	}
}
