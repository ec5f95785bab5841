package rtmp

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/rtmp/handshake"
)

// A client's choice of handshake, and what becomes of it on servers of three kinds.
//
// S2-20.
func TestClientHandshakes(t *testing.T) {
	const signs, echoes, hangsUp = "signs", "echoes", "hangs up on a digest"
	for _, test := range []struct {
		which  Handshake
		server string
		tries  int32
		digest bool // the last C1 had one
		fails  string
	}{
		{HandshakeSimple, signs, 1, false, ""},
		{HandshakeSimple, echoes, 1, false, ""},
		{HandshakeSimple, hangsUp, 1, false, ""},
		{HandshakeDigest, signs, 1, true, ""},
		{HandshakeDigest, echoes, 1, true, ""},
		{HandshakeDigest, hangsUp, 2, false, ""},
		{HandshakeDigestOnly, signs, 1, true, ""},
		{HandshakeDigestOnly, echoes, 1, true, "rtmp: handshake: the server answers without digest"},
		{HandshakeDigestOnly, hangsUp, 1, true, "rtmp: handshake: the server closed the connection: EOF"},
	} {
		l := listen(t)
		var tries atomic.Int32
		var signed atomic.Bool
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				nc, err := l.Accept()
				if err != nil {
					return
				}
				tries.Add(1)
				c1 := make([]byte, 1+handshake.Size)
				if _, err := io.ReadFull(nc, c1); err != nil {
					t.Error(err)
				}
				digest := c1[5] != 0
				signed.Store(digest)
				var answer []byte
				switch {
				case digest && test.server == hangsUp:
					_ = nc.Close()
					continue
				case test.server == signs:
					if answer, err = handshake.Respond(c1[1:], 7, rand.Reader); err != nil {
						t.Error(err)
					}
				default:
					answer = append(append([]byte{3}, c1[1:]...), c1[1:]...)
				}
				_, _ = nc.Write(answer)
				if _, err := io.ReadFull(nc, c1[1:]); err == nil {
					p := &peer{tb: t, nc: nc, size: 128, in: make(chan string, 100), done: make(chan error, 1)}
					go p.read()
					p.hear()
					p.say(sayConnected)
					for range p.in {
					}
				}
				_ = nc.Close()
			}
		})
		c, err := Dial(t.Context(), "rtmp://"+l.Addr().String()+"/live/cam", DialConfig{Handshake: test.which})
		said := ""
		if err != nil {
			said = err.Error()
		} else {
			_ = c.Close()
		}
		_ = l.Close()
		wg.Wait()
		if said != test.fails || (err != nil && !errors.Is(err, ErrHandshake)) {
			t.Errorf("%d, the server %s: %v", test.which, test.server, err)
		}
		if tries.Load() != test.tries || signed.Load() != test.digest {
			t.Errorf("%d, the server %s: %d tries, digest %v", test.which, test.server, tries.Load(), signed.Load())
		}
	}
}

// A server that does not answer a digest within the time is not asked again: the
// time is the caller's.
func TestClientHandshakeTimeout(t *testing.T) {
	t.Parallel()
	l := listen(t)
	_, err := Dial(t.Context(), "rtmp://"+l.Addr().String()+"/live", DialConfig{
		Handshake: HandshakeDigest, Timeout: time.Second,
	})
	if !IsTimeout(err) || !errors.Is(err, ErrHandshake) {
		t.Error(err)
	}
}

// Sending and receiving have times of their own.
//
// S2-24.
func TestClientReadAndWriteTimeouts(t *testing.T) {
	t.Parallel()
	dial := func(t *testing.T, cfg DialConfig, after func(p *peer)) *Client {
		t.Helper()
		l := listen(t)
		connections(t, l, func(_ int, p *peer, _ Connect) {
			let(t, p)
			after(p)
		})
		c, err := Dial(t.Context(), "rtmp://"+l.Addr().String()+"/live/cam", cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	t.Run("receiving", func(t *testing.T) {
		t.Parallel()
		hold := make(chan struct{})
		c := dial(t, DialConfig{ReadTimeout: 60 * time.Millisecond}, func(*peer) { <-hold })
		defer close(hold)
		if err := c.Play(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		if _, err := c.ReadMedia(); !IsTimeout(err) {
			t.Error(err)
		}
		before := c.Conn().BytesWritten()
		_ = c.Close() // nothing is said to a server that may be gone
		if c.Conn().BytesWritten() != before {
			t.Error("a goodbye on a broken connection")
		}
	})
	t.Run("sending", func(t *testing.T) {
		t.Parallel()
		hold := make(chan struct{})
		var full atomic.Bool
		c := dial(t, DialConfig{
			WriteTimeout: 2 * time.Second, // the messages that go out need some of it on a busy machine
			DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				nc, err := new(net.Dialer).DialContext(ctx, network, addr)
				sink, _ := net.Pipe()
				return stuck{nc, sink, &full}, err
			},
		}, func(*peer) { <-hold })
		defer close(hold)
		if err := c.Publish(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		full.Store(true)
		if err := c.WriteMedia(8, 0, []byte{0xAF, 1}); !IsTimeout(err) || !strings.HasPrefix(err.Error(), "rtmp: write: ") {
			t.Error(err)
		}
	})
}

// stuck is a connection that takes nothing more once it is full.
type stuck struct {
	net.Conn
	sink net.Conn // nobody reads at its other end
	full *atomic.Bool
}

func (s stuck) Write(b []byte) (int, error) {
	if s.full.Load() {
		return s.sink.Write(b)
	}
	return s.Conn.Write(b)
}

func (s stuck) SetWriteDeadline(t time.Time) error {
	return errors.Join(s.Conn.SetWriteDeadline(t), s.sink.SetWriteDeadline(t))
}
