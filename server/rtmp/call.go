package rtmp

import (
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// Calls makes a connection that was accepted one of calls alone, as for measuring
// bandwidth: Call and Heard are used in Next's place, and the limits for strangers and
// on commands do not hold any more.
func (c *Conn) Calls() {
	c.authorize(c.cfg.forPlayers())
	c.control.rate = 0
}

// Call sends a command that wants no answer.
func (c *Conn) Call(name string, args ...amf.Value) error {
	return c.send(command(0, name, 0, nil, args...))
}

// Heard returns the name of the next command, and how many bytes came with it. Other
// messages are passed over. It fails (IsTimeout) when none has come by the deadline.
func (c *Conn) Heard(deadline time.Time) (name string, bytes int, err error) {
	if err := c.until(deadline); err != nil {
		return "", 0, err
	}
	for {
		m, err := c.next()
		if err != nil {
			return "", bytes, err
		}
		bytes += len(m.Payload)
		if m.Type != message.TypeCommand && m.Type != message.TypeCommandAMF3 {
			continue
		}
		if cmd, ok := c.command(m); ok {
			return cmd.Name, bytes, nil
		}
	}
}
