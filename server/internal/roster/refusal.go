package roster

import (
	"maps"
	"sync"
	"time"
)

// maxRefusals is how many refusals are kept.
const maxRefusals = 500

// Refusal is a connection that was not let in, with every check made.
type Refusal struct {
	Time             time.Time
	Action           string // "publish" or "play"
	Protocol         string
	Vhost, App, Name string // Name is empty when the peer sent a stream key in its place
	Peer             string
	Agent            string
	Reason, Detail   string
	Checks           []Check
}

// Check is one step of an access decision.
type Check struct {
	Name   string
	Result string
	RuleID string
	Detail string
	TookUS int64 // microseconds
}

// refusals is the bounded list of what was refused, and its counters.
type refusals struct {
	mu sync.Mutex
	// guarded by mu
	ring  []Refusal
	next  int
	total map[string]uint64
}

func (f *refusals) add(r Refusal) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.countLocked(r.Reason)
	if len(f.ring) < maxRefusals {
		f.ring = append(f.ring, r)
		return
	}
	f.ring[f.next] = r
	f.next = (f.next + 1) % maxRefusals
}

// count counts a refusal that is too frequent to be listed.
func (f *refusals) count(reason string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.countLocked(reason)
}

func (f *refusals) countLocked(reason string) {
	if f.total == nil {
		f.total = make(map[string]uint64)
	}
	f.total[reason]++
}

// newestFirst returns a copy of the list.
func (f *refusals) newestFirst() []Refusal {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := len(f.ring)
	out := make([]Refusal, 0, n)
	for i := n - 1; i >= 0; i-- {
		out = append(out, f.ring[(f.next+i)%n])
	}
	return out
}

// totals returns a copy of the counters.
func (f *refusals) totals() map[string]uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.total)
}
