package stream

import (
	"net"
	"sync"
	"syscall"
	"time"
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

// Socket is the TCP connection beneath a player, whose settings change while it plays.
type Socket struct {
	tcp *net.TCPConn // nil: there is none that can be set

	mu  sync.Mutex
	now Tuning // guarded by mu
}

// Tuning is how a player's socket is set.
type Tuning struct {
	NoDelay bool // small writes leave at once, which is what they do by default
	// SendBuffer is how many bytes the kernel keeps for the player. 0 leaves that to
	// the kernel, unless Merge says how much gathers: then it is a merge of 5 Mbit/s, as
	// SRS has it.
	SendBuffer int
	Merge      time.Duration
}

// SocketOf returns the socket of a connection, through TLS and the like.
func SocketOf(conn net.Conn) *Socket {
	for {
		if tcp, ok := conn.(*net.TCPConn); ok {
			return &Socket{tcp: tcp, now: Tuning{NoDelay: true}}
		}
		outer, ok := conn.(interface{ NetConn() net.Conn })
		if !ok {
			return &Socket{}
		}
		conn = outer.NetConn()
	}
}

// Tune sets the socket where it is not set so already. A buffer that was given a size
// keeps one: the kernel does not take its own judgement back.
func (s *Socket) Tune(t Tuning) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tcp == nil || t == s.now {
		return
	}
	s.now = t
	_ = s.tcp.SetNoDelay(t.NoDelay) // fails on a closed connection only
	size := t.SendBuffer
	if size == 0 {
		const bytesPerMS = 5000 / 8
		size = int(t.Merge.Milliseconds()) * bytesPerMS
	}
	if size > 0 {
		_ = s.tcp.SetWriteBuffer(size / 2) // Linux doubles it
	}
}
