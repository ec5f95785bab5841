package roster

import (
	"sync"
	"time"
)

// maxEvents is how many events are kept for those who ask late.
const maxEvents = 1000

// watchBuffer is how many events a watcher may be behind before it loses some.
// It sees the loss in Seq and asks Since for what it missed.
const watchBuffer = 256

// The types of events.
const (
	StreamPublished   = "stream.published"
	StreamUnpublished = "stream.unpublished"
	StreamRefused     = "stream.refused"
	StreamTakenOver   = "stream.taken_over"
	PlayStarted       = "session.play_started"
	PlayEnded         = "session.play_ended"
)

// Event is something that happened. Seq grows by one from the engine's start.
type Event struct {
	Seq              uint64
	Type             string
	Time             time.Time
	Vhost, App, Name string
	SessionID, Peer  string
	Reason, Detail   string
	// Session is the whole session for events that end one.
	Session *Session
}

// Events is a bounded history of events and those who watch it.
// The zero value is ready to use.
type Events struct {
	mu sync.Mutex
	// guarded by mu
	seq      uint64
	ring     []Event // oldest first once it is unrolled from next
	next     int
	watchers map[*watcher]struct{}
}

type watcher struct{ c chan Event }

// Add numbers an event and hands it to every watcher without waiting for any.
func (v *Events) Add(e Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.seq++
	e.Seq = v.seq
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	if len(v.ring) < maxEvents {
		v.ring = append(v.ring, e)
	} else {
		v.ring[v.next] = e
		v.next = (v.next + 1) % maxEvents
	}
	for w := range v.watchers {
		select {
		case w.c <- e:
		default: // it will see the gap in Seq
		}
	}
}

// Since returns the kept events with a Seq above after, oldest first.
func (v *Events) Since(after uint64) []Event {
	v.mu.Lock()
	defer v.mu.Unlock()
	if after >= v.seq {
		return nil
	}
	n := min(int(min(v.seq-after, maxEvents)), len(v.ring))
	out := make([]Event, 0, n)
	for i := len(v.ring) - n; i < len(v.ring); i++ {
		out = append(out, v.ring[(v.next+i)%len(v.ring)])
	}
	return out
}

// Watch returns a channel of the events from now on, and the function that ends
// the watching and closes the channel. A watcher that falls behind loses events:
// a gap in Seq tells it to ask Since.
func (v *Events) Watch() (<-chan Event, func()) {
	w := &watcher{c: make(chan Event, watchBuffer)}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.watchers == nil {
		v.watchers = make(map[*watcher]struct{})
	}
	v.watchers[w] = struct{}{}
	return w.c, func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		if _, ok := v.watchers[w]; ok {
			delete(v.watchers, w)
			close(w.c)
		}
	}
}
