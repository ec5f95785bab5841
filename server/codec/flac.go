package codec

import "bytes"

// flacInfo is the length of a STREAMINFO block.
const flacInfo = 34

// ParseFLAC reads a STREAMINFO block (RFC 9639, 8.2). In front of it there may be
// the stream marker and the block's head, as Enhanced RTMP wants, or neither:
//
//	"fLaC" | last(1 bit) type=0(7) length=34(24) | block sizes(4) frame sizes(6) rate(20 bits) channels-1(3) depth-1(5) …
func ParseFLAC(b []byte) (AudioConfig, error) {
	c := AudioConfig{Codec: "FLAC"}
	b = bytes.TrimPrefix(b, []byte("fLaC"))
	if len(b) >= flacInfo+4 && b[0]&0x7F == 0 && b[1] == 0 && b[2] == 0 && b[3] == flacInfo {
		b = b[4:]
	}
	if len(b) < flacInfo {
		return c, invalid(c.Codec, "STREAMINFO of %d bytes", len(b))
	}
	r := &bits{b: b}
	r.skip(80)
	c.SampleRate, c.Channels = int(r.u(20)), int(r.u(3))+1
	if c.SampleRate == 0 {
		return c, invalid(c.Codec, "no sample rate")
	}
	return c, nil
}
