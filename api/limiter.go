package api

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// The limits of failed attempts to sign in or set up, for one address (an IPv6
// /64): ten at once, then one in six seconds.
const (
	failuresAtOnce  = 10
	failureEvery    = 6 * time.Second
	maxLimitedPeers = 10_000
)

// limiter counts failures by address. Successes cost nothing, so that a whole
// office behind one address can sign in.
type limiter struct {
	mu    sync.Mutex
	peers map[netip.Prefix]*rate.Limiter // guarded by mu
}

func newLimiter() *limiter { return &limiter{peers: map[netip.Prefix]*rate.Limiter{}} }

// wait says how long the address has to wait before it may try.
func (l *limiter) wait(ip netip.Addr, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, ok := l.peers[network(ip)]
	if !ok {
		return 0
	}
	missing := 1 - p.TokensAt(now)
	if missing <= 0 {
		return 0
	}
	return time.Duration(missing * float64(failureEvery))
}

// failed counts a failure.
func (l *limiter) failed(ip netip.Addr, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := network(ip)
	p, ok := l.peers[key]
	if !ok {
		l.makeRoom(now)
		p = rate.NewLimiter(rate.Every(failureEvery), failuresAtOnce)
		l.peers[key] = p
	}
	p.AllowN(now, 1)
}

// makeRoom forgets those who have behaved, and anybody if that is not enough.
// Called with mu held.
func (l *limiter) makeRoom(now time.Time) {
	if len(l.peers) < maxLimitedPeers {
		return
	}
	for k, p := range l.peers {
		if p.TokensAt(now) >= failuresAtOnce {
			delete(l.peers, k)
		}
	}
	for k := range l.peers {
		if len(l.peers) < maxLimitedPeers {
			return
		}
		delete(l.peers, k)
	}
}

// network is what one person is likely to have: an IPv4 address, an IPv6 /64.
func network(ip netip.Addr) netip.Prefix {
	const own = 64
	bits := ip.BitLen()
	if ip.Is6() {
		bits = own
	}
	p, err := ip.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return p
}
