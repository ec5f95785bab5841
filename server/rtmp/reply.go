package rtmp

import (
	"errors"
	"fmt"
	"io"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// result waits for the answer to connect or createStream. Others that come
// meanwhile (onBWDone, answers to releaseStream, _error among them) mean nothing,
// but for an onStatus that refuses: some servers refuse early.
func (c *Client) result(call string, txn float64) (message.Command, error) {
	for {
		cmd, ok, err := c.conn.nextCommand()
		if err != nil {
			return message.Command{}, fmt.Errorf("rtmp: %s: %w", call, c.unanswered(err))
		}
		if !ok {
			continue
		}
		switch {
		case cmd.Name == "_result" && c.answers(call, txn, cmd):
			return cmd, nil
		case cmd.Name == "_error" && (cmd.Transaction == txn || cmd.Transaction == 0 && call == "connect"):
			err = c.refused(cmd)
		default:
			_, err = c.status(cmd)
		}
		if err != nil {
			return message.Command{}, fmt.Errorf("rtmp: %s: %w", call, err)
		}
	}
}

// answers says whether a _result is that of a call. Some servers answer all with
// transaction id 0: among those the answer to createStream is the one with a number.
func (*Client) answers(call string, txn float64, cmd message.Command) bool {
	if cmd.Transaction != 0 || txn == 0 {
		return cmd.Transaction == txn
	}
	_, numbered := amf.Number(cmd.Arg(0))
	return numbered || call != "createStream"
}

// createStream waits for the answer to a createStream that was sent.
func (c *Client) createStream(txn float64) error {
	cmd, err := c.result("createStream", txn)
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

// started waits for onStatus with the code, on any stream and with any
// transaction id: servers differ in both. Media that comes first says the same.
func (c *Client) started(call string, txn float64, code string) error {
	for {
		m, err := c.conn.next()
		if err != nil {
			return fmt.Errorf("rtmp: %s: %w", call, c.unanswered(err))
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
		cmd, ok := c.conn.command(m)
		if !ok {
			continue
		}
		var s Status
		if cmd.Name == "_error" && cmd.Transaction == txn {
			err = c.refused(cmd)
		} else {
			s, err = c.status(cmd)
		}
		if err != nil {
			return fmt.Errorf("rtmp: %s: %w", call, err)
		}
		if s.Code == code {
			return nil
		}
	}
}

// status reads an onStatus; of any other command it is zero. One that refuses is
// an error. A reconnect request waits for ReadMedia, and means nothing to a client
// that did not say that it deals with it.
func (c *Client) status(cmd message.Command) (Status, error) {
	if cmd.Name != "onStatus" {
		return Status{}, nil
	}
	s := parseStatus(cmd.Arg(0))
	switch s.Code {
	case CodeConnectReconnect:
		if c.cfg.Connect.CapsEx&CapsReconnect != 0 {
			c.moving = c.reconnect(cmd.Arg(0))
		}
		return Status{}, nil
	case CodePublishBadName, CodePublishDenied, CodePublishRejected, CodeConnectRejected,
		CodePlayFailed, CodePlayStreamNotFound: // whatever the level
		return s, c.refused(cmd)
	}
	seek := s.Code == codeSeekFailed || s.Code == codeSeekInvalid // it plays on
	if s.Level == LevelError && !seek {
		return s, c.refused(cmd)
	}
	if c.cfg.OnStatus != nil {
		s.Description = c.login.hide(s.Description)
		c.cfg.OnStatus(s)
	}
	return s, nil
}

// refused is an _error or an onStatus that refuses, as an error: *RedirectError
// or *StatusError.
func (c *Client) refused(cmd message.Command) error {
	info := cmd.Arg(0)
	if info == nil { // some leave the null in front out
		info = cmd.Object
	}
	s := parseStatus(info)
	if s.Code == "" {
		s.Code = CodeCallFailed
	}
	s.Description = c.login.hide(s.Description)
	if to, ok := c.redirect(info); ok {
		return &RedirectError{URL: to, Status: StatusError(s)}
	}
	return (*StatusError)(&s)
}

// unanswered says in words what the end of waiting means.
func (c *Client) unanswered(err error) error {
	switch {
	case IsTimeout(err):
		return fmt.Errorf("no answer within %v: %w", c.cfg.Timeout, err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the server closed the connection: %w", err)
	}
	return err
}
