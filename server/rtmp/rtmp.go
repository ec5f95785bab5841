// Package rtmp speaks RTMP on a connection, as server (Accept) and as client
// (Dial). It deals with the handshake, chunks, acknowledgements and pings, and
// with the order of commands and answers; it knows nothing of streams or of who
// may publish.
//
// The server's side of a connection reads as a story:
//
//	c, err := rtmp.Accept(ctx, nc, rtmp.Config{})     // handshake, connect
//	err = c.AcceptConnect()                           // or RejectConnect
//	for {
//		e, err := c.Next()                        // of any of its message streams
//		switch e.Kind {
//		case rtmp.EventPublish: c.AcceptPublish(e.Publish)  // or RejectPublish
//		case rtmp.EventMedia:   use(e.Media)
//		…
//
// One goroutine reads (everything above). Any number may send: SendStatus, Ping,
// StreamBegin, StreamEOF, SetOutput, Close.
package rtmp

import (
	"errors"
	"net"

	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/handshake"
)

var (
	// ErrUnpublished says, to a client that plays, that the publisher is gone and
	// that ReadMedia may wait for the next.
	ErrUnpublished = errors.New("unpublished")
	// ErrProtocol says that the peer broke the protocol in a way that leaves
	// nothing to talk about.
	ErrProtocol = chunk.ErrProtocol
	// ErrTooLarge says that a peer sent more than its limits.
	ErrTooLarge = chunk.ErrTooLarge
	// ErrNotRTMP says that the first byte was not RTMP's; see NotRTMPError.
	ErrNotRTMP = handshake.ErrNotRTMP
	// ErrHandshake is wrapped by whatever ends a connection in its handshake.
	ErrHandshake = errors.New("handshake")
)

// NotRTMPError says what a peer speaks in place of RTMP: "HTTP", "TLS", "RTMPE"
// or "unknown".
type NotRTMPError = handshake.NotRTMPError

// IsTimeout says whether err is a deadline that passed: the peer was too slow
// or silent.
func IsTimeout(err error) bool {
	ne, ok := errors.AsType[net.Error](err)
	return ok && ne.Timeout()
}
