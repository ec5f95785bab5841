//go:build !linux

package rtmp

import "net"

// quickAck has no counterpart here; the set-up takes a little longer.
func quickAck(net.Conn) {}
