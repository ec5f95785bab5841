package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
)

// attacker is a client that says what it likes: it writes bytes, not the protocol.
type attacker struct {
	net.Conn
	t    *testing.T
	size int // of its chunks
}

// source is a loopback address to attack from, so that the limits of one address
// are not what is tested.
func source(i int) string { return fmt.Sprintf("127.7.%d.%d", i/250, 1+i%250) }

// connectFrom opens a connection from an address.
func (p *program) connectFrom(t *testing.T, address string) net.Conn {
	t.Helper()
	dialer := net.Dialer{Timeout: 5 * time.Second, LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	conn, err := dialer.DialContext(t.Context(), "tcp", p.rtmp)
	if err != nil && strings.Contains(err.Error(), "assign requested address") {
		t.Skip("this machine has no addresses in 127/8 but one")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// attack opens a connection that has shaken hands.
func (p *program) attack(t *testing.T, address string) *attacker {
	t.Helper()
	a := &attacker{Conn: p.connectFrom(t, address), t: t, size: chunk.DefaultSize}
	a.shakes()
	return a
}

// shakes does the handshake.
func (a *attacker) shakes() {
	a.t.Helper()
	const half = 1536
	hello := make([]byte, 1+half)
	hello[0] = 3
	a.write(hello)
	a.patience(10 * time.Second)
	if _, err := io.ReadFull(a, make([]byte, 1+2*half)); err != nil {
		a.t.Fatalf("handshake: %v", err)
	}
	a.write(hello[1:])
}

func (a *attacker) patience(d time.Duration) { _ = a.SetDeadline(time.Now().Add(d)) }

// write writes bytes. That the server has closed is for the reader to find out.
func (a *attacker) write(b []byte) { _, _ = a.Write(b) }

func (a *attacker) message(csid uint32, typ uint8, stream uint32, payload []byte) []byte {
	return chunk.AppendMessage(nil, chunk.Header{CSID: csid, Type: typ, StreamID: stream}, payload, a.size)
}

// call is the payload of a command.
func call(name string, transaction float64, args ...amf.Value) []byte {
	return amf.Append(nil, append([]amf.Value{name, transaction}, args...)...)
}

// ask connects and asks to publish or play.
func (a *attacker) ask(verb, stream string) {
	app := amf.Object{{Key: "app", Value: "live"}, {Key: "tcUrl", Value: "rtmp://127.0.0.1/live"}, {Key: "flashVer", Value: "evil"}}
	a.write(a.message(3, 20, 0, call("connect", 1, app)))
	a.write(a.message(3, 20, 0, call("createStream", 2, nil)))
	a.write(a.message(3, 20, 1, call(verb, 3, nil, stream)))
}

// publishes makes a publisher of it, of a stream of its own.
func (a *attacker) publishes() *attacker {
	a.t.Helper()
	_, port, _ := net.SplitHostPort(a.LocalAddr().String())
	a.ask("publish", "evil"+port)
	if said, err := a.hears("NetStream.Publish.Start"); err != nil {
		a.t.Fatalf("publish: %v after %q", err, said)
	}
	return a
}

// whole makes each of its messages one chunk from now on.
func (a *attacker) whole() *attacker {
	a.write(a.message(2, 1, 0, []byte{0, 0xFF, 0xFF, 0xFF}))
	a.size = 0xFFFFFF
	return a
}

// hears reads until a text comes, for at most five seconds.
func (a *attacker) hears(text string) (string, error) {
	a.patience(5 * time.Second)
	var said strings.Builder
	b := make([]byte, 4096)
	for {
		n, err := a.Read(b)
		said.Write(b[:n])
		if strings.Contains(said.String(), text) {
			return said.String(), nil
		}
		if err != nil {
			return said.String(), err
		}
	}
}

// closedWithin reads until the server closes and fails if it does not.
func (a *attacker) closedWithin(d time.Duration) {
	a.t.Helper()
	a.patience(d)
	if _, err := io.Copy(io.Discard, a); errors.Is(err, os.ErrDeadlineExceeded) {
		a.t.Errorf("still open after %v", d)
	}
}

// answers says whether the server still talks to it.
func (a *attacker) answers() bool {
	a.write(a.message(3, 20, 0, call("_checkbw", 9, nil)))
	_, err := a.hears("_result")
	return err == nil
}
