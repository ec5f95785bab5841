package session

import (
	"errors"
	"io"
	"net"
	"testing"
	"time"
)

// wires are both ends of a loopback connection.
func wires(t *testing.T) (*wire, net.Conn) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ln.Close() }()
	var d net.Dialer
	theirs, err := d.DialContext(t.Context(), "tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	ours, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ours.Close(); _ = theirs.Close() })
	return newWire(ours), theirs
}

// Once interrupted, a read fails whatever deadline is set afterwards, and a write
// that is about to say goodbye does not wait for ever.
func TestInterrupt(t *testing.T) {
	w, _ := wires(t)
	failed := make(chan error, 1)
	go func() {
		_, err := w.Read(make([]byte, 1))
		failed <- err
	}()
	w.interrupt()
	_ = w.SetReadDeadline(time.Now().Add(time.Hour))
	select {
	case err := <-failed:
		if err == nil {
			t.Error("the read came to an end without an error")
		}
	case <-time.After(patience):
		t.Fatal("the read goes on")
	}
	_ = w.SetDeadline(time.Now().Add(time.Hour))
	if _, err := w.Read(make([]byte, 1)); err == nil {
		t.Error("a later read works")
	}

	begin := time.Now()
	for { // until the socket is full
		if _, err := w.Write(make([]byte, 1<<20)); err != nil {
			break
		}
	}
	if took := time.Since(begin); took > 3*farewellTimeout {
		t.Errorf("a write of an interrupted session took %v", took)
	}
}

// The peer sees our end, and we still hear it.
func TestCloseWrite(t *testing.T) {
	w, theirs := wires(t)
	if err := w.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if n, err := theirs.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the peer reads %d bytes, %v", n, err)
	}
	if _, err := theirs.Write([]byte("still here")); err != nil {
		t.Fatal(err)
	}
	if n, err := w.Read(make([]byte, 16)); n != 10 {
		t.Errorf("read %d bytes, %v", n, err)
	}
	if err := newWire(plain{w.Conn}).CloseWrite(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a connection that has no half: %v", err)
	}
}

func TestWireCountsAndHears(t *testing.T) {
	w, theirs := wires(t)
	if _, err := theirs.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond)
	quiet := w.quiet()
	if _, err := w.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	if w.in.Load() != 5 || w.quiet() >= quiet {
		t.Errorf("%d bytes in, quiet for %v, before %v", w.in.Load(), w.quiet(), quiet)
	}
	if raw, err := w.SyscallConn(); raw == nil || err != nil {
		t.Errorf("a TCP connection has no descriptor: %v", err)
	}
	if _, err := newWire(plain{w.Conn}).SyscallConn(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a connection that hides its descriptor: %v", err)
	}
}
