package flv

import (
	"encoding/binary"
	"errors"
)

// What can be wrong with a head. They are plain values, because heads are read
// for every message and an error must not cost an allocation.
var (
	// ErrShort: the body ends inside its head.
	ErrShort = errors.New("flv: body ends inside its head")
	// ErrHead: the head breaks the rules of FLV or Enhanced RTMP.
	ErrHead = errors.New("flv: malformed head")
)

// Layout says how a multitrack body is cut (Enhanced RTMP v2, AvMultitrackType).
type Layout uint8

// The layouts.
const (
	OneTrack             Layout = 0
	ManyTracks           Layout = 1 // one codec
	ManyTracksManyCodecs Layout = 2
)

// maxModifiers bounds the ModEx chain. One kind of modifier is defined.
const maxModifiers = 8

const packetModEx = 7 // the same number in audio and video

// enhanced is what Enhanced RTMP heads of audio and video have in common:
//
//	byte 0 | ModEx: size(1 or 1+2) data type<<4|packet … | layout<<4|packet | FourCC | track | size(3) | body
//	         while packet == 7                             if multitrack      not layout 2   multitrack  layout 1, 2
type enhanced struct {
	packet     uint8
	nano       uint32
	multitrack bool
	layout     Layout
	fourCC     FourCC
	track      uint8
	body, rest []byte
}

// modifiers consumes the ModEx chain and returns the packet type behind it.
func modifiers(b []byte, packet uint8) (rest []byte, behind uint8, nano uint32, err error) {
	for range maxModifiers {
		if packet != packetModEx {
			return b, packet, nano, nil
		}
		if len(b) < 1 {
			return nil, 0, 0, ErrShort
		}
		size := int(b[0]) + 1
		b = b[1:]
		if size == 256 {
			if len(b) < 2 {
				return nil, 0, 0, ErrShort
			}
			size = int(binary.BigEndian.Uint16(b)) + 1
			b = b[2:]
		}
		if len(b) < size+1 {
			return nil, 0, 0, ErrShort
		}
		const timestampOffsetNano = 0
		if b[size]>>4 == timestampOffsetNano && size >= 3 {
			nano = uint24(b)
		}
		packet = b[size] & 0x0F
		b = b[size+1:]
	}
	return nil, 0, 0, ErrHead
}

// parseEnhanced reads what follows the modifiers. multitrack is the packet type
// that means it: 6 in video, 5 in audio.
func parseEnhanced(b []byte, packet, multitrack uint8) (e enhanced, err error) {
	e.packet = packet
	if packet == multitrack {
		if len(b) < 1 {
			return e, ErrShort
		}
		e.multitrack = true
		e.layout, e.packet = Layout(b[0]>>4), b[0]&0x0F
		if e.layout > ManyTracksManyCodecs || e.packet == multitrack {
			return e, ErrHead
		}
		b = b[1:]
	}
	if e.layout != ManyTracksManyCodecs {
		if len(b) < 4 {
			return e, ErrShort
		}
		e.fourCC = FourCC(binary.BigEndian.Uint32(b))
		b = b[4:]
	}
	if !e.multitrack {
		e.body = b
		return e, nil
	}
	return e.next(b)
}

// next reads the track that begins at b. A last track that ends before its
// announced size keeps what there is.
func (e enhanced) next(b []byte) (enhanced, error) {
	if e.layout == ManyTracksManyCodecs {
		if len(b) < 4 {
			return e, ErrShort
		}
		e.fourCC = FourCC(binary.BigEndian.Uint32(b))
		b = b[4:]
	}
	if len(b) < 1 {
		return e, ErrShort
	}
	e.track = b[0]
	b = b[1:]
	if e.layout == OneTrack {
		e.body, e.rest = b, nil
		return e, nil
	}
	if len(b) < 3 {
		return e, ErrShort
	}
	size := min(int(uint24(b)), len(b)-3)
	e.body, e.rest = b[3:3+size:3+size], b[3+size:]
	return e, nil
}

// append writes what parseEnhanced and modifiers read, up to the body. b0 is the
// first byte without its packet type.
func (e enhanced) append(dst []byte, b0, multitrack uint8, bodyLen int) []byte {
	packet := e.packet
	if e.multitrack {
		packet = multitrack
	}
	if e.nano != 0 {
		dst = append(dst, b0|packetModEx, 2, byte(e.nano>>16), byte(e.nano>>8), byte(e.nano), packet)
	} else {
		dst = append(dst, b0|packet)
	}
	if e.multitrack {
		dst = append(dst, byte(e.layout)<<4|e.packet)
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(e.fourCC))
	if e.multitrack {
		dst = append(dst, e.track)
		if e.layout != OneTrack {
			dst = append(dst, byte(bodyLen>>16), byte(bodyLen>>8), byte(bodyLen))
		}
	}
	return dst
}
