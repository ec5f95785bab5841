// Package chunk cuts RTMP messages into chunks and puts them together again
// (RTMP 1.0 section 5.3). It is pure: bytes in, messages out.
package chunk

import "errors"

// Chunk stream ids this server sends on. Every kind of message keeps one id, so
// that peers with weak readers never see two kinds interleaved on one.
const (
	ControlCSID uint32 = 2 // protocol control and user control
	CommandCSID uint32 = 3 // commands on message stream 0
	AudioCSID   uint32 = 4
	DataCSID    uint32 = 4 // data messages of a stream
	StatusCSID  uint32 = 5 // commands on a stream: onStatus, publish, play
	VideoCSID   uint32 = 6
)

const (
	// DefaultSize is the chunk size both directions start with, in bytes.
	DefaultSize = 128
	// MaxLength is the longest message the 24-bit length field can announce. It
	// is also the largest chunk size that means anything.
	MaxLength = 0xFFFFFF

	minCSID = 2
	maxCSID = 65599

	extended = 0xFFFFFF // in the 3-byte field: the time is in the 4-byte field
)

// Message types the chunk layer itself obeys.
const (
	typeSetChunkSize = 1
	typeAbort        = 2
)

var (
	// ErrProtocol says that the bytes are no chunk stream. It is wrapped with
	// the position and what was wrong; nothing after it can be trusted.
	ErrProtocol = errors.New("protocol error")
	// ErrTooLarge says that a message or the sum of unfinished messages is
	// beyond the Limits.
	ErrTooLarge = errors.New("too large")
)

// Header is what a message carries besides its payload.
type Header struct {
	CSID      uint32 // chunk stream, 2 to 65599
	Timestamp uint32 // ms, modulo 2^32; absolute
	Type      uint8  // message type id
	StreamID  uint32 // message stream, 0 for the connection itself
}

// Message is a whole message.
type Message struct {
	Header
	// Payload is a slice of its own: the caller may keep it.
	Payload []byte
}
