package rtmp

import (
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// smallestWindow is the least a peer's acknowledgement window is taken for: a
// peer that says 1 must not get an Ack for each byte.
const smallestWindow = 64 << 10

// control4 obeys user control, WindowAckSize and SetPeerBandwidth. Malformed
// ones mean nothing and end nothing.
func (c *Conn) control4(m chunk.Message) error {
	switch m.Type {
	case message.TypeUserControl:
		u, err := message.ParseUserControl(m.Payload)
		if err != nil || u.Event != message.EventPingRequest {
			return nil //nolint:nilerr // see above
		}
		return c.send(userControl(message.EventPingResponse, u.Value))
	case message.TypeWindowAckSize:
		if v, err := message.ParseUint32(m.Payload); err == nil {
			c.window = 0
			if v > 0 {
				c.window = uint64(max(v, smallestWindow))
			}
		}
	case message.TypeSetPeerBandwidth:
		v, err := message.ParseUint32(m.Payload)
		if err != nil || v == 0 || !c.newWindow(v) {
			return nil //nolint:nilerr // see above
		}
		return c.send(number(message.TypeWindowAckSize, v))
	}
	return nil
}

// newWindow says whether v differs from the window that was sent last.
func (c *Conn) newWindow(v uint32) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.windowOut != v
}

// Ping asks the peer for a sign of life. The answer is dealt with in reading;
// several encoders never answer.
func (c *Conn) Ping() error {
	return c.send(userControl(message.EventPingRequest, uint32(time.Since(c.begun).Milliseconds())))
}

// StreamBegin tells a player that a message stream begins.
func (c *Conn) StreamBegin(streamID uint32) error {
	return c.send(userControl(message.EventStreamBegin, streamID))
}

// StreamEOF tells a player that a message stream is at its end.
func (c *Conn) StreamEOF(streamID uint32) error {
	return c.send(userControl(message.EventStreamEOF, streamID))
}

// RequestReconnect asks a client that deals with it (CapsReconnect) to connect anew, to
// tcURL or, if that is empty, to where it is connected (Enhanced RTMP 2, reconnect
// request). It is served until it leaves.
func (c *Conn) RequestReconnect(tcURL, description string) error {
	info := Status{Level: LevelStatus, Code: CodeConnectReconnect, Description: description}.object()
	if tcURL != "" {
		info = append(info, amf.Property{Key: "tcUrl", Value: tcURL})
	}
	return c.send(command(0, "onStatus", 0, nil, info))
}

// SendStatus sends onStatus on a message stream.
func (c *Conn) SendStatus(streamID uint32, s Status) error {
	return c.send(onStatus(streamID, s))
}
