package server_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// intruder is a client that says what it likes: it writes bytes, not the protocol.
type intruder struct {
	t  *testing.T
	nc net.Conn
}

// intrude opens a connection that has shaken hands.
func (l *lab) intrude(nc net.Conn) *intruder {
	l.t.Helper()
	in := &intruder{l.t, nc}
	_ = nc.SetDeadline(time.Now().Add(patience))
	hello := make([]byte, 1+1536)
	hello[0] = 3
	in.write(hello)
	if _, err := io.ReadFull(nc, make([]byte, 1+2*1536)); err != nil {
		l.t.Fatalf("handshake: %v", err)
	}
	in.write(hello[1:])
	return in
}

// write writes bytes. That the server has closed is for the reader to find out.
func (in *intruder) write(b ...[]byte) { _, _ = in.nc.Write(bytes.Join(b, nil)) }

// wire is a message in chunks of the size that a connection begins with.
func wire(csid uint32, typ uint8, msid uint32, payload []byte) []byte {
	return chunk.AppendMessage(nil, chunk.Header{CSID: csid, Type: typ, StreamID: msid}, payload, chunk.DefaultSize)
}

// begun is the first chunk of a message of n bytes, of the chunk stream csid (up to 63).
func begun(csid uint32, typ uint8, n int) []byte {
	const header = 12
	return wire(csid, typ, 1, make([]byte, n))[:header+chunk.DefaultSize]
}

func call(name string, txn float64, args ...amf.Value) []byte {
	return wire(3, message.TypeCommand, 0, amf.Append(nil, append([]amf.Value{name, txn}, args...)...))
}

// strangeApp is the app of intruders.
const strangeApp = "strange"

// connects says connect, with properties in front of the app.
func (in *intruder) connects(before ...amf.Property) *intruder {
	in.write(call("connect", 1, amf.Object(append(before, amf.Property{Key: "app", Value: strangeApp}))))
	return in
}

// asks says what it wants to do.
func (in *intruder) asks(verb, name string) *intruder {
	in.write(call("createStream", 2, nil), wire(8, message.TypeCommand, 1, amf.Append(nil, verb, 3.0, nil, name)))
	return in
}

// publishes makes a publisher of it.
func (in *intruder) publishes(name string) *intruder {
	in.t.Helper()
	in.connects().asks("publish", name)
	if said, err := in.hears("NetStream.Publish.Start"); err != nil {
		in.t.Fatalf("publish: %v after %q", err, said)
	}
	return in
}

// hears reads until a text comes.
func (in *intruder) hears(text string) (string, error) {
	_ = in.nc.SetReadDeadline(time.Now().Add(patience))
	var said strings.Builder
	b := make([]byte, 4096)
	for {
		n, err := in.nc.Read(b)
		said.Write(b[:n])
		if strings.Contains(said.String(), text) {
			return said.String(), nil
		}
		if err != nil {
			return said.String(), err
		}
	}
}

// closed waits until the server closes.
func (in *intruder) closed() bool {
	_ = in.nc.SetReadDeadline(time.Now().Add(patience))
	_, err := io.Copy(io.Discard, in.nc)
	return !errors.Is(err, os.ErrDeadlineExceeded)
}
