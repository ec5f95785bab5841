package feed

import (
	"crypto/rand"
	"errors"
	"net/netip"
	"sync"
	"time"
)

// TicketLife is how long a ticket holds.
const TicketLife = 30 * time.Second

// maxTickets is how many may wait to be used.
const maxTickets = 10_000

// tickets are the tickets that wait to be used. They live in memory: a ticket
// opens a socket of the node that gave it.
type tickets struct {
	mu      sync.Mutex
	waiting map[string]ticket // guarded by mu
}

type ticket struct {
	viewer Viewer
	until  time.Time
}

func newTickets() *tickets { return &tickets{waiting: map[string]ticket{}} }

func (t *tickets) issue(v Viewer, now time.Time) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) >= maxTickets {
		for id, w := range t.waiting {
			if now.After(w.until) {
				delete(t.waiting, id)
			}
		}
		if len(t.waiting) >= maxTickets {
			return "", errors.New("feed: too many tickets wait to be used")
		}
	}
	id := "tkt_" + rand.Text() // 130 bits
	t.waiting[id] = ticket{viewer: v, until: now.Add(TicketLife)}
	return id, nil
}

// redeem uses a ticket up.
func (t *tickets) redeem(id string, ip netip.Addr, now time.Time) (Viewer, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	w, ok := t.waiting[id]
	delete(t.waiting, id)
	if !ok || now.After(w.until) || w.viewer.IP != ip {
		return Viewer{}, false
	}
	return w.viewer, true
}
