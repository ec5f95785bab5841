package stream

import (
	"net"
	"syscall"
)

// Descriptor is the descriptor of a connection to which bytes can be written as they
// are, or nil where there is none: the connection changes them, as TLS does, or hides
// what is below it.
func Descriptor(conn net.Conn) syscall.RawConn {
	sc, ok := conn.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}

// Beneath is the descriptor under a connection, through TLS and the like: what
// SubscribeOptions.Wire wants. It is nil where none can be found.
func Beneath(conn net.Conn) syscall.RawConn {
	for {
		if raw := Descriptor(conn); raw != nil {
			return raw
		}
		outer, ok := conn.(interface{ NetConn() net.Conn })
		if !ok {
			return nil
		}
		conn = outer.NetConn()
	}
}
