package rtmp

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// Client is the client's side of a connection: after Dial, Publish or Play.
//
// A player calls ReadMedia in a loop. A publisher calls WriteMedia, and in
// another goroutine ReadMedia too: that is where pings are answered and where the
// server's refusals come in.
type Client struct {
	conn    *Conn
	timeout time.Duration
	name    string // of the URL, then of the stream
	txn     float64

	streamID   uint32
	playing    bool
	publishing bool
	closing    sync.Once
	closeErr   error
	early      []message.Media // came before the answer to play
}

// step runs one exchange with the server under a deadline; when ctx ends, the
// connection does.
func (c *Client) step(ctx context.Context, f func() error) error {
	if err := c.conn.until(time.Now().Add(c.timeout)); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.conn.Close() })
	err := f()
	if !stop() && ctx.Err() != nil {
		return fmt.Errorf("rtmp: %w", context.Cause(ctx))
	}
	if err != nil {
		return err
	}
	return c.conn.until(time.Time{})
}

// next is the next transaction id.
func (c *Client) next() float64 {
	txn := c.txn
	c.txn++
	return txn
}

// result waits for the answer to a call. Others that come meanwhile (onBWDone,
// answers to releaseStream, _error among them) mean nothing.
func (c *Client) result(txn float64, call string) (message.Command, error) {
	for {
		cmd, _, ok, err := c.conn.nextCommand()
		if err != nil {
			return message.Command{}, err
		}
		if !ok || (cmd.Name != "_result" && cmd.Name != "_error") || (cmd.Transaction != txn && cmd.Transaction != 0) {
			continue
		}
		if cmd.Name == "_result" {
			return cmd, nil
		}
		s, _ := parseStatus(cmd.Arg(0))
		if s.Code == "" {
			s.Code = CodeCallFailed
		}
		return message.Command{}, fmt.Errorf("rtmp: %s: %w", call, (*StatusError)(&s))
	}
}

// createStream waits for the answer to a createStream that was sent.
func (c *Client) createStream(txn float64) error {
	cmd, err := c.result(txn, "createStream")
	if err != nil {
		return err
	}
	id, ok := amf.Number(cmd.Arg(0))
	if !ok || !(id >= 0 && id <= 1<<32-1) {
		return fmt.Errorf("rtmp: createStream answered without a number: %w", ErrProtocol)
	}
	c.streamID = uint32(id)
	return nil
}

// Publish starts publishing and returns when the server has allowed it. An
// empty name means that of the URL. A refusal is a *StatusError.
func (c *Client) Publish(ctx context.Context, name string) error {
	if name != "" {
		c.name = name
	}
	return c.step(ctx, func() error {
		release, announce, create := c.next(), c.next(), c.next()
		err := c.conn.send(
			command(0, "releaseStream", release, nil, c.name),
			command(0, "FCPublish", announce, nil, c.name),
			command(0, "createStream", create, nil),
		)
		if err != nil {
			return err
		}
		if err := c.createStream(create); err != nil {
			return err
		}
		if err := c.conn.send(command(c.streamID, "publish", c.next(), nil, c.name, "live")); err != nil {
			return err
		}
		if err := c.started(CodePublishStart); err != nil {
			return fmt.Errorf("rtmp: publish: %w", err)
		}
		c.publishing = true
		return nil
	})
}

// Play starts playing and returns when the server has allowed it. An empty name
// means that of the URL. A refusal is a *StatusError.
func (c *Client) Play(ctx context.Context, name string) error {
	if name != "" {
		c.name = name
	}
	const live, bufferMS = -2000, 3000
	c.conn.chunks.Grow(bufferMedia)
	return c.step(ctx, func() error {
		create := c.next()
		if err := c.conn.send(command(0, "createStream", create, nil)); err != nil {
			return err
		}
		if err := c.createStream(create); err != nil {
			return err
		}
		buffer := message.UserControl{Event: message.EventSetBufferLength, Value: c.streamID, Buffer: bufferMS}
		err := c.conn.send(
			command(c.streamID, "play", c.next(), nil, c.name, float64(live)),
			frame{
				chunk.Header{CSID: chunk.ControlCSID, Type: message.TypeUserControl},
				message.AppendUserControl(nil, buffer),
			},
		)
		if err != nil {
			return err
		}
		if err := c.started(CodePlayStart); err != nil {
			return fmt.Errorf("rtmp: play: %w", err)
		}
		c.playing = true
		return nil
	})
}

