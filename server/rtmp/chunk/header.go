package chunk

import "encoding/binary"

// smallStep is how far ahead (ms) of the last time an extended field on a fmt 3
// header may lie to be read as an absolute time.
const smallStep = 10_000

// long reads the message header of fmt 0, 1 or 2 (sections 5.3.1.2.1 to .3).
func (r *Reader) long(s *stream, format byte) error {
	head, err := r.take([...]int{11, 7, 3}[format])
	if err != nil {
		return err
	}
	field := uint32(head[0])<<16 | uint32(head[1])<<8 | uint32(head[2])
	length, typ, streamID := s.length, s.typ, s.streamID
	if format <= 1 {
		length = int(head[3])<<16 | int(head[4])<<8 | int(head[5])
		typ = head[6]
	}
	if format == 0 {
		streamID = binary.LittleEndian.Uint32(head[7:])
	}
	ext := field == extended
	if ext {
		b, err := r.take(4)
		if err != nil {
			return err
		}
		field = binary.BigEndian.Uint32(b)
	}
	if s.pending {
		return r.repeated(s, format, length, typ)
	}
	if ext {
		s.extValue = field
	}
	s.ext, s.known = ext, true
	s.length, s.typ, s.streamID = length, typ, streamID
	s.delta = field // after fmt 0 too: FMLE sends 26, then fmt 3 and means 52
	if format == 0 {
		s.time = field
	} else {
		s.time += field // modulo 2^32: -10 written as 0xFFFFFFF6 is right
	}
	return nil
}

// repeated takes a fmt 1 or 2 header inside a message for a continuation if it
// says the same message again. Anything else means that we and the peer no
// longer agree where we are (CVE-2016-10191 is what comes of guessing).
func (r *Reader) repeated(s *stream, format byte, length int, typ uint8) error {
	r.guessed = true
	if format == 0 || length != s.length || typ != s.typ {
		return r.errorf("fmt %d of type %d, length %d on chunk stream %d inside a message of type %d, length %d",
			format, typ, length, s.csid, s.typ, s.length)
	}
	return nil
}

// short deals with fmt 3, which has no header of its own: it continues the
// message under way, or begins a new one like the last (section 5.3.1.2.4).
func (r *Reader) short(s *stream) error {
	switch {
	case s.pending && s.ext:
		return r.continued(s)
	case s.pending:
		return nil
	case s.ext:
		return r.another(s)
	}
	s.time += s.delta
	return nil
}

// verdict is what a peer does with the extended time on fmt 3 headers. Flash,
// FFmpeg and today's OBS repeat it, librtmp and OBS before 2024 do not.
type verdict uint8

const (
	unknown verdict = iota
	repeats
	omits
)

// continued skips the extended time on a continuation where the peer repeats it, or
// writes the absolute time in its place. The bytes are compared one by one, because a
// peer that does not repeat it may send fewer than four before it waits for us.
func (r *Reader) continued(s *stream) error {
	for n := 1; n <= 4; n++ {
		prefix, err := r.prefix(n)
		if err != nil {
			return err
		}
		if !begins(prefix, n, s.extValue, 0) && !begins(prefix, n, s.time, 0) {
			r.ext = omits
			return nil
		}
	}
	r.ext = repeats
	_, err := r.take(4)
	return err
}

// another reads the extended time of a fmt 3 that begins a message, which is the
// delta again. Some peers write the absolute time. What is neither is payload, unless
// the peer is known to repeat the field.
func (r *Reader) another(s *stream) error {
	var isDelta, isTime bool
	for n := 1; n <= 4; n++ {
		prefix, err := r.prefix(n)
		if err != nil {
			return err
		}
		isDelta, isTime = begins(prefix, n, s.extValue, 0), begins(prefix, n, s.time, smallStep)
		if !isDelta && !isTime && r.ext != repeats {
			s.time += s.delta
			return nil
		}
	}
	b, err := r.take(4)
	if err != nil {
		return err
	}
	s.extValue = binary.BigEndian.Uint32(b)
	if isTime {
		s.time = s.extValue
		return nil
	}
	s.delta = s.extValue
	s.time += s.delta
	return nil
}

// prefix looks at the next n bytes as a number.
func (r *Reader) prefix(n int) (uint32, error) {
	b, err := r.br.Peek(n)
	if err != nil {
		return 0, unexpected(err)
	}
	var v uint32
	for _, c := range b {
		v = v<<8 | uint32(c)
	}
	return v, nil
}

// begins reports whether the n bytes of prefix may be the first of a 32-bit number
// from v to v+more, modulo 2^32.
func begins(prefix uint32, n int, v, more uint32) bool {
	shift := 8 * (4 - n)
	mask := ^uint32(0) >> shift
	return (prefix-v>>shift)&mask <= ((v+more)>>shift-v>>shift)&mask
}
