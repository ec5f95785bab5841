package amf

import (
	"fmt"
	"strconv"
)

// The AMF3 markers.
const (
	amf3Undefined    = 0x00
	amf3Null         = 0x01
	amf3False        = 0x02
	amf3True         = 0x03
	amf3Integer      = 0x04
	amf3Double       = 0x05
	amf3String       = 0x06
	amf3XMLDocument  = 0x07
	amf3Date         = 0x08
	amf3Array        = 0x09
	amf3Object       = 0x0A
	amf3XML          = 0x0B
	amf3ByteArray    = 0x0C
	amf3VectorInt    = 0x0D
	amf3VectorUint   = 0x0E
	amf3VectorDouble = 0x0F
	amf3VectorObject = 0x10
	amf3Dictionary   = 0x11
)

// arrayCollection is the one class with an encoding of its own that is known: it
// is followed by the array it wraps.
const arrayCollection = "flex.messaging.io.ArrayCollection"

// decoder3 reads the one AMF3 value behind marker 0x11 (PROTOCOL 6). Its three
// tables begin empty at each marker. It shares position and limits with d.
type decoder3 struct {
	*decoder
	strings []string
	objects []complexValue
	traits  []trait
}

// trait is the shape of an AMF3 object.
type trait struct {
	class    string
	names    []string
	dynamic  bool
	external bool
	size     int // of all names
}

// amf3 reads one AMF3 value.
func (d *decoder) amf3(depth int) (v Value, keep bool, err error) {
	d.switched = true
	d3 := &decoder3{decoder: d}
	v, err = d3.value(depth)
	return v, false, err
}

func (d *decoder3) value(depth int) (Value, error) {
	if err := d.count(1); err != nil {
		return nil, err
	}
	marker, err := d.u8()
	if err != nil {
		return nil, err
	}
	switch marker {
	case amf3Undefined:
		return Undefined{}, nil
	case amf3Null:
		return nil, nil //nolint:nilnil // null is nil
	case amf3False, amf3True:
		return marker == amf3True, nil
	case amf3Integer:
		n, err := d.u29()
		return float64(int32(n<<3) >> 3), err
	case amf3Double:
		return d.float()
	case amf3String:
		return d.string()
	case amf3XMLDocument, amf3Date, amf3Array, amf3Object, amf3XML, amf3ByteArray,
		amf3VectorInt, amf3VectorUint, amf3VectorDouble, amf3VectorObject, amf3Dictionary:
		return d.object(marker, depth)
	default:
		d.pos--
		return nil, fmt.Errorf("%w: AMF3 0x%02x", ErrMarker, marker)
	}
}

// object reads what lives in the object table: a reference to an earlier one, or a
// new one, which is in the table before its members are read.
func (d *decoder3) object(marker byte, depth int) (Value, error) {
	head, err := d.u29()
	if err != nil {
		return nil, err
	}
	if head&1 == 0 {
		return refer(d.decoder, d.objects, int(head>>1), depth)
	}
	if depth >= d.lim.Depth {
		return nil, fmt.Errorf("%w: nested deeper than %d", ErrLimit, d.lim.Depth)
	}
	start, before, outer := d.pos+d.repeated, d.values, d.deepest
	index := len(d.objects)
	d.objects = append(d.objects, complexValue{})
	d.deepest = depth + 1
	v, err := d.members3(marker, int(head>>1), depth+1)
	if err == nil {
		d.objects[index] = complexValue{v, d.values - before + 1, d.deepest - depth, d.pos + d.repeated - start}
	}
	d.deepest = max(d.deepest, outer)
	return v, err
}

func (d *decoder3) members3(marker byte, n, depth int) (Value, error) {
	switch marker {
	case amf3Date:
		ms, err := d.float()
		return Date{Millis: ms}, err
	case amf3XML, amf3XMLDocument:
		s, err := d.text(int64(n))
		return XML(s), err
	case amf3ByteArray:
		return d.text(int64(n))
	case amf3Array:
		return d.array(n, depth)
	case amf3Object:
		return d.instance(n, depth)
	case amf3Dictionary:
		return d.dictionary(n, depth)
	default:
		return d.vector(marker, n, depth)
	}
}

// array reads named members, then n dense ones. Without names it is a StrictArray;
// with names the dense ones get theirs from their index.
func (d *decoder3) array(n, depth int) (Value, error) {
	named, err := d.dynamic(nil, depth)
	if err != nil {
		return nil, err
	}
	dense, err := d.dense(n, depth)
	if err != nil || len(named) == 0 {
		return dense, err
	}
	for i, v := range dense {
		named = append(named, Property{strconv.Itoa(i), v})
	}
	return ECMAArray(named), nil
}

func (d *decoder3) dense(n, depth int) (StrictArray, error) {
	if err := d.room(n, 1); err != nil {
		return nil, err
	}
	a := make(StrictArray, 0, n)
	for range n {
		v, err := d.value(depth)
		if err != nil {
			return a, err
		}
		a = append(a, v)
	}
	return a, nil
}