// started waits for onStatus with the code, on any stream and with any
// transaction id: servers differ in both. Media that comes first says the same.
func (c *Client) started(code string) error {
	for {
		m, err := c.conn.next()
		if err != nil {
			return err
		}
		if m.Type != message.TypeCommand && m.Type != message.TypeCommandAMF3 {
			if media, ok := c.conn.media(m); ok && code == CodePlayStart {
				c.early = append(c.early, media)
				if m.Type != message.TypeData && m.Type != message.TypeDataAMF3 {
					return nil
				}
			}
			continue
		}
		s, ok := c.status(m)
		switch {
		case !ok:
		case s.Code == code:
			return nil
		case s.Level == LevelError:
			return (*StatusError)(&s)
		}
	}
}

// status reads an onStatus. ok is false for any other command.
func (c *Client) status(m chunk.Message) (s Status, ok bool) {
	cmd, ok := c.conn.command(m)
	if !ok || cmd.Name != "onStatus" {
		return Status{}, false
	}
	return parseStatus(cmd.Arg(0))
}

// WriteMedia sends one audio, video or data message (message.TypeAudio, ...) on
// the stream that Publish started. Any goroutine may call it.
func (c *Client) WriteMedia(typ uint8, timestamp uint32, payload []byte) error {
	h := chunk.Header{CSID: chunk.DataCSID, Timestamp: timestamp, Type: typ, StreamID: c.streamID}
	if typ == message.TypeVideo {
		h.CSID = chunk.VideoCSID
	}
	return c.conn.send(frame{h, payload})
}

// ReadMedia returns the next audio, video or data message. ErrUnpublished says
// that the publisher is gone, and more may follow when one comes back; a
// *StatusError is the server's word that it is over; io.EOF that the server left.
func (c *Client) ReadMedia() (message.Media, error) {
	if len(c.early) > 0 {
		m := c.early[0]
		c.early = c.early[1:]
		return m, nil
	}
	for {
		if len(c.conn.rest) > 0 {
			m := c.conn.rest[0]
			c.conn.rest = c.conn.rest[1:]
			return m, nil
		}
		m, err := c.conn.next()
		if err != nil {
			return message.Media{}, err
		}
		if m.Type != message.TypeCommand && m.Type != message.TypeCommandAMF3 {
			if media, ok := c.conn.media(m); ok {
				return media, nil
			}
			continue
		}
		s, ok := c.status(m)
		switch {
		case !ok:
		case s.Level == LevelError:
			return message.Media{}, (*StatusError)(&s)
		case s.Code == CodePlayUnpublishNotify, s.Code == CodePlayStop, s.Code == CodePlayComplete:
			return message.Media{}, ErrUnpublished
		}
	}
}

// Conn is the connection underneath, for its counters, SetIdleTimeout and Ping.
func (c *Client) Conn() *Conn { return c.conn }

// Unpublish ends the stream in good order, and leaves the connection.
func (c *Client) Unpublish() error {
	if !c.publishing {
		return nil
	}
	c.publishing = false
	return c.conn.send(
		command(0, "FCUnpublish", c.next(), nil, c.name),
		command(0, "deleteStream", c.next(), nil, float64(c.streamID)),
	)
}

// Close ends what was started and closes the connection. Only the first call
// does anything.
func (c *Client) Close() error {
	c.closing.Do(func() {
		// The goodbye is a courtesy: what matters is that the connection closes.
		if c.publishing {
			_ = c.Unpublish()
		} else if c.playing {
			_ = c.conn.send(command(0, "deleteStream", c.next(), nil, float64(c.streamID)))
		}
		c.closeErr = c.conn.Close()
	})
	return c.closeErr
}
