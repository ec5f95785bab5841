package storetest

import (
	"context"
	"net"
	"net/url"
	"sync"
	"testing"
)

// Proxy stands between a store and its database and fails on request.
type Proxy struct {
	listener net.Listener
	target   string
	all      sync.WaitGroup

	mu      sync.Mutex
	refuse  bool                  // guarded by mu
	stalled chan struct{}         // guarded by mu; not nil while nothing passes; closed at its end
	conns   map[net.Conn]struct{} // guarded by mu
}

// NewProxy returns a proxy for the database of a DSN, and the DSN through it.
func NewProxy(t *testing.T, dsn string) (*Proxy, string) {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{listener: l, target: u.Host, conns: map[net.Conn]struct{}{}}
	u.Host = l.Addr().String()
	p.all.Go(p.serve)
	t.Cleanup(func() {
		_ = l.Close()
		p.Stall(false)
		p.Down(true)
		p.all.Wait()
	})
	return p, u.String()
}

func (p *Proxy) serve() {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return
		}
		back, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", p.target)
		p.mu.Lock()
		if err != nil || p.refuse {
			p.mu.Unlock()
			_ = c.Close()
			if back != nil {
				_ = back.Close()
			}
			continue
		}
		p.conns[c], p.conns[back] = struct{}{}, struct{}{}
		p.mu.Unlock()
		p.all.Go(func() { p.pipe(c, back) })
		p.all.Go(func() { p.pipe(back, c) })
	}
}

func (p *Proxy) pipe(from, to net.Conn) {
	defer func() { _, _ = from.Close(), to.Close() }()
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		p.mu.Lock()
		stalled := p.stalled
		p.mu.Unlock()
		if stalled != nil {
			<-stalled
		}
		if _, werr := to.Write(buf[:n]); err != nil || werr != nil {
			return
		}
	}
}

// Down breaks all connections and takes no new ones, or takes them again.
func (p *Proxy) Down(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = on
	for c := range p.conns {
		_ = c.Close()
		delete(p.conns, c)
	}
}

// Stall holds everything back, as a database that hangs does, or lets it go.
func (p *Proxy) Stall(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stalled != nil {
		close(p.stalled)
		p.stalled = nil
	}
	if on {
		p.stalled = make(chan struct{})
	}
}
