package stream

import (
	"syscall"
	"unsafe"
)

// unsentLimit is how many bytes the kernel takes for a player beyond those on their
// way. Without it a slow player's would grow to megabytes that are old by the time
// they arrive: a player that reads 10 kB/s would see what was live minutes ago.
const unsentLimit = 64 << 10

const tcpNotSentLowat = 25 // TCP_NOTSENT_LOWAT, which package syscall lacks

// limitUnsent sets unsentLimit. Best effort: other sockets than TCP have none.
func limitUnsent(c syscall.RawConn) {
	if c == nil {
		return
	}
	_ = c.Control(func(fd uintptr) {
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpNotSentLowat, unsentLimit)
	})
}

// unacknowledged is how many bytes were written that the player's host has not
// acknowledged; false if that is not known.
func unacknowledged(c syscall.RawConn) (n int, ok bool) {
	if c == nil {
		return 0, false
	}
	var queued int32
	err := c.Control(func(fd uintptr) {
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCOUTQ, uintptr(unsafe.Pointer(&queued))) //nolint:gosec // the kernel writes it within the call
		ok = errno == 0
	})
	return int(queued), ok && err == nil
}
