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

// limiter counts failures by address. An attempt is paid for before it is made,
// so that a thousand at once are no way around, and a success is paid back, so
// that a whole office behind one address can sign in.
type limiter struct {
	mu    sync.Mutex
	peers map[netip.Prefix]*rate.Limiter // guarded by mu
}

func newLimiter() *limiter { return &limiter{peers: map[netip.Prefix]*rate.Limiter{}} }

// try takes an attempt, or says how long the address has to wait for one. back
// gives it back: call it when the attempt was no failure.
func (l *limiter) try(ip netip.Addr, now time.Time) (back func(), wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := network(ip)
	p, ok := l.peers[key]
	if !ok {
		l.makeRoom(now)
		p = rate.NewLimiter(rate.Every(failureEvery), failuresAtOnce)
		l.peers[key] = p
	}
	r := p.ReserveN(now, 1)
	if wait := r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
		return nil, wait
	}
	return func() { p.AllowN(time.Now(), -1) }, 0 // one more than before
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
