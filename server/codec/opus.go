package codec

import "bytes"

// ParseOpus reads an identification header (RFC 7845, 5.1):
//
//	"OpusHead" version(1) channels(1) pre-skip(2 LE) input rate(4 LE) gain(2 LE) mapping(1) …
//
// The sample rate is 48 000 whatever the header says: its field is that of the
// sound before it was encoded.
func ParseOpus(b []byte) (AudioConfig, error) {
	c := AudioConfig{Codec: "Opus", SampleRate: 48000}
	if !bytes.HasPrefix(b, []byte("OpusHead")) || len(b) < 19 {
		return c, invalid(c.Codec, "no OpusHead in %d bytes", len(b))
	}
	if b[8]>>4 != 0 { // minor versions are compatible
		return c, invalid(c.Codec, "version %d", b[8])
	}
	if b[9] == 0 {
		return c, invalid(c.Codec, "no channels")
	}
	c.Channels = int(b[9])
	return c, nil
}
