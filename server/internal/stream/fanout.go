package stream

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// joinBytes is about how much a shard gives new players before it makes a pass again,
// so that many who join at once do not hold up those who are there.
const joinBytes = 1 << 20

// sweepEvery is how often a shard looks for players that take nothing.
const sweepEvery = time.Second

// group is the players of one stream on one shard.
type group struct {
	stream  *Stream
	shard   *shard
	dirty   atomic.Bool  // in shard.dirty or shard.held
	since   time.Time    // of the first append since the last pass; guarded by shard.mu until taken
	undone  atomic.Int64 // appends since the last pass
	subs    []*Subscription
	bytes   atomic.Uint64 // written to players, also to those that left
	dropped atomic.Uint64 // messages they skipped
}

// mark tells the shard that the stream has something new.
func (g *group) mark(now time.Time) {
	undone := g.undone.Add(1)
	sh := g.shard
	if g.dirty.Swap(true) {
		if undone == g.stream.enough.Load() {
			sh.poke()
		}
		return
	}
	sh.mu.Lock()
	g.since = now
	sh.dirty = append(sh.dirty, g)
	sh.mu.Unlock()
	sh.poke()
}

// pass hands every player of the group what it lacks. Nothing is locked but one
// player at a time, and no write waits.
func (g *group) pass(now time.Time) {
	g.undone.Store(0)
	g.dirty.Store(false) // before the log is read: what comes later marks again
	for _, s := range g.subs {
		s.serve(now)
	}
}

// plenty reports whether so many messages wait that no more are waited for.
func (g *group) plenty() bool {
	enough := g.stream.enough.Load()
	return enough > 0 && g.undone.Load() >= enough
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
	waiting   []request
	pulls     int // players that use Next
	nextSweep time.Time
	spare     []*group // the slice dirty had before, used again
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
	dirty := sh.dirty
	sh.dirty = sh.spare
	sh.waiting = append(sh.waiting, sh.requests...)
	clear(sh.requests)
	sh.requests = sh.requests[:0]
	sh.mu.Unlock()

	sh.held = append(sh.held, dirty...)
	clear(dirty)
	sh.spare = dirty[:0]
	var next time.Time
	sh.held = slices.DeleteFunc(sh.held, func(g *group) bool {
		if due := g.since.Add(time.Duration(g.stream.delay.Load())); due.After(now) && !g.plenty() {
			next = earlier(next, due)
			return false
		}
		g.pass(now)
		return true
	})
	sh.answer(now)

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

// answer does what was asked for, in order, until enough bytes went out.
func (sh *shard) answer(now time.Time) {
	done := 0
	for sent := 0; done < len(sh.waiting) && sent < joinBytes; done++ {
		sent += sh.serve(sh.waiting[done], now)
	}
	sh.waiting = slices.Delete(sh.waiting, 0, done)
	if len(sh.waiting) > 0 {
		sh.poke()
	}
}

// serve does what a request asks and returns how many bytes went out.
func (sh *shard) serve(r request, now time.Time) int {
	s := r.sub
	g := s.group
	switch r.what {
	case adopt:
		if len(g.subs) == 0 {
			sh.groups = append(sh.groups, g)
		}
		s.place = len(g.subs)
		g.subs = append(g.subs, s)
		sh.look(s)
	case abandon:
		last := len(g.subs) - 1
		g.subs[s.place] = g.subs[last]
		g.subs[s.place].place = s.place
		g.subs[last] = nil
		if g.subs = g.subs[:last]; last == 0 {
			sh.groups = slices.DeleteFunc(sh.groups, func(h *group) bool { return h == g })
		}
		if s.pulls {
			sh.pulls--
		}
	case visit:
		sh.look(s)
		return s.serve(now)
	}
	return 0
}

// look notes whether a player's owner takes the bytes: such ones are swept.
func (sh *shard) look(s *Subscription) {
	if !s.pulls && !s.direct.Load() {
		s.pulls = true
		sh.pulls++
	}
}

// sweep ends players that took nothing for too long.
func (sh *shard) sweep(now time.Time) {
	for _, g := range sh.groups {
		for _, s := range g.subs {
			if !s.direct.Load() || s.parked.Load() {
				s.overdue(now)
			}
		}
	}
}
