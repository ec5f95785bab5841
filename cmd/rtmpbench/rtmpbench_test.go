package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/flv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve starts an engine that lets everybody publish and play.
func serve(t *testing.T) (rtmpURL, httpURL string) {
	t.Helper()
	e, err := server.New(server.Config{RTMP: []string{"127.0.0.1:0"}})
	if err != nil {
		t.Fatal(err)
	}
	v := config.NewVhost(config.DefaultVhost)
	v.PublishPolicy = config.PublishOpen
	snap, err := config.New(1, []config.Vhost{v}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Apply(snap); err != nil {
		t.Fatal(err)
	}
	if err := e.Listen(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx) }()
	web := httptest.NewServer(e.PlayHandler())
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		web.Close()
	})
	return "rtmp://" + e.Addrs()[0].String(), web.URL
}

// TestLoad runs small loads of every kind against a real engine.
func TestLoad(t *testing.T) {
	t.Parallel()
	rtmpURL, httpURL := serve(t)
	for _, c := range []struct {
		name string
		args []string
		want [2]int // publishers, players
	}{
		{"rtmp", []string{"--url", rtmpURL + "/live/a", "--players", "4", "--probes", "2"}, [2]int{1, 4}},
		{"streams", []string{"--url", rtmpURL + "/live/b", "--publishers", "2", "--players", "3"}, [2]int{2, 6}},
		{"http", []string{"--publish", rtmpURL + "/live/c%d", "--play", httpURL + "/live/c%d.flv", "--publishers", "2", "--players", "2"}, [2]int{2, 4}},
		{"ingest", []string{"--url", rtmpURL + "/live/d", "--publishers", "3", "--players", "0", "--audio", "0"}, [2]int{3, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			args := slices.Concat(c.args, []string{"--duration", "1s", "--warm", "500ms", "--ramp", "200ms", "--video", "500", "--gop", "200ms", "--json"})
			// A busy machine may keep a player short of a one-second window: that is 1.
			if code := run(t.Context(), args, &stdout, &stderr); code > 1 {
				t.Fatalf("code %d: %s", code, stderr.String())
			}
			var r result
			if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			if r.Publishers != c.want[0] || r.Players != c.want[1] || r.Failed != 0 {
				t.Errorf("got %+v", r)
			}
			if r.InMbits <= 0 || c.want[1] > 0 && (r.OutMbits <= 0 || r.Latency == nil || r.First == nil) {
				t.Errorf("nothing measured: %s", stdout.String())
			}
		})
	}
}

// TestRefused says in the result's words what the server said.
func TestRefused(t *testing.T) {
	rtmpURL, _ := serve(t)
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"--url", rtmpURL + "/live/a..b"}, &stdout, &stderr); code != 2 {
		t.Errorf("code %d", code)
	}
	if !strings.Contains(stderr.String(), "NetStream.Publish") {
		t.Errorf("said %q", stderr.String())
	}
}

func TestFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "say where"},
		{"--url http://h/a/b", "none of rtmp"},
		{"--url rtmp://h", "like rtmp://host/app/name"},
		{"--url rtmp://h/a/b --fps 0", "--fps"},
		{"--url rtmp://h/a/b --players -1", "--players"},
		{"--url rtmp://h/a/b --duration 1ms", "--duration"},
		{"--url rtmp://h/a/b more", `what is "more"`},
	} {
		_, err := parse(strings.Fields(c.args), &bytes.Buffer{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.args, err, c.want)
		}
	}
	l := &load{publishers: 2}
	for raw, want := range map[string]string{
		"rtmp://h/live/s":           "rtmp://h/live/s-2",
		"rtmp://h/live/s?key=k":     "rtmp://h/live/s-2?key=k",
		"rtmp://h/live/s%d?key=k":   "rtmp://h/live/s2?key=k",
		"http://h/live/s.flv":       "http://h/live/s-2.flv",
		"http://h/live/s.flv?token": "http://h/live/s-2.flv?token",
	} {
		if got := l.numbered(raw, 2); got != want {
			t.Errorf("%s: got %s, want %s", raw, got, want)
		}
	}
}

// TestHistogram: what it says is never less than what was put in, and at most 6 % more.
func TestHistogram(t *testing.T) {
	for _, us := range []int{0, 1, 15, 16, 17, 31, 32, 33, 100, 999, 5000, 123_456, 60_000_000} {
		d := time.Duration(us) * time.Microsecond
		got := upper(bucketOf(d))
		if got < d || float64(got) > float64(d)*1.07+1000 {
			t.Errorf("%v is said to be %v", d, got)
		}
	}
	var h, more histogram
	for i := range 100 {
		h.add(time.Duration(i+1) * time.Millisecond)
	}
	more.merge(&h)
	p := more.percentiles()
	if p == nil || p.Count != 100 || p.P50 < 50 || p.P50 > 54 || p.P99 < 99 || p.P99 > 106 || p.Max < 100 {
		t.Errorf("got %+v", p)
	}
	if (&histogram{}).percentiles() != nil {
		t.Error("nothing has percentiles")
	}
}

func TestFrames(t *testing.T) {
	r := rate{video: 2500, audio: 128, fps: 25, gop: 2 * time.Second}
	key, inter := r.sizes()
	if total := key + 49*inter; total < 620_000 || total > 625_000 {
		t.Errorf("a GOP of %d bytes at 2500 kbit/s", total)
	}
	at, isKey, ok := stamp(flv.TagVideo, videoBody(key, true, 42*time.Millisecond))
	if at != 42*time.Millisecond || !isKey || !ok {
		t.Errorf("got %v %v %v", at, isKey, ok)
	}
	if _, _, ok := stamp(flv.TagVideo, avcConfig()); ok {
		t.Error("a configuration has no stamp")
	}
	if _, err := flv.ParseVideo(avcConfig()); err != nil {
		t.Error(err)
	}
}

// TestPrint gives a person every figure and what failed.
func TestPrint(t *testing.T) {
	failure := fmt.Errorf("play: %w", context.DeadlineExceeded)
	r := &result{Publishers: 1, Players: 2, Seconds: 1, LateMS: 30, Latency: &percentiles{Count: 1, P50: 1.5}, Server: &process{CPUPerGB: 1.25}}
	r.failed(&failure)
	r.failed(&failure)
	var b bytes.Buffer
	if err := r.print(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"p50 1.50", "1.25 CPU-s/GB", "2 failed", "30 ms late", "deadline"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, b.String())
		}
	}
	if r.whole() {
		t.Error("a load that failed is whole")
	}
}
