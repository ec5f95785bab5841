package server

import (
	"context"
	"crypto/tls"
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

// door is a bound address.
type door struct {
	net.Listener

	tls *tls.Config // nil: plain RTMP
}

// Listen binds the addresses, so that Addrs and SecureAddrs know the ports before Run.
// Once bound it does nothing.
func (e *Engine) Listen() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.listeners != nil {
		return nil
	}
	bound := make([]door, 0, len(e.cfg.RTMP)+len(e.cfg.RTMPS))
	for i, addr := range slices.Concat(e.cfg.RTMP, e.cfg.RTMPS) {
		var conf *tls.Config
		if i >= len(e.cfg.RTMP) {
			conf = e.cfg.TLS
		}
		ln, err := e.ListenTCP(context.Background(), addr) // binding does not wait
		if err != nil {
			for _, ln := range bound {
				_ = ln.Close()
			}
			return fmt.Errorf("server: listen for RTMP: %w", err)
		}
		bound = append(bound, door{ln, conf})
	}
	e.listeners = bound
	return nil
}

// bound returns the bound listeners.
func (e *Engine) bound() []door {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.listeners)
}

// Addrs returns the addresses RTMP is accepted on, in the order of Config.RTMP.
func (e *Engine) Addrs() []net.Addr {
	return e.addrs(false)
}

// SecureAddrs returns the addresses RTMP over TLS is accepted on, in the order of
// Config.RTMPS.
func (e *Engine) SecureAddrs() []net.Addr { return e.addrs(true) }

func (e *Engine) addrs(secure bool) []net.Addr {
	var out []net.Addr
	for _, ln := range e.bound() {
		if (ln.tls != nil) == secure {
			out = append(out, ln.Addr())
		}
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
func (e *Engine) accept(ln door) error {
	var warned time.Time
	for {
		nc, err := ln.Accept()
		switch {
		case err == nil:
			e.serving.Go(func() { e.serve(nc, ln.tls) })
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

// serve lives a connection: what a proxy says of it, TLS, and RTMP in that.
func (e *Engine) serve(nc net.Conn, conf *tls.Config) {
	if e.fromProxy(nc) {
		if nc = e.client(nc); nc == nil {
			return
		}
	}
	if conf != nil {
		nc = tls.Server(nc, conf)
	}
	e.rtmp.Serve(e.sessions, nc)
}
