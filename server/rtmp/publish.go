package rtmp

import (
	"bytes"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// AcceptPublish lets the client publish: onFCPublish if it announced itself
// with FCPublish, and Publish.Start on the message stream that asked. From here
// on the media limits of Config hold; ReadMedia follows. The caller sets an idle
// timeout (SetIdleTimeout) if it wants one.
func (c *Conn) AcceptPublish(req *PublishRequest) error {
	c.authorize(c.cfg.forPublishers(c.maxVideo))
	c.chunks.Grow(bufferMedia)
	c.active, c.name, c.rest = req.StreamID, req.Name, nil
	return c.publishStarted(req)
}

// authorize lifts the limits for strangers.
func (c *Conn) authorize(limits chunk.Limits) {
	c.unauth = -1
	c.said = false
	c.chunks.SetLimits(limits)
	c.idle.Store(0)
	_ = c.nc.SetReadDeadline(time.Time{}) // fails only on a closed connection, as reading does
}

func (c *Conn) publishStarted(req *PublishRequest) error {
	var frames []frame
	if c.fcPublish {
		info := amf.Object{
			{Key: "code", Value: CodePublishStart},
			{Key: "description", Value: req.Name},
		}
		// With a transaction id: Livestream Studio wants one.
		frames = append(frames, command(0, "onFCPublish", 0, nil, info))
	}
	start := Status{Level: LevelStatus, Code: CodePublishStart, Description: "Publishing."}
	return c.send(append(frames, onStatus(req.StreamID, start))...)
}

// RejectPublish tells the client why it may not publish, and waits a moment for
// it to read that. What remains is Close: OBS before 26 hangs otherwise. A nil e,
// or an empty field of it, means level error and NetStream.Publish.Denied.
func (c *Conn) RejectPublish(req *PublishRequest, e *StatusError) error {
	err := c.SendStatus(req.StreamID, e.status(CodePublishDenied))
	if err == nil {
		c.linger()
	}
	return err
}

// ReadMedia returns the publisher's next audio, video or data message.
// Aggregates come out as what they hold, AMF3 data in the form of AMF0.
// ErrUnpublished says that the client ended its stream, and was answered;
// NextRequest may follow. io.EOF is a client that left without a word.
func (c *Conn) ReadMedia() (message.Media, error) {
	for {
		if len(c.rest) > 0 {
			m := c.rest[0]
			c.rest = c.rest[1:]
			return m, nil
		}
		m, err := c.next()
		if err != nil {
			return message.Media{}, err
		}
		switch m.Type {
		case message.TypeCommand, message.TypeCommandAMF3:
			media, ok, err := c.publisherCommand(m)
			if ok || err != nil {
				return media, err
			}
		default:
			if c.streams.has(m.StreamID) && m.StreamID != c.active {
				continue // a stream that is not being published
			}
			if media, ok := c.media(m); ok {
				return media, nil
			}
		}
	}
}

// maxAggregate is how many messages of one aggregate are taken. Real ones hold a
// second or less.
const maxAggregate = 4096

// media turns a message into media. Of an aggregate it returns the first and
// keeps the rest.
func (c *Conn) media(m chunk.Message) (message.Media, bool) {
	switch m.Type {
	case message.TypeAudio, message.TypeVideo:
		return message.Media{Type: m.Type, Timestamp: m.Timestamp, Payload: m.Payload}, true
	case message.TypeData, message.TypeDataAMF3:
		return message.Media{
			Type: message.TypeData, Timestamp: m.Timestamp,
			Payload: message.DataPayload(m.Type, m.Payload, c.cfg.AMF),
		}, true
	}
	for sub := range message.Split(m.Timestamp, m.Payload) {
		if len(c.rest) == maxAggregate {
			break
		}
		// Of its own: who keeps a part shall not keep the aggregate.
		sub.Payload = bytes.Clone(sub.Payload)
		c.rest = append(c.rest, sub)
	}
	if len(c.rest) == 0 {
		return message.Media{}, false
	}
	first := c.rest[0]
	c.rest = c.rest[1:]
	return first, true
}

// publisherCommand deals with a command during a publication. ok: it was
// metadata sent as a command (HaishinKit), and is in media.
func (c *Conn) publisherCommand(m chunk.Message) (media message.Media, ok bool, err error) {
	cmd, ok := c.command(m)
	if !ok {
		return media, false, nil
	}
	switch cmd.Name {
	case "@setDataFrame", "onMetaData":
		return message.Media{Type: message.TypeData, Timestamp: m.Timestamp, Payload: metadata(cmd)}, true, nil
	case "FCUnpublish":
		c.unpublished(cmd)
		return media, false, c.streamEnded()
	case "closeStream":
		if m.StreamID != c.active && c.streams.has(m.StreamID) {
			return media, false, nil
		}
		return media, false, c.streamEnded()
	case "deleteStream":
		if id := c.deleteStream(cmd); id != 0 && id != c.active {
			return media, false, nil
		}
		return media, false, c.streamEnded()
	case "publish":
		return media, false, c.publishAgain(publishRequest(cmd, m.StreamID))
	case "play", "play2":
		s := Status{Level: LevelError, Code: CodePlayFailed, Description: "This connection is publishing."}
		return media, false, c.SendStatus(m.StreamID, s)
	case "FCPublish":
		if err := c.common(cmd); err != nil {
			return media, false, err
		}
		return media, false, c.send(command(0, "onFCPublish", 0, nil, amf.Object{
			{Key: "code", Value: CodePublishStart},
			{Key: "description", Value: c.name},
		}))
	default:
		return media, false, c.common(cmd)
	}
}

// metadata is a command that carries metadata in the form of a data message:
// without transaction id and empty command object.
func metadata(cmd message.Command) []byte {
	payload := amf.Append(nil, cmd.Name)
	if _, ok := amf.Properties(cmd.Object); ok {
		payload = amf.Append(payload, cmd.Object)
	}
	return amf.Append(payload, cmd.Args...)
}

// publishAgain answers a publish during a publication: cameras send it twice
// (SRS #4588), and the second means nothing. Another name is refused.
func (c *Conn) publishAgain(req *PublishRequest) error {
	if req.Name == c.name {
		return c.publishStarted(req)
	}
	return c.SendStatus(req.StreamID, Status{
		Level: LevelError, Code: CodePublishBadName, Description: "This connection is publishing another stream.",
	})
}

// unpublished answers FCUnpublish.
func (c *Conn) unpublished(cmd message.Command) {
	c.said, c.fcPublish = true, false
	info := amf.Object{
		{Key: "code", Value: CodeUnpublishSuccess},
		{Key: "description", Value: "Stream is now unpublished."},
	}
	frames := []frame{command(0, "onFCUnpublish", 0, nil, info)}
	if cmd.Transaction > 0 {
		frames = append(frames, command(0, "_result", cmd.Transaction, nil, amf.Undefined{}))
	}
	c.goodbye(frames...)
}

// streamEnded says that the publication is over, and returns ErrUnpublished.
func (c *Conn) streamEnded() error {
	c.said, c.fcPublish = true, false
	c.goodbye(onStatus(c.active,
		Status{Level: LevelStatus, Code: CodeUnpublishSuccess, Description: "Stream is now unpublished."}))
	return ErrUnpublished
}

// goodbye answers a peer that said it was done. That it cannot be sent is no error:
// the peer may have closed already.
func (c *Conn) goodbye(frames ...frame) {
	if err := c.send(frames...); err != nil {
		c.cfg.Logger.Debug("answer to unpublish not sent", "err", err)
	}
}
