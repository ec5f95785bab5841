package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/internal/stream"
	"github.com/penstock-media/penstock/server/rtmp"
)

// playCycle lives one playing: it is decided, a cursor is placed on the stream,
// the peer is told, and from then on the stream's fan-out writes while this
// goroutine reads what the player wants changed. It returns nil when the player
// stopped and may go on with something else on the same connection.
func (c *session) playCycle(ctx context.Context, req *rtmp.PlayRequest) error {
	defer c.detach()
	if err := c.admitPlayer(ctx, req); err != nil {
		return err
	}
	return c.stopped(ctx, c.watch(c.sub.Load()))
}

// admitPlayer goes up to the first byte of media.
func (c *session) admitPlayer(ctx context.Context, req *rtmp.PlayRequest) error {
	ask, d := c.decide(ctx, access.Play, req.Name)
	if !d.Allow {
		return c.refusePlay(req, ask, d)
	}
	conn := stream.Descriptor(c.nc.Conn)
	sub, err := c.srv.cfg.Hub.Attach(roster.StreamID(d), stream.SubscribeOptions{
		Settings: roster.Settings(d.Vhost.Media), Framing: stream.RTMP, MessageStream: c.conn.MediaStream(req),
		Conn: conn, Wire: stream.Beneath(c.nc.Conn), Audio: true, Video: true,
		MaxQueueBytes: c.srv.cfg.Limits.QueueBytes, BlockedTimeout: c.srv.cfg.Limits.BlockedTimeout,
		Closed: func(err error) {
			end := roster.EndingFor(err)
			c.entry.End(end.Reason, end.Detail)
		},
	})
	if err != nil {
		return fmt.Errorf("session: attach a player: %w", err)
	}
	c.sub.Store(sub)
	c.conn.SetOutput(sub.Send)
	if conn == nil {
		c.pump(ctx, sub)
	}
	if err := c.conn.AcceptPlay(req, sub.ChunkSize()); err != nil {
		return err
	}
	sub.Start()
	c.role, c.streamID = roster.Player, req.StreamID
	c.began(roster.PlayStarted)
	c.attend(sub, time.Duration(d.Vhost.Media.PlayWaitMS)*time.Millisecond, duration(req))
	return nil
}

// duration is how much the player wants, in media time; 0 is all. What is sent is ms,
// as from FFmpeg and rtmpdump.
func duration(req *rtmp.PlayRequest) time.Duration {
	const most = 1e12 // 30 years
	if !(req.Duration > 0 && req.Duration < most) {
		return 0
	}
	return time.Duration(req.Duration * float64(time.Millisecond))
}

// stopped writes down why the playing is over. If the player stopped, it leaves
// the connection fit for more.
func (c *session) stopped(ctx context.Context, err error) error {
	if err != nil {
		end := c.ending(ctx, err)
		c.ended(roster.PlayEnded, end)
		c.goodbye(end)
		return &end
	}
	end := roster.Ending{Reason: config.ReasonPeerClosed, Detail: "The player stopped."}
	c.ended(roster.PlayEnded, end)
	c.sub.Load().Pause(true)
	if !c.flushed() {
		return &end
	}
	return nil
}

