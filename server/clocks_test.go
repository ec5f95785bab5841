package server_test

import (
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// A publisher whose audio runs 1 % fast, at four times the speed of life: the operator
// is warned in words, and told how far it has come. Then both clocks jump, which is
// counted.
func TestDriftOfAPublisherIsSaid(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	p := l.publish("live/a")
	p.configs(t)
	p.write(t, message.TypeVideo, 0, frame(true, 0, 0))
	stop, stopped := make(chan struct{}), make(chan struct{})
	jump := make(chan uint32, 1)
	go func() {
		defer close(stopped)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		begun, by := time.Now(), uint32(0)
		for i := 1; ; i++ {
			select {
			case <-stop:
				return
			case by = <-jump:
			case <-tick.C:
			}
			at := uint32(4 * time.Since(begun).Milliseconds())
			_ = p.WriteMedia(message.TypeVideo, by+at, frame(i%50 == 0, i, 0))
			_ = p.WriteMedia(message.TypeAudio, by+at+at/100, sound(i))
		}
	}()
	defer func() {
		close(stop)
		<-stopped
	}()
	var found server.Finding
	const long = 90 * time.Second
	within(t, long, "a warning of the drift", func() bool {
		s, _ := l.stream("a")
		for _, f := range s.Findings {
			if f.Code == "av_drift" {
				found = f
				return true
			}
		}
		return false
	})
	if !strings.Contains(found.Text, "audio clock runs faster than its video clock") || found.Severity != "fair" {
		t.Errorf("said: %+v", found)
	}
	s, _ := l.stream("a")
	if c := s.Clocks; c.AVDrift < 200 || c.AVOffset < c.AVDrift || c.AudioDrift <= c.VideoDrift || s.Health == "good" {
		t.Errorf("health %s, %+v", s.Health, c)
	}
	before := s.Clocks.Jumps
	jump <- 1 << 30
	within(t, patience, "both jumps are counted", func() bool {
		s, _ := l.stream("a")
		return s.Clocks.Jumps >= before+2 && l.engine.Totals().JumpsTotal >= before+2
	})
}
