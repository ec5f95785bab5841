package server

import (
	"sync"

	"github.com/penstock-media/penstock/server/internal/roster"
)

// watchBuffer is how many events a watcher may be behind before it loses some.
const watchBuffer = 64

// Events returns the events with a Seq above after, oldest first. The last 1000
// are kept: a gap after the first asks for a fresh look at everything.
func (e *Engine) Events(after uint64) []Event {
	events := e.roster.Events.Since(after)
	out := make([]Event, len(events))
	for i, ev := range events {
		out[i] = event(ev)
	}
	return out
}

// Watch returns a channel of the events from now on, and the function that ends
// the watching, which closes the channel. A watcher that is too slow loses
// events: a gap in Seq tells it to ask Events for them.
func (e *Engine) Watch() (<-chan Event, func()) {
	in, stop := e.roster.Events.Watch()
	out, done := make(chan Event, watchBuffer), make(chan struct{})
	var finished sync.WaitGroup
	finished.Go(func() {
		defer close(out)
		for ev := range in {
			select {
			case out <- event(ev):
			case <-done:
				return
			}
		}
	})
	var once sync.Once
	return out, func() {
		once.Do(func() {
			close(done)
			stop()
			finished.Wait()
		})
	}
}

func event(e roster.Event) Event {
	return Event{
		Seq: e.Seq, Type: e.Type, Time: e.Time, Vhost: e.Vhost, App: e.App, Name: e.Name,
		SessionID: e.SessionID, Peer: e.Peer, Reason: e.Reason, Detail: e.Detail,
		Session: (*SessionInfo)(e.Session),
	}
}
