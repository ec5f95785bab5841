package rtmp

import (
	"fmt"
	"io"
	"net"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// frame is a message on its way out.
type frame struct {
	header  chunk.Header
	payload []byte
}

// send sends messages in one write. They go out whole and in order whatever
// other goroutines send.
func (c *Conn) send(frames ...frame) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.output != nil {
		for _, f := range frames {
			// Each gets bytes of its own: whoever took over may keep them.
			b := make([]byte, 0, chunk.MessageSize(f.header, len(f.payload), c.chunkSize))
			if err := c.output(c.append(b, f)); err != nil {
				return fmt.Errorf("rtmp: write: %w", err)
			}
		}
		return nil
	}
	c.buf = c.buf[:0]
	for _, f := range frames {
		c.buf = c.append(c.buf, f)
	}
	return c.write(c.buf)
}

// append cuts one message into chunks. What it says about our own side holds
// from the next message on. c.mu is held.
func (c *Conn) append(dst []byte, f frame) []byte {
	dst = chunk.AppendMessage(dst, f.header, f.payload, c.chunkSize)
	switch f.header.Type {
	case message.TypeSetChunkSize, message.TypeWindowAckSize:
		v, err := message.ParseUint32(f.payload)
		if err != nil {
			break
		}
		if f.header.Type == message.TypeSetChunkSize {
			c.chunkSize = int(v)
		} else {
			c.windowOut = v
		}
	}
	return dst
}

// write writes to the socket. After a write that failed nothing is written any
// more: the peer would read from the middle of a message. c.mu is held.
func (c *Conn) write(b []byte) error {
	if c.writeErr != nil {
		return c.writeErr
	}
	err := c.nc.SetWriteDeadline(time.Now().Add(c.cfg.WriteTimeout))
	if err == nil {
		var n int
		n, err = c.nc.Write(b)
		c.out.Add(uint64(n))
	}
	if err != nil {
		c.writeErr = fmt.Errorf("rtmp: write: %w", err)
	}
	return c.writeErr
}

// SetOutput hands the sending side to w: from now on each message the Conn sends
// (status, ping, answers to the peer's pings) is passed to w as whole chunks
// that w may keep, and the socket's sending side is w's owner's. nil takes it
// back. w is called under the Conn's lock and must not call the Conn.
func (c *Conn) SetOutput(w func(frame []byte) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.output = w
	if w != nil {
		// Whoever writes from now on sets its own deadline.
		_ = c.nc.SetWriteDeadline(time.Time{})
	}
}

const (
	lingerTime  = 500 * time.Millisecond
	lingerBytes = 1 << 20
)

// linger lets the peer read what was said last: it ends our side, where the
// connection has two, and takes in, for a moment, what the peer has under way.
// Closing with unread input would reset the connection, and the peer would see that
// in place of the reason.
func (c *Conn) linger() {
	if half, ok := c.nc.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // fails on a connection that reading finds broken too
	}
	if c.until(time.Now().Add(lingerTime)) != nil {
		return
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(c.nc, lingerBytes)) // its end is all that is wanted
}

var _ interface{ CloseWrite() error } = (*net.TCPConn)(nil)

func number(typ uint8, v uint32) frame {
	return frame{chunk.Header{CSID: chunk.ControlCSID, Type: typ}, message.AppendUint32(nil, v)}
}

func ack(n uint32) frame { return number(message.TypeAck, n) }

func userControl(event uint16, v uint32) frame {
	return frame{
		chunk.Header{CSID: chunk.ControlCSID, Type: message.TypeUserControl},
		message.AppendUserControl(nil, message.UserControl{Event: event, Value: v}),
	}
}

// command is a command on the connection (stream 0) or on a message stream.
func command(streamID uint32, name string, txn float64, object amf.Value, args ...amf.Value) frame {
	h := chunk.Header{CSID: chunk.CommandCSID, Type: message.TypeCommand, StreamID: streamID}
	if streamID != 0 {
		h.CSID = chunk.StatusCSID
	}
	return frame{h, message.AppendCommand(nil, message.Command{Name: name, Transaction: txn, Object: object, Args: args})}
}

func onStatus(streamID uint32, s Status) frame {
	return command(streamID, "onStatus", 0, nil, s.object())
}
