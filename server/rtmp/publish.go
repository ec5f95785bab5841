package rtmp

import (
	"bytes"
	"fmt"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// AcceptPublish lets the client publish: onFCPublish if it announced itself with
// FCPublish, StreamBegin, and Publish.Start on the message stream that asked (a Profile
// other than the modern one has less). From here
// on the media limits of Config hold. The caller sets an idle timeout
// (SetIdleTimeout) if it wants one.
func (c *Conn) AcceptPublish(req *PublishRequest) error {
	ns := c.streams.use(req.StreamID, c.cfg.MaxStreams)
	if ns == nil {
		return fmt.Errorf("rtmp: more than %d message streams: %w", c.cfg.MaxStreams, ErrTooLarge)
	}
	ns.role, ns.name = rolePublishing, req.Name
	c.limits = c.cfg.forPublishers(c.maxVideo)
	c.authorize(c.limits)
	c.chunks.Grow(bufferMedia)
	return c.publishStarted(req)
}

// authorize lifts the limits for strangers.
func (c *Conn) authorize(limits chunk.Limits) {
	c.unauth = -1
	c.said, c.waiting = false, false
	c.chunks.SetLimits(limits)
	c.idle.Store(0)
	_ = c.nc.SetReadDeadline(time.Time{}) // fails only on a closed connection, as reading does
}

func (c *Conn) publishStarted(req *PublishRequest) error {
	return c.send(c.publishAnswer(req)...)
}

// RejectPublish tells the client why it may not publish. If it does nothing else on
// the connection it is given a moment to read that, and what remains is Close: OBS
// before 26 hangs otherwise. A nil e, or an empty field of it, means level error and
// NetStream.Publish.Denied.
func (c *Conn) RejectPublish(req *PublishRequest, e *StatusError) error {
	err := c.SendStatus(req.StreamID, e.status(CodePublishDenied))
	if err == nil && !c.Busy() {
		c.linger()
	}
	return err
}

// askedToPublish answers a publish where the connection itself can: cameras send it
// twice (SRS #4588), and the second means nothing.
func (c *Conn) askedToPublish(req *PublishRequest) (Event, error) {
	ns := c.streams.find(req.StreamID)
	switch {
	case ns == nil || ns.role == roleIdle:
		return Event{Kind: EventPublish, StreamID: req.StreamID, Publish: req}, nil
	case ns.role == rolePublishing && ns.name == req.Name:
		return Event{}, c.publishStarted(req)
	case ns.role == rolePublishing:
		return Event{}, c.SendStatus(req.StreamID, Status{
			Level: LevelError, Code: CodePublishBadName, Description: "This message stream is publishing another stream.",
		})
	case req.Name == "":
		return Event{}, nil // of a player, means nothing
	}
	return Event{}, c.SendStatus(req.StreamID, Status{
		Level: LevelError, Code: CodePublishDenied, Description: "This message stream is playing.",
	})
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

// metadata is a command that carries metadata in the form of a data message:
// without transaction id and empty command object.
func metadata(cmd message.Command) []byte {
	payload := amf.Append(nil, cmd.Name)
	if _, ok := amf.Properties(cmd.Object); ok {
		payload = amf.Append(payload, cmd.Object)
	}
	return amf.Append(payload, cmd.Args...)
}

// unpublished answers FCUnpublish.
func (c *Conn) unpublished(cmd message.Command) {
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

// goodbye answers a peer that said it was done. That it cannot be sent is no error:
// the peer may have closed already.
func (c *Conn) goodbye(frames ...frame) {
	if err := c.send(frames...); err != nil {
		c.cfg.Logger.Debug("answer to unpublish not sent", "err", err)
	}
}