// instance reads an object. Of head (its U29 without the first bit) bit 0 says
// whether its trait follows or is one of the table.
func (d *decoder3) instance(head, depth int) (Value, error) {
	t, err := d.trait(head)
	if err != nil {
		return nil, err
	}
	if t.external {
		if t.class == arrayCollection {
			return d.value(depth)
		}
		return nil, fmt.Errorf("%w: %.64q", ErrExternal, t.class)
	}
	var ps []Property
	for _, name := range t.names {
		v, err := d.value(depth)
		if err != nil {
			return nil, err
		}
		ps = append(ps, Property{name, v})
	}
	if t.dynamic {
		if ps, err = d.dynamic(ps, depth); err != nil {
			return nil, err
		}
	}
	if t.class == "" {
		return Object(ps), nil
	}
	return TypedObject{t.class, ps}, nil
}

func (d *decoder3) trait(head int) (trait, error) {
	if head&1 == 0 {
		i := head >> 1
		if i >= len(d.traits) {
			return trait{}, fmt.Errorf("%w: trait %d", ErrReference, i)
		}
		t := d.traits[i]
		return t, d.repeat(t.size)
	}
	t := trait{external: head&2 != 0, dynamic: head&4 != 0}
	var err error
	if t.class, err = d.string(); err != nil {
		return t, err
	}
	if !t.external {
		n := head >> 3
		if n > d.lim.Properties {
			return t, fmt.Errorf("%w: more than %d properties", ErrLimit, d.lim.Properties)
		}
		for range n {
			name, err := d.string()
			if err != nil {
				return t, err
			}
			t.names = append(t.names, name)
			t.size += len(name)
		}
	}
	d.traits = append(d.traits, t)
	return t, nil
}

// dynamic reads named members up to an empty name.
func (d *decoder3) dynamic(ps []Property, depth int) ([]Property, error) {
	for {
		name, err := d.string()
		if err != nil || name == "" {
			return ps, err
		}
		if len(ps) >= d.lim.Properties {
			return ps, fmt.Errorf("%w: more than %d properties", ErrLimit, d.lim.Properties)
		}
		v, err := d.value(depth)
		if err != nil {
			return ps, err
		}
		ps = append(ps, Property{name, v})
	}
}

func (d *decoder3) vector(marker byte, n, depth int) (Value, error) {
	if _, err := d.u8(); err != nil { // whether its length is fixed
		return nil, err
	}
	if marker == amf3VectorObject {
		if _, err := d.string(); err != nil { // the class of its elements
			return nil, err
		}
		return d.dense(n, depth)
	}
	size := 4
	if marker == amf3VectorDouble {
		size = 8
	}
	if err := d.room(n, size); err != nil {
		return nil, err
	}
	if err := d.count(n); err != nil {
		return nil, err
	}
	a := make(StrictArray, 0, n)
	for range n {
		f, err := d.element(marker)
		if err != nil {
			return nil, err
		}
		a = append(a, f)
	}
	return a, nil
}

func (d *decoder3) element(marker byte) (float64, error) {
	if marker == amf3VectorDouble {
		return d.float()
	}
	n, err := d.u32()
	if marker == amf3VectorInt {
		return float64(int32(n)), err
	}
	return float64(n), err
}

// dictionary reads n pairs. Names are strings or numbers; others have no place in
// the closed set of values, and end the decoding.
func (d *decoder3) dictionary(n, depth int) (Value, error) {
	if _, err := d.u8(); err != nil { // whether its names are weak references
		return nil, err
	}
	if n > d.lim.Properties {
		return nil, fmt.Errorf("%w: more than %d properties", ErrLimit, d.lim.Properties)
	}
	var ps ECMAArray
	for range n {
		name, err := d.value(depth)
		if err != nil {
			return ps, err
		}
		var key string
		switch name := name.(type) {
		case string:
			key = name
		case float64:
			key = strconv.FormatFloat(name, 'g', -1, 64)
		default:
			return ps, fmt.Errorf("%w: %T as the name of a dictionary entry", ErrMarker, name)
		}
		v, err := d.value(depth)
		if err != nil {
			return ps, err
		}
		ps = append(ps, Property{key, v})
	}
	return ps, nil
}

// string reads a string: a new one, which enters the table unless it is empty, or
// one of the table. What the table gives again counts as repeated bytes.
func (d *decoder3) string() (string, error) {
	head, err := d.u29()
	if err != nil {
		return "", err
	}
	if head&1 == 0 {
		i := int(head >> 1)
		if i >= len(d.strings) {
			return "", fmt.Errorf("%w: string %d", ErrReference, i)
		}
		return d.strings[i], d.repeat(len(d.strings[i]))
	}
	s, err := d.text(int64(head >> 1))
	if err == nil && s != "" {
		d.strings = append(d.strings, s)
	}
	return s, err
}

// u29 reads a number of up to four bytes: seven bits each, eight in the fourth.
func (d *decoder3) u29() (uint32, error) {
	var n uint32
	for range 3 {
		c, err := d.u8()
		if err != nil {
			return 0, err
		}
		n = n<<7 | uint32(c&0x7F)
		if c < 0x80 {
			return n, nil
		}
	}
	c, err := d.u8()
	return n<<8 | uint32(c), err
}

// room: n elements of at least size bytes each can still be there.
func (d *decoder3) room(n, size int) error {
	if rest := len(d.b) - d.pos; n > rest/size {
		return fmt.Errorf("%w: %d elements in %d bytes", ErrTruncated, n, rest)
	}
	if n > d.lim.Values-d.values {
		return fmt.Errorf("%w: more than %d values", ErrLimit, d.lim.Values)
	}
	return nil
}
