package amf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Why decoding stopped. The errors of Decode wrap one of them and name the offset.
var (
	// ErrTruncated: the bytes end inside a value.
	ErrTruncated = errors.New("bytes end inside a value")
	// ErrMarker: a marker that is reserved, unknown, or out of place.
	ErrMarker = errors.New("marker not allowed here")
	// ErrReference: a reference to a value that is not there or not complete.
	ErrReference = errors.New("reference to no complete value")
	// ErrLimit: one of Limits is exceeded.
	ErrLimit = errors.New("limit exceeded")
	// ErrExternal: an AMF3 object whose encoding only its class knows.
	ErrExternal = errors.New("class with an encoding of its own")
)

// The AMF0 markers.
const (
	markerNumber      = 0x00
	markerBoolean     = 0x01
	markerString      = 0x02
	markerObject      = 0x03
	markerNull        = 0x05
	markerUndefined   = 0x06
	markerReference   = 0x07
	markerECMAArray   = 0x08
	markerObjectEnd   = 0x09
	markerStrictArray = 0x0A
	markerDate        = 0x0B
	markerLongString  = 0x0C
	markerUnsupported = 0x0D
	markerXML         = 0x0F
	markerTypedObject = 0x10
	markerAMF3        = 0x11
)

// Decode reads AMF0 values until b ends (PROTOCOL 5). The values decoded before an
// error are returned with it, the last one perhaps with a part of its properties:
// an illegal marker in a connect object does not lose the properties in front.
//
// An object or array that ends with b instead of its end marker is complete.
// Marker 0x11 is followed by one AMF3 value, which is decoded too.
func Decode(b []byte, lim Limits) ([]Value, error) {
	d := &decoder{b: b, lim: lim.normalize()}
	var values []Value
	for d.pos < len(d.b) {
		v, keep, err := d.value(0)
		if err == nil || keep {
			values = append(values, v)
		}
		if err != nil {
			return values, fmt.Errorf("amf: at byte %d: %w", d.pos, err)
		}
	}
	return values, nil
}

// complexValue is an entry of AMF0's reference table.
type complexValue struct {
	value Value
	// cost is how many values it is made of, depth how many containers deep it is,
	// size how many bytes it took,
	// references resolved. All 0 while it is being read.
	cost, depth, size int
}

type decoder struct {
	b      []byte
	pos    int
	lim    Limits
	values int // read so far
	// repeated is the encoded size of all values that were referred to.
	repeated int
	deepest  int
	switched bool // some value was AMF3's
	table    []complexValue
}

// value reads one value. keep says that a container with an error in it is worth
// keeping: a part of it was read.
func (d *decoder) value(depth int) (v Value, keep bool, err error) {
	if err := d.count(1); err != nil {
		return nil, false, err
	}
	marker, err := d.u8()
	if err != nil {
		return nil, false, err
	}
	switch marker {
	case markerNumber:
		v, err = d.float()
	case markerBoolean:
		var c byte
		c, err = d.u8()
		v = c != 0
	case markerString:
		v, err = d.name()
	case markerLongString:
		v, err = d.long()
	case markerXML:
		var s string
		s, err = d.long()
		v = XML(s)
	case markerDate:
		v, err = d.date()
	case markerNull, markerUnsupported:
		return nil, false, nil
	case markerUndefined:
		return Undefined{}, false, nil
	case markerReference:
		v, err = d.reference(depth)
	case markerObject, markerECMAArray, markerStrictArray, markerTypedObject:
		v, err = d.container(marker, depth)
		return v, v != nil, err
	case markerAMF3:
		return d.amf3(depth)
	default:
		d.pos--
		return nil, false, fmt.Errorf("%w: 0x%02x", ErrMarker, marker)
	}
	return v, false, err
}

// container reads what the reference table holds: objects and arrays.
func (d *decoder) container(marker byte, depth int) (Value, error) {
	if depth >= d.lim.Depth {
		return nil, fmt.Errorf("%w: nested deeper than %d", ErrLimit, d.lim.Depth)
	}
	start, before, outer := d.pos+d.repeated, d.values, d.deepest
	index := len(d.table)
	d.table = append(d.table, complexValue{})
	d.deepest = depth + 1

	v, err := d.members(marker, depth+1)
	if err == nil {
		d.table[index] = complexValue{v, d.values - before + 1, d.deepest - depth, d.pos + d.repeated - start}
	}
	d.deepest = max(d.deepest, outer)
	return v, err
}

func (d *decoder) members(marker byte, depth int) (Value, error) {
	switch marker {
	case markerObject:
		ps, err := d.properties(depth)
		return Object(ps), err
	case markerECMAArray:
		// The count is a hint at most: librtmp writes 0, others too many.
		if _, err := d.u32(); err != nil {
			return nil, err
		}
		ps, err := d.properties(depth)
		return ECMAArray(ps), err
	case markerTypedObject:
		class, err := d.name()
		if err != nil {
			return nil, err
		}
		ps, err := d.properties(depth)
		return TypedObject{class, ps}, err
	default:
		return d.strict(depth)
	}
}

