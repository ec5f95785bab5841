package rtmp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/handshake"
)

// accept runs Accept on one end and returns the other and how it ended.
func accept(t *testing.T, cfg Config) (net.Conn, <-chan error) {
	t.Helper()
	server, client := pair(t)
	ended := make(chan error, 1)
	go func() {
		c, err := Accept(context.Background(), server, cfg)
		if err == nil {
			err = errors.Join(errors.New("accepted"), c.Close())
		}
		ended <- err
	}()
	return client, ended
}

func within(t *testing.T, d time.Duration, ended <-chan error) error {
	t.Helper()
	begun := time.Now()
	select {
	case err := <-ended:
		if took := time.Since(begun); took > d {
			t.Errorf("took %v, at most %v wanted", took, d)
		}
		return err
	case <-time.After(d + 5*time.Second):
		t.Fatal("still waiting")
		return nil
	}
}

// C-03: what is no RTMP is closed at once, with a few bytes too, and says what
// it is (S0-04).
func TestAcceptNotRTMP(t *testing.T) {
	for first, what := range map[string]string{
		"POST /open/1 HTTP/1.1\r\n": "HTTP",
		"GET / HTTP/1.1\r\n":        "HTTP",
		"\x16\x03\x01\x02\x00":      "TLS",
		"\x06":                      "RTMPE",
		"\x00":                      "unknown",
		"\xff":                      "unknown",
	} {
		client, ended := accept(t, Config{})
		if _, err := client.Write([]byte(first)); err != nil {
			t.Fatal(err)
		}
		err := within(t, 3*time.Second, ended)
		nr, ok := errors.AsType[*NotRTMPError](err)
		if !ok || nr.What != what || !errors.Is(err, ErrNotRTMP) || !errors.Is(err, ErrHandshake) {
			t.Errorf("%q: %v, want %s", first, err, what)
		}
		if _, err := client.Read(make([]byte, 1)); err == nil {
			t.Errorf("%q: was answered", first)
		}
	}
}

func TestAcceptPeerLeaves(t *testing.T) {
	for name, wire := range map[string][]byte{
		"at once":           nil,
		"inside C1":         make([]byte, 700),
		"after the first":   {3},
		"before C2":         make([]byte, 1+handshake.Size),
		"after C2":          make([]byte, 1+2*handshake.Size),
		"inside a header":   append(make([]byte, 1+2*handshake.Size), 3, 0, 0),
		"inside a message":  append(make([]byte, 1+2*handshake.Size), 3, 0, 0, 0, 0, 0, 9, 20, 0, 0, 0, 0, 2),
		"without a connect": append(make([]byte, 1+2*handshake.Size), 3, 0, 0, 0, 0, 0, 1, 20, 0, 0, 0, 0, 5),
	} {
		client, ended := accept(t, Config{})
		if len(wire) > 0 {
			wire[0] = 3
			if _, err := client.Write(wire); err != nil {
				t.Fatal(err)
			}
		}
		if err := client.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if err := within(t, 3*time.Second, ended); !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// RELIABILITY 1: silence ends each step.
func TestAcceptTimeouts(t *testing.T) {
	t.Parallel()
	const short = 80 * time.Millisecond
	zeros := make([]byte, 1+2*handshake.Size)
	zeros[0] = 3
	for name, tt := range map[string]struct {
		cfg  Config
		wire []byte
	}{
		"nothing":            {Config{FirstTimeout: short}, nil},
		"version only":       {Config{FirstTimeout: short}, zeros[:1]},
		"C1 not whole":       {Config{FirstTimeout: short}, zeros[:handshake.Size]},
		"no C2":              {Config{HandshakeTimeout: short}, zeros[:1+handshake.Size]},
		"C2 not whole":       {Config{HandshakeTimeout: short}, zeros[:2*handshake.Size]},
		"no connect":         {Config{RequestTimeout: short}, zeros},
		"connect not whole":  {Config{RequestTimeout: short}, append(bytes.Clone(zeros), 3, 0, 0)},
		"a message not that": {Config{RequestTimeout: short}, append(bytes.Clone(zeros), 3, 0, 0, 0, 0, 0, 1, 20, 0, 0, 0, 0, 5)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, ended := accept(t, tt.cfg)
			if _, err := client.Write(tt.wire); err != nil {
				t.Fatal(err)
			}
			if err := within(t, 3*time.Second, ended); !IsTimeout(err) {
				t.Errorf("%v", err)
			}
		})
	}
}

// Bytes that drip do not move the deadline (slow loris).
func TestAcceptDrip(t *testing.T) {
	client, ended := accept(t, Config{FirstTimeout: 100 * time.Millisecond})
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				_, _ = client.Write([]byte{3})
			}
		}
	}()
	if err := within(t, 3*time.Second, ended); !IsTimeout(err) {
		t.Error(err)
	}
	close(stop)
	<-done
}

