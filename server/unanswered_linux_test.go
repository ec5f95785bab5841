package server

import (
	"net"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/config"
)

// A peer that has gone without a word is found out within 15 s, or what dead_timeout
// says: what the kernel was told for a connection that was accepted.
func TestGhostsAreFoundOut(t *testing.T) {
	for dead, most := range map[time.Duration]int{0: 15, 5 * time.Second: 5, 4500 * time.Millisecond: 5, 100 * time.Second: 100} {
		e, err := New(Config{Limits: config.Limits{DeadTimeout: dead}})
		if err != nil {
			t.Fatal(err)
		}
		ln, err := e.ListenTCP(t.Context(), "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
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
		option := func(level, name int) int { return socketOption(t, nc, level, name) }
		if option(syscall.SOL_SOCKET, syscall.SO_KEEPALIVE) == 0 {
			t.Error("no keep-alives")
		}
		idle, interval := option(syscall.IPPROTO_TCP, syscall.TCP_KEEPIDLE), option(syscall.IPPROTO_TCP, syscall.TCP_KEEPINTVL)
		if silent := idle + option(syscall.IPPROTO_TCP, syscall.TCP_KEEPCNT)*interval; silent > most || silent < most/2 {
			t.Errorf("%v: a silent ghost stays for %d s", dead, silent)
		}
		if ms := option(syscall.IPPROTO_TCP, tcpUserTimeout); ms < most*500 || ms > most*1000 {
			t.Errorf("%v: a ghost that bytes wait for stays for %d ms", dead, ms)
		}
	}
}

func socketOption(t *testing.T, nc net.Conn, level, name int) (v int) {
	t.Helper()
	raw, err := nc.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var got error
	if err := raw.Control(func(fd uintptr) { v, got = syscall.GetsockoptInt(int(fd), level, name) }); err != nil || got != nil {
		t.Fatal(err, got)
	}
	return v
}
