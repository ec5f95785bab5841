package server

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/pires/go-proxyproto"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/roster"
)

const (
	// proxyReadAhead is how much is read at once in search of the header.
	proxyReadAhead = 512
	// longestV1 is the longest header of PROXY protocol version 1, in bytes.
	longestV1 = 107
)

// errNobody says that a connection ended before its first byte, as those do with which
// a proxy looks whether we are well.
var errNobody = errors.New("server: the connection ended without a byte")

// fromProxy reports whether a peer has to send a PROXY protocol header.
func (e *Engine) fromProxy(nc net.Conn) bool {
	peer, ok := nc.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return false
	}
	addr := peer.AddrPort().Addr().Unmap()
	return slices.ContainsFunc(e.cfg.ProxyProtocolFrom, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// client returns the client's connection behind a proxy's, or nil when there is none:
// it is closed and counted then.
func (e *Engine) client(nc net.Conn) net.Conn {
	stop := context.AfterFunc(e.sessions, func() { _ = nc.Close() })
	defer stop()
	timeout := e.cfg.Limits.ProxyHeaderTimeout
	client, err := readProxyHeader(nc, timeout)
	if err == nil {
		return client
	}
	_ = nc.Close()
	say, end := e.log.Info, roster.Ending{Reason: config.ReasonHandshake, Handshake: roster.HandshakeProxy, Detail: err.Error()}
	if errors.Is(err, errNobody) {
		say, end.Reason = e.log.Debug, config.ReasonPeerClosed
	}
	e.roster.Stranger(end)
	say("closed", "peer", nc.RemoteAddr().String(), "reason", string(end.Reason), "detail", end.Detail)
	return nil
}

// readProxyHeader reads the PROXY protocol header, of version 1 or 2, that a connection
// has to begin with. The proxy's own connections (LOCAL, UNKNOWN) keep their address.
func readProxyHeader(nc net.Conn, timeout time.Duration) (net.Conn, error) {
	if err := nc.SetReadDeadline(time.Now().Add(timeout)); err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(nc, proxyReadAhead)
	if _, err := r.Peek(1); errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) {
		return nil, errNobody
	}
	if err := gather(r); err != nil {
		return nil, proxyHeaderError(err, timeout)
	}
	h, err := proxyproto.Read(r)
	if err != nil {
		return nil, proxyHeaderError(err, timeout)
	}
	c := &proxied{Conn: nc, client: nc.RemoteAddr(), ahead: r}
	if !h.Command.IsLocal() {
		source, _, ok := h.TCPAddrs()
		if !ok || source.IP.IsUnspecified() {
			return nil, errors.New("the proxy's header has no TCP address of a client")
		}
		c.client = source
	}
	return c, nc.SetReadDeadline(time.Time{})
}

// gather waits until a header of version 1 is whole: proxyproto takes it in one piece
// only.
func gather(r *bufio.Reader) error {
	for n := len(proxyproto.SIGV1); n <= longestV1; n = max(n, r.Buffered()) + 1 {
		if _, err := r.Peek(n); err != nil {
			return err
		}
		got, _ := r.Peek(r.Buffered())
		if !bytes.HasPrefix(got, proxyproto.SIGV1) || bytes.IndexByte(got, '\n') >= 0 {
			return nil
		}
	}
	return nil
}

// proxyHeaderError says what is wrong with a header in a sentence.
func proxyHeaderError(err error, timeout time.Duration) error {
	const expected = " (--proxy-protocol-from has its address)"
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("the proxy sent no whole PROXY protocol header within %v%s", timeout, expected)
	case errors.Is(err, proxyproto.ErrNoProxyProtocol):
		return errors.New("the proxy sent no PROXY protocol header" + expected)
	case errors.Is(err, io.EOF):
		return errors.New("the proxy closed the connection inside its PROXY protocol header")
	}
	return fmt.Errorf("PROXY protocol header: %w", err)
}

// proxied is the connection of a client that came through a proxy. It keeps the
// descriptor: such a player is written to like any other.
type proxied struct {
	net.Conn

	client net.Addr
	ahead  *bufio.Reader // holds what came behind the header; nil when that has been read
}

// RemoteAddr implements net.Conn: it is the client's address.
func (c *proxied) RemoteAddr() net.Addr { return c.client }

// Read implements net.Conn. Only one goroutine reads a connection.
func (c *proxied) Read(b []byte) (int, error) {
	if c.ahead != nil {
		if c.ahead.Buffered() > 0 {
			return c.ahead.Read(b)
		}
		c.ahead = nil
	}
	return c.Conn.Read(b)
}

// SyscallConn implements syscall.Conn.
func (c *proxied) SyscallConn() (syscall.RawConn, error) {
	sc, ok := c.Conn.(syscall.Conn)
	if !ok {
		return nil, errors.ErrUnsupported
	}
	return sc.SyscallConn()
}

// CloseWrite ends our side of the connection.
func (c *proxied) CloseWrite() error {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return errors.ErrUnsupported
	}
	return half.CloseWrite()
}
