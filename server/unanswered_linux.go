package server

import (
	"net"
	"syscall"
	"time"
)

const tcpUserTimeout = 18 // TCP_USER_TIMEOUT, which package syscall lacks

// limitUnanswered ends a connection when bytes of ours have stayed without
// acknowledgement for d. Best effort: without it the kernel tries for a
// quarter of an hour.
func limitUnanswered(nc net.Conn, d time.Duration) {
	sc, ok := nc.(syscall.Conn)
	if !ok {
		return
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, int(d.Milliseconds()))
	})
}
