// Package amf decodes and encodes the values of Action Message Format: AMF0, and AMF3
// where AMF0 switches to it.
//
// The reader is made for what encoders in the field send: objects that end with
// the message, arrays with a wrong count, markers in places where nobody expects
// them. What was decoded before an error is returned with it.
package amf

import "strings"

// Value is one AMF value. The set is closed:
//
//	nil           null, and AMF0's "unsupported"
//	Undefined     undefined
//	bool, float64 boolean, number (AMF3's integers too)
//	string        string, long string, AMF3's byte array: raw bytes, not always UTF-8
//	Object        anonymous object
//	ECMAArray     associative array, AMF3's dictionary
//	StrictArray   dense array, AMF3's vectors
//	Date, XML     date, XML document
//	TypedObject   object with a class name
type Value any

// Undefined is the value undefined.
type Undefined struct{}

// Property is a named value of an object or an associative array. The order and
// repetitions of names are kept.
type Property struct {
	Key   string
	Value Value
}

// Object is an anonymous object.
type Object []Property

// ECMAArray is an associative array: what onMetaData carries.
type ECMAArray []Property

// StrictArray is a dense array.
type StrictArray []Value

// Date is a point in time.
type Date struct {
	// Millis counts ms from the Unix epoch, in UTC.
	Millis float64
	// Zone is a field that readers have to ignore.
	Zone int16
}

// XML is the text of an XML document.
type XML string

// TypedObject is an object with the name of its class.
type TypedObject struct {
	Class      string
	Properties []Property
}

// Get returns the value of a property, nil when it is absent. The name is matched
// exactly and, when that fails, without regard to case: connect objects with
// "tcurl" exist.
func (o Object) Get(key string) Value { return get(o, key) }

// Get is Object.Get.
func (a ECMAArray) Get(key string) Value { return get(a, key) }

// Get is Object.Get.
func (t TypedObject) Get(key string) Value { return get(t.Properties, key) }

func get(ps []Property, key string) Value {
	for _, p := range ps {
		if p.Key == key {
			return p.Value
		}
	}
	for _, p := range ps {
		if strings.EqualFold(p.Key, key) {
			return p.Value
		}
	}
	return nil
}

// Properties returns the properties of an Object, ECMAArray or TypedObject, and
// false for any other value.
func Properties(v Value) ([]Property, bool) {
	switch v := v.(type) {
	case Object:
		return v, true
	case ECMAArray:
		return v, true
	case TypedObject:
		return v.Properties, true
	default:
		return nil, false
	}
}

// String returns v when it is a string.
func String(v Value) (string, bool) {
	s, ok := v.(string)
	return s, ok
}

// Number returns v when it is a number. It may be NaN or infinite. Strings that
// look like numbers are none.
func Number(v Value) (float64, bool) {
	n, ok := v.(float64)
	return n, ok
}
