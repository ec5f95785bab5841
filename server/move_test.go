package server_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/rtmp"
)

// movable dials as a client that deals with a reconnect request.
func (l *lab) movable(path string) *rtmp.Client {
	l.t.Helper()
	c, err := rtmp.Dial(l.t.Context(), l.url(path), rtmp.DialConfig{
		Timeout: patience, Connect: rtmp.Connect{CapsEx: rtmp.CapsReconnect},
	})
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { _ = c.Close() })
	return c
}

// A server that stops asks those who can to reconnect, publishers and players, and serves
// them until they leave; all others are told that it is over.
func TestDrainAsksToReconnect(t *testing.T) {
	l := newLab(t, func(_ *lab, cfg *server.Config) { cfg.ReconnectURL = "rtmp://next.example.com/live" })
	pub := l.movable("live/a")
	if err := pub.Publish(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	p := l.listen(pub)
	p.configs(t)
	p.send(t, 0, 2)
	player := l.movable("live/a")
	if err := player.Play(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	picture(t, player)
	stuck := newRawPlayer(t, l, "live", "a")
	stuck.until("NetStream.Play.Start")

	drained := make(chan error, 1)
	go func() { drained <- l.engine.Drain(t.Context()) }()
	asked := func(err error) {
		t.Helper()
		move, ok := errors.AsType[*rtmp.ReconnectError](err)
		if !ok || move.URL != "rtmp://next.example.com/live/" || move.Description == "" {
			t.Fatalf("got %v, want a reconnect request", err)
		}
	}
	asked(receive(t, p.end, "the request"))
	for {
		if _, err := player.ReadMedia(); err != nil {
			asked(err)
			break
		}
	}
	stuck.until("NetStream.Play.UnpublishNotify")
	// They are served on.
	p.send(t, 2, 2)
	for n := 0; n < 2; n, _ = picture(t, player) {
	}
	select {
	case err := <-drained:
		t.Fatalf("drained while they are there: %v", err)
	default:
	}
	_, _ = player.Close(), pub.Close()
	if err := receive(t, drained, "the end of draining"); err != nil {
		t.Error(err)
	}
}

// Who was asked and stays is told that it is over when the time is.
func TestDrainEndsWhoStays(t *testing.T) {
	l := newLab(t)
	c := l.movable("live/a")
	if err := c.Publish(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := l.engine.Drain(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("drained: %v", err)
	}
	c.Conn().SetIdleTimeout(patience)
	_, err := c.ReadMedia()
	move, ok := errors.AsType[*rtmp.ReconnectError](err)
	if !ok || move.URL != l.url("live/") {
		t.Fatalf("got %v, want a reconnect request", err)
	}
	if len(l.engine.Sessions()) != 1 {
		t.Error("it was ended before its time")
	}
}
