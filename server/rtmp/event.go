package rtmp

import (
	"fmt"
	"strings"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// EventKind says what a peer did.
type EventKind uint8

// What a peer may do.
const (
	EventPublish      EventKind = iota + 1 // wants to publish: AcceptPublish or RejectPublish answers
	EventMedia                             // sent a message on a stream it publishes
	EventUnpublished                       // ended a stream it published, and was answered
	EventPlay                              // wants to play: AcceptPlay or RejectPlay answers
	EventPause                             // On: wants a pause, else to go on; AnswerPause answers
	EventSeek                              // means nothing for a live stream; was answered
	EventReceiveAudio                      // On: wants audio
	EventReceiveVideo                      // On: wants video
	EventStopped                           // ended a stream it played
)

// Event is what a peer did on one of its message streams.
type Event struct {
	Kind EventKind
	// StreamID is the message stream it is about.
	StreamID uint32
	Media    message.Media   // of EventMedia
	Publish  *PublishRequest // of EventPublish
	Play     *PlayRequest    // of EventPlay
	On       bool            // of EventPause, EventReceiveAudio and EventReceiveVideo
}

// Next returns what the peer does next on any of its message streams. What a peer
// sends before and between streams (createStream, releaseStream, FCPublish and what
// nobody knows) is answered here. A peer that neither publishes nor plays has
// Config.RequestTimeout to ask for something, after Accept and whenever its last
// stream has ended. io.EOF is a peer that left in good order; media from one that
// only plays is ErrProtocol.
//
// Aggregates come out as what they hold, AMF3 data in the form of AMF0. Media on a
// message stream that is not published is dropped.
func (c *Conn) Next() (Event, error) {
	for {
		if len(c.ready) > 0 {
			e := c.ready[0]
			c.ready = c.ready[1:]
			return e, nil
		}
		if len(c.rest) > 0 {
			m := c.rest[0]
			c.rest = c.rest[1:]
			return Event{Kind: EventMedia, StreamID: c.restOf, Media: m}, nil
		}
		if err := c.await(); err != nil {
			return Event{}, err
		}
		m, err := c.next()
		if err != nil {
			return Event{}, err
		}
		var e Event
		switch m.Type {
		case message.TypeCommand, message.TypeCommandAMF3:
			e, err = c.commanded(m)
		default:
			e, err = c.mediaOn(m)
		}
		if e.Kind != 0 || err != nil {
			return e, err
		}
	}
}

// await gives a peer that does nothing a time to ask for something.
func (c *Conn) await() error {
	if c.Busy() {
		return nil
	}
	if !c.waiting {
		c.waiting = true
		if err := c.until(time.Now().Add(c.cfg.RequestTimeout)); err != nil {
			return err
		}
	}
	quickAck(c.nc)
	return nil
}

// Busy reports whether the peer publishes or plays.
func (c *Conn) Busy() bool { return c.streams.any(rolePublishing) || c.streams.any(rolePlaying) }

// mediaOn is a message of audio, video or data, or several in one.
func (c *Conn) mediaOn(m chunk.Message) (Event, error) {
	ns := c.streams.meant(m.StreamID, rolePublishing)
	if ns == nil {
		audible := m.Type != message.TypeData && m.Type != message.TypeDataAMF3
		if audible && c.streams.any(rolePlaying) && !c.streams.any(rolePublishing) {
			return Event{}, fmt.Errorf("rtmp: media from a player: %w", ErrProtocol)
		}
		return Event{}, c.mediaTooEarly(m)
	}
	media, ok := c.media(m)
	if !ok {
		return Event{}, nil
	}
	c.restOf = ns.id
	return Event{Kind: EventMedia, StreamID: ns.id, Media: media}, nil
}

// commanded deals with a command, and returns what of it concerns the caller.
func (c *Conn) commanded(m chunk.Message) (Event, error) {
	cmd, ok := c.command(m)
	if !ok {
		return Event{}, nil
	}
	id := m.StreamID
	switch cmd.Name {
	case "publish":
		return c.askedToPublish(publishRequest(cmd, id))
	case "play", "play2":
		return c.askedToPlay(playRequest(cmd, id))
	case "@setDataFrame", "onMetaData": // metadata as a command: HaishinKit
		if ns := c.streams.meant(id, rolePublishing); ns != nil {
			media := message.Media{Type: message.TypeData, Timestamp: m.Timestamp, Payload: metadata(cmd)}
			return Event{Kind: EventMedia, StreamID: ns.id, Media: media}, nil
		}
		return Event{}, nil
	case "FCUnpublish":
		return c.fcUnpublish(cmd, id)
	case "closeStream":
		return c.ended(c.streams.meant(id, rolePublishing, rolePlaying)), nil
	case "deleteStream":
		return c.deleteStream(cmd, id), nil
	case "pause", "pauseRaw", "seek", "receiveAudio", "receiveVideo":
		if ns := c.streams.meant(id, rolePlaying); ns != nil {
			return c.steered(cmd, ns)
		}
		return Event{}, c.result(cmd)
	}
	if c.welcome.Profile == ProfileSRS2 && !c.fmle {
		// To SRS whatever Flash says while it publishes is the end of that.
		if ns := c.streams.meant(id, rolePublishing); ns != nil {
			return c.ended(ns), c.common(cmd)
		}
	}
	return Event{}, c.common(cmd)
}

// steered is a command of a player about what it gets.
func (c *Conn) steered(cmd message.Command, ns *netStream) (Event, error) {
	e := Event{StreamID: ns.id, On: boolean(cmd.Arg(0), true)}
	switch cmd.Name {
	case "pause", "pauseRaw":
		e.Kind = EventPause
	case "receiveAudio":
		e.Kind = EventReceiveAudio
	case "receiveVideo":
		e.Kind = EventReceiveVideo
	case "seek":
		e.Kind = EventSeek
		e.On = false
		s := Status{Level: LevelStatus, Code: CodeSeekNotify, Description: "A live stream stays where it is."}
		return e, c.SendStatus(ns.id, s)
	}
	return e, nil
}

// ended ends what a message stream is used for, answers a publisher, and makes an
// event of it.
func (c *Conn) ended(ns *netStream) Event {
	if ns == nil || ns.role == roleIdle {
		return Event{}
	}
	e := Event{Kind: EventStopped, StreamID: ns.id}
	if ns.role == rolePublishing {
		e.Kind = EventUnpublished
		c.goodbye(onStatus(ns.id,
			Status{Level: LevelStatus, Code: CodeUnpublishSuccess, Description: "Stream is now unpublished."}))
	}
	c.EndStream(ns.id)
	c.said = !c.Busy()
	return e
}

// EndStream forgets what a message stream is used for: its publication or playing
// was ended from this side. Media that still comes on it is dropped.
func (c *Conn) EndStream(streamID uint32) {
	ns := c.streams.find(streamID)
	if ns == nil {
		return
	}
	if ns.role == rolePublishing {
		c.fcPublish = false
	}
	c.streams.rest(ns)
	if c.restOf == streamID {
		c.rest = nil
	}
	c.waiting = false
}

// deleteStream ends a message stream and gives its id back.
func (c *Conn) deleteStream(cmd message.Command, on uint32) Event {
	ns := c.deleted(cmd.Arg(0), on)
	if ns == nil {
		return Event{}
	}
	id := ns.id
	e := c.ended(ns)
	c.streams.remove(id)
	return e
}

// deleted is the message stream that a deleteStream means. GStreamer says its
// stream's name in place of the id, others nothing: then it is the one in use, or the
// only one.
func (c *Conn) deleted(v amf.Value, on uint32) *netStream {
	used := c.streams.meant(on, rolePublishing, rolePlaying)
	if id, ok := amf.Number(v); ok && id >= 1 && id <= 1<<32-1 {
		ns := c.streams.find(uint32(id))
		if ns == nil && used != nil && !used.created {
			return used
		}
		return ns // nil: one that it never had
	}
	name, _ := amf.String(v)
	for _, ns := range c.streams {
		if name != "" && withoutArgs(ns.name) == withoutArgs(name) {
			return ns
		}
	}
	switch ns := c.streams.find(on); {
	case used != nil:
		return used
	case ns == nil && len(c.streams) == 1:
		return c.streams[0]
	default:
		return ns
	}
}

// fcUnpublish ends the publication that FCUnpublish names: the answers to that
// come before those to its end.
func (c *Conn) fcUnpublish(cmd message.Command, on uint32) (Event, error) {
	name, _ := amf.String(cmd.Arg(0))
	ns := c.streams.meant(on, rolePublishing)
	for _, other := range c.streams {
		if other.role == rolePublishing && name != "" && withoutArgs(other.name) == withoutArgs(name) {
			ns = other
		}
	}
	c.unpublished(cmd)
	return c.ended(ns), nil
}

// withoutArgs is a stream's name without its query: some leave it out when they
// unpublish.
func withoutArgs(name string) string {
	name, _, _ = strings.Cut(name, "?")
	return name
}
