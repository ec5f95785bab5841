package rtmp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/handshake"
)

// listen returns a listener on loopback that the test closes.
func listen(tb testing.TB) net.Listener {
	tb.Helper()
	var lc net.ListenConfig
	l, err := lc.Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = l.Close() })
	return l
}

// pair returns both ends of a TCP connection on loopback.
func pair(tb testing.TB) (server, client *net.TCPConn) {
	tb.Helper()
	l := listen(tb)
	var d net.Dialer
	c, err := d.DialContext(tb.Context(), "tcp", l.Addr().String())
	if err != nil {
		tb.Fatal(err)
	}
	s, err := l.Accept()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _, _ = s.Close(), c.Close() })
	return s.(*net.TCPConn), c.(*net.TCPConn)
}

// peer is a client that says exactly what the test wants.
type peer struct {
	tb   testing.TB
	nc   net.Conn
	size int // outgoing chunk size
	// in are the server's messages as lines; it is closed at the end.
	in   chan string
	done chan error // how it ended
}

// newPeer makes the handshake and begins to read.
func newPeer(tb testing.TB, nc net.Conn) *peer {
	tb.Helper()
	p := &peer{tb: tb, nc: nc, size: chunk.DefaultSize, in: make(chan string, 1000), done: make(chan error, 1)}
	hello, err := handshake.Hello(1, rand.Reader, false)
	if err != nil {
		tb.Fatal(err)
	}
	p.write(hello)
	answer := make([]byte, 1+2*handshake.Size)
	if _, err := io.ReadFull(nc, answer); err != nil {
		tb.Fatal(err)
	}
	p.write(answer[1 : 1+handshake.Size])
	go p.read()
	return p
}

func (p *peer) write(b []byte) {
	p.tb.Helper()
	if _, err := p.nc.Write(b); err != nil {
		p.tb.Fatal(err)
	}
}

func (p *peer) read() {
	defer close(p.in)
	r := chunk.NewReader(p.nc, 4096, chunk.Limits{Audio: chunk.MaxLength, Video: chunk.MaxLength, Other: chunk.MaxLength})
	for {
		m, err := r.Next()
		if err != nil {
			p.done <- err
			return
		}
		p.in <- line(m)
	}
}

// say sends lines in one write.
func (p *peer) say(lines ...string) {
	p.tb.Helper()
	p.write(p.wire(lines...))
}

func (p *peer) wire(lines ...string) []byte {
	p.tb.Helper()
	var b []byte
	for _, l := range lines {
		f := parseLine(p.tb, l)
		b = chunk.AppendMessage(b, f.header, f.payload, p.size)
		if n, ok := strings.CutPrefix(l, "chunksize "); ok {
			p.size = int(number32(p.tb, n))
		}
	}
	return b
}

// hear returns the server's next message, or why there is none.
func (p *peer) hear() string {
	select {
	case l, ok := <-p.in:
		if !ok {
			return "close"
		}
		return l
	case <-time.After(10 * time.Second):
		return "nothing"
	}
}

// expect checks the server's next messages.
func (p *peer) expect(lines ...string) {
	p.tb.Helper()
	for _, want := range lines {
		if got := p.hear(); got != want {
			p.tb.Fatalf("server said\n%s\nwant\n%s", got, want)
		}
	}
}

// silent checks that the server says nothing for a moment.
func (p *peer) silent() {
	p.tb.Helper()
	select {
	case l, ok := <-p.in:
		p.tb.Fatalf("server said %q (open: %v)", l, ok)
	case <-time.After(30 * time.Millisecond):
	}
}

// What every test begins with.
const sayConnect = `command@0 "connect" 1 {"app": "live", "tcUrl": "rtmp://localhost/live"}`

var hearConnected = []string{
	`window 2500000`,
	`bandwidth 2500000 2`,
	`chunksize 4096`,
	`command@0 "_result" 1 {"fmsVer": "FMS/3,5,7,7009", "capabilities": 127, "mode": 1} ` +
		`{"level": "status", "code": "NetConnection.Connect.Success", "description": "Connection succeeded.", "objectEncoding": 0}`,
}

// connected returns a peer and the server's Conn after connect.
func connected(tb testing.TB, cfg Config) (*peer, *Conn) {
	tb.Helper()
	server, client := pair(tb)
	type accepted struct {
		c   *Conn
		err error
	}
	ch := make(chan accepted, 1)
	go func() {
		c, err := Accept(context.Background(), server, cfg)
		if err == nil {
			err = c.AcceptConnect()
		}
		ch <- accepted{c, err}
	}()
	p := newPeer(tb, client)
	p.say(sayConnect)
	p.expect(hearConnected...)
	a := <-ch
	if a.err != nil {
		tb.Fatal(a.err)
	}
	tb.Cleanup(func() {
		_ = a.c.Close()
		_ = client.Close()
		for range p.in { // until its reader ended
		}
	})
	return p, a.c
}

// serve is a server that allows everything and says what happened.
func serve(nc net.Conn, cfg Config, event func(format string, args ...any)) {
	serveAs(nc, cfg, Welcome{}, event)
}

// serveAs is serve with the habits of a Welcome.
func serveAs(nc net.Conn, cfg Config, w Welcome, event func(format string, args ...any)) {
	c, err := Accept(context.Background(), nc, cfg)
	if err != nil {
		event("refused: %v", brief(err))
		return
	}
	defer func() { _ = c.Close() }()
	event("connect %q %q", c.Connect().App, c.Connect().TCURL)
	if c.AcceptConnectAs(w) != nil {
		return
	}
	for {
		e, err := c.Next()
		if err != nil {
			event("%v", brief(err))
			return
		}
		if err := allow(c, e, event); err != nil {
			event("%v", brief(err))
			return
		}
	}
}

// allow lets the peer do what it wants.
func allow(c *Conn, e Event, event func(string, ...any)) error {
	switch e.Kind {
	case EventPublish:
		event("publish %q %q @%d", e.Publish.Name, e.Publish.Type, e.StreamID)
		return c.AcceptPublish(e.Publish)
	case EventPlay:
		event("play %q %v %v %v @%d", e.Play.Name, e.Play.Start, e.Play.Duration, e.Play.Reset, e.StreamID)
		return c.AcceptPlay(e.Play, 60_000)
	case EventMedia:
		event("media @%d %d %d %d bytes", e.StreamID, e.Media.Type, e.Media.Timestamp, len(e.Media.Payload))
	case EventUnpublished:
		event("unpublished @%d", e.StreamID)
	case EventStopped:
		event("stopped @%d", e.StreamID)
	case EventPause:
		event("pause @%d %v", e.StreamID, e.On)
		return c.AnswerPause(e.StreamID, e.On)
	case EventSeek:
		event("seek @%d", e.StreamID)
	case EventReceiveAudio:
		event("audio @%d %v", e.StreamID, e.On)
	case EventReceiveVideo:
		event("video @%d %v", e.StreamID, e.On)
	}
	return nil
}

// brief is the part of an error that a conversation shows.
func brief(err error) string {
	for _, known := range []error{io.EOF, io.ErrUnexpectedEOF, ErrUnpublished, ErrProtocol, ErrTooLarge, ErrNotRTMP} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	if IsTimeout(err) {
		return "timeout"
	}
	return fmt.Sprint(err)
}
