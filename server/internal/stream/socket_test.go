package stream

import (
	"net"
	"syscall"
	"testing"
	"time"
)

// S0-56: the send buffer fits the merge, TCP_NODELAY is as the vhost has it, and both
// change while the player plays.
func TestSocketIsTuned(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	option := func(level, name int) (n int) {
		raw := Descriptor(conn)
		if err := raw.Control(func(fd uintptr) { n, err = syscall.GetsockoptInt(int(fd), level, name) }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	s := SocketOf(outer{conn})
	before := option(syscall.SOL_SOCKET, syscall.SO_SNDBUF)
	s.Tune(Tuning{NoDelay: true})
	if got := option(syscall.SOL_SOCKET, syscall.SO_SNDBUF); got != before {
		t.Errorf("the default changes the buffer from %d to %d", before, got)
	}
	s.Tune(Tuning{Merge: 350 * time.Millisecond})
	if got := option(syscall.SOL_SOCKET, syscall.SO_SNDBUF); got != 350*625 {
		t.Errorf("a buffer of %d bytes for a merge of 350 ms", got)
	}
	if option(syscall.IPPROTO_TCP, syscall.TCP_NODELAY) != 0 {
		t.Error("TCP_NODELAY stays on")
	}
	s.Tune(Tuning{NoDelay: true, SendBuffer: 100_000})
	if got := option(syscall.SOL_SOCKET, syscall.SO_SNDBUF); got != 100_000 || option(syscall.IPPROTO_TCP, syscall.TCP_NODELAY) == 0 {
		t.Errorf("a buffer of %d bytes", got)
	}
	SocketOf(nowhere{}).Tune(Tuning{SendBuffer: 1}) // does nothing
}

type outer struct{ net.Conn }

func (o outer) NetConn() net.Conn { return o.Conn }

type nowhere struct{ net.Conn }
