package rtmp

import (
	"fmt"

	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// PlayEventKind says what a player did.
type PlayEventKind uint8

// What a player may do while it plays.
const (
	PlayPause        PlayEventKind = iota + 1 // On: wants to pause, else to resume; AnswerPause answers
	PlaySeek                                  // means nothing for a live stream; was answered
	PlayReceiveAudio                          // On: wants audio
	PlayReceiveVideo                          // On: wants video
	PlayClosed                                // the player ended the stream; NextRequest may follow
)

// PlayEvent is something a player did.
type PlayEvent struct {
	Kind PlayEventKind
	On   bool
}

// AcceptPlay lets the client play: SetChunkSize, StreamBegin, Play.Reset if it
// asked for that, Play.Start, in one write. Media of this chunk size may follow
// at once, on the message stream that MediaStream names; ReadPlay has to be called meanwhile.
func (c *Conn) AcceptPlay(req *PlayRequest, chunkSize int) error {
	c.authorize(c.cfg.forPlayers())
	c.active = req.StreamID
	frames := []frame{
		number(message.TypeSetChunkSize, uint32(min(max(chunkSize, 1), chunk.MaxLength))),
		userControl(message.EventStreamBegin, req.StreamID),
	}
	if req.Reset {
		frames = append(frames, onStatus(req.StreamID,
			Status{Level: LevelStatus, Code: CodePlayReset, Description: "Resetting."}))
	}
	return c.send(append(frames, onStatus(req.StreamID,
		Status{Level: LevelStatus, Code: CodePlayStart, Description: "Playing."}))...)
}

// MediaStream is the message stream to send a player's media on: the one it plays on,
// if it has created that, and else 1, which everybody takes for the first.
func (c *Conn) MediaStream(req *PlayRequest) uint32 {
	if c.streams.has(req.StreamID) {
		return req.StreamID
	}
	return 1
}

// RejectPlay tells the client why it may not play, and waits a moment for it to
// read that. What remains is Close. A nil e, or an empty field of it, means level
// error and NetStream.Play.Failed.
func (c *Conn) RejectPlay(req *PlayRequest, e *StatusError) error {
	err := c.SendStatus(req.StreamID, e.status(CodePlayFailed))
	if err == nil {
		c.linger()
	}
	return err
}

// ReadPlay returns what the player does next. Answers that a player expects were
// sent, but for PlayPause, which AnswerPause answers at its time. io.EOF is a player that left; media from
// a player is ErrProtocol. A play command for another stream comes as PlayClosed,
// and as the next NextRequest.
func (c *Conn) ReadPlay() (PlayEvent, error) {
	for {
		m, err := c.next()
		if err != nil {
			return PlayEvent{}, err
		}
		switch m.Type {
		case message.TypeCommand, message.TypeCommandAMF3:
			e, err := c.playerCommand(m)
			if e.Kind != 0 || err != nil {
				return e, err
			}
		case message.TypeAudio, message.TypeVideo, message.TypeAggregate:
			return PlayEvent{}, fmt.Errorf("rtmp: media from a player: %w", ErrProtocol)
		}
	}
}

func (c *Conn) playerCommand(m chunk.Message) (PlayEvent, error) {
	cmd, ok := c.command(m)
	if !ok {
		return PlayEvent{}, nil
	}
	on, _ := cmd.Arg(0).(bool)
	switch cmd.Name {
	case "pause", "pauseRaw":
		return PlayEvent{Kind: PlayPause, On: on}, nil
	case "seek":
		s := Status{Level: LevelStatus, Code: CodeSeekNotify, Description: "A live stream stays where it is."}
		return PlayEvent{Kind: PlaySeek}, c.SendStatus(c.active, s)
	case "receiveAudio":
		return PlayEvent{Kind: PlayReceiveAudio, On: on}, nil
	case "receiveVideo":
		return PlayEvent{Kind: PlayReceiveVideo, On: on}, nil
	case "closeStream":
		if m.StreamID != c.active && c.streams.has(m.StreamID) {
			return PlayEvent{}, nil
		}
		c.said = true
		return PlayEvent{Kind: PlayClosed}, nil
	case "deleteStream":
		if id := c.deleteStream(cmd); id != 0 && id != c.active {
			return PlayEvent{}, nil
		}
		c.said = true
		return PlayEvent{Kind: PlayClosed}, nil
	case "play", "play2":
		c.again = playRequest(cmd, m.StreamID)
		return PlayEvent{Kind: PlayClosed}, nil
	case "publish":
		if r := publishRequest(cmd, m.StreamID); r.Name != "" {
			return PlayEvent{}, c.SendStatus(m.StreamID, Status{
				Level: LevelError, Code: CodePublishDenied, Description: "This connection is playing.",
			})
		}
		return PlayEvent{}, nil
	default:
		return PlayEvent{}, c.common(cmd)
	}
}

// AnswerPause answers a PlayPause: with on when no media will follow any more, with
// off before media follows again. librtmp takes the stream for paused at StreamEOF.
func (c *Conn) AnswerPause(on bool) error {
	if on {
		return c.send(
			onStatus(c.active, Status{Level: LevelStatus, Code: CodePauseNotify, Description: "Paused."}),
			userControl(message.EventStreamEOF, c.active),
		)
	}
	return c.send(
		userControl(message.EventStreamBegin, c.active),
		onStatus(c.active, Status{Level: LevelStatus, Code: CodeUnpauseNotify, Description: "Resumed."}),
	)
}
