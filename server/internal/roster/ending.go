package roster

import (
	"context"
	"errors"

	"github.com/penstock-media/penstock/server/config"
)

// Ending is the cause a session's context ends with: the reason, and the same in
// a sentence that a person can act on.
//
//nolint:errname // it is asked for as a value far more often than returned as an error
type Ending struct {
	Reason config.Reason
	Detail string
	// Handshake is, for config.ReasonHandshake, what was wrong. Empty is
	// HandshakeBroken.
	Handshake Handshake
}

// Handshake says what was wrong with a handshake.
type Handshake string

// The closed list of it: it is a metric's label.
const (
	HandshakeBroken  Handshake = "broken"  // what came is no handshake of the protocol it began in
	HandshakeTimeout Handshake = "timeout" // it was not complete in time
	HandshakeHTTP    Handshake = "http"    // the peer speaks HTTP
	HandshakeTLS     Handshake = "tls"     // it speaks TLS on a port without, or its TLS failed
	HandshakeRTMPE   Handshake = "rtmpe"
	HandshakePlain   Handshake = "plain_rtmp" // it speaks plain RTMP on a port for RTMPS
	HandshakeProxy   Handshake = "proxy"      // a PROXY protocol header is missing, broken or from a stranger
	HandshakeUnknown Handshake = "unknown"    // its first bytes are nobody's
)

// Error implements error.
func (e *Ending) Error() string {
	if e.Detail == "" {
		return string(e.Reason)
	}
	return string(e.Reason) + ": " + e.Detail
}

// Unwrap makes errors.Is(err, config.ReasonKicked) work.
func (e *Ending) Unwrap() error { return e.Reason }

// EndingOf says why ctx ended. A context that ended without a cause of ours, such
// as the engine's, is a shutdown.
func EndingOf(ctx context.Context) (Ending, bool) {
	cause := context.Cause(ctx)
	if cause == nil {
		return Ending{}, false
	}
	if e, ok := errors.AsType[*Ending](cause); ok {
		return *e, true
	}
	if reason, ok := errors.AsType[config.Reason](cause); ok {
		return Ending{Reason: reason}, true
	}
	return Ending{Reason: config.ReasonShutdown, Detail: "The server is shutting down."}, true
}
