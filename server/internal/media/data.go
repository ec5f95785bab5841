package media

import (
	"bytes"
	"encoding/binary"
)

// The names of data messages that mean something here (PROTOCOL 10).
const (
	setDataFrame   = "@setDataFrame"
	clearDataFrame = "@clearDataFrame"
	onMetaData     = "onMetaData"
)

// The AMF0 markers that are looked at.
const (
	amfNumber     = 0x00
	amfBoolean    = 0x01
	amfString     = 0x02
	amfObject     = 0x03
	amfNull       = 0x05
	amfUndefined  = 0x06
	amfReference  = 0x07
	amfECMAArray  = 0x08
	amfObjectEnd  = 0x09
	amfStrict     = 0x0A
	amfDate       = 0x0B
	amfLongString = 0x0C
	amfNothing    = 0x0D
	amfXML        = 0x0F
	amfTyped      = 0x10
	amfSwitch     = 0x11
)

// NewData classifies a data message. Its payload is what players get: publishers
// say "@setDataFrame" in front of onMetaData, which is removed, and cameras put
// numbers in front of that, which are removed with it (interop case C-24).
//
// Empty are messages that say nothing to players: onMetaData with null or anything
// else that has no properties (an object that has none is passed on: it takes the
// place of earlier metadata), and "@clearDataFrame", which is Clear when it is about
// onMetaData or names nothing. Unknown messages are passed on. The payload may begin
// with the format byte 0 of an AMF3 data message.
func NewData(time uint32, payload []byte) Packet {
	p := Packet{Kind: Data, Time: time, Payload: payload}
	if len(payload) == 0 {
		p.Empty = true
		return p
	}
	b := payload
	if len(b) > 1 && b[0] == 0 && b[1] == amfString {
		// The format byte; a number that begins with 2 has no name behind its first byte.
		if name, _, ok := leadingName(b[1:]); ok && len(name) > 0 {
			b = b[1:]
			p.Payload = b
		}
	}
	name, at, ok := leadingName(b)
	if !ok {
		return p
	}
	switch string(name) {
	case clearDataFrame:
		what, _, named := leadingName(b[at:])
		p.Empty, p.Clear = true, !named || string(what) == onMetaData
		return p
	case setDataFrame:
		b = b[at:]
		if name, at, ok = leadingName(b); !ok {
			p.Empty = true
			return p
		}
	}
	p.Payload = own(payload, b[at-3-len(name):])
	if string(name) == onMetaData {
		p.Meta = hasProperties(b[at:])
		p.Empty = !p.Meta
	}
	return p
}

// own returns part, which is a part of whole, so that keeping it does not keep a
// whole that is much longer.
func own(whole, part []byte) []byte {
	const worthwhile = 256
	if len(whole)-len(part) > worthwhile {
		return bytes.Clone(part)
	}
	return part
}

// hasProperties: the value of onMetaData is something that can have members.
func hasProperties(value []byte) bool {
	if len(value) < 2 {
		return false
	}
	switch value[0] {
	case amfObject, amfECMAArray, amfTyped, amfSwitch:
		return true
	}
	return false
}

// leadingName skips values that are not strings and returns the first string, and
// where it ends.
func leadingName(b []byte) (name []byte, end int, ok bool) {
	i := 0
	for i < len(b) {
		switch b[i] {
		case amfNumber:
			i += 9
		case amfBoolean:
			i += 2
		case amfNull, amfUndefined, amfNothing:
			i++
		case amfString:
			if len(b)-i < 3 {
				return nil, 0, false
			}
			n := int(binary.BigEndian.Uint16(b[i+1:]))
			if n > len(b)-i-3 {
				return nil, 0, false
			}
			return b[i+3 : i+3+n], i + 3 + n, true
		default:
			return nil, 0, false
		}
	}
	return nil, 0, false
}
