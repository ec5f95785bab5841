package rtmp

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/handshake"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// Accept takes a connection that a client opened through the handshake and up
// to its connect command, which Connect then returns. The caller answers with
// AcceptConnect or RejectConnect.
//
// An error ends the connection, and Accept has closed it: ErrNotRTMP for a peer
// that speaks something else, ErrHandshake, a timeout (IsTimeout), ErrProtocol,
// ErrTooLarge, io.EOF for a peer that left, or the context's cause.
func Accept(ctx context.Context, nc net.Conn, cfg Config) (*Conn, error) {
	c := newConn(nc, cfg.withDefaults())
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	err := c.accept()
	if !stop() && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Conn) accept() error {
	if err := c.serverHandshake(); err != nil {
		return fmt.Errorf("rtmp: %w: %w", ErrHandshake, err)
	}
	c.startChunks(c.cfg.forStrangers())
	if err := c.until(time.Now().Add(c.cfg.RequestTimeout)); err != nil {
		return err
	}
	for {
		cmd, ok, err := c.nextCommand()
		if err != nil {
			return err
		}
		if ok && cmd.Name == "connect" {
			c.connect, c.connectTxn = parseConnect(cmd), cmd.Transaction
			return nil
		}
	}
}

// headShown is how many bytes of something else NotRTMPError has.
const headShown = 16

// serverHandshake answers as soon as C1 is complete and takes C2 as it comes.
func (c *Conn) serverHandshake() error {
	quickAck(c.nc)
	if err := c.until(c.begun.Add(c.cfg.FirstTimeout)); err != nil {
		return err
	}
	var b [1 + handshake.Size]byte
	for got := 0; got < len(b); {
		n, err := c.nc.Read(b[got:])
		c.in.Add(uint64(n))
		if got += n; n > 0 {
			// At once: a peer that speaks something else may send less than C1
			// and then wait.
			if err := handshake.CheckVersion(b[0]); err != nil {
				if other, ok := errors.AsType[*NotRTMPError](err); ok {
					other.Head = bytes.Clone(b[:min(got, headShown)])
				}
				return err
			}
		}
		if err != nil && got < len(b) {
			return err
		}
	}
	answer, err := handshake.Respond(b[1:], uint32(time.Since(c.begun).Milliseconds()), rand.Reader)
	if err != nil {
		return err
	}
	c.mu.Lock()
	err = c.write(answer)
	c.mu.Unlock()
	if err != nil {
		return err
	}
	if err := c.until(c.begun.Add(c.cfg.HandshakeTimeout)); err != nil {
		return err
	}
	quickAck(c.nc)
	n, err := io.ReadFull(c.nc, b[:handshake.Size])
	c.in.Add(uint64(n))
	quickAck(c.nc)
	return err
}

// nextCommand reads until a command. ok is false for a command that cannot be
// read, which is passed over.
func (c *Conn) nextCommand() (cmd message.Command, ok bool, err error) {
	for {
		m, err := c.next()
		if err != nil {
			return message.Command{}, false, err
		}
		if m.Type != message.TypeCommand && m.Type != message.TypeCommandAMF3 {
			continue // media before a publish: dropped
		}
		cmd, ok := c.command(m)
		return cmd, ok, nil
	}
}

func (c *Conn) command(m chunk.Message) (message.Command, bool) {
	cmd, err := message.ParseCommand(m.Type, m.Payload, c.cfg.AMF)
	if err != nil {
		c.cfg.Logger.Debug("command that cannot be read", "err", err)
		return message.Command{}, false
	}
	return cmd, true
}

// Connect returns what the client said of itself.
func (c *Conn) Connect() Connect { return c.connect }

// AcceptConnect lets the client in as a modern server does.
func (c *Conn) AcceptConnect() error { return c.AcceptConnectAs(Welcome{}) }

// RejectConnect tells the client that it is not let in and why, and waits a
// moment for it to read that. What remains is Close. A nil e, or an empty field
// of it, means level error and NetConnection.Connect.Rejected.
func (c *Conn) RejectConnect(e *StatusError) error {
	err := c.send(
		command(0, "_error", c.connectTxn, nil, e.status(CodeConnectRejected).object()),
		command(0, "close", 0, nil),
	)
	if err == nil {
		c.linger()
	}
	return err
}
