package flv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// ErrSignature means that the bytes do not begin with an FLV header.
var ErrSignature = errors.New("flv: no FLV signature")

// Reader reads the tags of an FLV file or stream. It wants a buffered source:
// it makes several small reads a tag.
type Reader struct {
	r      io.Reader
	offset int64
	begun  bool
	head   [headerSize + backPointerSize]byte
}

// NewReader returns a Reader of r. Nothing is read before the first Next.
func NewReader(r io.Reader) *Reader { return &Reader{r: r} }

// Next returns the next tag. Its body is a fresh slice that belongs to the
// caller and grows with the bytes that arrive, not with the announced length.
//
// The error is io.EOF at the end of the file, io.ErrUnexpectedEOF (wrapped) when
// the file ends inside a tag, or ErrSignature. Back pointers are not checked:
// muxers write them wrong, and the last may be missing.
func (r *Reader) Next() (Tag, error) {
	if !r.begun {
		if err := r.header(); err != nil {
			return Tag{}, err
		}
		r.begun = true
	}
	h := r.head[:tagHeadSize]
	if err := r.full(h); err != nil {
		if errors.Is(err, io.EOF) {
			return Tag{}, io.EOF
		}
		return Tag{}, fmt.Errorf("flv: tag head at byte %d: %w", r.offset, err)
	}
	t := Tag{
		Type:      h[0] & 0x1F,
		Timestamp: uint32(h[7])<<24 | uint24(h[4:]),
	}
	body, err := r.body(int64(uint24(h[1:])))
	if err != nil {
		return Tag{}, fmt.Errorf("flv: tag body at byte %d: %w", r.offset, err)
	}
	t.Body = body
	if err := r.full(r.head[:backPointerSize]); err != nil && !isEnd(err) {
		return Tag{}, fmt.Errorf("flv: back pointer at byte %d: %w", r.offset, err)
	}
	return t, nil
}

// header reads the file header, whatever its length says follows in it, and the
// first back pointer.
func (r *Reader) header() error {
	h := r.head[:headerSize]
	if err := r.full(h); err != nil {
		if isEnd(err) {
			return fmt.Errorf("%w: file ends at byte %d", ErrSignature, r.offset)
		}
		return fmt.Errorf("flv: header: %w", err)
	}
	if !bytes.HasPrefix(h, []byte("FLV")) {
		return ErrSignature
	}
	// The offset field counts the whole header; anything under 9 is a mistake.
	skip := int64(h[5])<<24 | int64(uint24(h[6:]))
	skip = max(skip-headerSize, 0) + backPointerSize
	n, err := io.CopyN(io.Discard, r.r, skip)
	r.offset += n
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("flv: header: %w", err)
	}
	return nil
}

func (r *Reader) body(size int64) ([]byte, error) {
	var buf bytes.Buffer
	buf.Grow(int(min(size, 64<<10)))
	n, err := io.CopyN(&buf, r.r, size)
	r.offset += n
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return buf.Bytes(), err
}

func (r *Reader) full(b []byte) error {
	n, err := io.ReadFull(r.r, b)
	r.offset += int64(n)
	return err
}

func isEnd(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

func uint24(b []byte) uint32 {
	return uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])
}
