package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// load is what to do to a server.
type load struct {
	publishURL, playURL string
	publishers, players int
	probes              int
	rate                rate
	ramp, warm, window  time.Duration
	pid                 int
	json                bool
}

// rate is what one publisher sends.
type rate struct {
	video, audio int // kbit/s
	fps          int
	gop          time.Duration
}

const usage = `rtmpbench loads an RTMP server with publishers and players and measures what arrives.

  rtmpbench --url rtmp://127.0.0.1/live/bench --players 500
  rtmpbench --publish rtmp://127.0.0.1/live/sk_… --play http://127.0.0.1:8080/live/bench.flv
  rtmpbench --url rtmp://127.0.0.1/live/b%d --publishers 300 --players 0 --video 500

%d in a URL is the publisher's number, from 1 on; without it and with several
publishers the number is put behind the name.

`

func parse(args []string, stderr io.Writer) (*load, error) {
	l := &load{}
	var both string
	fs := flag.NewFlagSet("rtmpbench", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		_, _ = io.WriteString(stderr, usage)
		fs.PrintDefaults()
	}
	fs.StringVar(&both, "url", "", "where to publish and to play: rtmp://host/app/name")
	fs.StringVar(&l.publishURL, "publish", "", "where to publish, in place of --url")
	fs.StringVar(&l.playURL, "play", "", "where to play, in place of --url; http:// is HTTP-FLV")
	fs.IntVar(&l.publishers, "publishers", 1, "number of streams")
	fs.IntVar(&l.players, "players", 100, "players of each stream")
	fs.IntVar(&l.probes, "probes", 10, "players of each stream that measure latency; the others count bytes, which is cheaper")
	fs.IntVar(&l.rate.video, "video", 2500, "video bit rate, kbit/s")
	fs.IntVar(&l.rate.audio, "audio", 128, "audio bit rate, kbit/s; 0 is none")
	fs.IntVar(&l.rate.fps, "fps", 25, "video frames a second")
	fs.DurationVar(&l.rate.gop, "gop", 2*time.Second, "time between key frames")
	fs.DurationVar(&l.ramp, "ramp", 2*time.Second, "time over which the players join")
	fs.DurationVar(&l.warm, "warm", 2*time.Second, "time between the last player and the measurement")
	fs.DurationVar(&l.window, "duration", 15*time.Second, "how long to measure")
	fs.IntVar(&l.pid, "pid", 0, "process of the server on this machine, whose CPU time and memory are measured too (Linux)")
	fs.BoolVar(&l.json, "json", false, "print the result as JSON")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	if fs.NArg() > 0 {
		return nil, fmt.Errorf("what is %q? All is said with flags; see --help", fs.Arg(0))
	}
	if l.publishURL == "" {
		l.publishURL = both
	}
	if l.playURL == "" {
		l.playURL = both
	}
	return l, l.check()
}

// check says what a server cannot be asked for.
func (l *load) check() error {
	if l.publishURL == "" || l.playURL == "" && l.players > 0 {
		return errors.New("say where: --url rtmp://host/app/name, or --publish and --play")
	}
	for _, u := range []struct {
		flag, url string
		schemes   []string
	}{
		{"publish", l.publishURL, []string{"rtmp", "rtmps"}},
		{"play", l.playURL, []string{"rtmp", "rtmps", "http", "https"}},
	} {
		if u.url == "" {
			continue
		}
		if err := checkURL(u.url, u.schemes); err != nil {
			return fmt.Errorf("--%s: %w", u.flag, err)
		}
	}
	l.probes = min(l.probes, l.players)
	switch {
	case l.publishers < 1:
		return errors.New("--publishers: at least 1")
	case l.players < 0 || l.probes < 0:
		return errors.New("--players and --probes: no fewer than 0")
	case l.rate.fps < 1 || l.rate.fps > 240:
		return errors.New("--fps: from 1 to 240")
	case l.rate.video < 8 || l.rate.audio < 0:
		return errors.New("--video: at least 8 kbit/s; --audio: no less than 0")
	case l.rate.gop < time.Second/time.Duration(l.rate.fps):
		return errors.New("--gop: at least one frame")
	case l.window < time.Second:
		return errors.New("--duration: at least 1s")
	case l.ramp < 0 || l.warm < 0:
		return errors.New("--ramp and --warm: no less than 0s")
	}
	return nil
}

func checkURL(raw string, schemes []string) error {
	u, err := url.Parse(strings.ReplaceAll(raw, "%d", "1"))
	if err != nil || u.Host == "" || strings.Trim(u.Path, "/") == "" {
		return errors.New("write a URL like rtmp://host/app/name") // not err: it repeats the URL, which may hold a key
	}
	if slices.Contains(schemes, u.Scheme) {
		return nil
	}
	return fmt.Errorf("the scheme %q is none of %s", u.Scheme, strings.Join(schemes, ", "))
}

// numbered is the URL of the publisher with that number, from 1 on.
func (l *load) numbered(raw string, n int) string {
	if strings.Contains(raw, "%d") {
		return strings.ReplaceAll(raw, "%d", strconv.Itoa(n))
	}
	if l.publishers == 1 {
		return raw
	}
	path, query, found := strings.Cut(raw, "?")
	ext := ""
	if bare, ok := strings.CutSuffix(path, ".flv"); ok {
		path, ext = bare, ".flv"
	}
	path += "-" + strconv.Itoa(n) + ext
	if found {
		path += "?" + query
	}
	return path
}
