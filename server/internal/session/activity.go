package session

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/health"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/internal/stream"
	"github.com/penstock-media/penstock/server/rtmp"
)

// activity is one thing a connection does: it publishes or plays a stream on one
// of its message streams. It ends once, by the session's goroutine or, where it has a
// line of its own in the book, by who ended that.
//
//nolint:containedctx // it is the entry's, as a session's is
type activity struct {
	id    uint32        // the message stream
	entry *roster.Entry // its line in the book
	own   bool          // that line is the connection's own
	told  progress      // the ticker's
	role  string        // roster.Publisher or roster.Player
	quit  func() bool   // stops waiting for the entry's end; nil if own

	ctx   context.Context // ends with the entry; nil if own
	begun atomic.Bool     // all that follows is set
	gone  atomic.Bool     // it has ended, maybe without the session's goroutine
	once  sync.Once       // for ending it

	// Of a publisher.
	pub   *stream.Publication
	watch *health.Watch
	heard bool          // audio or video has come
	first firsts        // what was logged of it
	idle  time.Duration // how long it may be silent, as last set
	limit atomic.Int64  // the same, as the configuration has it now
	bytes atomic.Uint64 // received, of one that is not own

	messages atomic.Uint64 // received

	// Of a player.
	sub          *stream.Subscription
	pumped       chan struct{} // closed when its writer has ended; nil without one
	audio, video bool          // kinds it wants
	counted      bool          // what it had is among what the connection played before; guarded by session.voice
}

// begin makes an activity. The first of a connection has the connection's line in
// the book, any further one gets its own. The error is an *roster.Ending.
func (c *session) begin(ctx context.Context, id uint32) (*activity, error) {
	a := &activity{id: id, entry: c.entry, own: true}
	for _, other := range c.acts {
		a.own = a.own && !other.own
	}
	if a.own {
		return a, nil
	}
	entry, ended, err := c.srv.cfg.Roster.Branch(ctx, c.entry)
	if err != nil {
		return nil, err
	}
	a.entry, a.ctx = entry, ended
	a.quit = context.AfterFunc(ended, func() { c.endAlone(a) })
	return a, nil
}

// hold takes an activity on that has something to give back when it ends.
func (c *session) hold(a *activity, role string) {
	a.role = role
	c.acts = append(c.acts, a)
}

// ready makes an activity that is held one that is seen, and can be ended alone.
func (c *session) ready(a *activity, event string) {
	c.began(a, event)
	a.begun.Store(true)
	if a.ctx != nil && a.ctx.Err() != nil {
		c.endAlone(a) // it came too early
	}
}

// forget takes back a begin from which nothing came.
func (c *session) forget(a *activity, end roster.Ending) {
	if a.own {
		a.entry.Idle()
		return
	}
	a.quit()
	a.entry.Leave(end)
}

// on returns the activity on a message stream, or nil.
func (c *session) on(id uint32) *activity {
	for _, a := range c.acts {
		if a.id == id {
			return a
		}
	}
	return nil
}

// end ends an activity: what it holds is given back, its event and its line are
// written. How the peer is told is the caller's business.
func (c *session) end(a *activity, end roster.Ending) {
	a.once.Do(func() {
		a.gone.Store(true)
		if a.pub != nil {
			a.pub.Close()
		}
		if a.watch != nil {
			a.watch.End()
		}
		if a.begun.Load() {
			c.ended(a, a.farewell(end), end)
		}
		if a.sub != nil {
			c.detach(a)
		}
		if !a.own {
			a.quit()
			a.entry.Leave(end)
		}
	})
}

// farewell is the event of its end.
func (a *activity) farewell(end roster.Ending) string {
	switch {
	case a.role == roster.Player:
		return roster.PlayEnded
	case end.Reason == config.ReasonReplaced:
		return roster.StreamTakenOver
	}
	return roster.StreamUnpublished
}

// endAlone ends an activity whose entry has ended while its connection goes on:
// somebody kicked it, or a rule or a timer ended it. The session finds out when it
// hears of that message stream again.
func (c *session) endAlone(a *activity) {
	if !a.begun.Load() || a.gone.Load() {
		return
	}
	end, _ := roster.EndingOf(a.ctx)
	if !settle(a) {
		c.entry.End(end.Reason, end.Detail) // it stands in the midst of a message
		return
	}
	c.end(a, end)
	_ = c.say(a, end) // the peer may have gone
}

// settle sees to it that something else can be said on the connection, and reports
// whether it can.
func settle(a *activity) bool {
	if a.sub == nil {
		return true
	}
	a.sub.Pause(true)
	return flushed(a.sub)
}

// drop takes an activity that has ended off the connection. When it was the last
// the peer has a time to ask for something else.
func (c *session) drop(a *activity) {
	c.conn.EndStream(a.id)
	for i, other := range c.acts {
		if other == a {
			c.acts = append(c.acts[:i], c.acts[i+1:]...)
			break
		}
	}
	if a.own {
		c.entry.Idle()
		c.entry.Role("")
		c.entry.Measure(c.meter, nil)
		c.entry.Expire(0, "", "")
	}
	if len(c.acts) == 0 {
		c.entry.Expire(c.republish(a), config.ReasonIdle, "The peer neither published nor played.")
	}
}

// say tells the peer why an activity was ended.
func (c *session) say(a *activity, end roster.Ending) error {
	if a.role == roster.Publisher {
		return c.conn.SendStatus(a.id, rtmp.Status(*publishError(end)))
	}
	if err := c.conn.SendStatus(a.id, rtmp.Status(*playError(end))); err != nil {
		return err
	}
	return c.conn.StreamEOF(a.id)
}

// meterOf reads the counters of an activity, for the engine's ticker.
func (c *session) meterOf(a *activity) roster.Meter {
	var m roster.Meter
	c.voice.Lock() // else the bytes of one that is ending could be counted twice
	defer c.voice.Unlock()
	if a.own {
		m = c.meter()
	}
	switch {
	case a.counted:
	case a.sub != nil:
		s := a.sub.Stats()
		m.BytesOut += s.BytesOut
		m.Drops = m.Drops.Plus(s.Drops)
		m.Lag = s.Lag
	case a.watch != nil:
		m.Video, m.Audio = a.watch.Codecs()
		if !a.own {
			m.BytesIn = a.bytes.Load()
		}
	}
	return m
}
