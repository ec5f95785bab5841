package roster

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"go.jetify.com/typeid"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
)

// Config configures a Roster.
type Config struct {
	// Logger takes the lines about refusals. Nil is silence.
	Logger *slog.Logger
	// Keys finds stream keys for access.Decide. Required.
	Keys access.Keys
	// Limits are those of sessions, keys and names. The limits by address do not
	// hold for 127.0.0.1 and ::1, from where a proxy on this machine brings everybody.
	Limits config.Limits
}

// Roster is the book. All methods may be called from any goroutine.
type Roster struct {
	// Events is what happened.
	Events Events

	log      *slog.Logger
	keys     access.Keys
	snapshot atomic.Pointer[config.Snapshot]
	// generation grows with every change of the rules.
	generation atomic.Uint64
	born       time.Time
	guard      guard
	refused    refusals
	limits     config.Limits // NoLimit is a large number here

	wg sync.WaitGroup // one a live session

	mu sync.Mutex
	// guarded by mu. An Entry's mu may be taken before it, never after it
	live      map[string]*Entry
	byAddress map[netip.Addr]*occupancy
	closed    *Ending
	entered   uint64
	ended     map[config.Reason]uint64 // sessions that left, by reason
	failed    map[Handshake]uint64     // those that left for ReasonHandshake
	bytesIn   uint64                   // of sessions that left
	bytesOut  uint64
}

type occupancy struct{ total, pending int }

// New returns an empty Roster. Nobody is let in before the first Adopt.
func New(cfg Config) *Roster {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	limits := cfg.Limits.WithDefaults()
	for _, n := range []*int{&limits.MaxSessions, &limits.MaxPerAddress, &limits.MaxPending} {
		if *n == config.NoLimit {
			*n = math.MaxInt
		}
	}
	return &Roster{
		log: cfg.Logger, keys: cfg.Keys, limits: limits, born: time.Now(),
		guard:     guard{now: time.Now, limits: limits},
		live:      make(map[string]*Entry),
		byAddress: make(map[netip.Addr]*occupancy),
		ended:     make(map[config.Reason]uint64),
		failed:    make(map[Handshake]uint64),
	}
}

// Snapshot returns the configuration that decides now, or nil before the first.
func (r *Roster) Snapshot() *config.Snapshot { return r.snapshot.Load() }

// age is the monotonic time since the roster was made, never 0.
func (r *Roster) age() time.Duration { return time.Since(r.born) + 1 }

// Enter writes a new connection into the book. The context it returns ends with
// an *Ending as its cause; the caller calls Leave when the session is over. The
// error is an *Ending too: a limit, or a shutdown.
func (r *Roster) Enter(ctx context.Context, protocol string, peer netip.AddrPort) (*Entry, context.Context, error) {
	peer = netip.AddrPortFrom(peer.Addr().Unmap(), peer.Port())
	return r.enter(ctx, Session{Protocol: protocol, Peer: peer.String()}, peer, true)
}

// Branch writes a further thing into the book that a connection does which is in it
// already: it gets an id, a context and a line of its own, and is left with Leave as
// well. It ends before the connection does.
func (r *Roster) Branch(ctx context.Context, of *Entry) (*Entry, context.Context, error) {
	s := of.Session()
	e, ctx, err := r.enter(ctx, Session{Protocol: s.Protocol, Peer: s.Peer, Agent: s.Agent, PageURL: s.PageURL}, of.peer, false)
	if err == nil {
		e.Movable(of.mover()) // it is the same peer
	}
	return e, ctx, err
}

