package server_test

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// wormhole passes bytes on between a client and the engine until it is told to swallow
// them: both ends stay open then, as if the network in between had gone.
type wormhole struct {
	net.Listener

	swallow atomic.Bool
	all     sync.WaitGroup
}

func (l *lab) wormhole() *wormhole {
	l.t.Helper()
	ln, err := (&net.ListenConfig{}).Listen(l.t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		l.t.Fatal(err)
	}
	w := &wormhole{Listener: ln}
	w.all.Go(func() {
		for {
			nc, err := ln.Accept()
			if err != nil {
				return
			}
			w.pass(nc, l.addr)
		}
	})
	l.t.Cleanup(func() {
		_ = ln.Close()
		w.all.Wait()
	})
	return w
}

func (w *wormhole) pass(from net.Conn, addr string) {
	to, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", addr)
	if err != nil {
		_ = from.Close()
		return
	}
	for _, way := range [][2]net.Conn{{from, to}, {to, from}} {
		w.all.Go(func() {
			b := make([]byte, 32<<10)
			for {
				n, err := way[0].Read(b)
				if n > 0 && !w.swallow.Load() {
					_, _ = way[1].Write(b[:n])
				}
				if err != nil {
					if !errors.Is(err, io.EOF) || !w.swallow.Load() {
						_ = way[1].Close()
					}
					return
				}
			}
		})
	}
}

// An encoder whose network has gone keeps its stream from the one that comes back for
// as long as its vhost allows silence, and no longer; the one that comes back is told
// why meanwhile. Players stay.
func TestGhostPublisher(t *testing.T) { // C-54, R-2.45, R-3.46, S0-72
	t.Parallel()
	l := newLab(t, vhost(func(v *config.Vhost) { v.DuplicatePolicy = config.DuplicateReject }))
	w := l.wormhole()
	ghost, err := rtmp.Dial(t.Context(), "rtmp://"+w.Addr().String()+"/live/a", rtmp.DialConfig{Timeout: patience})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ghost.Close() }()
	if err := ghost.Publish(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	first := &publisher{Client: ghost}
	first.configs(t)
	first.send(t, 0, 3)
	player := l.play("live/a")
	player.Conn().SetIdleTimeout(0)
	picture(t, player)

	w.swallow.Store(true)
	first.send(t, 3, 1) // nobody hears it
	gone := time.Now()
	var back *publisher
	for tries := 0; back == nil; tries++ {
		c := l.dial("live/a")
		err := c.Publish(t.Context(), "")
		switch {
		case err == nil:
			back = l.listen(c)
		case time.Since(gone) > time.Minute:
			t.Fatalf("the ghost stays: %v", err)
		default:
			refused(t, err, rtmp.CodePublishBadName)
			time.Sleep(200 * time.Millisecond)
		}
		if tries == 0 && back != nil {
			t.Error("the ghost is gone at once")
		}
	}
	// 10 s are the vhost's publisher_idle_ms, or 5 s until a silent one may be taken over.
	t.Logf("the encoder is back on air after %v", time.Since(gone))
	back.configs(t)
	_ = back.WriteMedia(message.TypeVideo, 0, frame(true, 100, 50))
	for n := 0; n < 100; {
		n, _ = picture(t, player)
	}
	within(t, 3*patience, "the ghost's session is over, and why is known", func() bool {
		ended := l.engine.Totals().EndingsTotal
		return ended[string(config.ReasonIdle)]+ended[string(config.ReasonReplaced)] == 1
	})
}

// How long an encoder may take to its first picture, and between pictures, is its
// vhost's to say, and a changed word holds for those who are on.
func TestSilenceIsTheVhostsToAllow(t *testing.T) { // S0-39, S0-72
	t.Parallel()
	l := newLab(t, func(l *lab, _ *server.Config) {
		strict, patient := config.NewVhost("strict.example.com"), config.NewVhost("patient.example.com")
		for _, v := range []*config.Vhost{&strict, &patient} {
			v.Hostnames, v.PublishPolicy = []string{v.Name}, config.PublishOpen
		}
		strict.Media.FirstMediaMS, strict.Media.PublisherIdleMS = 1000, 60_000
		patient.Media.FirstMediaMS, patient.Media.PublisherIdleMS = 60_000, 60_000
		l.vhosts = append(l.vhosts, strict, patient)
	})
	patient := l.publish("live/a?vhost=patient.example.com")
	strict := l.publish("live/a?vhost=strict.example.com")
	if said := refused(t, receive(t, strict.end, "the end of an encoder without pictures"), rtmp.CodePublishDenied); said != "The encoder has sent no audio or video." {
		t.Errorf("said: %s", said)
	}
	begun := l.publish("live/b?vhost=strict.example.com")
	begun.configs(t)
	begun.send(t, 0, 1)
	select {
	case err := <-begun.end:
		t.Errorf("one that has begun is ended by the time to begin: %v", err)
	case err := <-patient.end:
		t.Errorf("the patient vhost ends it: %v", err)
	case <-time.After(2500 * time.Millisecond):
	}
	l.vhosts[1].Media.PublisherIdleMS = 1000
	l.apply()
	for n := range 50 { // it is looked at once a second, and holds from the next message on
		begun.send(t, 1+n, 1)
		time.Sleep(50 * time.Millisecond)
	}
	within(t, patience, "the new time holds", func() bool {
		_ = begun.WriteMedia(message.TypeData, 0, []byte{2, 0, 1, 'x'}) // data is no sign of life
		select {
		case err := <-begun.end:
			refused(t, err, rtmp.CodePublishDenied)
			return true
		default:
			return false
		}
	})
}

// Who has ended a stream may take its vhost's time until the next, and is then closed.
func TestRepublishTime(t *testing.T) { // S0-39, S0-74
	t.Parallel()
	l := newLab(t, limits(t, "request_timeout=700ms"), vhost(func(v *config.Vhost) { v.Media.RepublishMS = 5000 }))
	c := l.dial("live/a")
	for range 2 {
		if err := c.Publish(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		if err := c.Unpublish(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(1500 * time.Millisecond) // twice as long as before the first
	}
	in := l.intrude(l.plain()).publishes("b")
	in.write(call("FCUnpublish", 5, nil, "b"))
	if !in.closed() {
		t.Error("still open")
	}
	within(t, patience, "its end is counted", func() bool { return l.engine.Totals().EndingsTotal[string(config.ReasonIdle)] >= 1 })
}
