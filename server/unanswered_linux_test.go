package server

import (
	"context"
	"net"
	"syscall"
	"testing"
)

// A peer that has gone without a word is found out within 15 s: what the kernel was
// told for a connection that was accepted.
func TestGhostsAreFoundOut(t *testing.T) {
	e, err := New(Config{RTMP: []string{"127.0.0.1:0"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Listen(); err != nil {
		t.Fatal(err)
	}
	ln := e.bound()[0]
	defer func() { _ = ln.Close() }()
	var d net.Dialer
	peer, err := d.DialContext(t.Context(), "tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = peer.Close() }()
	nc, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = nc.Close() }()
	raw, err := nc.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	option := func(level, name int) int {
		var v int
		var got error
		if err := raw.Control(func(fd uintptr) { v, got = syscall.GetsockoptInt(int(fd), level, name) }); err != nil || got != nil {
			t.Fatal(err, got)
		}
		return v
	}
	const most = 15 // s
	if option(syscall.SOL_SOCKET, syscall.SO_KEEPALIVE) == 0 {
		t.Error("no keep-alives")
	}
	idle, interval := option(syscall.IPPROTO_TCP, syscall.TCP_KEEPIDLE), option(syscall.IPPROTO_TCP, syscall.TCP_KEEPINTVL)
	if silent := idle + option(syscall.IPPROTO_TCP, syscall.TCP_KEEPCNT)*interval; silent > most {
		t.Errorf("a silent ghost stays for %d s", silent)
	}
	if ms := option(syscall.IPPROTO_TCP, tcpUserTimeout); ms == 0 || ms > most*1000 {
		t.Errorf("a ghost that bytes wait for stays for %d ms", ms)
	}
	_ = e.Drain(context.Background())
}