func (r *Roster) enter(ctx context.Context, s Session, peer netip.AddrPort, pending bool) (*Entry, context.Context, error) {
	id, err := typeid.WithPrefix("ses")
	if err != nil {
		return nil, nil, fmt.Errorf("roster: make a session id: %w", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	e := &Entry{roster: r, cancel: cancel, peer: peer, pending: pending, info: s}
	e.info.ID, e.info.StartedAt = id.String(), time.Now()

	r.mu.Lock()
	defer r.mu.Unlock()
	if end := r.roomLocked(peer.Addr()); end != nil {
		cancel(end)
		r.refused.count(string(end.Reason))
		return nil, nil, end
	}
	at := r.byAddress[peer.Addr()]
	if at == nil {
		at = &occupancy{}
		r.byAddress[peer.Addr()] = at
	}
	at.total++
	if pending {
		at.pending++
	}
	r.live[e.info.ID] = e
	r.entered++
	r.wg.Add(1)
	return e, ctx, nil
}

// Stranger counts a connection that ended before it was known whose it is.
func (r *Roster) Stranger(end Ending) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entered++
	r.endedLocked(end)
}

func (r *Roster) endedLocked(end Ending) {
	r.ended[end.Reason]++
	if end.Reason == config.ReasonHandshake {
		r.failed[cmp.Or(end.Handshake, HandshakeBroken)]++
	}
}

// ownAddress reports whether a is one by which this machine speaks to itself.
func ownAddress(a netip.Addr) bool {
	return a == netip.AddrFrom4([4]byte{127, 0, 0, 1}) || a == netip.IPv6Loopback()
}

// roomLocked says why there is no room for one more from this address.
func (r *Roster) roomLocked(a netip.Addr) *Ending {
	at := r.byAddress[a]
	switch {
	case r.closed != nil:
		return r.closed
	case len(r.live) >= r.limits.MaxSessions:
		return &Ending{Reason: config.ReasonLimit, Detail: "The server has as many connections as it allows."}
	case at == nil || ownAddress(a):
	case at.total >= r.limits.MaxPerAddress:
		return &Ending{Reason: config.ReasonLimit, Detail: "This address has as many connections as the server allows."}
	case at.pending >= r.limits.MaxPending:
		return &Ending{Reason: config.ReasonLimit, Detail: "This address has too many connections that neither publish nor play."}
	}
	return nil
}

// settled counts a pending connection as let in.
func (r *Roster) settled(a netip.Addr) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at := r.byAddress[a]; at != nil {
		at.pending--
	}
}

func (r *Roster) leave(e *Entry, end Ending) {
	e.mu.Lock()
	in, out, pending := e.info.BytesIn, e.info.BytesOut, e.pending
	e.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.live, e.info.ID)
	r.endedLocked(end)
	r.bytesIn += in
	r.bytesOut += out
	if at := r.byAddress[e.peer.Addr()]; at != nil {
		at.total--
		if pending {
			at.pending--
		}
		if at.total == 0 {
			delete(r.byAddress, e.peer.Addr())
		}
	}
	r.wg.Done()
}

// Close lets nobody in any more, with this reason.
func (r *Roster) Close(end Ending) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = &end
}

// Wait returns when the last session has left. Close comes before it.
func (r *Roster) Wait() { r.wg.Wait() }

// entries returns the live entries in no order.
func (r *Roster) entries() []*Entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]*Entry, 0, len(r.live))
	for _, e := range r.live {
		out = append(out, e)
	}
	return out
}

// Find returns the live session with this id, or nil.
func (r *Roster) Find(id string) *Entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.live[id]
}

// Ban keeps an address out for d and ends nothing.
func (r *Roster) Ban(a netip.Addr, d time.Duration) { r.guard.ban(a, d) }

// EndAll ends every session.
func (r *Roster) EndAll(reason config.Reason, detail string) {
	for _, e := range r.entries() {
		e.End(reason, detail)
	}
}

// Sample reads every session's counters and ends those whose time is up. It is
// called once a second, with the time since the last call.
func (r *Roster) Sample(elapsed time.Duration) {
	now := time.Now()
	for _, e := range r.entries() {
		e.sample(elapsed, now)
	}
	r.guard.sweep()
}
