package chunk

import (
	"fmt"
	"io"
)

// begin opens a message whose header was read.
func (r *Reader) begin(s *stream) error {
	if r.guessed && s.typ > typeAggregate {
		return r.errorf("type %d, which does not exist, on chunk stream %d", s.typ, s.csid)
	}
	if most := r.limits.message(s.typ); s.length > most {
		return fmt.Errorf("chunk: at byte %d: message of type %d and %d bytes, at most %d allowed: %w",
			r.off, s.typ, s.length, most, ErrTooLarge)
	}
	s.pending, s.got, s.buf = true, 0, nil
	r.unfinished++
	return nil
}

// drop closes the message under way, complete or not.
func (r *Reader) drop(s *stream) {
	if !s.pending {
		return
	}
	if cap(s.buf) > 0 && s.got < s.length && cap(s.buf) == r.limits.Eager {
		r.spare = s.buf[:0]
	}
	r.unfinished--
	r.held -= s.got
	s.pending, s.got, s.buf = false, 0, nil
}

// body reads the part of a message that one chunk carries.
func (r *Reader) body(s *stream) error {
	n := min(s.length-s.got, r.size)
	if s.got+n < s.length {
		// It stays unfinished after this chunk.
		if r.unfinished > r.limits.Unfinished {
			return fmt.Errorf("chunk: at byte %d: more than %d unfinished messages: %w", r.off, r.limits.Unfinished, ErrTooLarge)
		}
	}
	if r.held+n > r.limits.UnfinishedBytes {
		return fmt.Errorf("chunk: at byte %d: more than %d bytes in unfinished messages: %w", r.off, r.limits.UnfinishedBytes, ErrTooLarge)
	}
	for n > 0 {
		if s.got == cap(s.buf) {
			r.grow(s)
		}
		part := min(n, cap(s.buf)-s.got)
		s.buf = s.buf[:s.got+part]
		m, err := io.ReadFull(r.br, s.buf[s.got:])
		s.got += m
		r.held += m
		r.off += uint64(m)
		if err != nil {
			return unexpected(err)
		}
		n -= part
	}
	return nil
}

// grow makes room for more of a message. A short one gets its whole length at
// once. A longer one begins in the spare buffer and moves to four times what
// has arrived, or to its length if that is less: the last move is always to a
// slice of exactly the message's length, which the caller will own.
func (r *Reader) grow(s *stream) {
	switch {
	case s.got == 0 && s.length <= r.limits.Eager:
		s.buf = make([]byte, 0, s.length)
	case s.got == 0:
		if cap(r.spare) != r.limits.Eager {
			r.spare = make([]byte, 0, r.limits.Eager)
		}
		s.buf, r.spare = r.spare[:0], nil
	default:
		old := s.buf
		s.buf = make([]byte, s.got, min(4*s.got, s.length))
		copy(s.buf, old)
		if cap(old) == r.limits.Eager {
			r.spare = old[:0]
		}
	}
}