func TestAcceptContext(t *testing.T) {
	server, _ := pair(t)
	cause := errors.New("shutting down")
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(30*time.Millisecond, func() { cancel(cause) })
	if _, err := Accept(ctx, server, Config{}); !errors.Is(err, cause) {
		t.Error(err)
	}
}

// S0-03, C-06: S0, S1 and S2 come before C2; C-01: C2 may hold anything; what follows
// C2 in the same segment counts.
func TestAcceptDoesNotWaitForC2(t *testing.T) {
	for _, digest := range []bool{false, true} {
		server, client := pair(t)
		accepted := make(chan *Conn, 1)
		go func() {
			c, err := Accept(context.Background(), server, Config{})
			if err != nil {
				t.Error(err)
			}
			accepted <- c
		}()
		hello, err := handshake.Hello(9, bytes.NewReader(bytes.Repeat([]byte{7}, handshake.Size)), digest)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Write(hello); err != nil {
			t.Fatal(err)
		}
		answer := make([]byte, 1+2*handshake.Size)
		if _, err := io.ReadFull(client, answer); err != nil {
			t.Fatal(err)
		}
		if simple := bytes.Equal(answer[1+handshake.Size:], hello[1:]); simple == digest {
			t.Errorf("digest %v: S2 is C1: %v", digest, simple)
		}
		p := &peer{tb: t, size: 128}
		c2 := bytes.Repeat([]byte{0xEE}, handshake.Size)
		if _, err := client.Write(append(c2, p.wire(sayConnect)...)); err != nil {
			t.Fatal(err)
		}
		c := <-accepted
		if c == nil {
			t.Fatal("not accepted")
		}
		if got := c.Connect(); got.App != "live" || got.TCURL != "rtmp://localhost/live" {
			t.Errorf("%+v", got)
		}
		if got, want := c.BytesRead(), uint64(len(hello)+len(c2)+len((&peer{tb: t, size: 128}).wire(sayConnect))); got != want {
			t.Errorf("%d bytes read, want %d", got, want)
		}
		if c.BytesWritten() != uint64(len(answer)) {
			t.Errorf("%d bytes written", c.BytesWritten())
		}
		if c.NetConn() != net.Conn(server) {
			t.Error("another connection")
		}
		_ = c.Close()
		if err := c.Close(); err != nil {
			t.Errorf("second close: %v", err)
		}
	}
}

// The strangest connect objects are read as far as they go.
func TestParseConnect(t *testing.T) {
	_, c := connectedWith(t, `command@0 "connect" 1 {"app": "live", "tcurl": "'rtmp://h/live' ", "flashVer": null, "pageUrl": 5, `+
		`"swfUrl": "s", "objectEncoding": 3, "fourCcList": ["hvc1", 5, "av01"], "videoFourCcInfoMap": {"*": 4, "x": "y"}, `+
		`"audioFourCcInfoMap": 7, "capsEx": -1} "auth" 5`)
	got := c.Connect()
	if got.Object == nil {
		t.Error("no object")
	}
	got.Object = nil
	want := Connect{
		App: "live", TCURL: "rtmp://h/live", SwfURL: "s", ObjectEncoding: 3,
		FourCCList: []string{"hvc1", "av01"}, VideoFourCC: map[string]int{"*": 4, "x": 0},
		Args: []amf.Value{"auth", 5.0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !got.Enhanced() || (Connect{}).Enhanced() {
		t.Error("Enhanced")
	}

	_, c = connectedWith(t, `command@0 "connect"`)
	if diff := cmp.Diff(Connect{}, c.Connect()); diff != "" {
		t.Error(diff)
	}
}

// connectedWith is a Conn whose client said this in place of a normal connect.
func connectedWith(t *testing.T, say string) (*peer, *Conn) {
	t.Helper()
	server, client := pair(t)
	ch := make(chan *Conn, 1)
	go func() {
		c, err := Accept(context.Background(), server, Config{})
		if err != nil {
			t.Error(err)
		}
		ch <- c
	}()
	p := newPeer(t, client)
	p.say(say)
	c := <-ch
	if c == nil {
		t.Fatal("not accepted")
	}
	t.Cleanup(func() {
		_ = c.Close()
		_ = client.Close()
		for range p.in { // until its reader ended
		}
	})
	return p, c
}

// A refusal arrives, even if the client has more under way, and then the end.
func TestRejectConnect(t *testing.T) {
	p, c := connectedWith(t, sayConnect)
	p.say(`command@0 "createStream" 2 null`)
	if err := c.RejectConnect(&StatusError{Description: "No such vhost."}); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	p.expect(
		`command@0 "_error" 1 null {"level": "error", "code": "NetConnection.Connect.Rejected", "description": "No such vhost."}`,
		`command@0 "close" 0 null`,
		`close`,
	)
	if err := <-p.done; !errors.Is(err, io.EOF) {
		t.Errorf("ended with %v", err)
	}
}
