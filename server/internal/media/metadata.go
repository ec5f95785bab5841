package media

import (
	"encoding/binary"
	"math"
	"strings"
	"unicode"
)

// Metadata is what a publisher's onMetaData claims. It is for showing: encoders send
// it late, wrong, or not at all, so nothing may depend on it.
type Metadata struct {
	Width, Height        int     // pixels
	FrameRate            float64 // frames a second
	VideoKbps, AudioKbps float64
	// Encoder is what the encoder calls itself, cut to 1 KiB of printable UTF-8.
	Encoder string
}

// Metadata reads p's claims, and is false when p is no onMetaData. Claims that make
// no sense are 0.
func (p Packet) Metadata() (Metadata, bool) {
	var m Metadata
	value, ok := p.metaValue()
	if !ok {
		return m, false
	}
	const maxSide, maxRate, maxKbps = 1 << 16, 1000, 1 << 20
	walk(value, func(prop property) {
		switch prop.key() {
		case "width":
			m.Width = int(prop.number(maxSide))
		case "height":
			m.Height = int(prop.number(maxSide))
		case "framerate":
			m.FrameRate = prop.number(maxRate)
		case "videodatarate":
			m.VideoKbps = prop.number(maxKbps)
		case "audiodatarate":
			m.AudioKbps = prop.number(maxKbps)
		case "encoder":
			m.Encoder = prop.text()
		}
	})
	return m, true
}

// ATC reports whether p is an onMetaData that says that the publisher's times are not
// to be touched: bravo_atc, which is "true" in the encoders that SRS knows.
func (p Packet) ATC() bool {
	value, ok := p.metaValue()
	atc := false
	if ok {
		walk(value, func(prop property) { atc = atc || prop.key() == "bravo_atc" && prop.yes() })
	}
	return atc
}

// Live returns p as players of a live stream get it. The properties of onMetaData
// that are true of a file only, duration and filesize, are gone: with a duration of
// 0, which FFmpeg writes, some players stop at once. The property server, if a name
// is given, is that name, whatever an earlier server put there. An associative
// array has the right count after that. Other packets, and metadata that cannot be
// read to its end, are returned as they are.
func (p Packet) Live(server string) Packet {
	value, ok := p.metaValue()
	if !ok {
		return p
	}
	members := make([]byte, 0, len(value)+len("\x00\x06server\x02\x00\x00")+len(server))
	count := uint32(0)
	from := 1 // what is not yet copied begins here
	if value[0] == amfECMAArray {
		from = 5
	}
	if server != "" {
		members = append(members, "\x00\x06server"...)
		members = append(members, amfString, byte(len(server)>>8), byte(len(server)))
		members = append(members, server...)
		count++
	}
	complete := walk(value, func(prop property) {
		switch key := prop.key(); {
		case (key == "duration" || key == "filesize" || key == "server" && server != "") && prop.simple():
			members = append(members, value[from:prop.start]...)
			from = prop.end
		default:
			count++
		}
	})
	if !complete {
		return p
	}
	live := make([]byte, 0, len(p.Payload)+len(members))
	live = append(live, p.Payload[:len(p.Payload)-len(value)+1]...)
	if value[0] == amfECMAArray {
		live = binary.BigEndian.AppendUint32(live, count)
	}
	live = append(live, members...)
	p.Payload = append(live, value[from:]...) //nolint:gocritic // bytes of its own
	return p
}

// metaValue is the value behind the name onMetaData.
func (p Packet) metaValue() ([]byte, bool) {
	if !p.Meta {
		return nil, false
	}
	_, at, ok := leadingName(p.Payload)
	return p.Payload[at:], ok
}

// property is one property of an encoded object or array: value[start:end], its name
// at start+2.
type property struct {
	start, end  int
	name, value []byte
}

// key is the name in lower case: encoders do not agree on "filesize".
func (p property) key() string { return strings.ToLower(string(p.name)) }

// simple: the value is not one that references count.
func (p property) simple() bool {
	return p.value[0] <= amfString || p.value[0] == amfNull || p.value[0] == amfUndefined
}

