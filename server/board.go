package server

import (
	"context"
	"sync"
	"time"

	"github.com/penstock-media/penstock/server/internal/health"
	"github.com/penstock-media/penstock/server/internal/stream"
)

const (
	sampleEvery = time.Second
	// keepHistory is how long the history of a stream is kept when nobody
	// publishes or plays it any more.
	keepHistory = 15 * time.Minute
	// maxMonitors bounds how many streams have a history at once.
	maxMonitors = 10_000
)

// board holds the health monitor of each stream.
type board struct {
	mu       sync.Mutex
	monitors map[stream.ID]*watched // guarded by mu
	past     uint64                 // jumps of monitors that were dropped; guarded by mu
}

type watched struct {
	*health.Monitor
	used time.Time
}

func newBoard() *board { return &board{monitors: make(map[stream.ID]*watched)} }

// monitor returns the monitor of a stream that is being published, and makes it
// if there is none.
func (b *board) monitor(id stream.ID) *health.Monitor {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.monitors[id]
	if w == nil {
		w = &watched{Monitor: health.New()}
		if len(b.monitors) < maxMonitors {
			b.monitors[id] = w
		}
	}
	w.used = time.Now()
	return w.Monitor
}

// find returns the monitor of a stream, or nil.
func (b *board) find(id stream.ID) *health.Monitor {
	b.mu.Lock()
	defer b.mu.Unlock()
	if w := b.monitors[id]; w != nil {
		return w.Monitor
	}
	return nil
}

// sample lets every monitor close its second, and drops those long unused.
func (b *board) sample(streams []stream.Info, now time.Time) {
	seen := make(map[stream.ID]stream.Info, len(streams))
	for _, s := range streams {
		seen[s.ID] = s
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, w := range b.monitors {
		s, ok := seen[id]
		if ok {
			w.used = now
		} else if now.Sub(w.used) > keepHistory {
			b.past += w.Jumps()
			delete(b.monitors, id)
			continue
		}
		w.Sample(health.Outside{BytesOut: s.BytesOut, Dropped: s.Dropped, Players: s.Players}, now)
	}
}

// jumps counts the jumps of publishers' times since the beginning.
func (b *board) jumps() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.past
	for _, w := range b.monitors {
		n += w.Jumps()
	}
	return n
}

// sample is the engine's one ticker: once a second it reads every session's and
// every stream's counters and ends the sessions whose time is up.
func (e *Engine) sample(ctx context.Context) {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := time.Now()
		e.roster.Sample(now.Sub(last))
		e.board.sample(e.hub.Streams(), now)
		last = now
	}
}
