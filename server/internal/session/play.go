package session

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
	"github.com/penstock-media/penstock/server/internal/media"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/internal/stream"
	"github.com/penstock-media/penstock/server/rtmp"
)

// play lets the peer play: it is decided, a cursor is placed on the stream, the peer
// is told, and from then on the stream's fan-out writes.
func (c *session) play(ctx context.Context, req *rtmp.PlayRequest) error {
	a, err := c.begin(ctx, req.StreamID)
	if err != nil {
		return c.noRoom(err, func(e *rtmp.StatusError) error { return c.conn.RejectPlay(req, e) })
	}
	ask, d := c.decide(ctx, a.entry, access.Play, req.Name)
	if !d.Allow {
		return c.refusePlay(a, req, ask, d)
	}
	if missing := c.missing(d.Vhost.Name, roster.StreamID(d)); missing != "" {
		d.Reason, d.Detail = config.ReasonCodec, missing
		d.Checks = append(d.Checks, access.Check{Name: "codec", Result: access.Fail, Detail: missing})
		return c.refusePlay(a, req, ask, d)
	}
	if err := c.attach(ctx, a, req, d); err != nil {
		return err
	}
	if err := c.conn.AcceptPlay(req, a.sub.ChunkSize()); err != nil {
		return err
	}
	a.sub.Start()
	c.ready(a, roster.PlayStarted)
	c.attend(a, roster.StreamID(d), time.Duration(d.Vhost.Media.PlayWaitMS)*time.Millisecond, duration(req))
	return nil
}

// abilities is what the peer says that it can play.
func abilities(hello rtmp.Connect) roster.Abilities {
	a := roster.Abilities{Multitrack: hello.CapsEx&rtmp.CapsMultitrack != 0, Codecs: hello.FourCCList}
	for _, listed := range []map[string]int{hello.VideoFourCC, hello.AudioFourCC} {
		a.Codecs = slices.AppendSeq(slices.Clip(a.Codecs), maps.Keys(listed))
	}
	return a
}

// missing says what of a stream the peer cannot play, where its vhost asks that.
func (c *session) missing(vhost string, id stream.ID) string {
	return c.srv.cfg.Roster.Missing(vhost, c.can, func(f media.Form) []uint32 { return c.srv.cfg.Hub.Enhanced(id, f) })
}

// attach makes the peer a player of the stream, and the playing what the connection
// speaks through. A connection's only playing is written by the fan-out itself.
func (c *session) attach(ctx context.Context, a *activity, req *rtmp.PlayRequest, d access.Decision) error {
	l := c.srv.cfg.Limits
	conn := stream.Descriptor(c.nc.Conn)
	if c.playings() > 0 {
		conn = nil
		for _, other := range c.acts {
			if other.sub != nil && other.pumped == nil && !other.gone.Load() {
				other.sub.Indirect()
				c.pump(ctx, other)
			}
		}
	}
	entry := a.entry
	sub, err := c.srv.cfg.Hub.Attach(roster.StreamID(d), stream.SubscribeOptions{
		Settings: roster.Settings(d.Vhost.Media), Framing: stream.RTMP, MessageStream: c.conn.MediaStream(req),
		ChunkStreams: c.chunkStreams(), Form: c.can.Form(d.Vhost.Media),
		Conn: conn, Wire: stream.Beneath(c.nc.Conn), Audio: true, Video: true,
		MaxQueueBytes: l.QueueBytes, BlockedTimeout: l.BlockedTimeout,
		Closed: func(err error) {
			end := roster.EndingFor(err)
			entry.End(end.Reason, end.Detail)
		},
	})
	if err != nil {
		return fmt.Errorf("session: attach a player: %w", err)
	}
	a.sub, a.audio, a.video = sub, true, true
	c.hold(a, roster.Player)
	if conn == nil {
		c.pump(ctx, a)
	}
	c.speakThrough(sub)
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

// attend lets the player wait for a publisher, and sees to it from time to time that
// it has not had all it wanted and that the peer is still there: it says something
// now and then, or takes media.
func (c *session) attend(a *activity, id stream.ID, wait, wanted time.Duration) {
	const nobody = "Nobody publishes this stream."
	sub, entry := a.sub, a.entry
	entry.Expire(0, "", "")
	if c.socket == nil {
		c.socket = stream.SocketOf(c.nc.Conn)
	}
	socket := c.socket
	socket.Tune(c.srv.cfg.Roster.Tuning(id.Vhost))
	waiting := !sub.Live()
	if waiting {
		// Less than a nanosecond is no time to wait, but not for ever either.
		entry.Expire(max(wait, 1), config.ReasonStreamNotFound, nobody)
	}
	ping := c.srv.cfg.Limits.PingInterval
	var (
		pinged time.Duration // how long the peer had been quiet at the last ping
		moved  time.Time     // when media was last seen to be taken
		taken  uint64
	)
	entry.Measure(func() roster.Meter { return c.meterOf(a) }, func() {
		a.told.tell(c, a)
		stats := sub.Stats()
		if stats.Messages != taken {
			moved, taken = time.Now(), stats.Messages
		}
		if wanted > 0 && stats.Played >= wanted {
			entry.End(config.ReasonCompleted, fmt.Sprintf("The player has had the %v it asked for.", wanted))
		}
		if waiting && sub.Live() {
			waiting = false
			entry.Expire(0, "", "")
		}
		socket.Tune(c.srv.cfg.Roster.Tuning(id.Vhost))
		if missing := c.missing(id.Vhost, id); missing != "" {
			entry.End(config.ReasonCodec, missing)
		}
		quiet := c.nc.quiet()
		switch {
		case quiet < ping:
			pinged = 0
		case quiet >= silentPings*ping && time.Since(moved) >= silentPings*ping:
			entry.End(config.ReasonIdle, "The player does not answer.")
		case quiet-pinged >= ping:
			pinged = quiet
			if c.speaks(sub) { // else it would be written here, and could block
				_ = c.conn.Ping() // a player that cannot take it is found out by the fan-out
			}
		}
	})
}

// steer does what a player wants changed.
func (c *session) steer(a *activity, e rtmp.Event) error {
	switch e.Kind {
	case rtmp.EventPause:
		// Nothing follows the word that it is paused, or comes before the word
		// that it goes on.
		if e.On {
			a.sub.Pause(true)
		}
		if err := c.conn.AnswerPause(a.id, e.On); err != nil {
			return err
		}
		if !e.On {
			a.sub.Pause(false)
		}
	case rtmp.EventReceiveAudio:
		a.audio = e.On
		a.sub.Receive(a.audio, a.video)
	case rtmp.EventReceiveVideo:
		a.video = e.On
		a.sub.Receive(a.audio, a.video)
	default: // a live stream has no other place to seek
	}
	return nil
}

// refusePlay writes the refusal down and tells the peer.
func (c *session) refusePlay(a *activity, req *rtmp.PlayRequest, ask access.Request, d access.Decision) error {
	end := roster.Ending{Reason: d.Reason, Detail: d.Detail}
	c.srv.cfg.Roster.Refuse(a.entry, ask, d)
	c.forget(a, end)
	return c.rejected(end, c.conn.RejectPlay(req, playError(end)))
}
