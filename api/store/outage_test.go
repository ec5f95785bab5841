package store

import (
	"context"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/penstock-media/penstock/api/store/storetest"
)

// proxy stands between a store and its database and fails on request.
type proxy struct {
	listener net.Listener
	target   string
	all      sync.WaitGroup

	mu      sync.Mutex
	refuse  bool                  // guarded by mu
	stalled chan struct{}         // guarded by mu; not nil while nothing passes; closed at its end
	conns   map[net.Conn]struct{} // guarded by mu
}

// newProxy returns a proxy for the database of a DSN, and the DSN through it.
func newProxy(t *testing.T, dsn string) (*proxy, string) {
	t.Helper()
	u := get(url.Parse(dsn))(t)
	l := get((&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0"))(t)
	p := &proxy{listener: l, target: u.Host, conns: map[net.Conn]struct{}{}}
	u.Host = l.Addr().String()
	p.all.Go(p.serve)
	t.Cleanup(func() {
		_ = l.Close()
		p.stall(false)
		p.down(true)
		p.all.Wait()
	})
	return p, u.String()
}

func (p *proxy) serve() {
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

func (p *proxy) pipe(from, to net.Conn) {
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

// down breaks all connections and takes no new ones, or takes them again.
func (p *proxy) down(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = on
	for c := range p.conns {
		_ = c.Close()
		delete(p.conns, c)
	}
}

// stall holds everything back, as a database that hangs does, or lets it go.
func (p *proxy) stall(on bool) {
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

// TestOutage: while PostgreSQL is away the store says so at once, and when it is
// back everything goes on by itself, with what was missed.
func TestOutage(t *testing.T) {
	direct := storetest.Postgres(t)
	p, dsn := newProxy(t, direct)
	other := open(t, direct)
	s := open(t, dsn)
	changes := s.Changes(t.Context())
	next(t, changes)

	p.down(true)
	began := time.Now()
	refused(t, ErrUnavailable, s.Ping(t.Context()))
	_, err := s.Snapshot(t.Context())
	refused(t, ErrUnavailable, err)
	if st := s.State(); st.OK || st.Error == "" {
		t.Errorf("the state while it is away: %+v", st)
	}
	if took := time.Since(began); took > pingTimeout+opTimeout {
		t.Errorf("to say so took %v", took)
	}
	newStream(t, other, "made meanwhile")
	p.down(false)
	began = time.Now()
	if got := next(t, changes); got.Revision != 2 {
		t.Errorf("afterwards: %v", got)
	}
	t.Logf("in step again after %v", time.Since(began))
	must(t, s.Ping(t.Context()))
	if st := s.State(); !st.OK {
		t.Errorf("the state afterwards: %+v", st)
	}
}

// TestHang: a database that does not answer costs a bounded time.
func TestHang(t *testing.T) {
	p, dsn := newProxy(t, storetest.Postgres(t))
	s := open(t, dsn)
	p.stall(true)
	began := time.Now()
	refused(t, ErrUnavailable, s.Ping(t.Context()))
	if took := time.Since(began); took > pingTimeout+time.Second {
		t.Errorf("a ping took %v", took)
	}
	short, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := s.CreateVhost(short, operator(), NewVhost("x"))
	refused(t, ErrUnavailable, err)
	p.stall(false)
	for range 50 {
		if err = s.Ping(t.Context()); err == nil {
			break
		}
	}
	must(t, err)
}
