package roster

import (
	"cmp"
	"slices"
)

// Sessions returns a copy of every live session, newest first.
func (r *Roster) Sessions() []Session {
	entries := r.entries()
	out := make([]Session, 0, len(entries))
	for _, e := range entries {
		out = append(out, e.Session())
	}
	slices.SortFunc(out, func(a, b Session) int {
		return cmp.Or(b.StartedAt.Compare(a.StartedAt), cmp.Compare(b.ID, a.ID))
	})
	return out
}

// Refusals returns the kept refusals, newest first.
func (r *Roster) Refusals() []Refusal { return r.refused.newestFirst() }

// Totals counts since the engine's start.
type Totals struct {
	Publishers, Players int // now
	Sessions            int // now, whatever they do
	InKbps, OutKbps     int // now
	BytesIn, BytesOut   uint64
	Entered             uint64            // sessions so far
	Refused             map[string]uint64 // by reason
	Ended               map[string]uint64 // sessions that left, by reason
	Handshakes          map[string]uint64 // those among them whose handshake failed, by what was wrong
}

// Totals returns the sums.
func (r *Roster) Totals() Totals {
	t := Totals{Refused: r.refused.totals()}
	for _, e := range r.entries() {
		s := e.Session()
		t.Sessions++
		switch s.Role {
		case Publisher:
			t.Publishers++
		case Player:
			t.Players++
		}
		t.InKbps += s.InKbps
		t.OutKbps += s.OutKbps
		t.BytesIn += s.BytesIn
		t.BytesOut += s.BytesOut
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	t.Entered = r.entered
	t.BytesIn += r.bytesIn
	t.BytesOut += r.bytesOut
	t.Ended = make(map[string]uint64, len(r.ended))
	for reason, n := range r.ended {
		t.Ended[string(reason)] = n
	}
	t.Handshakes = make(map[string]uint64, len(r.failed))
	for what, n := range r.failed {
		t.Handshakes[string(what)] = n
	}
	return t
}

// Occupied reports whether any session is live.
func (r *Roster) Occupied() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.live) > 0
}
