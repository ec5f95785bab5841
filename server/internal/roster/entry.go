package roster

import (
	"context"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
)

// Entry is a session's line in the book, from Enter to Leave.
type Entry struct {
	roster *Roster
	cancel context.CancelCauseFunc
	peer   netip.AddrPort

	// deadline is when the session ends by itself, as time since the roster's
	// start (so that a jump of the wall clock ends nobody); 0 is never.
	deadline atomic.Int64
	overdue  atomic.Pointer[Ending] // what the deadline means

	mu sync.Mutex
	// guarded by mu
	info     Session
	pending  bool // has not yet been let in as publisher or player
	meter    func() Meter
	tick     func()
	last     Meter
	until    time.Time // wall clock; zero: no end
	request  access.Request
	decision access.Decision
	admitted bool
	move     func() bool // asks the peer to move; nil for one that cannot
}

// ID returns the session's id.
func (e *Entry) ID() string { return e.info.ID } // never changes

// Protocol returns how the session came in.
func (e *Entry) Protocol() string { return e.info.Protocol } // never changes

// Peer returns the address the session came from.
func (e *Entry) Peer() netip.AddrPort { return e.peer }

// End ends the session from outside: its context is cancelled with the reason,
// and its own goroutine says goodbye and closes. The first End wins.
func (e *Entry) End(reason config.Reason, detail string) {
	e.cancel(&Ending{Reason: reason, Detail: detail})
}

// Expire ends the session after d with what is given, unless Expire is called
// again before. It is looked at once a second. A d of 0 or less means never.
func (e *Entry) Expire(d time.Duration, reason config.Reason, detail string) {
	if d <= 0 {
		e.deadline.Store(0)
		return
	}
	end := &Ending{Reason: reason, Detail: detail}
	if reason == config.ReasonHandshake {
		end.Handshake = HandshakeTimeout
	}
	e.overdue.Store(end)
	e.deadline.Store(int64(e.roster.age() + d))
}

// Extend moves the deadline that Expire set to d from now, at the price of one
// clock reading: a publisher does it with every message.
func (e *Entry) Extend(d time.Duration) { e.deadline.Store(int64(e.roster.age() + d)) }

// Describe lets the session fill in what it learnt of its peer. What may be a stream
// key in it is not kept.
func (e *Entry) Describe(f func(*Session)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f(&e.info)
	for _, said := range []*string{&e.info.Agent, &e.info.PageURL, &e.info.TCURL, &e.info.SwfURL} {
		*said = WithoutKeys(*said)
	}
}

// Measure gives the roster what it asks once a second: meter reads the session's
// counters and tick (which may be nil) does what the session has to do from time
// to time. Neither may block. Nil for meter freezes the last reading.
func (e *Entry) Measure(meter func() Meter, tick func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.meter != nil {
		e.readLocked(e.meter(), 0)
	}
	e.meter, e.tick = meter, tick
}

// Role marks the session as a publisher or a player that has been let in, or, if
// empty, as one that is neither any more.
func (e *Entry) Role(role string) {
	e.mu.Lock()
	e.info.Role = role
	was := e.pending && role != ""
	e.pending = e.pending && !was
	e.mu.Unlock()
	if was {
		e.roster.settled(e.peer.Addr())
	}
}

// Idle takes back what Decide admitted: the session publishes and plays nothing
// now, and a changed rule does not touch it.
func (e *Entry) Idle() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.admitted, e.until = false, time.Time{}
}

// Session returns a copy of the session with its newest counters.
func (e *Entry) Session() Session {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.meter != nil {
		e.readLocked(e.meter(), 0)
	}
	return e.info
}

// Ended returns a copy of the session as it is when its publishing or playing
// ends with the given reason.
func (e *Entry) Ended(end Ending) *Session {
	s := e.Session()
	s.EndedAt = time.Now()
	s.Reason, s.Detail = string(end.Reason), end.Detail
	s.InKbps, s.OutKbps = 0, 0
	return &s
}

// Leave strikes the session off. It is called once, by who called Enter.
func (e *Entry) Leave(end Ending) {
	e.Measure(nil, nil)
	e.roster.leave(e, end)
	e.cancel(&end) // frees the context
}

// sample reads the counters; elapsed since the last sample gives the rates.
func (e *Entry) sample(elapsed time.Duration, now time.Time) {
	e.mu.Lock()
	if e.meter != nil {
		e.readLocked(e.meter(), elapsed)
	}
	tick, until := e.tick, e.until
	e.mu.Unlock()
	if tick != nil {
		tick()
	}
	if d := e.deadline.Load(); d != 0 && int64(e.roster.age()) >= d {
		e.cancel(e.overdue.Load())
	}
	if !until.IsZero() && !now.Before(until) {
		e.End(config.ReasonExpired, "The permission this session came with has ended.")
	}
}

func (e *Entry) readLocked(m Meter, elapsed time.Duration) {
	e.info.BytesIn, e.info.BytesOut = m.BytesIn, m.BytesOut
	e.info.Dropped, e.info.Drops, e.info.LagMS = m.Drops.Total(), m.Drops, int(m.Lag.Milliseconds())
	if m.Video != "" || m.Audio != "" {
		e.info.Video, e.info.Audio = m.Video, m.Audio
	}
	if elapsed > 0 {
		e.info.InKbps = kbps(m.BytesIn-e.last.BytesIn, elapsed)
		e.info.OutKbps = kbps(m.BytesOut-e.last.BytesOut, elapsed)
		e.last = m
	}
}

// kbps is a rate in thousand bits a second.
func kbps(bytes uint64, elapsed time.Duration) int {
	return int(float64(bytes) * 8 / 1000 / elapsed.Seconds())
}