// attend lets the player wait for a publisher, and sees to it from time to time that
// it has not had all it wanted and that the peer is still there: it says something
// now and then, or takes media.
func (c *session) attend(sub *stream.Subscription, wait, wanted time.Duration) {
	const nobody = "Nobody publishes this stream."
	c.entry.Expire(0, "", "")
	waiting := !sub.Live()
	if waiting {
		// Less than a nanosecond is no time to wait, but not for ever either.
		c.entry.Expire(max(wait, 1), config.ReasonStreamNotFound, nobody)
	}
	ping := c.srv.cfg.Limits.PingInterval
	var (
		pinged time.Duration // how long the peer had been quiet at the last ping
		moved  time.Time     // when media was last seen to be taken
		taken  uint64
	)
	c.entry.Measure(c.meter, func() {
		stats := sub.Stats()
		if stats.Messages != taken {
			moved, taken = time.Now(), stats.Messages
		}
		if wanted > 0 && stats.Played >= wanted {
			c.entry.End(config.ReasonCompleted, fmt.Sprintf("The player has had the %v it asked for.", wanted))
		}
		if waiting && sub.Live() {
			waiting = false
			c.entry.Expire(0, "", "")
		}
		quiet := c.nc.quiet()
		switch {
		case quiet < ping:
			pinged = 0
		case quiet >= silentPings*ping && time.Since(moved) >= silentPings*ping:
			c.entry.End(config.ReasonIdle, "The player does not answer.")
		case quiet-pinged >= ping:
			pinged = quiet
			if c.sub.Load() == sub { // else it would be written here, and could block
				_ = c.conn.Ping() // a player that cannot take it is found out by the fan-out
			}
		}
	})
}

// watch reads what the player wants changed until it stops or goes.
func (c *session) watch(sub *stream.Subscription) error {
	audio, video := true, true
	for {
		ev, err := c.conn.ReadPlay()
		if err != nil {
			return err
		}
		switch ev.Kind {
		case rtmp.PlayPause:
			// Nothing follows the word that it is paused, or comes before the word
			// that it goes on.
			if ev.On {
				sub.Pause(true)
			}
			if err := c.conn.AnswerPause(ev.On); err != nil {
				return err
			}
			if !ev.On {
				sub.Pause(false)
			}
		case rtmp.PlayReceiveAudio:
			audio = ev.On
			sub.Receive(audio, video)
		case rtmp.PlayReceiveVideo:
			video = ev.On
			sub.Receive(audio, video)
		case rtmp.PlayClosed:
			return nil
		case rtmp.PlaySeek: // a live stream has no other place to be
		}
	}
}

// flushed waits until a paused player has taken what was begun or said, so that
// something else can be said on the connection, and reports whether it has.
func (c *session) flushed() bool {
	sub := c.sub.Load()
	for patience := farewellTimeout; patience > 0; patience -= finishStep {
		if !sub.Busy() {
			return true
		}
		time.Sleep(finishStep)
	}
	return false
}

// pump is the writer of a player whose connection has no descriptor to write to.
// It ends with the subscription, not with ctx: the goodbye leaves through it.
func (c *session) pump(ctx context.Context, sub *stream.Subscription) {
	c.pumped = make(chan struct{})
	ctx = context.WithoutCancel(ctx)
	go func() {
		defer close(c.pumped)
		for {
			b, err := sub.Next(ctx)
			if err == nil {
				_ = c.nc.Conn.SetWriteDeadline(time.Now().Add(pumpTimeout))
				_, err = c.nc.Conn.Write(b)
			}
			if errors.Is(err, stream.ErrClosed) {
				return // the player stopped, and may go on with something else
			}
			if err != nil {
				end := roster.EndingFor(err)
				c.entry.End(end.Reason, end.Detail)
				return
			}
		}
	}()
}

// detach gives the socket back to the connection.
func (c *session) detach() {
	sub := c.sub.Load()
	if sub == nil {
		return
	}
	sub.Close()
	if c.pumped != nil {
		_ = c.nc.Conn.SetWriteDeadline(time.Now().Add(farewellTimeout))
		<-c.pumped
		c.pumped = nil
	}
	s := sub.Stats()
	c.pastOut.Add(s.BytesOut)
	c.pastDropped.Add(s.Dropped)
	c.sub.Store(nil)
	c.conn.SetOutput(nil)
}

// refusePlay writes the refusal down and tells the peer.
func (c *session) refusePlay(req *rtmp.PlayRequest, ask access.Request, d access.Decision) error {
	end := roster.Ending{Reason: d.Reason, Detail: d.Detail}
	c.srv.cfg.Roster.Refuse(c.entry, ask, d)
	_ = c.conn.RejectPlay(req, playError(end)) // the peer may have gone
	return &end
}
