package codec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxNAL bounds a NAL unit: RTMP cannot carry a longer one.
const maxNAL = 1<<24 - 1

// NALReader reads the NAL units of a byte stream with start codes, which is what
// raw files of H.264 and H.265 are (ITU-T H.264 and H.265, Annex B):
//
//	zeros … 00 00 01 NAL unit zeros … 00 00 01 NAL unit …
type NALReader struct {
	r     io.Reader
	buf   []byte // from the unit under way on
	begun bool
	ended bool
}

// NewNALReader returns a NALReader of r.
func NewNALReader(r io.Reader) *NALReader { return &NALReader{r: r} }

const startCode = "\x00\x00\x01"

// Next returns the next unit, without start code and the zeros around it, in a slice
// of its own. The error is io.EOF at the end, or ErrInvalid where there is no start
// code or a unit does not end.
func (n *NALReader) Next() ([]byte, error) {
	from := 0 // what was searched already
	for {
		at := bytes.Index(n.buf[from:], []byte(startCode))
		switch {
		case at >= 0 && !n.begun:
			if len(bytes.Trim(n.buf[:from+at], "\x00")) > 0 {
				return nil, fmt.Errorf("codec: %w: no start code at the beginning", ErrInvalid)
			}
			n.buf, n.begun, from = n.buf[from+at+len(startCode):], true, 0
			continue
		case at >= 0:
			unit := bytes.TrimRight(n.buf[:from+at], "\x00")
			n.buf, from = n.buf[from+at+len(startCode):], 0
			if len(unit) > 0 {
				return bytes.Clone(unit), nil
			}
			continue
		case n.ended:
			unit := bytes.TrimRight(n.buf, "\x00")
			n.buf = nil
			if len(unit) == 0 {
				return nil, io.EOF
			}
			if !n.begun {
				return nil, fmt.Errorf("codec: %w: no start code", ErrInvalid)
			}
			return bytes.Clone(unit), nil
		case len(n.buf) > maxNAL, len(n.buf) > 64<<10 && !n.begun:
			return nil, fmt.Errorf("codec: %w: no start code in %d bytes", ErrInvalid, len(n.buf))
		}
		from = max(len(n.buf)-len(startCode)+1, 0)
		if err := n.fill(); err != nil {
			return nil, err
		}
	}
}

// fill reads on.
func (n *NALReader) fill() error {
	const more = 64 << 10
	old := len(n.buf)
	n.buf = append(n.buf, make([]byte, max(more, old))...)
	got, err := n.r.Read(n.buf[old:])
	n.buf = n.buf[:old+got]
	if errors.Is(err, io.EOF) {
		n.ended = true
		return nil
	}
	if err != nil {
		return fmt.Errorf("codec: read: %w", err)
	}
	return nil
}
