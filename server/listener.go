package server

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"time"
)

// acceptBackOff is how long accepting pauses when the process has no descriptors
// left: trying again at once would only burn the CPU the sessions need.
const acceptBackOff = 100 * time.Millisecond

// warnEvery is how often that is said.
const warnEvery = 5 * time.Second

// Listen binds the RTMP addresses, so that Addrs knows the ports before Run.
// Once bound it does nothing.
func (e *Engine) Listen() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.listeners != nil {
		return nil
	}
	bound := make([]net.Listener, 0, len(e.cfg.RTMP))
	for _, addr := range e.cfg.RTMP {
		ln, err := net.Listen("tcp", addr) //nolint:noctx // binding does not wait
		if err != nil {
			for _, ln := range bound {
				_ = ln.Close()
			}
			return fmt.Errorf("server: listen for RTMP: %w", err)
		}
		bound = append(bound, ln)
	}
	e.listeners = bound
	return nil
}

// bound returns the bound listeners.
func (e *Engine) bound() []net.Listener {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.listeners)
}

// Addrs returns the addresses RTMP is accepted on, in the order of Config.RTMP.
func (e *Engine) Addrs() []net.Addr {
	var out []net.Addr
	for _, ln := range e.bound() {
		out = append(out, ln.Addr())
	}
	return out
}

func (e *Engine) closeListeners() {
	for _, ln := range e.bound() {
		_ = ln.Close()
	}
}

// accept is the accept loop of one listener. Each connection gets its session's
// goroutine, which is its reader.
func (e *Engine) accept(ln net.Listener) error {
	var warned time.Time
	for {
		nc, err := ln.Accept()
		switch {
		case err == nil:
			e.serving.Go(func() { e.rtmp.Serve(e.sessions, nc) })
		case errors.Is(err, net.ErrClosed):
			return nil
		case outOfDescriptors(err):
			if time.Since(warned) > warnEvery {
				warned = time.Now()
				e.log.Warn("cannot accept a connection", "err", err)
			}
			time.Sleep(acceptBackOff)
		default:
			if ne, ok := errors.AsType[net.Error](err); ok && ne.Timeout() {
				continue
			}
			return fmt.Errorf("server: accept on %s: %w", ln.Addr(), err)
		}
	}
}
