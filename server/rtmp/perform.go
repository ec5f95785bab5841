package rtmp

import (
	"context"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// PublishOptions is how to publish. A zero field means the default named at it.
type PublishOptions struct {
	// Name is the stream, with its query. Default: that of the URL.
	Name string
	// Type is "live", "record" or "append". Default "live", which is all that
	// most servers know.
	Type string
	// Flash publishes as Flash Player does, with createStream and publish alone. FMLE
	// and most encoders send releaseStream and FCPublish in front, as is done by
	// default: Adobe's servers and many networks behind want it.
	Flash bool
}

// Publish starts publishing and returns when the server has allowed it. An
// empty name means that of the URL. A refusal is a *StatusError.
func (c *Client) Publish(ctx context.Context, name string) error {
	return c.PublishWith(ctx, PublishOptions{Name: name})
}

// PublishWith is Publish with more to say.
func (c *Client) PublishWith(ctx context.Context, o PublishOptions) error {
	if o.Name != "" {
		c.name = o.Name
	}
	if o.Type == "" {
		o.Type = "live"
	}
	return c.step(ctx, func() error {
		var first []frame
		if !o.Flash {
			first = append(
				first,
				command(0, "releaseStream", c.next(), nil, c.name),
				command(0, "FCPublish", c.next(), nil, c.name),
			)
		}
		create := c.next()
		if err := c.conn.send(append(first, command(0, "createStream", create, nil))...); err != nil {
			return err
		}
		if err := c.createStream(create); err != nil {
			return err
		}
		publish := c.next()
		if err := c.conn.send(command(c.streamID, "publish", publish, nil, c.name, o.Type)); err != nil {
			return err
		}
		if err := c.started("publish", publish, CodePublishStart); err != nil {
			return err
		}
		c.publishing, c.flash = true, o.Flash
		return nil
	})
}

// PlayOptions is how to play. A zero field means the default named at it.
type PlayOptions struct {
	// Name is the stream, with its query. Default: that of the URL.
	Name string
	// Recorded plays what was recorded, from Start on. Default: what is live, and a
	// recording of the name if nothing is.
	Recorded bool
	Start    time.Duration
	// Duration is how much is wanted. Default: all there is.
	Duration time.Duration
	// Reset says whether what plays already is dropped for this. Default: it is
	// not said, which means yes.
	Reset *bool
	// Buffer is how much the server may send ahead. Default 3 s.
	Buffer time.Duration
}

// arguments are what follows the name in a play command. Times are in
// milliseconds, whatever Flash's documentation says of seconds.
func (o PlayOptions) arguments() []amf.Value {
	const live, all = -2000, -1
	start, duration := float64(live), float64(all)
	if o.Recorded {
		start = float64(o.Start.Milliseconds())
	}
	if o.Duration > 0 {
		duration = float64(o.Duration.Milliseconds())
	}
	switch {
	case o.Reset != nil:
		return []amf.Value{start, duration, *o.Reset}
	case o.Duration > 0:
		return []amf.Value{start, duration}
	}
	return []amf.Value{start}
}

// Play starts playing and returns when the server has allowed it. An empty name
// means that of the URL. A refusal is a *StatusError.
func (c *Client) Play(ctx context.Context, name string) error {
	return c.PlayWith(ctx, PlayOptions{Name: name})
}

// PlayWith is Play with more to say.
func (c *Client) PlayWith(ctx context.Context, o PlayOptions) error {
	if o.Name != "" {
		c.name = o.Name
	}
	if o.Buffer <= 0 {
		o.Buffer = 3 * time.Second
	}
	c.conn.chunks.Grow(bufferMedia)
	return c.step(ctx, func() error {
		create := c.next()
		if err := c.conn.send(command(0, "createStream", create, nil)); err != nil {
			return err
		}
		if err := c.createStream(create); err != nil {
			return err
		}
		buffer := message.UserControl{
			Event: message.EventSetBufferLength, Value: c.streamID, Buffer: uint32(o.Buffer.Milliseconds()),
		}
		play := c.next()
		err := c.conn.send(
			command(c.streamID, "play", play, nil, append([]amf.Value{c.name}, o.arguments()...)...),
			frame{
				chunk.Header{CSID: chunk.ControlCSID, Type: message.TypeUserControl},
				message.AppendUserControl(nil, buffer),
			},
		)
		if err != nil {
			return err
		}
		if err := c.started("play", play, CodePlayStart); err != nil {
			return err
		}
		c.playing = true
		return nil
	})
}

// What a server answers to the calls of a player.
const (
	codeSeekFailed  = "NetStream.Seek.Failed"
	codeSeekInvalid = "NetStream.Seek.InvalidTime"
)

// Pause asks the server to send no media, or to send it again. at is where the
// player stands. The answers, Pause.Notify and Unpause.Notify, come to OnStatus.
func (c *Client) Pause(on bool, at time.Duration) error {
	return c.conn.send(command(c.streamID, "pause", 0, nil, on, float64(at.Milliseconds())))
}

// Seek asks the server to go on at another place of a recording. The answer,
// Seek.Notify or Seek.Failed, comes to OnStatus.
func (c *Client) Seek(to time.Duration) error {
	return c.conn.send(command(c.streamID, "seek", 0, nil, float64(to.Milliseconds())))
}

// ReceiveAudio asks the server to leave sound out, or to send it again.
func (c *Client) ReceiveAudio(on bool) error {
	return c.conn.send(command(c.streamID, "receiveAudio", 0, nil, on))
}

// ReceiveVideo asks the server to leave pictures out, or to send them again.
func (c *Client) ReceiveVideo(on bool) error {
	return c.conn.send(command(c.streamID, "receiveVideo", 0, nil, on))
}
