//go:build unix

package stream

import (
	"errors"
	"testing"
	"time"
)

// A direct player that takes nothing ends after a while. The clock of a parked
// player is set back, because sockets do not live in a synctest bubble.
func TestBlockedPlayer(t *testing.T) {
	h := runHub(t, 1)
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	pl := direct(t, h, SubscribeOptions{}, 4<<10)
	write(t, p, keyFrame(0, 1<<20))
	eventually(t, "parked", pl.sub.parked.Load)
	pl.sub.mu.Lock()
	pl.sub.progress = time.Now().Add(-blockLimit)
	pl.sub.mu.Unlock()
	select {
	case err := <-pl.ends:
		if !errors.Is(err, ErrSlow) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("a blocked player is kept")
	}
}

// A parked player whose host takes bytes is alive, even if there is no room for more.
func TestSlowReaderIsNotBlocked(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	pl := direct(t, h, SubscribeOptions{}, 4<<10)
	write(t, p, keyFrame(0, 1<<20))
	pl.sub.mu.Lock()
	pl.sub.pump(time.Now())
	pl.sub.mu.Unlock()
	eventually(t, "parked", pl.sub.parked.Load)
	if _, ok := unacknowledged(pl.sub.wire); !ok {
		t.Skip("this system does not tell what a peer has taken")
	}
	late := func() error {
		pl.sub.mu.Lock()
		pl.sub.progress = time.Now().Add(-blockLimit)
		pl.sub.queued = 1 << 30 // more than any kernel holds: it has shrunk since
		pl.sub.mu.Unlock()
		pl.sub.overdue(time.Now())
		pl.sub.mu.Lock()
		defer pl.sub.mu.Unlock()
		return pl.sub.err
	}
	if err := late(); err != nil {
		t.Errorf("a player that takes bytes ended with %v", err)
	}
	pl.sub.mu.Lock()
	pl.sub.progress = time.Now().Add(-blockLimit)
	pl.sub.mu.Unlock()
	pl.sub.overdue(time.Now())
	if err := <-pl.ends; !errors.Is(err, ErrSlow) {
		t.Errorf("a player that takes nothing ended with %v", err)
	}
}
