package server

import (
	"context"
	"net"
	"time"
)

// deadProbes is how many keep-alives in a row have to stay unanswered.
const deadProbes = 3

// ListenTCP binds an address for whoever serves PlayHandler. A peer of it whose host or
// network has gone without a word is found out within Limits.DeadTimeout, as a peer
// over RTMP is: a ghost would keep its stream from the encoder that comes back, or its
// player's memory (RELIABILITY 2.45).
func (e *Engine) ListenTCP(ctx context.Context, addr string) (net.Listener, error) {
	dead := e.cfg.Limits.DeadTimeout
	// The kernel counts in seconds.
	interval := max(dead/5, time.Second).Truncate(time.Second)
	lc := net.ListenConfig{KeepAliveConfig: net.KeepAliveConfig{
		Enable: true, Idle: max(dead-deadProbes*interval, time.Second).Truncate(time.Second), Interval: interval, Count: deadProbes,
	}}
	ln, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return alive{ln, dead}, nil
}

// alive is a listener whose connections give bytes of ours that nobody acknowledges no
// more than a time: while there are such, keep-alives say nothing.
type alive struct {
	net.Listener

	dead time.Duration
}

// Accept implements net.Listener.
func (a alive) Accept() (net.Conn, error) {
	nc, err := a.Listener.Accept()
	if err == nil {
		limitUnanswered(nc, a.dead)
	}
	return nc, err
}