// properties reads names and values up to the end: an empty name and the end
// marker, or the end of the bytes in their place. An empty name in front of
// anything else is a name.
func (d *decoder) properties(depth int) ([]Property, error) {
	var ps []Property
	for {
		rest := d.b[d.pos:]
		if len(rest) < 3 && (len(rest) == 0 || rest[0] == 0 && rest[len(rest)-1] == 0) {
			d.pos = len(d.b)
			return ps, nil
		}
		key, err := d.name()
		if err != nil {
			return ps, err
		}
		if key == "" && d.pos < len(d.b) && d.b[d.pos] == markerObjectEnd {
			d.pos++
			return ps, nil
		}
		if len(ps) >= d.lim.Properties {
			return ps, fmt.Errorf("%w: more than %d properties", ErrLimit, d.lim.Properties)
		}
		v, keep, err := d.value(depth)
		if err == nil || keep {
			ps = append(ps, Property{key, v})
		}
		if err != nil {
			return ps, err
		}
	}
}

func (d *decoder) strict(depth int) (Value, error) {
	n, err := d.u32()
	if err != nil {
		return nil, err
	}
	// Every value has at least one byte: a count above that is a lie.
	if int64(n) > int64(len(d.b)-d.pos) {
		return nil, fmt.Errorf("%w: array of %d values in %d bytes", ErrTruncated, n, len(d.b)-d.pos)
	}
	if int(n) > d.lim.Values-d.values {
		return nil, fmt.Errorf("%w: more than %d values", ErrLimit, d.lim.Values)
	}
	a := make(StrictArray, 0, n)
	for range n {
		v, keep, err := d.value(depth)
		if err == nil || keep {
			a = append(a, v)
		}
		if err != nil {
			return a, err
		}
	}
	return a, nil
}

// reference returns an earlier value again. It costs what the value costs, because
// whoever prints or encodes the result pays that: without it a few hundred bytes
// could mean 2^100 values. A value that is still being read cannot be referred to,
// so there are no cycles.
func (d *decoder) reference(depth int) (Value, error) {
	i, err := d.u16()
	if err != nil {
		return nil, err
	}
	return refer(d, d.table, int(i), depth)
}

func refer(d *decoder, table []complexValue, i, depth int) (Value, error) {
	if i >= len(table) || table[i].cost == 0 {
		return nil, fmt.Errorf("%w: %d", ErrReference, i)
	}
	c := table[i]
	if depth+c.depth > d.lim.Depth {
		return nil, fmt.Errorf("%w: nested deeper than %d", ErrLimit, d.lim.Depth)
	}
	if err := d.repeat(c.size); err != nil {
		return nil, err
	}
	if err := d.count(c.cost); err != nil {
		return nil, err
	}
	d.deepest = max(d.deepest, depth+c.depth)
	return c.value, nil
}

// repeat accounts n bytes that were read before and are part of the result again.
func (d *decoder) repeat(n int) error {
	const repeats = 16 // of the longest string
	if d.repeated += n; d.repeated > repeats*d.lim.StringBytes {
		return fmt.Errorf("%w: references repeat %d bytes", ErrLimit, d.repeated)
	}
	return nil
}

func (d *decoder) date() (Value, error) {
	ms, err := d.float()
	if err != nil {
		return nil, err
	}
	zone, err := d.u16()
	return Date{ms, int16(zone)}, err
}

func (d *decoder) count(n int) error {
	if d.values += n; d.values > d.lim.Values {
		return fmt.Errorf("%w: more than %d values", ErrLimit, d.lim.Values)
	}
	return nil
}

func (d *decoder) take(n int) ([]byte, error) {
	if n > len(d.b)-d.pos {
		return nil, fmt.Errorf("%w: %d of %d bytes", ErrTruncated, len(d.b)-d.pos, n)
	}
	b := d.b[d.pos : d.pos+n]
	d.pos += n
	return b, nil
}

func (d *decoder) u8() (byte, error) {
	b, err := d.take(1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

func (d *decoder) u16() (uint16, error) {
	b, err := d.take(2)
	if err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint16(b), nil
}

func (d *decoder) u32() (uint32, error) {
	b, err := d.take(4)
	if err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint32(b), nil
}

func (d *decoder) float() (float64, error) {
	b, err := d.take(8)
	if err != nil {
		return 0, err
	}
	return math.Float64frombits(binary.BigEndian.Uint64(b)), nil
}

func (d *decoder) name() (string, error) {
	n, err := d.u16()
	if err != nil {
		return "", err
	}
	return d.text(int64(n))
}

func (d *decoder) long() (string, error) {
	n, err := d.u32()
	if err != nil {
		return "", err
	}
	return d.text(int64(n))
}

func (d *decoder) text(n int64) (string, error) {
	if n > int64(d.lim.StringBytes) {
		return "", fmt.Errorf("%w: string of %d bytes", ErrLimit, n)
	}
	b, err := d.take(int(n))
	return string(b), err
}
