package rtmp

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// Client is the client's side of a connection: after Dial, Publish or Play.
//
// A player calls ReadMedia in a loop. A publisher calls WriteMedia, and in
// another goroutine ReadMedia too: that is where pings are answered and where the
// server's refusals come in.
type Client struct {
	conn   *Conn
	cfg    DialConfig
	addr   Address
	tcURL  string // as sent, but for a login's arguments
	login  Login  // that the server has asked for
	name   string // of the URL, then of the stream
	server ServerInfo
	txn    float64

	streamID   uint32
	playing    bool
	publishing bool
	flash      bool        // publishing without FCPublish
	broken     atomic.Bool // the connection failed, or is at its end
	closing    sync.Once
	closeErr   error
	early      []message.Media // came before the answer to play
	moving     *ReconnectError // for the next ReadMedia
}

// step runs one exchange with the server under a deadline; when ctx ends, the
// connection does.
func (c *Client) step(ctx context.Context, f func() error) error {
	if err := c.conn.until(time.Now().Add(c.cfg.Timeout)); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.conn.Close() })
	err := f()
	if !stop() && ctx.Err() != nil {
		c.broken.Store(true)
		return fmt.Errorf("rtmp: %w", context.Cause(ctx))
	}
	if err != nil {
		return err
	}
	if err := c.conn.until(time.Time{}); err != nil {
		return err
	}
	if c.cfg.ReadTimeout > 0 {
		c.conn.SetIdleTimeout(c.cfg.ReadTimeout)
	}
	return nil
}

// next is the next transaction id.
func (c *Client) next() float64 {
	txn := c.txn
	c.txn++
	return txn
}

// WriteMedia sends one audio, video or data message (message.TypeAudio, ...) on
// the stream that Publish started. An empty one says nothing and is not sent. Any
// goroutine may call it.
func (c *Client) WriteMedia(typ uint8, timestamp uint32, payload []byte) error {
	if len(payload) == 0 {
		return nil
	}
	h := chunk.Header{CSID: chunk.DataCSID, Timestamp: timestamp, Type: typ, StreamID: c.streamID}
	if typ == message.TypeVideo {
		h.CSID = chunk.VideoCSID
	}
	return c.conn.send(frame{h, payload})
}

// ReadMedia returns the next audio, video or data message. ErrUnpublished says
// that the publisher is gone, and more may follow when one comes back; a
// *ReconnectError that the server wants the client elsewhere, and more follows; a
// *StatusError or *RedirectError is the server's word that it is over; io.EOF that
// the server left.
func (c *Client) ReadMedia() (message.Media, error) {
	if len(c.early) > 0 {
		m := c.early[0]
		c.early = c.early[1:]
		return m, nil
	}
	for {
		if e := c.moving; e != nil {
			c.moving = nil
			return message.Media{}, e
		}
		if len(c.conn.rest) > 0 {
			m := c.conn.rest[0]
			c.conn.rest = c.conn.rest[1:]
			return m, nil
		}
		m, err := c.conn.next()
		if err != nil {
			c.broken.Store(true)
			return message.Media{}, err
		}
		if m.Type != message.TypeCommand && m.Type != message.TypeCommandAMF3 {
			if media, ok := c.conn.media(m); ok {
				return media, nil
			}
			continue
		}
		cmd, ok := c.conn.command(m)
		if !ok {
			continue
		}
		s, err := c.status(cmd)
		if err != nil {
			return message.Media{}, err
		}
		switch s.Code {
		case CodePlayUnpublishNotify, CodePlayStop, CodePlayComplete:
			return message.Media{}, ErrUnpublished
		}
	}
}

// Conn is the connection underneath, for its counters, SetIdleTimeout and Ping.
func (c *Client) Conn() *Conn { return c.conn }

// Server is what the server said of itself when it let the client in.
func (c *Client) Server() ServerInfo { return c.server }

// Address is where the client is and the stream it is for: that of Publish or
// Play, else that of the URL. It goes with Redial.
func (c *Client) Address() Address {
	a := c.addr
	a.Name = c.name
	return a
}

// Unpublish ends the stream in good order, and leaves the connection.
func (c *Client) Unpublish() error {
	if !c.publishing {
		return nil
	}
	c.publishing = false
	var first frame
	if c.flash {
		first = command(c.streamID, "closeStream", 0, nil)
	} else {
		first = command(0, "FCUnpublish", c.next(), nil, c.name)
	}
	return c.conn.send(first, command(0, "deleteStream", c.next(), nil, float64(c.streamID)))
}

// Close ends what was started and closes the connection. On a connection that
// failed it says no goodbye: half of one would make the server take a failure for a
// publisher that meant to leave. Only the first call does anything.
func (c *Client) Close() error {
	c.closing.Do(func() {
		// The goodbye is a courtesy: what matters is that the connection closes.
		switch {
		case c.broken.Load():
		case c.publishing:
			_ = c.Unpublish()
		case c.playing:
			_ = c.conn.send(command(0, "deleteStream", c.next(), nil, float64(c.streamID)))
		}
		c.closeErr = c.conn.Close()
	})
	return c.closeErr
}
