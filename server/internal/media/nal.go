package media

import (
	"bytes"
	"encoding/binary"
)

// verdict is what NAL units say about the frame they make up. Of several, the
// highest counts.
type verdict uint8

const (
	nothing   verdict = iota // there is no unit
	silent                   // units that say nothing: parameter sets of pictures, delimiters
	spare                    // a decoder can go on without it
	dependent                // a decoder cannot start here
	unsure                   // it may, if the head of the frame says so
	start                    // it can
)

// judge walks the NAL units of a frame. Cameras mark every frame as an inter frame,
// or every frame as a key frame; the units tell the truth (PROTOCOL 12).
//
// Units have a length of four bytes in front, rarely two, and some encoders put
// start codes (Annex B) into FLV. The configuration that says which is not at hand,
// so a form counts when it fits the whole body. Lengths come first: 00 00 01 is how
// the length of a unit of 256 to 511 bytes begins.
//
// tidy are units with nothing but a length in front, none of them empty, or a form
// that is not known.
func judge(body []byte, unit func([]byte) verdict) (v verdict, tidy bool) {
	if len(body) == 0 {
		return nothing, true
	}
	tidy = true
	watched := func(nal []byte) verdict {
		if startCode(nal) > 0 { // some encoders write both
			tidy = false
			return annexB(nal, unit)
		}
		tidy = tidy && len(nal) > 0
		return judgeUnit(nal, unit)
	}
	if v, ok := prefixed(body, 4, watched); ok {
		return v, tidy
	}
	if startCode(body) > 0 {
		return annexB(body, unit), false
	}
	if v, ok := prefixed(body, 2, watched); ok {
		return v, true
	}
	return unsure, true
}

func judgeUnit(nal []byte, unit func([]byte) verdict) verdict {
	if len(nal) == 0 {
		return nothing
	}
	return unit(nal)
}

// prefixed walks units with a length of size bytes in front. ok is false when they
// do not fill the body.
func prefixed(b []byte, size int, unit func([]byte) verdict) (v verdict, ok bool) {
	for len(b) > 0 {
		if len(b) < size {
			return 0, false
		}
		var n uint32
		if size == 4 {
			n = binary.BigEndian.Uint32(b)
		} else {
			n = uint32(binary.BigEndian.Uint16(b))
		}
		b = b[size:]
		if uint64(n) > uint64(len(b)) {
			return 0, false
		}
		v = max(v, unit(b[:n]))
		b = b[n:]
	}
	return v, true
}

func annexB(b []byte, unit func([]byte) verdict) verdict {
	v := nothing
	for len(b) > 0 {
		b = b[startCode(b):]
		end := bytes.Index(b, []byte{0, 0, 1})
		if end < 0 {
			return max(v, judgeUnit(b, unit))
		}
		// The byte in front of a short start code may belong to a long one.
		v = max(v, judgeUnit(bytes.TrimRight(b[:end], "\x00"), unit))
		b = b[end:]
	}
	return v
}

// startCode is the length of the start code b begins with, 0 without one.
func startCode(b []byte) int {
	switch {
	case bytes.HasPrefix(b, []byte{0, 0, 0, 1}):
		return 4
	case bytes.HasPrefix(b, []byte{0, 0, 1}):
		return 3
	}
	return 0
}

// avcUnit judges an AVC NAL unit (ITU-T H.264, table 7-1).
func avcUnit(nal []byte) verdict {
	switch nal[0] & 0x1F {
	case 5: // IDR slice
		return start
	case 6:
		return sei(nal[1:])
	case 7: // SPS
		return unsure
	case 1:
		if v := slice(nal[1:]); v != dependent || nal[0]&0x60 != 0 { // nal_ref_idc
			return v
		}
		return spare
	}
	return silent
}

// hevcUnit judges an HEVC NAL unit (ITU-T H.265, table 7-1).
func hevcUnit(nal []byte) verdict {
	switch typ := nal[0] >> 1 & 0x3F; {
	case typ >= 16 && typ <= 21: // slices of IRAP pictures
		return start
	case typ == 32, typ == 33: // VPS, SPS
		return unsure
	case typ == 39 && len(nal) > 2:
		return sei(nal[2:])
	case typ <= 9:
		// Of even type are pictures that none of their temporal sub-layer needs, and the
		// lowest sub-layer needs none of those above.
		if typ&1 == 0 || len(nal) > 1 && nal[1]&7 > 1 {
			return spare
		}
		return dependent
	}
	return silent
}

// sei judges an SEI message by its first payload. A buffering period or a recovery
// point is where streams with open GOPs or periodic intra refresh are entered; they
// have no IDR picture after the first.
func sei(b []byte) verdict {
	const bufferingPeriod, recoveryPoint = 0, 6
	if len(b) > 0 && (b[0] == bufferingPeriod || b[0] == recoveryPoint) {
		return unsure
	}
	return silent
}

// slice judges the head of an AVC slice that is not IDR (7.3.3): first_mb_in_slice
// and slice_type, both Exp-Golomb. An open GOP begins with I slices.
func slice(b []byte) verdict {
	r := golomb{b: b[:min(len(b), 9)]}
	r.next()
	typ, ok := r.next()
	if !ok || typ%5 == 2 || typ%5 == 4 { // I, SI
		return unsure
	}
	return dependent
}

// golomb reads unsigned Exp-Golomb numbers of up to 31 bits.
type golomb struct {
	b   []byte
	pos int
}

func (g *golomb) bit() (n uint32, ok bool) {
	if g.pos >= len(g.b)*8 {
		return 0, false
	}
	n = uint32(g.b[g.pos/8]>>(7-g.pos%8)) & 1
	g.pos++
	return n, true
}

func (g *golomb) next() (n uint32, ok bool) {
	zeros := 0
	for {
		bit, ok := g.bit()
		if !ok || zeros > 15 {
			return 0, false
		}
		if bit == 1 {
			break
		}
		zeros++
	}
	n = 1
	for range zeros {
		bit, ok := g.bit()
		if !ok {
			return 0, false
		}
		n = n<<1 | bit
	}
	return n - 1, true
}
