package rtmp

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
)

// The end of a context ends the step, and the connection without a goodbye.
func TestClientContextEnds(t *testing.T) {
	for call, do := range map[string]func(context.Context, *Client) error{
		"publish": func(ctx context.Context, c *Client) error { return c.Publish(ctx, "") },
		"play":    func(ctx context.Context, c *Client) error { return c.Play(ctx, "") },
	} {
		l := listen(t)
		asked := make(chan struct{})
		connections(t, l, func(_ int, p *peer, _ Connect) {
			p.say(sayConnected)
			for heard := p.hear(); !strings.Contains(heard, `"createStream"`); heard = p.hear() {
			}
			close(asked)
			for heard := p.hear(); heard != "close"; heard = p.hear() {
				t.Errorf("%s: then the client said %s", call, heard)
			}
		})
		c, err := Dial(t.Context(), "rtmp://"+l.Addr().String()+"/live/cam", DialConfig{})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("why")
		go func() { <-asked; cancel(why) }()
		if err := do(ctx, c); !errors.Is(err, why) {
			t.Errorf("%s: %v", call, err)
		}
		_ = c.Close()
	}
}

// What cannot be sent is said by the call that wanted to, and what follows fails as
// well.
func TestClientCannotWrite(t *testing.T) {
	for call, do := range map[string]func(*Client) error{
		"connect": nil,
		"publish": func(c *Client) error { return c.Publish(t.Context(), "") },
		"play":    func(c *Client) error { return c.Play(t.Context(), "") },
		"pause":   func(c *Client) error { return c.Pause(true, 0) },
	} {
		l := listen(t)
		connections(t, l, func(_ int, p *peer, _ Connect) { p.say(sayConnected) })
		var full atomic.Bool
		full.Store(do == nil)
		c, err := Dial(t.Context(), "rtmp://"+l.Addr().String()+"/live/cam", DialConfig{
			DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				nc, err := new(net.Dialer).DialContext(ctx, network, addr)
				sink, other := net.Pipe()
				_ = other.Close()
				return stuck{nc, sink, &full}, err
			},
		})
		if do != nil && err == nil {
			full.Store(true)
			err = do(c)
			if again := c.WriteMedia(8, 0, []byte{0xAF, 1}); again == nil {
				t.Errorf("%s: the next message went out", call)
			}
			_ = c.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "write: ") {
			t.Errorf("%s: %v", call, err)
		}
	}
}

// Which server was reached stands in the log.
//
// S2-22.
func TestServerIsLogged(t *testing.T) {
	l := listen(t)
	connections(t, l, func(_ int, p *peer, _ Connect) {
		p.say(`command@0 "_result" 1 {"fmsVer": "FMS/3,5,3,888", "mode": 1, "capabilities": 127} ` +
			`{"data": {"version": "5.0", "srs_server_ip": "192.0.2.9", "srs_pid": "12", "srs_id": "a7x", "srs_server": "SRS/5"}}`)
	})
	var log bytes.Buffer
	c, err := Dial(t.Context(), "rtmp://"+l.Addr().String()+"/live/cam?key=secret", DialConfig{
		Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Close()
	if want := "fmsver=FMS/3,5,3,888 name=SRS/5 version=5.0 ip=192.0.2.9 pid=12 id=a7x"; !strings.Contains(log.String(), want) {
		t.Errorf("logged %s", log.String())
	}
	if s := c.Server(); s.Capabilities != 127 || s.Mode != 1 || s.Properties.Get("mode") != 1.0 || s.Info.Get("data") == nil {
		t.Errorf("%+v", s)
	}
}
