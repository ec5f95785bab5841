package roster

import (
	"net/netip"
	"sync"
	"time"

	"github.com/penstock-media/penstock/server/config"
)

// maxSuspects is how many addresses and networks are remembered.
const maxSuspects = 1 << 16

// guard remembers which addresses guess and which are banned. Its table is
// bounded: when it is full the stalest entry of a few goes.
//
// Its limits are the price of guessing a stream key: a guesser gets so few tries that
// a key of 160 bits is safe, and an encoder with a mistyped key still gets an answer.
type guard struct {
	now    func() time.Time // set before use
	limits config.Limits    // set before use

	mu       sync.Mutex
	suspects map[netip.Prefix]*suspect // guarded by mu
	bans     map[netip.Addr]time.Time  // guarded by mu; until when
}

type suspect struct {
	windowStart  time.Time
	failures     int
	blockedUntil time.Time
}

// address and network are the two prefixes an address is counted under. An IPv6
// host owns its whole /64, so a single address means nothing there.
func address(a netip.Addr) netip.Prefix {
	a = a.Unmap()
	bits := a.BitLen()
	if a.Is6() {
		bits = 64
	}
	p, _ := a.Prefix(bits)
	return p
}

func network(a netip.Addr) netip.Prefix {
	a = a.Unmap()
	bits := 24
	if a.Is6() {
		bits = 48
	}
	p, _ := a.Prefix(bits)
	return p
}

// failed counts a wrong key, or says until when the address gets no more tries
// when this was one too many.
func (g *guard) failed(a netip.Addr) (time.Time, bool) {
	now := g.now()
	g.mu.Lock()
	defer g.mu.Unlock()
	if until, ok := g.blockedLocked(a, now); ok {
		return until, true
	}
	g.countLocked(address(a), g.limits.KeyFailures, now)
	g.countLocked(network(a), g.limits.KeyFailuresNetwork, now)
	return time.Time{}, false
}

func (g *guard) countLocked(p netip.Prefix, limit int, now time.Time) {
	s := g.suspects[p]
	if s == nil {
		if g.suspects == nil {
			g.suspects = make(map[netip.Prefix]*suspect)
		}
		if len(g.suspects) >= maxSuspects {
			g.makeRoomLocked()
		}
		s = &suspect{windowStart: now}
		g.suspects[p] = s
	}
	if now.Sub(s.windowStart) > g.limits.KeyWindow {
		s.windowStart, s.failures = now, 0
	}
	s.failures++
	if s.failures >= limit {
		s.blockedUntil = now.Add(g.limits.KeyBlock)
	}
}

// makeRoomLocked drops the stalest of a few entries (the map's order is random).
func (g *guard) makeRoomLocked() {
	var (
		worst netip.Prefix
		since time.Time
		seen  int
	)
	for p, s := range g.suspects {
		if seen == 0 || s.windowStart.Before(since) {
			worst, since = p, s.windowStart
		}
		if seen++; seen == 8 {
			break
		}
	}
	delete(g.suspects, worst)
}

// blocked says until when the address gets no more tries.
func (g *guard) blocked(a netip.Addr) (time.Time, bool) {
	now := g.now()
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.blockedLocked(a, now)
}

func (g *guard) blockedLocked(a netip.Addr, now time.Time) (time.Time, bool) {
	for _, p := range [...]netip.Prefix{address(a), network(a)} {
		if s := g.suspects[p]; s != nil && now.Before(s.blockedUntil) {
			return s.blockedUntil, true
		}
	}
	return time.Time{}, false
}

// ban keeps an address out for d.
func (g *guard) ban(a netip.Addr, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.bans == nil {
		g.bans = make(map[netip.Addr]time.Time)
	}
	g.bans[a.Unmap()] = g.now().Add(d)
}

// banned says until when the address is kept out.
func (g *guard) banned(a netip.Addr) (time.Time, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	until, ok := g.bans[a.Unmap()]
	return until, ok && g.now().Before(until)
}

// sweep forgets what is over.
func (g *guard) sweep() {
	now := g.now()
	g.mu.Lock()
	defer g.mu.Unlock()
	for a, until := range g.bans {
		if !now.Before(until) {
			delete(g.bans, a)
		}
	}
	for p, s := range g.suspects {
		if now.Sub(s.windowStart) > g.limits.KeyWindow && !now.Before(s.blockedUntil) {
			delete(g.suspects, p)
		}
	}
}
