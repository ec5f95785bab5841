package rtmp

import (
	"net"
	"syscall"
)

// quickAck asks the kernel not to delay its next TCP acknowledgements. FFmpeg,
// OBS and GStreamer write C2 and connect as two small writes with Nagle's
// algorithm on: a delayed acknowledgement of the first costs 40 ms. The kernel
// falls back by itself, so it is asked again at each step of the set-up. Best
// effort.
func quickAck(nc net.Conn) {
	sc, ok := nc.(syscall.Conn)
	if !ok {
		return
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_QUICKACK, 1)
	})
}
