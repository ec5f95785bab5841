// Package handshake makes and reads the packets with which an RTMP connection
// begins (RTMP 1.0 section 5.2), in the simple form of the specification and in
// the digest form that Flash Player 9 brought. It is pure: bytes in, bytes out.
//
//	client                    server
//	  │ ── C0 C1 ──────────────▶ │   C0, S0: the version, 3
//	  │ ◀────────── S0 S1 S2 ── │   S1 and S2 in one write, not waiting for C2
//	  │ ── C2 ─────────────────▶ │   not waiting for S2: FFmpeg's server side waits for C2
//
// Nobody checks what the peer sends back. FFmpeg answers a digest with a plain
// echo, GStreamer writes its own time into the echo, restreaming services send
// anything at all.
package handshake

import (
	"errors"
	"fmt"
	"io"
)

const (
	// Version is the only version there is: C0 and S0.
	Version = 3
	// Size is the length of C1, S1, C2 and S2 in bytes.
	Size = 1536
)

// ErrNotRTMP is what every NotRTMPError is.
var ErrNotRTMP = errors.New("not RTMP")

// NotRTMPError says that the first byte of a connection is not RTMP's.
type NotRTMPError struct {
	What  string // what the peer seems to speak: "HTTP", "TLS", "RTMPE" or "unknown"
	First byte
	Head  []byte // what had come when that was found out, its beginning
}

// Error says what came in place of RTMP.
func (e *NotRTMPError) Error() string {
	return fmt.Sprintf("not RTMP: first byte 0x%02x (%s)", e.First, e.What)
}

// Is makes errors.Is(err, ErrNotRTMP) true.
func (e *NotRTMPError) Is(target error) bool { return target == ErrNotRTMP }

// CheckVersion looks at the first byte of a connection, C0 or S0. It returns a
// *NotRTMPError if no RTMP can follow.
func CheckVersion(first byte) error {
	switch first {
	case Version:
		return nil
	case 6, 8, 9: // encrypted variants; C1 would hold a Diffie-Hellman key
		return &NotRTMPError{What: "RTMPE", First: first}
	case 0x16: // ClientHello: the peer means rtmps
		return &NotRTMPError{What: "TLS", First: first}
	case 'G', 'P', 'H', 'O', 'D', 'C': // GET, POST, HEAD, OPTIONS, DELETE, CONNECT; HTTP/1.1
		return &NotRTMPError{What: "HTTP", First: first}
	default:
		return &NotRTMPError{What: "unknown", First: first}
	}
}

// Hello returns C0 and C1. now is the client's clock in ms, of any epoch. With
// digest, C1 carries a digest in the form every server knows (the digest block
// first); without, it is the simple form, which works everywhere.
func Hello(now uint32, random io.Reader, digest bool) ([]byte, error) {
	b := make([]byte, 1+Size)
	b[0] = Version
	c1 := b[1:]
	if err := fill(c1, now, random); err != nil {
		return nil, fmt.Errorf("handshake: C1: %w", err)
	}
	if digest {
		copy(c1[4:8], clientVersion)
		sign(c1, schemes()[0], clientKey)
	}
	return b, nil
}

// Respond returns S0, S1 and S2 for a C1 of Size bytes: digests if C1 carries a
// valid one, in C1's own scheme, and else the simple form, in which S2 is C1
// (Streamlabs compares) and bytes 4 to 8 of S1 are zero (FFmpeg looks for a
// digest otherwise).
func Respond(c1 []byte, now uint32, random io.Reader) ([]byte, error) {
	b := make([]byte, 1+2*Size)
	b[0] = Version
	s1, s2 := b[1:1+Size], b[1+Size:]
	if err := fill(s1, now, random); err != nil {
		return nil, fmt.Errorf("handshake: S1: %w", err)
	}
	sch, digest, ok := find(c1, clientKey)
	if !ok {
		copy(s2, c1)
		return b, nil
	}
	copy(s1[4:8], serverVersion)
	sign(s1, sch, serverKey)
	if err := seal(s2, c1, digest, serverKeyLong, random); err != nil {
		return nil, fmt.Errorf("handshake: S2: %w", err)
	}
	return b, nil
}

// Reply returns C2 for an S1 of Size bytes: a digest if S1 carries one and the
// client's C1 did (digest), and else S1 itself.
func Reply(s1 []byte, random io.Reader, digest bool) ([]byte, error) {
	c2 := make([]byte, Size)
	if digest {
		if _, d, ok := find(s1, serverKey); ok {
			if err := seal(c2, s1, d, clientKeyLong, random); err != nil {
				return nil, fmt.Errorf("handshake: C2: %w", err)
			}
			return c2, nil
		}
	}
	copy(c2, s1)
	return c2, nil
}

// HasDigest says whether a server's S1 has the digest that it should answer a
// client's digest with.
func HasDigest(s1 []byte) bool {
	_, _, ok := find(s1, serverKey)
	return ok
}

// fill makes the simple form: time, four zero bytes, random bytes.
func fill(b []byte, now uint32, random io.Reader) error {
	b[0], b[1], b[2], b[3] = byte(now>>24), byte(now>>16), byte(now>>8), byte(now)
	b[4], b[5], b[6], b[7] = 0, 0, 0, 0
	_, err := io.ReadFull(random, b[8:Size])
	return err
}
