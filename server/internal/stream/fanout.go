package stream

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// sweepEvery is how often a shard looks for players that take nothing.
const sweepEvery = time.Second

// group is the players of one stream on one shard.
type group struct {
	stream  *Stream
	shard   *shard
	dirty   atomic.Bool // in shard.dirty or shard.held
	since   time.Time   // of the first append since the last pass; guarded by shard.mu until taken
	subs    []*Subscription
	bytes   atomic.Uint64 // written to players, also to those that left
	dropped atomic.Uint64 // messages they skipped
}

// mark tells the shard that the stream has something new.
func (g *group) mark(now time.Time) {
	if g.dirty.Swap(true) {
		return
	}
	sh := g.shard
	sh.mu.Lock()
	g.since = now
	sh.dirty = append(sh.dirty, g)
	sh.mu.Unlock()
	sh.poke()
}

// pass hands every player of the group what it lacks. Nothing is locked but one
// player at a time, and no write waits.
func (g *group) pass(now time.Time) {
	g.dirty.Store(false) // before the log is read: what comes later marks again
	for _, s := range g.subs {
		s.serve(now)
	}
}

// shard writes to a part of the players: one goroutine, which alone touches the
// groups' lists of players.
type shard struct {
	gather  time.Duration
	wake    chan struct{}
	players atomic.Int64 // attached
	slow    atomic.Int64 // parked

	mu       sync.Mutex
	dirty    []*group  // guarded by mu
	requests []request // guarded by mu

	groups    []*group // that have players
	held      []*group // dirty ones that wait for their delay to pass
	pulls     int      // players that use Next
	nextSweep time.Time
	// The slices of the last round, used again.
	oldDirty    []*group
	oldRequests []request
}

// request asks the shard for something about one player.
type request struct {
	sub  *Subscription
	what demand
}

type demand uint8

const (
	adopt   demand = iota // it is yours
	visit                 // it may have something to write
	abandon               // it left
)

func newShard(gather time.Duration) *shard {
	return &shard{gather: gather, wake: make(chan struct{}, 1)}
}

// ask hands the shard a request.
func (sh *shard) ask(r request) {
	sh.mu.Lock()
	sh.requests = append(sh.requests, r)
	sh.mu.Unlock()
	sh.poke()
}

// poke wakes the shard.
func (sh *shard) poke() {
	select {
	case sh.wake <- struct{}{}:
	default:
	}
}

// run makes rounds until ctx ends.
func (sh *shard) run(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	armed := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-sh.wake:
		case <-timer.C:
		}
		next := sh.round(time.Now())
		switch {
		case !next.IsZero():
			timer.Reset(time.Until(next))
			armed = true
		case armed:
			timer.Stop()
			armed = false
		}
	}
}

// round does what is due and returns when the next thing will be, zero if nothing
// is known to come.
func (sh *shard) round(now time.Time) time.Time {
	sh.mu.Lock()
	dirty, requests := sh.dirty, sh.requests
	sh.dirty, sh.requests = sh.oldDirty, sh.oldRequests
	sh.mu.Unlock()

	for _, r := range requests {
		sh.serve(r, now)
	}
	sh.held = append(sh.held, dirty...)
	var next time.Time
	sh.held = slices.DeleteFunc(sh.held, func(g *group) bool {
		if due := g.since.Add(time.Duration(g.stream.delay.Load())); due.After(now) {
			next = earlier(next, due)
			return false
		}
		g.pass(now)
		return true
	})
	clear(dirty)
	clear(requests)
	sh.oldDirty, sh.oldRequests = dirty[:0], requests[:0]

	if sh.slow.Load() == 0 && sh.pulls == 0 {
		return next
	}
	if !sh.nextSweep.After(now) {
		sh.sweep(now)
		sh.nextSweep = now.Add(sweepEvery)
	}
	return earlier(next, sh.nextSweep)
}

// earlier returns the earlier of two times, of which a may be zero for none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// serve does what a request asks.
func (sh *shard) serve(r request, now time.Time) {
	s := r.sub
	g := s.group
	switch r.what {
	case adopt:
		if len(g.subs) == 0 {
			sh.groups = append(sh.groups, g)
		}
		s.place = len(g.subs)
		g.subs = append(g.subs, s)
		if s.raw == nil {
			sh.pulls++
		}
	case abandon:
		last := len(g.subs) - 1
		g.subs[s.place] = g.subs[last]
		g.subs[s.place].place = s.place
		g.subs[last] = nil
		if g.subs = g.subs[:last]; last == 0 {
			sh.groups = slices.DeleteFunc(sh.groups, func(h *group) bool { return h == g })
		}
		if s.raw == nil {
			sh.pulls--
		}
	case visit:
		s.serve(now)
	}
}

// sweep ends players that took nothing for too long.
func (sh *shard) sweep(now time.Time) {
	for _, g := range sh.groups {
		for _, s := range g.subs {
			if s.raw == nil || s.parked.Load() {
				s.overdue(now)
			}
		}
	}
}
