package amf

import (
	"encoding/binary"
	"math"
)

// Append appends the AMF0 encoding of values. It never writes references or AMF3.
//
// An int is accepted as a number, for literals. A type outside of Value's closed
// set becomes AMF0's "unsupported". Names longer than 65 535 bytes are cut.
func Append(dst []byte, values ...Value) []byte {
	for _, v := range values {
		dst = appendValue(dst, v)
	}
	return dst
}

func appendValue(dst []byte, v Value) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, markerNull)
	case Undefined:
		return append(dst, markerUndefined)
	case bool:
		if v {
			return append(dst, markerBoolean, 1)
		}
		return append(dst, markerBoolean, 0)
	case float64:
		return appendFloat(append(dst, markerNumber), v)
	case int:
		return appendFloat(append(dst, markerNumber), float64(v))
	case string:
		if len(v) > math.MaxUint16 {
			return appendLong(append(dst, markerLongString), v)
		}
		return appendName(append(dst, markerString), v)
	case Object:
		return appendProperties(append(dst, markerObject), v)
	case ECMAArray:
		dst = append(dst, markerECMAArray)
		dst = binary.BigEndian.AppendUint32(dst, uint32(len(v)))
		return appendProperties(dst, v)
	case StrictArray:
		dst = append(dst, markerStrictArray)
		dst = binary.BigEndian.AppendUint32(dst, uint32(len(v)))
		return Append(dst, v...)
	case Date:
		dst = appendFloat(append(dst, markerDate), v.Millis)
		return binary.BigEndian.AppendUint16(dst, uint16(v.Zone))
	case XML:
		return appendLong(append(dst, markerXML), string(v))
	case TypedObject:
		dst = appendName(append(dst, markerTypedObject), v.Class)
		return appendProperties(dst, v.Properties)
	default:
		return append(dst, markerUnsupported)
	}
}

func appendProperties(dst []byte, ps []Property) []byte {
	for _, p := range ps {
		dst = appendValue(appendName(dst, p.Key), p.Value)
	}
	return append(dst, 0, 0, markerObjectEnd)
}

func appendFloat(dst []byte, f float64) []byte {
	return binary.BigEndian.AppendUint64(dst, math.Float64bits(f))
}

func appendName(dst []byte, s string) []byte {
	s = s[:min(len(s), math.MaxUint16)]
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(s)))
	return append(dst, s...)
}

func appendLong(dst []byte, s string) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(s)))
	return append(dst, s...)
}
