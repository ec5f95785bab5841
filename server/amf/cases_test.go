package amf

import (
	"encoding/hex"
	"math"
	"strings"
	"testing"
)

// bytesOf turns hexadecimal digits with spaces, and quoted text among them, into bytes.
func bytesOf(tb testing.TB, s string) []byte {
	tb.Helper()
	var out []byte
	for i, part := range strings.Split(s, `"`) {
		if i%2 == 1 {
			out = append(out, part...)
			continue
		}
		b, err := hex.DecodeString(strings.ReplaceAll(part, " ", ""))
		if err != nil {
			tb.Fatalf("%q: %v", s, err)
		}
		out = append(out, b...)
	}
	return out
}

// wireCase is one message and what it means, in both directions: the read test, the
// write test and the fuzz seeds.
type wireCase struct {
	name   string
	wire   string
	values []Value
}

func wireCases() []wireCase {
	return []wireCase{
		{"nothing", ``, nil},
		{"number", `00 3FF0000000000000`, []Value{1.0}},
		{"negative number", `00 C059000000000000`, []Value{-100.0}},
		{"infinity", `00 7FF0000000000000`, []Value{math.Inf(1)}},
		{"booleans", `01 01 01 00`, []Value{true, false}},
		{"string", `02 0004 "live"`, []Value{"live"}},
		{"empty string", `02 0000`, []Value{""}},
		{"string that is not UTF-8", `02 0003 FF00FE`, []Value{"\xff\x00\xfe"}},
		{"object", `03 0003 "app" 02 0004 "live" 0001 "n" 05 000009`, []Value{
			Object{{"app", "live"}, {"n", nil}},
		}},
		{"empty object", `03 000009`, []Value{Object(nil)}},
		{"null and undefined", `05 06`, []Value{nil, Undefined{}}},
		{"onMetaData of OBS, with names that look like numbers", `02 000A "onMetaData" 08 00000003 0005 "width" 00 409E000000000000 0003 "2.1" 01 00 0003 "5.1" 01 01 000009`, []Value{
			"onMetaData", ECMAArray{{"width", 1920.0}, {"2.1", false}, {"5.1", true}},
		}},
		{"empty name that is no end", `03 0000 05 0001 "a" 06 000009`, []Value{Object{{"", nil}, {"a", Undefined{}}}}},
		{"name that contains the end marker", `03 0009 "123456789" 05 000009`, []Value{Object{{"123456789", nil}}}},
		{"fourCcList (C-20)", `03 000A "fourCcList" 0A 00000003 02 0004 "hvc1" 02 0004 "av01" 02 0004 "vp09" 000009`, []Value{
			Object{{"fourCcList", StrictArray{"hvc1", "av01", "vp09"}}},
		}},
		{"empty strict array", `0A 00000000`, []Value{StrictArray{}}},
		{"date", `0B 4277A8A5C9C00000 FFC4`, []Value{Date{Millis: 1625818962944, Zone: -60}}},
		{"long string", `0C 00010000 "` + strings.Repeat("x", 65536) + `"`, []Value{strings.Repeat("x", 65536)}},
		{"XML", `0F 00000004 "<a/>"`, []Value{XML("<a/>")}},
		{"typed object", `10 0003 "cls" 0001 "x" 00 0000000000000000 000009`, []Value{
			TypedObject{"cls", []Property{{"x", 0.0}}},
		}},
		{"nested", `03 0001 "a" 08 00000001 0001 "b" 0A 00000002 03 000009 05 000009 000009`, []Value{
			Object{{"a", ECMAArray{{"b", StrictArray{Object(nil), nil}}}}},
		}},
		{"publish of FFmpeg", `02 0007 "publish" 00 4014000000000000 05 02 0002 "e1" 02 0004 "live"`, []Value{
			"publish", 5.0, nil, "e1", "live",
		}},
	}
}

