package main

import (
	"cmp"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/flv"
)

// spelling is one way in which a program is told of a stream. In its words HOST is the
// server's address, NAME the name of the stream and TOKEN one that lets its player in.
type spelling struct {
	about   string
	program string
	words   []string
	vhost   string // "" is the default
	app     string
	name    string // NAME when ""; as it stands in a URL
}

// published are what encoders are told, each as the arguments behind ffmpeg's input.
var published = []spelling{
	{"one element", "ffmpeg", []string{"rtmp://HOST/NAME"}, "", "live", ""},
	{"one element and a slash", "ffmpeg", []string{"rtmp://HOST/NAME/"}, "", "live", ""},
	{"app and name", "ffmpeg", []string{"rtmp://HOST/live/NAME"}, "", "live", ""},
	{"many elements and a query", "ffmpeg", []string{"rtmp://HOST/a/b/c/NAME?k=v"}, "", "a/b/c", ""},
	{"an instance", "ffmpeg", []string{"rtmp://HOST/live/_definst_/NAME"}, "", "live", ""},
	{"slashes too many", "ffmpeg", []string{"-rtmp_app", "/live//a/", "-rtmp_playpath", "/NAME", "rtmp://HOST/"}, "", "live/a", ""},
	{"app longer than the URL's", "ffmpeg", []string{"-rtmp_app", "a/b", "-rtmp_playpath", "c/NAME", "rtmp://HOST/a"}, "", "a/b/c", ""},
	{"query in the app", "ffmpeg", []string{"rtmp://HOST/live?vhost=v1&t=a/NAME"}, "v1", "live", ""},
	{"query in tcUrl alone", "ffmpeg", []string{"-rtmp_tcurl", "rtmp://HOST/live?vhost=v1", "rtmp://HOST/live/NAME"}, "v1", "live", ""},
	{"query in the name", "ffmpeg", []string{"rtmp://HOST/live/NAME?vhost=v1"}, "v1", "live", ""},
	{"vhost in the dots of SRS", "ffmpeg", []string{"rtmp://HOST/live...vhost...v1/NAME"}, "v1", "live", ""},
	{"vhost as tcUrl's host", "ffmpeg", []string{"-rtmp_tcurl", "rtmp://v1.example.com:1935/live", "rtmp://HOST/live/NAME"}, "v1", "live", ""},
	{"a space, encoded", "ffmpeg", []string{"rtmp://HOST/live/a%20NAME"}, "", "live", "a%20NAME"},
	{"a space, as it is (OBS)", "ffmpeg", []string{"-rtmp_app", "live", "-rtmp_playpath", "a NAME", "rtmp://HOST/live"}, "", "live", "a%20NAME"},
	{"name of a file", "ffmpeg", []string{"-rtmp_app", "live", "-rtmp_playpath", "mp4:NAME.mp4", "rtmp://HOST/live"}, "", "live", "NAME.mp4"},
	{"GStreamer, many elements", "rtmp2sink", []string{"location=rtmp://HOST/a/b/NAME"}, "", "a/b", ""},
	{"GStreamer, a query", "rtmp2sink", []string{"location=rtmp://HOST/live/NAME?vhost=v1"}, "v1", "live", ""},
	{"librtmp, app and playpath", "rtmpsink", []string{"sync=true", "location=rtmp://HOST/ app=live playpath=NAME?vhost=v1 live=1"}, "v1", "live", ""},
}

// played are what players are told, each as the arguments of a program that ends with
// where to write to.
var played = []spelling{
	{"one element", "ffmpeg", []string{"rtmp://HOST/NAME"}, "", "live", ""},
	{"many elements and a query", "ffmpeg", []string{"rtmp://HOST/a/b/c/NAME?k=v"}, "", "a/b/c", ""},
	{"an ending of HTTP-FLV", "ffmpeg", []string{"rtmp://HOST/live/NAME.flv"}, "", "live", ""},
	{"query in the app", "ffmpeg", []string{"rtmp://HOST/live?vhost=v1/NAME"}, "v1", "live", ""},
	{"a space, encoded", "ffmpeg", []string{"rtmp://HOST/live/a%20NAME"}, "", "live", "a%20NAME"},
	{"token in the name", "ffmpeg", []string{"rtmp://HOST/live/NAME?token=TOKEN&vhost=guarded"}, "guarded", "live", ""},
	{"token in the app", "ffmpeg", []string{"rtmp://HOST/live?token=TOKEN&vhost=guarded/NAME"}, "guarded", "live", ""},
	{"rtmpdump, app and playpath", "rtmpdump", []string{"-r", "rtmp://HOST/", "-a", "live", "-y", "NAME"}, "", "live", ""},
	{"rtmpdump, a space", "rtmpdump", []string{"-r", "rtmp://HOST/live", "-y", "a NAME"}, "", "live", "a%20NAME"},
	{"rtmpdump, another tcUrl", "rtmpdump", []string{"-r", "rtmp://HOST/live", "-t", "rtmp://v1.example.com/live", "-y", "NAME"}, "v1", "live", ""},
	{"rtmpdump, token in tcUrl", "rtmpdump", []string{
		"-r", "rtmp://HOST/live", "-t", "rtmp://HOST/live?vhost=guarded&token=TOKEN", "-a", "live", "-y", "NAME",
	}, "guarded", "live", ""},
	{"GStreamer, many elements", "rtmp2src", []string{"location=rtmp://HOST/a/b/NAME"}, "", "a/b", ""},
	{"GStreamer, a token", "rtmp2src", []string{"location=rtmp://HOST/live/NAME?vhost=guarded&token=TOKEN"}, "guarded", "live", ""},
	{"librtmp, app and playpath", "rtmpsrc", []string{"location=rtmp://HOST/ app=a/b playpath=NAME live=1"}, "", "a/b", ""},
}

