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
	if format == 0 || length != s.length || typ != s.typ {
		return r.errorf("fmt %d of type %d, length %d on chunk stream %d inside a message of type %d, length %d",
			format, typ, length, s.csid, s.typ, s.length)
	}
	return nil
}

// short deals with fmt 3, which has no header of its own: it continues the
// message under way, or begins a new one like the last (section 5.3.1.2.4).
func (r *Reader) short(s *stream) error {
	if s.pending {
		return r.continued(s)
	}
	if !s.ext {
		s.time += s.delta
		return nil
	}
	b, err := r.br.Peek(4)
	if err != nil {
		return unexpected(err)
	}
	v := binary.BigEndian.Uint32(b)
	switch ahead := v - s.time; {
	case ahead <= smallStep:
		s.time = v // some peers write the absolute time
	case v != s.extValue && r.extOmitted:
		s.time += s.delta
		return nil
	default:
		s.time += v
	}
	s.extValue = v
	_, err = r.take(4)
	return err
}

// continued skips the extended time on a continuation where the peer repeats
// it. Flash, FFmpeg and today's OBS do, librtmp and OBS before 2024 do not.
// The bytes are compared one by one, because a peer that does not repeat it may
// send fewer than four before it waits for us.
func (r *Reader) continued(s *stream) error {
	if !s.ext {
		return nil
	}
	var value, absolute [4]byte
	binary.BigEndian.PutUint32(value[:], s.extValue)
	binary.BigEndian.PutUint32(absolute[:], s.time)
	isValue, isAbsolute := true, true
	for i := range value {
		b, err := r.br.Peek(i + 1)
		if err != nil {
			return unexpected(err)
		}
		isValue = isValue && b[i] == value[i]
		isAbsolute = isAbsolute && b[i] == absolute[i]
		if !isValue && !isAbsolute {
			r.extOmitted = true
			return nil
		}
	}
	_, err := r.take(4)
	return err
}
