package codec

import "fmt"

// ParseAV1 reads an AV1CodecConfigurationRecord (AV1 Codec ISO Media File Format
// Binding, 2.3.3) and the sequence header OBU in it:
//
//	marker=1 version=1 | profile(3 bits) level(5) | tier high_bitdepth twelve_bit mono … | delay | OBUs
//
// A record without a sequence header is valid, and has no size.
func ParseAV1(b []byte) (VideoConfig, error) {
	c := VideoConfig{Codec: "AV1"}
	if len(b) < 4 {
		return c, invalid(c.Codec, "%d bytes", len(b))
	}
	if b[0] != 0x81 {
		return c, invalid(c.Codec, "marker and version 0x%02x", b[0])
	}
	c.Profile = av1Profile(b[1] >> 5)
	c.Level = av1Level(b[1]&0x1F, b[2]&0x80 != 0)
	switch b[2] >> 5 & 3 {
	case 0:
		c.BitDepth = 8
	case 3:
		c.BitDepth = 12
	default:
		c.BitDepth = 10
	}
	b = b[4:]
	for len(b) > 0 {
		typ, payload, rest, ok := obu(b)
		if !ok {
			return c, invalid(c.Codec, "ends inside an OBU")
		}
		if typ == obuSequenceHeader {
			return c, c.av1Sequence(payload)
		}
		b = rest
	}
	return c, nil
}

const obuSequenceHeader = 1

// obu cuts the first open bitstream unit off (AV1 specification, 5.3). One without
// a size goes to the end.
func obu(b []byte) (typ byte, payload, rest []byte, ok bool) {
	head := b[0]
	n := 1
	if head&4 != 0 {
		n = 2
	}
	if n > len(b) {
		return 0, nil, nil, false
	}
	b = b[n:]
	typ = head >> 3 & 0x0F
	if head&2 == 0 {
		return typ, b, nil, true
	}
	var size uint64 // leb128, 4.10.5
	for i := range 8 {
		if i >= len(b) {
			return 0, nil, nil, false
		}
		size |= uint64(b[i]&0x7F) << (7 * i)
		if b[i] < 0x80 {
			b = b[i+1:]
			if size > uint64(len(b)) {
				return 0, nil, nil, false
			}
			return typ, b[:size], b[size:], true
		}
	}
	return 0, nil, nil, false
}

// av1Sequence reads a sequence header (5.5) up to the size of its largest frame.
func (c *VideoConfig) av1Sequence(b []byte) error {
	r := &bits{b: b}
	c.Profile = av1Profile(byte(r.u(3)))
	r.skip(1)     // still_picture
	if r.flag() { // reduced_still_picture_header
		c.Level = av1Level(byte(r.u(5)), false)
	} else {
		c.av1Points(r)
	}
	w, h := int(r.u(4))+1, int(r.u(4))+1
	return c.size(r, uint64(r.u(w))+1, uint64(r.u(h))+1)
}

// av1Points reads timing, decoder model and operating points. The level is that of
// the first point.
func (c *VideoConfig) av1Points(r *bits) {
	delay := 0
	if r.flag() { // timing_info_present_flag
		r.skip(64)
		if r.flag() { // equal_picture_interval
			r.ue()
		}
		if r.flag() { // decoder_model_info_present_flag
			delay = int(r.u(5)) + 1
			r.skip(32 + 5 + 5)
		}
	}
	display := r.flag()
	for i := range r.u(5) + 1 {
		r.skip(12) // operating_point_idc
		level := byte(r.u(5))
		high := level > 7 && r.flag()
		if i == 0 {
			c.Level = av1Level(level, high)
		}
		if delay > 0 && r.flag() {
			r.skip(2*delay + 1)
		}
		if display && r.flag() {
			r.skip(4)
		}
	}
}

func av1Profile(profile byte) string {
	switch profile {
	case 0:
		return "Main"
	case 1:
		return "High"
	case 2:
		return "Professional"
	}
	return fmt.Sprintf("profile %d", profile)
}

// av1Level: seq_level_idx counts from level 2.0 in quarters (A.3); 31 is no level.
func av1Level(idx byte, high bool) string {
	if idx == 31 {
		return "max"
	}
	s := fmt.Sprintf("%d.%d", 2+(idx>>2), idx&3)
	if high {
		s += " High"
	}
	return s
}
