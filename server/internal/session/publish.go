package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
	"github.com/penstock-media/penstock/server/internal/health"
	"github.com/penstock-media/penstock/server/internal/media"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/internal/stream"
	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// publishCycle lives one publication: it is decided, the stream is taken, the
// peer is told, its media is received. It returns nil when the peer said that it
// is done and may go on with something else on the same connection.
func (c *session) publishCycle(ctx context.Context, req *rtmp.PublishRequest) error {
	ask, d := c.decide(ctx, access.Publish, req.Name)
	if !d.Allow {
		return c.refusePublish(req, ask, d)
	}
	pub, err := c.take(d)
	if err != nil {
		d.Reason, d.Detail = config.ReasonStreamBusy, "Another encoder publishes this stream now."
		d.Checks = append(d.Checks, access.Check{Name: "duplicate", Result: access.Fail, Detail: d.Detail})
		return c.refusePublish(req, ask, d)
	}
	defer pub.Close()
	c.conn.SetMaxMessage(min(d.Vhost.Media.MaxMessageBytes, c.srv.cfg.Limits.VideoMessage))
	if err := c.conn.AcceptPublish(req); err != nil {
		return err
	}

	watch := c.srv.cfg.Monitor(roster.StreamID(d)).Begin(time.Now())
	c.role, c.streamID = roster.Publisher, req.StreamID
	c.began(roster.StreamPublished)
	err = c.receive(pub, watch)
	watch.End()

	end := roster.Ending{Reason: config.ReasonUnpublished, Detail: "The encoder ended its stream."}
	if !errors.Is(err, rtmp.ErrUnpublished) {
		end = c.ending(ctx, err)
	}
	event := roster.StreamUnpublished
	if end.Reason == config.ReasonReplaced {
		event = roster.StreamTakenOver
	}
	c.ended(event, end) // before the next can begin: events come in order
	pub.Close()
	if end.Reason != config.ReasonUnpublished {
		c.goodbye(end)
		return &end
	}
	return nil
}

// take takes the stream's place for a publisher, by the vhost's policy.
func (c *session) take(d access.Decision) (*stream.Publication, error) {
	return c.srv.cfg.Hub.Publish(roster.StreamID(d), stream.PublishOptions{
		Settings: roster.Settings(d.Vhost.Media), Owner: cmp.Or(d.KeyID, d.TokenID),
		Duplicate: roster.Duplicate(d.Vhost.DuplicatePolicy), Session: c.entry.ID(),
		Replaced: func() {
			c.entry.End(config.ReasonReplaced, "Another encoder has taken this stream over.")
		},
	})
}

// receive hands what the peer sends to the stream until one of them ends it.
func (c *session) receive(pub *stream.Publication, watch *health.Watch) error {
	vhost := c.entry.Session().Vhost
	c.entry.Expire(c.firstMedia(vhost), config.ReasonIdle, "The encoder has sent no audio or video.")
	idle := c.idle(vhost)
	var limit atomic.Int64 // idle, as the configuration has it now
	limit.Store(int64(idle))
	c.entry.Measure(c.publisherMeter(watch), func() { limit.Store(int64(c.idle(vhost))) })
	first := true
	for {
		m, err := c.conn.ReadMedia()
		if err != nil {
			return err
		}
		pkt := packet(m)
		if pkt.Kind != media.Data {
			if now := time.Duration(limit.Load()); first || now != idle {
				first, idle = false, now
				c.entry.Expire(idle, config.ReasonIdle, fmt.Sprintf("The encoder has sent nothing for %v.", idle))
			} else if idle > 0 {
				c.entry.Extend(idle)
			}
		}
		if meta, ok := pkt.Metadata(); ok && meta.Encoder != "" {
			c.entry.Describe(func(s *roster.Session) { s.Agent = printable(meta.Encoder) })
		}
		watch.Observe(pkt, time.Now())
		if err := pub.Write(pkt); err != nil {
			return err
		}
	}
}

// publisherMeter is meter with the names of what is published.
func (c *session) publisherMeter(watch *health.Watch) func() roster.Meter {
	return func() roster.Meter {
		m := c.meter()
		m.Video, m.Audio = watch.Codecs()
		return m
	}
}

// serverName is what metadata tells players of us.
const serverName = "Penstock"

// packet is a message as it goes into the stream's log.
func packet(m message.Media) media.Packet {
	switch m.Type {
	case message.TypeAudio:
		return media.New(media.Audio, m.Timestamp, m.Payload)
	case message.TypeVideo:
		return media.New(media.Video, m.Timestamp, m.Payload)
	}
	return media.NewData(m.Timestamp, m.Payload).Live(serverName)
}

// refusePublish writes the refusal down and tells the peer.
func (c *session) refusePublish(req *rtmp.PublishRequest, ask access.Request, d access.Decision) error {
	end := roster.Ending{Reason: d.Reason, Detail: d.Detail}
	c.srv.cfg.Roster.Refuse(c.entry, ask, d)
	_ = c.conn.RejectPublish(req, publishError(end)) // the peer may have gone
	return &end
}