// number is the value when it is a number from 0 to limit.
func (p property) number(limit float64) float64 {
	if p.value[0] != amfNumber {
		return 0
	}
	f := math.Float64frombits(binary.BigEndian.Uint64(p.value[1:]))
	if !(f >= 0 && f <= limit) { // neither for NaN
		return 0
	}
	return f
}

// yes is the value as an answer: true, a number that is not 0, or a word that is
// neither "false" nor "0".
func (p property) yes() bool {
	switch p.value[0] {
	case amfBoolean:
		return p.value[1] != 0
	case amfNumber:
		return p.number(math.MaxFloat64) != 0
	case amfString:
		word := strings.ToLower(p.text())
		return word != "" && word != "false" && word != "0"
	}
	return false
}

func (p property) text() string {
	if p.value[0] != amfString {
		return ""
	}
	const longest = 1 << 10
	s := p.value[3:]
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(s[:min(len(s), longest)]), ""))
}

// walk calls visit for each property of an encoded object or associative array, and
// is true when it got to its end, which may be the end of the bytes.
func walk(b []byte, visit func(property)) bool {
	var i int
	switch {
	case len(b) >= 5 && b[0] == amfECMAArray:
		i = 5
	case len(b) >= 1 && b[0] == amfObject:
		i = 1
	default:
		return false
	}
	_, ok := properties(b, i, 0, visit)
	return ok
}

// maxDepth bounds how deep a property's value may be nested.
const maxDepth = 8

// properties skips the properties that begin at b[i] and returns where they end.
func properties(b []byte, i, depth int, visit func(property)) (end int, ok bool) {
	for {
		if rest := b[i:]; len(rest) == 0 || len(rest) < 3 && rest[0] == 0 && rest[len(rest)-1] == 0 {
			return len(b), true
		}
		key, at, ok := name(b, i)
		if !ok || at >= len(b) {
			return 0, false
		}
		if len(key) == 0 && b[at] == amfObjectEnd {
			return at + 1, true
		}
		end, ok := skip(b, at, depth)
		if !ok {
			return 0, false
		}
		if visit != nil {
			visit(property{start: i, end: end, name: key, value: b[at:end]})
		}
		i = end
	}
}

// skip returns where the value that begins at b[i] ends.
func skip(b []byte, i, depth int) (end int, ok bool) {
	marker := b[i]
	i++
	size := 0
	switch marker {
	case amfNull, amfUndefined, amfNothing:
	case amfNumber:
		size = 8
	case amfBoolean:
		size = 1
	case amfReference:
		size = 2
	case amfDate:
		size = 10
	case amfString:
		_, end, ok = name(b, i)
		return end, ok
	case amfLongString, amfXML:
		if len(b)-i < 4 {
			return 0, false
		}
		n := binary.BigEndian.Uint32(b[i:])
		if uint64(n) > uint64(len(b)-i-4) {
			return 0, false
		}
		size = 4 + int(n)
	case amfObject, amfECMAArray, amfTyped, amfStrict:
		return skipMembers(b, i, depth+1, marker)
	default:
		return 0, false
	}
	return i + size, size <= len(b)-i
}

func skipMembers(b []byte, i, depth int, marker byte) (end int, ok bool) {
	if depth > maxDepth {
		return 0, false
	}
	switch marker {
	case amfTyped:
		if _, i, ok = name(b, i); !ok {
			return 0, false
		}
	case amfECMAArray, amfStrict:
		if len(b)-i < 4 {
			return 0, false
		}
		i += 4
	}
	if marker != amfStrict {
		return properties(b, i, depth, nil)
	}
	for range binary.BigEndian.Uint32(b[i-4:]) {
		if i >= len(b) {
			return 0, false
		}
		if i, ok = skip(b, i, depth); !ok {
			return 0, false
		}
	}
	return i, true
}

// name reads a string with its length of two bytes in front.
func name(b []byte, i int) (s []byte, end int, ok bool) {
	if len(b)-i < 2 {
		return nil, 0, false
	}
	end = i + 2 + int(binary.BigEndian.Uint16(b[i:]))
	if end > len(b) {
		return nil, 0, false
	}
	return b[i+2 : end], end, true
}
