package rtmp

import "github.com/penstock-media/penstock/server/rtmp/message"

// nextRequest reads up to what the peer asks for.
func nextRequest(c *Conn) (any, error) {
	for {
		e, err := c.Next()
		switch {
		case err != nil:
			return nil, err
		case e.Kind == EventPublish:
			return e.Publish, nil
		case e.Kind == EventPlay:
			return e.Play, nil
		}
	}
}

// readMedia reads a publisher's next message. ErrUnpublished is the end of its
// stream.
func readMedia(c *Conn) (message.Media, error) {
	for {
		e, err := c.Next()
		switch {
		case err != nil:
			return message.Media{}, err
		case e.Kind == EventMedia:
			return e.Media, nil
		case e.Kind == EventUnpublished:
			return message.Media{}, ErrUnpublished
		}
	}
}
