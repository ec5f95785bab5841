package main

import (
	"bufio"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/flv"
)

// victim is a real encoder and a player that an attack must not disturb.
type victim struct {
	t       *testing.T
	encoder <-chan ended
	player  *player
}

// victim starts ffmpeg publishing in real time, for ever, and a player.
func (p *program) victim(t *testing.T) *victim {
	t.Helper()
	needs(t, "ffmpeg")
	file := samples(t, "gen/h264_bframes_aac.flv")[0]
	v := &victim{t: t}
	v.encoder = ffmpeg(t, "-re", "-stream_loop", "-1", "-i", file, "-c", "copy", "-f", "flv", p.url("real"))
	v.player = p.playRTMP(within(t, 2*time.Minute), t, p.url("real"))
	eventually(t, 20*time.Second, "the real encoder is on air", func() bool { return len(v.player.got()) > 20 })
	return v
}

// unharmed fails the test unless the encoder still publishes and the player has
// everything, in order.
func (v *victim) unharmed() {
	v.t.Helper()
	select {
	case e := <-v.encoder:
		v.t.Fatalf("the real encoder has ended: %v %s", e.err, e.said)
	case <-v.player.gone:
		v.t.Fatalf("the real player has ended: %v", v.player.err)
	default:
	}
	before := len(v.player.got())
	eventually(v.t, 5*time.Second, "the real player gets more", func() bool { return len(v.player.got()) > before+20 })
	tags := frames(v.player.got())
	for _, typ := range []uint8{flv.TagAudio, flv.TagVideo} {
		if err := neverBack(tags, typ); err != nil {
			v.t.Errorf("the real player: %v", err)
		}
	}
	last := map[uint8]uint32{}
	for _, tag := range tags {
		if at, ok := last[tag.Type]; ok && tag.Timestamp > at+200 {
			v.t.Errorf("the real player missed %d ms at %d", tag.Timestamp-at, at)
		}
		last[tag.Type] = tag.Timestamp
	}
}

// metrics reads what the program says of itself.
func (p *program) metrics(t *testing.T) map[string]float64 {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+p.http+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	values := map[string]float64{}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		name, value, ok := strings.Cut(lines.Text(), " ")
		if number, err := strconv.ParseFloat(value, 64); ok && err == nil {
			values[name] = number
		}
	}
	return values
}

// settled is metrics of a program that has just been started, when all its parts run:
// it says where it listens before that.
func (p *program) settled(t *testing.T) map[string]float64 {
	t.Helper()
	now := p.metrics(t)
	for same, end := 0, time.Now().Add(patience); same < 20 && time.Now().Before(end); same++ {
		time.Sleep(50 * time.Millisecond)
		before := now
		if now = p.metrics(t); now[goroutines] > before[goroutines] {
			same = 0
		}
	}
	return now
}

const (
	goroutines = "go_goroutines"
	openFiles  = "process_open_fds"
	resident   = "process_resident_memory_bytes"
)

// sessionsEnded is the metric of sessions that ended for a reason.
func sessionsEnded(reason string) string {
	return `penstock_sessions_ended_total{reason="` + reason + `"}`
}

// back fails the test unless goroutines and files are soon as few as before, but
// for a few that the program has of its own accord: for the request for the
// metrics, timers, and database connections that it opens when it is busy.
func (p *program) back(t *testing.T, before map[string]float64) {
	t.Helper()
	const goroutinesMore, filesMore = 8, 12
	var now map[string]float64
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		now = p.metrics(t)
		if now[goroutines] <= before[goroutines]+goroutinesMore && now[openFiles] <= before[openFiles]+filesMore {
			return
		}
	}
	t.Errorf("%.0f goroutines and %.0f files, before %.0f and %.0f", now[goroutines], now[openFiles], before[goroutines], before[openFiles])
}
