package store

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Change says "look again": the configuration has (or may have) this revision.
type Change struct{ Revision int64 }

// bell wakes the watchers of this process.
type bell struct {
	mu       sync.Mutex
	watchers map[chan struct{}]struct{} // guarded by mu
}

func (b *bell) init() { b.watchers = make(map[chan struct{}]struct{}) }

// watch returns a channel that holds at most one ring, and how to give it back.
func (b *bell) watch() (<-chan struct{}, func()) {
	ch := make(chan struct{}, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.watchers[ch] = struct{}{}
	return ch, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.watchers, ch)
	}
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ch := range b.watchers {
		select {
		case ch <- struct{}{}:
		default: // it has a ring to hear already
		}
	}
}

// Changes tells, until ctx or the store ends, that the configuration has
// changed, by whichever process. It is level-triggered: the channel holds only
// the newest revision, and starts with the present one. After a database outage
// it goes on by itself. The channel is closed at the end.
func (s *Store) Changes(ctx context.Context) <-chan Change {
	out := make(chan Change, 1)
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.ctx, cancel) //nolint:contextcheck // both contexts end it
	rings, unwatch := s.bell.watch()
	s.work.Add(2)
	go func() {
		defer s.work.Done()
		s.listen(ctx)
	}()
	go func() {
		defer s.work.Done()
		defer close(out)
		defer cancel()
		defer stop()
		defer unwatch()
		s.look(ctx, rings, out)
	}()
	return out
}

// look sends the revision whenever it finds a new one.
func (s *Store) look(ctx context.Context, rings <-chan struct{}, out chan Change) {
	tick := time.NewTicker(s.poll)
	defer tick.Stop()
	last := int64(-1)
	for {
		// A look is bounded like a ping, so that a hanging database does not
		// hold the shutdown up.
		short, cancel := context.WithTimeout(ctx, pingTimeout)
		at, err := s.Revision(short)
		cancel()
		if ctx.Err() != nil {
			return
		}
		s.health.set(err)
		if err == nil && at != last {
			last = at
			select {
			case <-out: // nobody took the older one
			default:
			}
			out <- Change{Revision: at}
		}
		select {
		case <-ctx.Done():
			return
		case <-rings:
		case <-tick.C:
		}
	}
}

// listen rings the bell for other processes' changes and reconnects for as long
// as ctx lives. What happened in between is found because every new connection
// rings once.
func (s *Store) listen(ctx context.Context) {
	const first, longest = 100 * time.Millisecond, 5 * time.Second
	wait := first
	for {
		err := s.engine.listen(ctx, func() { wait = first; s.bell.ring() }, s.bell.ring)
		if ctx.Err() != nil {
			return
		}
		level := slog.LevelDebug
		if wait == first { // once for each outage
			level = slog.LevelWarn
		}
		s.log.Log(ctx, level, "lost the database's change notifications; polling until they are back", "err", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = min(2*wait, longest)
	}
}
