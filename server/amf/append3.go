package amf

import "math"

// AppendAMF3 appends values as a message of AMF3 has them: each behind AMF0's marker
// 0x11, in AMF3 (PROTOCOL 6). It never writes references, which every reader does
// without.
//
// What AMF3 has no word for is written in the nearest one: a date loses its zone, and a
// value outside of the closed set is undefined.
func AppendAMF3(dst []byte, values ...Value) []byte {
	for _, v := range values {
		dst = append3(append(dst, markerAMF3), v)
	}
	return dst
}

func append3(dst []byte, v Value) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, amf3Null)
	case bool:
		if v {
			return append(dst, amf3True)
		}
		return append(dst, amf3False)
	case float64:
		return appendNumber3(dst, v)
	case int:
		return appendNumber3(dst, float64(v))
	case string:
		return appendText3(append(dst, amf3String), v)
	case Object:
		return appendInstance3(dst, "", v)
	case TypedObject:
		return appendInstance3(dst, v.Class, v.Properties)
	case ECMAArray:
		return appendArray3(dst, v)
	case StrictArray:
		dst = append(appendU29(append(dst, amf3Array), inline(len(v))), emptyText3)
		for _, e := range v {
			dst = append3(dst, e)
		}
		return dst
	case Date:
		return appendFloat(append(dst, amf3Date, 1), v.Millis)
	case XML:
		return appendText3(append(dst, amf3XML), string(v))
	default: // Undefined, and what is no Value
		return append(dst, amf3Undefined)
	}
}

// emptyText3 is the empty string. It also ends a list of named members, so that none of
// them can have it as its name.
const emptyText3 = 1

// maxU29 is the largest number a U29 can hold.
const maxU29 = 1<<29 - 1

// inline is a length or count in front of what is not a reference.
func inline(n int) uint32 { return uint32(min(n, maxU29>>1))<<1 | 1 }

// appendNumber3 writes an integer where that says the same.
func appendNumber3(dst []byte, f float64) []byte {
	const most = 1 << 28
	if f >= -most && f < most && f == math.Trunc(f) && (f != 0 || !math.Signbit(f)) {
		return appendU29(append(dst, amf3Integer), uint32(int32(f))&maxU29)
	}
	return appendFloat(append(dst, amf3Double), f)
}

// appendInstance3 writes an object. An anonymous one is dynamic, as Flash writes it; one
// with a class, or with a name that would end the dynamic members, has its names in its
// trait.
func appendInstance3(dst []byte, class string, ps []Property) []byte {
	const newObject, newTrait, dynamic = 1, 2, 8
	dst = append(dst, amf3Object)
	if class == "" && !unnamed(ps) {
		dst = appendText3(append(dst, newObject|newTrait|dynamic), class)
		for _, p := range ps {
			dst = append3(appendText3(dst, p.Key), p.Value)
		}
		return append(dst, emptyText3)
	}
	dst = appendU29(dst, uint32(min(len(ps), maxU29>>4))<<4|newObject|newTrait)
	dst = appendText3(dst, class)
	for _, p := range ps {
		dst = appendText3(dst, p.Key)
	}
	for _, p := range ps {
		dst = append3(dst, p.Value)
	}
	return dst
}

// appendArray3 writes an associative array: as an array with names, or as a dictionary
// where that would be another value.
func appendArray3(dst []byte, ps []Property) []byte {
	if len(ps) > 0 && !unnamed(ps) {
		dst = append(dst, amf3Array, 1) // no dense members
		for _, p := range ps {
			dst = append3(appendText3(dst, p.Key), p.Value)
		}
		return append(dst, emptyText3)
	}
	dst = append(appendU29(append(dst, amf3Dictionary), inline(len(ps))), 0) // names are no weak references
	for _, p := range ps {
		dst = append3(appendText3(append(dst, amf3String), p.Key), p.Value)
	}
	return dst
}

func unnamed(ps []Property) bool {
	for _, p := range ps {
		if p.Key == "" {
			return true
		}
	}
	return false
}

func appendText3(dst []byte, s string) []byte {
	s = s[:min(len(s), maxU29>>1)]
	return append(appendU29(dst, inline(len(s))), s...)
}

// appendU29 writes a number of up to 29 bits in one to four bytes.
func appendU29(dst []byte, n uint32) []byte {
	const more = 0x80
	switch {
	case n < 1<<7:
		return append(dst, byte(n))
	case n < 1<<14:
		return append(dst, byte(n>>7)|more, byte(n)&^more)
	case n < 1<<21:
		return append(dst, byte(n>>14)|more, byte(n>>7)|more, byte(n)&^more)
	default:
		return append(dst, byte(n>>22)|more, byte(n>>15)|more, byte(n>>8)|more, byte(n))
	}
}

// Plain returns a message without AMF3: b itself if it holds none, or cannot be read
// whole, and else its values in AMF0. Players and FLV readers take AMF3's marker for the
// end of what they understand.
func Plain(b []byte, lim Limits) []byte {
	d := &decoder{b: b, lim: lim.normalize()}
	var values []Value
	for d.pos < len(d.b) {
		v, _, err := d.value(0)
		if err != nil {
			return b
		}
		values = append(values, v)
	}
	if !d.switched {
		return b
	}
	return Append(make([]byte, 0, len(b)+len(b)/2), values...)
}