// readCase is a message that is read but never written in that form.
type readCase struct {
	name   string
	wire   string
	values []Value
	err    error
}

func readCases() []readCase {
	return []readCase{
		{"boolean 7", `01 07`, []Value{true}, nil},
		{"short long string", `0C 00000002 "ab"`, []Value{"ab"}, nil},
		{"unsupported", `0D 05`, []Value{nil, nil}, nil},
		{"array with a count of 1000 (C-21)", `08 000003E8 0001 "a" 05 0001 "b" 05 000009`, []Value{ECMAArray{{"a", nil}, {"b", nil}}}, nil},
		{"array with a count of 0 (C-21)", `08 00000000 0001 "a" 05 000009 05`, []Value{ECMAArray{{"a", nil}}, nil}, nil},
		{"object that ends with the message (C-21)", `03 0001 "a" 05`, []Value{Object{{"a", nil}}}, nil},
		{"object without the last byte", `03 0001 "a" 05 0000`, []Value{Object{{"a", nil}}}, nil},
		{"object without the last two bytes", `03 0001 "a" 05 00`, []Value{Object{{"a", nil}}}, nil},
		{"array that ends with the message", `08 000003E8 0005 "width" 00 4084000000000000`, []Value{ECMAArray{{"width", 640.0}}}, nil},
		{"nested objects that end with the message", `03 0001 "a" 03 0001 "b" 05`, []Value{Object{{"a", Object{{"b", nil}}}}}, nil},
		{"object cut in a name", `03 0001 "a" 05 0004 "na"`, []Value{Object{{"a", nil}}}, ErrTruncated},
		{"object cut in a value", `03 0001 "a" 05 0001 "b" 00 3FF0`, []Value{Object{{"a", nil}}}, ErrTruncated},
		{"object cut before a value", `03 0001 "a" 05 0001 "b"`, []Value{Object{{"a", nil}}}, ErrTruncated},
		{"number cut", `02 0001 "x" 00 3FF0`, []Value{"x"}, ErrTruncated},
		{"string cut", `02 0005 "abc"`, nil, ErrTruncated},
		{"array without a count", `08 0000`, nil, ErrTruncated},
		{"movie clip", `02 0001 "x" 04 05`, []Value{"x"}, ErrMarker},
		{"record set", `0E`, nil, ErrMarker},
		{"unknown marker", `FF`, nil, ErrMarker},
		{"end without an object", `09`, nil, ErrMarker},
		{"illegal marker behind app in connect (C-20)", `02 0007 "connect" 00 3FF0000000000000 03 0003 "app" 02 0004 "live" 0001 "x" FF`, []Value{
			"connect", 1.0, Object{{"app", "live"}},
		}, ErrMarker},
		{"error in a nested object keeps what is in front", `03 0001 "a" 03 0001 "b" 05 0001 "c" 04`, []Value{
			Object{{"a", Object{{"b", nil}}}},
		}, ErrMarker},
		{"strict array of 2^32-1 values in 3 bytes (C-23)", `0A FFFFFFFF 050505`, nil, ErrTruncated},
		{"reference", `03 0001 "a" 05 000009 07 0000`, []Value{Object{{"a", nil}}, Object{{"a", nil}}}, nil},
		{"reference by order of appearance", `0A 00000002 03 000009 08 00000000 000009 07 0002`, []Value{
			StrictArray{Object(nil), ECMAArray(nil)}, ECMAArray(nil),
		}, nil},
		{"reference to itself (C-23)", `03 0001 "a" 07 0000 000009`, []Value{Object(nil)}, ErrReference},
		{"reference to nothing", `07 0000`, nil, ErrReference},
		{"long string above the limit", `0C FFFFFFFF 00`, nil, ErrLimit},

		// AMF3, one value behind each marker 11.
		{"AMF3 simple values", `11 00 11 01 11 02 11 03`, []Value{Undefined{}, nil, false, true}, nil},
		{"AMF3 is not sticky", `11 04 05 05`, []Value{5.0, nil}, nil},
		{"AMF3 integers", `11 04 7F 11 04 8100 11 04 818000 11 04 80C08000 11 04 FFFFFFFF 11 04 BFFFFFFF`, []Value{
			127.0, 128.0, 16384.0, 2097152.0, -1.0, 268435455.0,
		}, nil},
		{"AMF3 double", `11 05 BFF8000000000000`, []Value{-1.5}, nil},
		{"AMF3 strings", `11 09 07 01 06 07 "abc" 06 01 06 00`, []Value{StrictArray{"abc", "", "abc"}}, nil},
		{"AMF3 tables begin empty", `11 06 07 "abc" 11 06 00`, []Value{"abc"}, ErrReference},
		{"AMF3 XML", `11 07 09 "<a/>" 11 0B 09 "<b/>"`, []Value{XML("<a/>"), XML("<b/>")}, nil},
		{"AMF3 date", `11 08 01 4277A8A5C9C00000`, []Value{Date{Millis: 1625818962944}}, nil},
		{"AMF3 array with names", `11 09 03 03 "a" 02 01 03`, []Value{ECMAArray{{"a", false}, {"0", true}}}, nil},
		{"AMF3 object", `11 0A 13 01 03 "a" 02 11 01`, []Value{Object{{"a", false}}, nil}, nil},
		{"AMF3 dynamic object", `11 0A 0B 01 07 "app" 06 09 "live" 01`, []Value{Object{{"app", "live"}}}, nil},
		{"AMF3 typed object", `11 0A 13 07 "cls" 03 "x" 04 01`, []Value{TypedObject{"cls", []Property{{"x", 1.0}}}}, nil},
		{"AMF3 trait by reference", `11 09 05 01 0A 13 07 "cls" 03 "x" 04 01 0A 01 04 02`, []Value{StrictArray{
			TypedObject{"cls", []Property{{"x", 1.0}}}, TypedObject{"cls", []Property{{"x", 2.0}}},
		}}, nil},
		{"AMF3 object by reference", `11 09 05 01 0A 0B 01 01 0A 02`, []Value{StrictArray{Object(nil), Object(nil)}}, nil},
		{"AMF3 reference to itself", `11 09 03 01 09 00`, nil, ErrReference},
		{"AMF3 ArrayCollection", `11 0A 07 43 "flex.messaging.io.ArrayCollection" 09 03 01 03`, []Value{StrictArray{true}}, nil},
		{"AMF3 class with an encoding of its own", `05 11 0A 07 07 "cls" 01`, []Value{nil}, ErrExternal},
		{"AMF3 byte array", `11 0C 05 FF00`, []Value{"\xff\x00"}, nil},
		{"AMF3 vectors", `11 0D 05 00 00000001 FFFFFFFF 11 0E 03 00 FFFFFFFF 11 0F 03 00 3FF0000000000000 11 10 03 00 01 03`, []Value{
			StrictArray{1.0, -1.0}, StrictArray{4294967295.0}, StrictArray{1.0}, StrictArray{true},
		}, nil},
		{"AMF3 dictionary", `11 11 05 00 06 03 "k" 03 04 07 02`, []Value{ECMAArray{{"k", true}, {"7", false}}}, nil},
		{"AMF3 dictionary with an object as a name", `11 11 03 00 0A 0B 01 01 03`, nil, ErrMarker},
		{"AMF3 vector of 2^28 values", `11 0D FFFFFFFF 00 00000001`, nil, ErrTruncated},
		{"AMF3 array of 2^28 values", `11 09 FFFFFFFF 01 01`, nil, ErrTruncated},
		{"AMF3 unknown marker", `11 12`, nil, ErrMarker},
		{"AMF3 without a value", `05 11`, []Value{nil}, ErrTruncated},
	}
}
