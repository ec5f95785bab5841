package session

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
	"github.com/penstock-media/penstock/server/internal/media"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/internal/stream"
	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// publish lets the peer publish: it is decided, the stream is taken, the peer is told.
func (c *session) publish(ctx context.Context, req *rtmp.PublishRequest) error {
	a, err := c.begin(ctx, req.StreamID)
	if err != nil {
		return c.noRoom(err, func(e *rtmp.StatusError) error { return c.conn.RejectPublish(req, e) })
	}
	ask, d := c.decide(ctx, a.entry, access.Publish, req.Name)
	if !d.Allow {
		return c.refusePublish(a, req, ask, d)
	}
	if a.pub, err = c.take(a, d); err != nil {
		d.Reason, d.Detail = config.ReasonStreamBusy, "Another encoder publishes this stream now."
		d.Checks = append(d.Checks, access.Check{Name: "duplicate", Result: access.Fail, Detail: d.Detail})
		return c.refusePublish(a, req, ask, d)
	}
	c.hold(a, roster.Publisher)
	c.conn.SetMaxMessage(min(d.Vhost.Media.MaxMessageBytes, c.srv.cfg.Limits.VideoMessage))
	if err := c.conn.AcceptPublish(req); err != nil {
		return err
	}
	a.watch = c.srv.cfg.Monitor(roster.StreamID(d)).Begin(time.Now())
	c.expectMedia(a)
	c.ready(a, roster.StreamPublished)
	return nil
}

// take takes the stream's place for a publisher, by the vhost's policy.
func (c *session) take(a *activity, d access.Decision) (*stream.Publication, error) {
	entry := a.entry
	return c.srv.cfg.Hub.Publish(roster.StreamID(d), stream.PublishOptions{
		Settings: roster.Settings(d.Vhost.Media), Owner: cmp.Or(d.KeyID, d.TokenID),
		Duplicate: roster.Duplicate(d.Vhost.DuplicatePolicy), Session: entry.ID(),
		Replaced: func() {
			entry.End(config.ReasonReplaced, "Another encoder has taken this stream over.")
		},
	})
}

// expectMedia gives a publisher its times: until the first audio or video, and from
// one to the next.
func (c *session) expectMedia(a *activity) {
	vhost := a.entry.Session().Vhost
	a.entry.Expire(c.firstMedia(vhost), config.ReasonIdle, "The encoder has sent no audio or video.")
	a.limit.Store(int64(c.idle(vhost)))
	a.entry.Measure(func() roster.Meter { return c.meterOf(a) }, func() {
		a.limit.Store(int64(c.idle(vhost)))
		a.told.tell(c, a)
	})
}

// receive hands a message to the stream.
func (c *session) receive(a *activity, m message.Media) error {
	pkt := packet(m)
	a.messages.Add(1)
	if !a.own {
		n := uint64(len(m.Payload))
		a.bytes.Add(n)
		c.elsewhere.Add(n)
	}
	if pkt.Kind != media.Data {
		a.first.log(c.log, pkt)
		if now := time.Duration(a.limit.Load()); !a.heard || now != a.idle {
			a.heard, a.idle = true, now
			a.entry.Expire(now, config.ReasonIdle, fmt.Sprintf("The encoder has sent nothing for %v.", now))
		} else if now > 0 {
			a.entry.Extend(now)
		}
	}
	if meta, ok := pkt.Metadata(); ok && meta.Encoder != "" {
		a.entry.Describe(func(s *roster.Session) { s.Agent = printable(meta.Encoder) })
	}
	a.watch.Observe(pkt, time.Now())
	err := a.pub.Write(pkt)
	if err != nil && !a.own {
		return nil // it is being ended alone
	}
	return err
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

// refusePublish writes the refusal down and tells the peer. One that does something
// else too goes on with that.
func (c *session) refusePublish(a *activity, req *rtmp.PublishRequest, ask access.Request, d access.Decision) error {
	end := roster.Ending{Reason: d.Reason, Detail: d.Detail}
	c.srv.cfg.Roster.Refuse(a.entry, ask, d)
	c.forget(a, end)
	return c.rejected(end, c.conn.RejectPublish(req, publishError(end)))
}

// rejected is what a refusal means for the connection: its end, unless it does
// something else.
func (c *session) rejected(end roster.Ending, err error) error {
	if len(c.acts) == 0 {
		return &end // the peer may have gone already
	}
	return err
}

// noRoom tells the peer that the server has no room for one more activity.
func (c *session) noRoom(err error, reject func(*rtmp.StatusError) error) error {
	end := roster.EndingFor(err)
	return c.rejected(end, reject(&rtmp.StatusError{Description: end.Detail}))
}
