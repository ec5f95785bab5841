package stream

import (
	"context"
	"fmt"
	"time"
)

// visitBytes is about how much a player is given at once. One that has more to
// come, because it just joined, lets the others go first.
const visitBytes = 256 << 10

// serve gives a player what there is, on a visit of its shard, and returns how many
// bytes it took.
func (s *Subscription) serve(now time.Time) int {
	if !s.direct.Load() {
		s.signal()
		return 0
	}
	if s.parked.Load() {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pump(now)
}

// pump writes until nothing is pending, the visit is over, or the descriptor is
// full; then the player is parked. It returns how many bytes it wrote. s.mu is held.
func (s *Subscription) pump(now time.Time) int {
	if s.parked.Load() || !s.direct.Load() {
		return 0
	}
	total := 0
	for {
		b := s.pending(now)
		if b == nil {
			s.slackBytes, s.slackTime = 0, 0 // it caught up
			break
		}
		if total >= visitBytes {
			s.group.shard.ask(request{s, visit})
			break
		}
		s.out = b
		err := s.raw.Control(s.write)
		s.out = nil
		if err == nil {
			err = s.fault
		}
		if err != nil {
			s.fail(fmt.Errorf("stream: write to player: %w", err))
			break
		}
		s.advance(s.wrote, len(b))
		total += s.wrote
		if s.wrote < len(b) {
			s.park(now)
			break
		}
	}
	if total > 0 {
		s.group.bytes.Add(uint64(total))
	}
	return total
}

// park hands the player to a goroutine of its own until its descriptor took all
// there is. s.mu is held.
func (s *Subscription) park(now time.Time) {
	s.parked.Store(true)
	s.progress = now
	if s.group.shard.slow.Add(1) == 1 {
		s.group.shard.poke() // so that it sweeps
	}
	go s.drain()
}

// drain waits for a parked player's descriptor and writes to it. It ends when the
// player caught up, failed or was closed; in the last case not before the
// descriptor is writable or its owner closes it, and without touching it.
func (s *Subscription) drain() {
	defer s.group.shard.slow.Add(-1)
	if err := s.raw.Write(s.resume); err != nil {
		s.mu.Lock()
		s.fail(fmt.Errorf("stream: write to player: %w", err))
		s.mu.Unlock()
	}
}

// resume writes what a parked player lacks and reports whether the wait is over.
// It is called by RawConn.Write, which waits for the descriptor after a false.
func (s *Subscription) resume(fd uintptr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.run != over && s.direct.Load() {
		now := time.Now()
		s.catchUp(now)
		b := s.pending(now)
		if b == nil {
			s.parked.Store(false)
			// An append that came before the store may have found the player parked.
			if b = s.pending(now); b == nil {
				return true
			}
			s.parked.Store(true)
		}
		if s.run == over {
			break
		}
		n, err := writeNow(fd, b)
		if err != nil {
			s.fail(fmt.Errorf("stream: write to player: %w", err))
			break
		}
		s.advance(n, len(b))
		if n > 0 {
			s.progress = now
			s.group.bytes.Add(uint64(n))
		}
		if n < len(b) {
			return false
		}
	}
	return true
}

// overdue ends the player if it took nothing for too long although there is some.
// What it took the kernel knows best: it may be a long time until there is room to
// write again.
func (s *Subscription) overdue(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.parked.Load() && s.lent == 0 {
		return
	}
	if n, ok := unacknowledged(s.wire); ok {
		if n < s.queued {
			s.progress = now
		}
		s.queued = n
	}
	if now.Sub(s.progress) >= s.patience {
		s.fail(ErrSlow)
	}
}

// Indirect takes a player with a Conn off it: from now on its owner takes the bytes
// with Next, as with one that never had any. What was begun on the descriptor comes
// first, and nothing is written to that after Indirect returned.
func (s *Subscription) Indirect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.direct.Load() || s.run == over {
		return
	}
	s.ready = make(chan struct{}, 1)
	s.ready <- struct{}{}
	s.direct.Store(false)
	s.parked.Store(false) // who waits for the descriptor finds nothing to do
	s.group.shard.ask(request{s, visit})
}

// Written says that the last bytes Next gave were written, and reports whether they
// ended with a message: others may begin one then.
func (s *Subscription) Written() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settleLent()
	return !s.mid && len(s.rest) == 0
}

// Next returns the next contiguous bytes for a player without a Conn, which are
// valid until the following call. It waits for some until ctx ends. Bytes are
// counted as delivered by Written, or by the following call. It returns what ended the
// subscription: ErrEnded after the last byte, ErrSlow, ErrClosed. A write of the
// bytes needs no deadline: Closed is called when it takes too long.
func (s *Subscription) Next(ctx context.Context) ([]byte, error) {
	for {
		if b, err := s.take(); b != nil || err != nil {
			return b, err
		}
		select {
		case <-s.ready:
		case <-ctx.Done():
			return nil, fmt.Errorf("stream: waiting for media: %w", context.Cause(ctx))
		}
	}
}

// take returns what is there for Next now.
func (s *Subscription) take() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.settleLent()
	s.catchUp(now)
	if s.run == over {
		return nil, s.err
	}
	b := s.pending(now)
	if b == nil {
		return nil, s.err
	}
	s.lentOf, s.lent, s.progress = len(b), min(len(b), lendLimit), now
	return b[:s.lent], nil
}

// settleLent counts what Next gave last. s.mu is held.
func (s *Subscription) settleLent() {
	if s.lent > 0 {
		s.group.bytes.Add(uint64(s.lent))
		s.advance(s.lent, s.lentOf)
		s.lent = 0
	}
}
