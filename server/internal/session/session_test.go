package session

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/health"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/internal/stream"
	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const patience = 5 * time.Second

type noKeys struct{}

func (noKeys) Key(context.Context, config.KeyHash) (config.StreamKey, error) {
	return config.StreamKey{}, config.ErrNoKey
}

// rooms are a server and what it needs, without a listener.
type rooms struct {
	*Server
	roster *roster.Roster
}

func newRooms(t *testing.T, change func(*Config)) *rooms {
	t.Helper()
	hub := stream.NewHub(stream.Config{Shards: 1})
	book := roster.New(roster.Config{Keys: noKeys{}})
	v := config.NewVhost(config.DefaultVhost)
	v.PublishPolicy = config.PublishOpen
	v.Media.PublisherGapMS = 50
	snap, err := config.New(1, []config.Vhost{v}, nil)
	if err != nil {
		t.Fatal(err)
	}
	book.Adopt(t.Context(), snap)
	monitor := health.New()
	cfg := Config{Hub: hub, Roster: book, Monitor: func(stream.ID) *health.Monitor { return monitor }}
	if change != nil {
		change(&cfg)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = hub.Run(ctx) }()
	t.Cleanup(func() {
		book.Close(roster.Ending{Reason: config.ReasonShutdown})
		book.EndAll(config.ReasonShutdown, "")
		book.Wait()
		cancel()
		<-done
	})
	return &rooms{New(cfg), book}
}

// plain hides the descriptor of a connection.
type plain struct{ net.Conn }

// dial connects without the server seeing a descriptor.
func (r *rooms) dial(t *testing.T) *rtmp.Client {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ln.Close() }()
	go func() {
		if nc, err := ln.Accept(); err == nil {
			r.Serve(context.Background(), plain{nc})
		}
	}()
	c, err := rtmp.Dial(t.Context(), "rtmp://"+ln.Addr().String()+"/live/a", rtmp.DialConfig{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Conn().Close() })
	return c
}

// A connection that the fan-out cannot write to, as one under TLS, has a writer.
func TestPlayerWithoutDescriptor(t *testing.T) {
	r := newRooms(t, nil)
	pub, player := r.dial(t), r.dial(t)
	if err := pub.Publish(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if err := player.Play(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	go func() {
		for i := range 20 {
			_ = pub.WriteMedia(message.TypeAudio, uint32(i*20), []byte{0x2f, byte(i)}) // MP3
		}
	}()
	player.Conn().SetIdleTimeout(patience)
	for i := range 5 {
		if m, err := player.ReadMedia(); err != nil || m.Type != message.TypeAudio {
			t.Fatalf("message %d: %+v, %v", i, m, err)
		}
	}
	r.roster.EndAll(config.ReasonKicked, "enough")
	for {
		_, err := player.ReadMedia()
		if err == nil {
			continue
		}
		if s, ok := errors.AsType[*rtmp.StatusError](err); !ok || s.Description != "enough" {
			t.Errorf("the player's end: %v", err)
		}
		break
	}
}

// It is told too when its stream is over, though its writer has nothing more to write.
func TestStreamOfAPlayerWithoutDescriptorEnds(t *testing.T) {
	r := newRooms(t, nil)
	pub, player := r.dial(t), r.dial(t)
	if err := pub.Publish(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if err := player.Play(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	player.Conn().SetIdleTimeout(patience)
	if err := pub.WriteMedia(message.TypeAudio, 0, []byte{0x2f, 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := player.ReadMedia(); err != nil {
		t.Fatal(err)
	}
	_ = pub.Close()
	if m, err := player.ReadMedia(); !errors.Is(err, rtmp.ErrUnpublished) {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := player.ReadMedia(); !errors.Is(err, io.EOF) {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestSilentPlayerIsPingedAndClosed(t *testing.T) {
	r := newRooms(t, func(c *Config) { c.Limits.PingInterval = 400 * time.Millisecond })
	player := r.dial(t)
	if err := player.Play(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	// A player that reads answers pings and stays.
	read := make(chan error, 1)
	go func() { _, err := player.ReadMedia(); read <- err }()
	for range 20 { // longer than a silent one may stay
		time.Sleep(80 * time.Millisecond)
		r.roster.Sample(80 * time.Millisecond)
	}
	if len(r.roster.Sessions()) != 1 {
		t.Fatal("a player that answers was closed")
	}
	_ = player.Conn().Close()
	<-read

	mute := r.dial(t)
	if err := mute.Play(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(patience); len(r.roster.Sessions()) > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a player that does not answer stays")
		}
		r.roster.Sample(10 * time.Millisecond)
	}
}

// A defect in one session must not end the process.
func TestPanicEndsOneSession(t *testing.T) {
	r := newRooms(t, func(c *Config) {
		c.Monitor = func(stream.ID) *health.Monitor { panic("a defect") }
	})
	c := r.dial(t)
	if err := c.Publish(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	c.Conn().SetIdleTimeout(patience)
	if _, err := c.ReadMedia(); err == nil {
		t.Error("the session lives on")
	}
	for end := time.Now().Add(patience); len(r.roster.Sessions()) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the session stays in the book")
		}
	}
}
