package rtmp

import (
	"fmt"

	"github.com/penstock-media/penstock/server/rtmp/message"
)

// AcceptPlay lets the client play: SetChunkSize, StreamBegin, Play.Reset if it
// asked for that, Play.Start, in one write (a Profile other than the modern one has
// more). Media of this chunk size may follow at once, on the message stream that MediaStream names; Next has to be called meanwhile.
func (c *Conn) AcceptPlay(req *PlayRequest, chunkSize int) error {
	ns := c.streams.use(req.StreamID, c.cfg.MaxStreams)
	if ns == nil {
		return fmt.Errorf("rtmp: more than %d message streams: %w", c.cfg.MaxStreams, ErrTooLarge)
	}
	ns.role, ns.name = rolePlaying, req.Name
	limits := c.cfg.forPlayers()
	if c.streams.any(rolePublishing) {
		limits = c.limits
	}
	c.authorize(limits)
	return c.send(c.playAnswer(req, chunkSize)...)
}

// MediaStream is the message stream to send a player's media on: the one it plays on,
// if it has created that or 1 is used for something else, and else 1, which everybody
// takes for the first.
func (c *Conn) MediaStream(req *PlayRequest) uint32 {
	const first = 1
	if ns := c.streams.find(req.StreamID); ns != nil && ns.created {
		return req.StreamID
	}
	if ns := c.streams.find(first); ns != nil && ns.role != roleIdle {
		return max(req.StreamID, first)
	}
	return first
}

// RejectPlay tells the client why it may not play. If it does nothing else on the
// connection it is given a moment to read that, and what remains is Close. A nil e, or an empty field of it, means level
// error and NetStream.Play.Failed.
func (c *Conn) RejectPlay(req *PlayRequest, e *StatusError) error {
	err := c.SendStatus(req.StreamID, e.status(CodePlayFailed))
	if err == nil && !c.Busy() {
		c.linger()
	}
	return err
}

// askedToPlay answers a play where the connection itself can. On a message stream
// that plays already the old playing ends first.
func (c *Conn) askedToPlay(req *PlayRequest) (Event, error) {
	asked := Event{Kind: EventPlay, StreamID: req.StreamID, Play: req}
	ns := c.streams.find(req.StreamID)
	switch {
	case ns == nil || ns.role == roleIdle:
		return asked, nil
	case ns.role == rolePlaying:
		stopped := c.ended(ns)
		c.ready = append(c.ready, asked)
		return stopped, nil
	}
	return Event{}, c.SendStatus(req.StreamID, Status{
		Level: LevelError, Code: CodePlayFailed, Description: "This message stream is publishing.",
	})
}

// AnswerPause answers an EventPause: with on when no media will follow any more, with
// off before media follows again. librtmp takes the stream for paused at StreamEOF.
func (c *Conn) AnswerPause(streamID uint32, on bool) error {
	if on {
		return c.send(
			onStatus(streamID, Status{Level: LevelStatus, Code: CodePauseNotify, Description: "Paused."}),
			userControl(message.EventStreamEOF, streamID),
		)
	}
	return c.send(
		userControl(message.EventStreamBegin, streamID),
		onStatus(streamID, Status{Level: LevelStatus, Code: CodeUnpauseNotify, Description: "Resumed."}),
	)
}
