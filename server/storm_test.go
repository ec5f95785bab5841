package server_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp"
)

// Players that come and go in every way leave nothing behind.
//
// S0-65, S4-21, S4-23.
func TestChurn(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) { v.PublishPolicy = config.PublishOpen }))
	pub := l.publish("live/a")
	pub.configs(t)
	pub.send(t, 0, 5)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 12 {
				switch i % 3 {
				case 0: // leaves in good order
					c, err := rtmp.Dial(t.Context(), l.url("live/a"), rtmp.DialConfig{})
					if err != nil {
						t.Error(err)
						return
					}
					_ = c.Play(t.Context(), "")
					_ = c.Close()
				case 1: // resets the connection with bytes unread
					c, err := rtmp.Dial(t.Context(), l.url("live/a"), rtmp.DialConfig{})
					if err != nil {
						t.Error(err)
						return
					}
					_ = c.Play(t.Context(), "")
					_ = c.Conn().NetConn().(*net.TCPConn).SetLinger(0)
					_ = c.Conn().Close()
				default: // takes a little over HTTP
					resp, err := http.Get(l.web.URL + "/live/a.flv")
					if err != nil {
						t.Error(err)
						return
					}
					_, _ = io.CopyN(io.Discard, resp.Body, 64)
					_ = resp.Body.Close()
				}
			}
		})
	}
	all.Wait()
	within(t, patience, "only the publisher is left", func() bool {
		s, _ := l.stream("a")
		return len(l.engine.Sessions()) == 1 && s.Players == 0
	})
	started, ended := 0, 0
	for _, e := range l.engine.Events(0) {
		switch e.Type {
		case "session.play_started":
			started++
		case "session.play_ended":
			ended++
		}
	}
	if started != ended || started == 0 {
		t.Errorf("%d players started and %d ended", started, ended)
	}
	pub.send(t, 5, 5)
	picture(t, l.play("live/a"))
}

// An encoder that reconnects many times at once with one key has one publication
// in the end, and every other one's end is told.
//
// S0-73.
func TestManyTakeoversOneStays(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) { v.PublishPolicy = config.PublishKey }))
	key := l.keys.add("key_a", "show")
	const n = 30
	var all sync.WaitGroup
	ends := make(chan error, n)
	for range n {
		c := l.dial("live/" + key)
		all.Go(func() {
			if err := c.Publish(t.Context(), ""); err != nil {
				ends <- err // was replaced before it began to wait
				return
			}
			p := l.listen(c)
			go func() { ends <- <-p.end }()
		})
	}
	all.Wait()
	for range n - 1 {
		err := receive(t, ends, "the end of one that was replaced")
		if _, ok := errors.AsType[*rtmp.StatusError](err); !ok {
			t.Errorf("ended with %v", err)
		}
	}
	within(t, patience, "one is left", func() bool { return len(l.engine.Sessions()) == 1 })
	if s, ok := l.stream("show"); !ok || !s.Live || s.PublisherID != l.session("publisher").ID {
		t.Errorf("stream: %+v", s)
	}
	counts := map[string]int{}
	for _, e := range l.engine.Events(0) {
		counts[e.Type]++
	}
	if counts["stream.published"] != n || counts["stream.taken_over"] != n-1 || counts["stream.unpublished"] != 0 {
		t.Errorf("events: %v", counts)
	}
}

// Connections that send one byte a second are closed in time and keep nobody out.
func TestSlowHandshakesKeepNobodyOut(t *testing.T) { // S0-02, S0-27, R-2.1
	if testing.Short() {
		t.Skip("takes as long as a handshake may take")
	}
	l := newLab(t)
	const n = 40
	closed := make(chan time.Duration, n)
	begin := time.Now()
	for range n {
		nc := l.plain()
		go func() {
			for b := []byte{3}; ; b[0] = 0 {
				_, err := nc.Write(b)
				_ = nc.SetReadDeadline(time.Now().Add(time.Second))
				if _, rerr := nc.Read(make([]byte, 1)); err != nil || rerr != nil && !errors.Is(rerr, os.ErrDeadlineExceeded) {
					closed <- time.Since(begin)
					return
				}
			}
		}()
	}
	within(t, patience, "all are connected", func() bool { return len(l.engine.Sessions()) == n })
	asked := time.Now()
	l.publish("live/a")
	if took := time.Since(asked); took > 5*time.Second {
		t.Errorf("an encoder was let in after %v", took)
	}
	for range n {
		if d := receive(t, closed, "the end of a slow handshake"); d > 20*time.Second {
			t.Errorf("closed after %v", d)
		}
	}
	within(t, patience, "the book says why", func() bool {
		return l.engine.Totals().EndingsTotal["handshake"] == n
	})
}