// openWithVhosts is open with two more vhosts: v1, and guarded, whose players need a
// token.
func openWithVhosts(t *testing.T) *program {
	t.Helper()
	p := prepare(t).withAdmin()
	for vhost, setting := range map[string]string{"default": "enabled=true", "v1": "hostnames=v1.example.com", "guarded": "play_policy=token"} {
		p.tool("vhost", "set", vhost, "publish_policy=open", "queue_ms=60000", setting)
	}
	p.start()
	return p
}

// in fills a stream's name and this server's address in, and says what the stream's own
// address is: the one every spelling means.
func (s spelling) in(p *program, name, token string) (words []string, canonical string) {
	fill := strings.NewReplacer("HOST", p.rtmp, "NAME", name, "TOKEN", token)
	for _, w := range s.words {
		words = append(words, fill.Replace(w))
	}
	u := "rtmp://" + p.rtmp + "/" + s.app + "/" + fill.Replace(cmp.Or(s.name, "NAME")) + "?token=" + token
	if s.vhost != "" {
		u += "&vhost=" + s.vhost
	}
	return words, u
}

// TestAddressesOfEncoders: whatever an encoder makes of the address it was given, the
// stream is where a player of the plain address looks for it. S0-08, S0-10.
func TestAddressesOfEncoders(t *testing.T) {
	t.Parallel()
	file := samples(t, "gen/h264_baseline_aac.flv")[0]
	p := openWithVhosts(t)
	want := readFLV(t, file)
	for i, s := range published {
		t.Run(s.about, func(t *testing.T) {
			t.Parallel()
			words, canonical := s.in(p, "in"+strconv.Itoa(i), "")
			var end <-chan ended
			start := func() {
				if s.program == "ffmpeg" {
					end = ffmpeg(t, append([]string{"-readrate", "3", "-i", file, "-c", "copy", "-f", "flv"}, words...)...)
					return
				}
				pipeline := []string{"filesrc", "location=" + file, "!", "flvdemux", "name=in", "flvmux", "name=out", "streamable=true", "!", s.program}
				end = gstreamer(t, append(append(pipeline, words...),
					"in.video", "!", "queue", "!", "out.video", "in.audio", "!", "queue", "!", "out.audio")...)
			}
			needs(t, programOf(s.program))
			player := p.playRTMP(within(t, time.Minute), t, canonical)
			start()
			if done := waited(t, end); done.err != nil {
				t.Fatalf("%v\n%s", done.err, tail(done.said, 2000))
			}
			if err := remuxed(want, player.collect()); err != nil {
				t.Error(err)
			}
			u, err := url.Parse(canonical)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimPrefix(u.Path, "/"+s.app+"/")
			began := fmt.Sprintf(`"role":"publisher","vhost":%q,"app":%q,"stream":%q`, cmp.Or(s.vhost, "default"), s.app, name)
			if !strings.Contains(p.logged(), began) {
				t.Errorf("the log does not name it by %s", began)
			}
		})
	}
}

// TestAddressesOfPlayers: whatever a player makes of the address it was given, it gets
// the stream that is published at the plain address, and its token is found wherever it
// stands. S0-08, S0-10.
func TestAddressesOfPlayers(t *testing.T) {
	t.Parallel()
	file := samples(t, "gen/h264_baseline_aac.flv")[0]
	p := openWithVhosts(t)
	want := readFLV(t, file)
	for i, s := range played {
		t.Run(s.about, func(t *testing.T) {
			t.Parallel()
			needs(t, programOf(s.program))
			name, token := "out"+strconv.Itoa(i), ""
			if s.vhost == "guarded" {
				token = p.plant(p.tool("token", "mint", "play", "live/"+name, "--vhost", "guarded"))
			}
			words, canonical := s.in(p, name, token)
			out := filepath.Join(t.TempDir(), "played.flv")
			joined := p.joining(t, canonical)
			var end <-chan ended
			switch s.program {
			case "ffmpeg":
				end = ffmpeg(t, append(append([]string{"-i"}, words...), "-c", "copy", "-f", "flv", out)...)
			case "rtmpdump":
				end = background(t, "rtmpdump", append([]string{"--quiet", "--live", "--timeout", "20", "-o", out}, words...)...)
			default:
				end = gstreamer(t, append(append([]string{s.program}, words...), "!", "filesink", "location="+out)...)
			}
			joined(nil)
			publish(within(t, time.Minute), t, canonical, want, 3)
			u, err := url.Parse(canonical)
			if err != nil {
				t.Fatal(err)
			}
			p.kick(t, strings.TrimPrefix(u.Path, "/"+s.app+"/"), "player")
			if done := waited(t, end); done.err != nil {
				t.Errorf("%v\n%s", done.err, tail(done.said, 2000))
			}
			if err := eitherWay(want, readFLV(t, out)); err != nil {
				t.Error(err)
			}
		})
	}
}

// eitherWay compares with what a program passed on or wrote with its own muxer.
func eitherWay(published, written []flv.Tag) error {
	if err := compare(published, written); err != nil {
		return comparePayloads(published, written)
	}
	return nil
}

// programOf is the command behind the name of an element of GStreamer.
func programOf(name string) string {
	if strings.HasSuffix(name, "sink") || strings.HasSuffix(name, "src") {
		return "gst-launch-1.0"
	}
	return name
}
