package amf

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// amf3Cases are values in AMF3 as this package writes them: the read test, the write
// test and the fuzz seeds.
func amf3Cases() []wireCase {
	return []wireCase{
		{"undefined and null", `11 00 11 01`, []Value{Undefined{}, nil}},
		{"booleans", `11 02 11 03`, []Value{false, true}},
		{"integers of one to four bytes", `11 04 00 11 04 7F 11 04 8100 11 04 FF7F 11 04 818000 11 04 FFFF7F 11 04 80C08000 11 04 BFFFFFFF`, []Value{
			0.0, 127.0, 128.0, 16383.0, 16384.0, 2097151.0, 2097152.0, 268435455.0,
		}},
		{"negative integers", `11 04 FFFFFFFF 11 04 C0808000`, []Value{-1.0, -268435456.0}},
		{"numbers that are no integers of 29 bits", `11 05 41B0000000000000 11 05 8000000000000000 11 05 3FE0000000000000`, []Value{
			268435456.0, math.Copysign(0, -1), 0.5,
		}},
		{"strings", `11 06 01 11 06 09 "live"`, []Value{"", "live"}},
		{"string that is not UTF-8", `11 06 07 FF00FE`, []Value{"\xff\x00\xfe"}},
		{"XML", `11 0B 09 "<a/>"`, []Value{XML("<a/>")}},
		{"date", `11 08 01 4277A8A5C9C00000`, []Value{Date{Millis: 1625818962944}}},
		{"dynamic object", `11 0A 0B 01 07 "app" 06 09 "live" 05 "no" 01 01`, []Value{Object{{"app", "live"}, {"no", nil}}}},
		{"empty object", `11 0A 0B 01 01`, []Value{Object(nil)}},
		{"object with an empty name", `11 0A 23 01 01 03 "a" 03 02`, []Value{Object{{"", true}, {"a", false}}}},
		{"typed object", `11 0A 13 07 "cls" 03 "x" 04 01`, []Value{TypedObject{"cls", []Property{{"x", 1.0}}}}},
		{"typed object without properties", `11 0A 03 07 "cls"`, []Value{TypedObject{"cls", nil}}},
		{"array", `11 09 05 01 04 01 06 03 "b"`, []Value{StrictArray{1.0, "b"}}},
		{"empty array", `11 09 01 01`, []Value{StrictArray{}}},
		{"array with names", `11 09 01 0B "width" 04 8500 01`, []Value{ECMAArray{{"width", 640.0}}}},
		{"empty array with names", `11 11 01 00`, []Value{ECMAArray(nil)}},
		{"array with an empty name", `11 11 03 00 06 01 03`, []Value{ECMAArray{{"", true}}}},
		{"nested", `11 09 03 01 0A 0B 01 03 "a" 09 03 01 01 01`, []Value{StrictArray{Object{{"a", StrictArray{nil}}}}}},
	}
}

// S2-15.
func TestAppendAMF3(t *testing.T) {
	for _, c := range amf3Cases() {
		t.Run(c.name, func(t *testing.T) {
			wire := bytesOf(t, c.wire)
			if got := AppendAMF3([]byte("head"), c.values...); string(got) != "head"+string(wire) {
				t.Errorf("got  %s\nwant %s", hex.EncodeToString(got[4:]), hex.EncodeToString(wire))
			}
			got, err := Decode(wire, roomy())
			if err != nil {
				t.Fatal(err)
			}
			if d := diff(c.values, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
	if got := hex.EncodeToString(AppendAMF3(nil, 5, struct{}{})); got != "11040511"+"00" {
		t.Errorf("outside of the set: %s", got)
	}
}

// in3 is a value as it is after a way through AMF3: a date has no zone, and an object
// whose class has no name is anonymous.
func in3(v Value) Value {
	properties := func(ps []Property) []Property {
		out := make([]Property, 0, len(ps))
		for _, p := range ps {
			out = append(out, Property{p.Key, in3(p.Value)})
		}
		return out
	}
	switch v := v.(type) {
	case Date:
		return Date{Millis: v.Millis}
	case Object:
		return Object(properties(v))
	case ECMAArray:
		return ECMAArray(properties(v))
	case TypedObject:
		if v.Class == "" {
			return Object(properties(v.Properties))
		}
		return TypedObject{v.Class, properties(v.Properties)}
	case StrictArray:
		out := make(StrictArray, 0, len(v))
		for _, e := range v {
			out = append(out, in3(e))
		}
		return out
	default:
		return v
	}
}

// What is written in AMF3 is read as it was.
func TestReadAppendAMF3Identity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(values(4), 0, 5).Draw(t, "values")
		got, err := Decode(AppendAMF3(nil, want...), roomy())
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			want[i] = in3(want[i])
		}
		if d := diff(want, got); d != "" {
			t.Fatalf("(-want +got)\n%s", d)
		}
	})
}

// S0-79: what holds AMF3 becomes AMF0, and what holds none, or is broken, stays as it is.
func TestPlain(t *testing.T) {
	for _, c := range amf3Cases() {
		if got, want := Plain(bytesOf(t, c.wire), Limits{}), Append(nil, c.values...); !bytes.Equal(got, want) {
			t.Errorf("%s: %x, want %x", c.name, got, want)
		}
	}
	mixed := AppendAMF3(Append(nil, "@setDataFrame", "onMetaData"), ECMAArray{{"width", 640}})
	if got, want := Plain(mixed, Limits{}), Append(nil, "@setDataFrame", "onMetaData", ECMAArray{{"width", 640}}); !bytes.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
	for name, b := range map[string][]byte{
		"AMF0 with a wrong count": bytesOf(t, `02 0001 "a" 08 000003E8 0001 "a" 05 000009`),
		"cut":                     mixed[:len(mixed)-1],
		"a class of its own":      bytesOf(t, `11 0A 07 07 "cls" 01`),
		"too much":                AppendAMF3(nil, strings.Repeat("x", DefaultLimits().StringBytes+1)),
		"nothing":                 {},
	} {
		if got := Plain(b, Limits{}); !bytes.Equal(got, b) {
			t.Errorf("%s: %x became %x", name, b, got)
		}
	}
}

// FuzzAMF3: what is read of any AMF3 can be written in AMF3 and read again.
func FuzzAMF3(f *testing.F) {
	for _, c := range amf3Cases() {
		f.Add(bytesOf(f, c.wire))
	}
	for _, c := range readCases() {
		if strings.HasPrefix(c.name, "AMF3") {
			f.Add(bytesOf(f, c.wire))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		first, err := Decode(b, Limits{})
		wire := AppendAMF3(nil, first...)
		again, err2 := Decode(wire, roomy())
		if err2 != nil {
			t.Fatalf("%x (%v): written as %x: %v", b, err, wire, err2)
		}
		for i := range first {
			first[i] = in3(first[i])
		}
		if d := diff(first, again); d != "" {
			t.Errorf("(-first +second)\n%s", d)
		}
		if plain := Plain(b, Limits{}); err != nil && !bytes.Equal(plain, b) {
			t.Errorf("%x cannot be read and became %x", b, plain)
		}
	})
}
