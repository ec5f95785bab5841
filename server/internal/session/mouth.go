package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/internal/stream"
)

// speakThrough adds a playing, whose subscription carries from now on what the
// connection says: between two messages of media.
func (c *session) speakThrough(sub *stream.Subscription) {
	c.voice.Lock()
	defer c.voice.Unlock()
	c.subs = append(c.subs, sub)
	c.conn.SetOutput(sub.Send)
}

// speakWithout takes a playing off. When it was the last the connection writes
// itself again.
func (c *session) speakWithout(sub *stream.Subscription) {
	c.voice.Lock()
	defer c.voice.Unlock()
	c.subs = slices.DeleteFunc(c.subs, func(s *stream.Subscription) bool { return s == sub })
	if len(c.subs) == 0 {
		c.conn.SetOutput(nil)
		return
	}
	c.conn.SetOutput(c.subs[len(c.subs)-1].Send)
}

// speaks reports whether a subscription carries what the connection says.
func (c *session) speaks(sub *stream.Subscription) bool {
	c.voice.Lock()
	defer c.voice.Unlock()
	last := len(c.subs) - 1
	return last >= 0 && c.subs[last] == sub
}

// playings is how many subscriptions the connection has now.
func (c *session) playings() int {
	c.voice.Lock()
	defer c.voice.Unlock()
	return len(c.subs)
}

// detach gives up a playing.
func (c *session) detach(a *activity) {
	c.speakWithout(a.sub)
	a.sub.Close()
	if a.pumped != nil {
		if c.playings() == 0 {
			_ = c.nc.Conn.SetWriteDeadline(time.Now().Add(farewellTimeout))
		}
		<-a.pumped
	}
	s := a.sub.Stats()
	c.voice.Lock()
	defer c.voice.Unlock()
	if a.own {
		c.past.Add(s.BytesOut)
		drops := c.drops().Plus(s.Drops)
		c.pastDrops.Store(&drops)
		a.counted = true
	}
}

// pump starts the writer of a playing that the fan-out does not write: its connection
// has no descriptor, or several playings. Each writes a whole message at its turn. The
// writer ends with the subscription, not with ctx: the goodbye leaves through it.
func (c *session) pump(ctx context.Context, a *activity) {
	a.pumped = make(chan struct{})
	ctx = context.WithoutCancel(ctx)
	sub, entry, done := a.sub, a.entry, a.pumped
	go func() {
		defer close(done)
		err := c.writeAll(ctx, sub)
		if !errors.Is(err, stream.ErrClosed) { // else the player stopped, and may go on with something else
			end := roster.EndingFor(err)
			entry.End(end.Reason, end.Detail)
		}
	}()
}

// writeAll writes what a subscription has until it ends.
func (c *session) writeAll(ctx context.Context, sub *stream.Subscription) error {
	turn := false
	defer func() {
		if turn {
			c.mouth.Unlock()
		}
	}()
	for {
		b, err := sub.Next(ctx)
		if err != nil {
			return err //nolint:wrapcheck // the caller asks which one it is
		}
		if !turn {
			c.mouth.Lock()
			turn = true
		}
		_ = c.nc.Conn.SetWriteDeadline(time.Now().Add(pumpTimeout))
		if _, err = c.nc.Conn.Write(b); err != nil {
			return err //nolint:wrapcheck // the caller asks which one it is
		}
		if sub.Written() {
			c.mouth.Unlock()
			turn = false
		}
	}
}

// flushed waits until a paused player has taken what was begun or said, so that
// something else can be said on the connection, and reports whether it has.
func flushed(sub *stream.Subscription) bool {
	for patience := farewellTimeout; patience > 0; patience -= finishStep {
		if !sub.Busy() {
			return true
		}
		time.Sleep(finishStep)
	}
	return false
}
