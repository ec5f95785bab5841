package amf

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// roomy are limits that no case here meets.
func roomy() Limits {
	return Limits{Depth: 64, Properties: 1 << 20, Values: 1 << 20, StringBytes: 1 << 24}
}

func diff(want, got []Value) string {
	return cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateNaNs())
}

// C-20, C-21, S2-14: the table below holds the cases by name.
func TestDecode(t *testing.T) {
	for _, c := range wireCases() {
		t.Run(c.name, func(t *testing.T) {
			got, err := Decode(bytesOf(t, c.wire), roomy())
			if err != nil {
				t.Fatal(err)
			}
			if d := diff(c.values, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
	for _, c := range readCases() {
		t.Run(c.name, func(t *testing.T) {
			got, err := Decode(bytesOf(t, c.wire), Limits{})
			if !errors.Is(err, c.err) {
				t.Errorf("error %v, want %v", err, c.err)
			}
			if d := diff(c.values, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// TestDecodeLimits: each limit is met exactly, and one more is an error that says so.
//
// C-23.
func TestDecodeLimits(t *testing.T) {
	nested := func(n int) []byte {
		return append(bytes.Repeat([]byte{markerObject, 0, 1, 'a'}, n), markerNull)
	}
	properties := func(n int) []byte {
		return append([]byte{markerObject}, bytes.Repeat([]byte{0, 1, 'a', markerNull}, n)...)
	}
	nulls := func(n int) []byte { return bytes.Repeat([]byte{markerNull}, n) }
	strict := func(n int) []byte {
		return append([]byte{markerStrictArray, 0, 0, byte(n >> 8), byte(n)}, nulls(n)...)
	}
	text := func(n int) []byte { return Append(nil, strings.Repeat("x", n)) }
	amf3Nested := func(n int) []byte {
		return append(append([]byte{markerAMF3}, bytes.Repeat([]byte{amf3Array, 3, 1}, n)...), amf3Null)
	}
	d := DefaultLimits()
	for _, c := range []struct {
		name       string
		good, over []byte
	}{
		{"depth", nested(d.Depth), nested(d.Depth + 1)},
		{"AMF3 depth", amf3Nested(d.Depth), amf3Nested(d.Depth + 1)},
		{"10 000 nested objects (C-23)", nested(1), nested(10000)},
		{"properties", properties(d.Properties), properties(d.Properties + 1)},
		{"values", nulls(d.Values), nulls(d.Values + 1)},
		{"values of an array", strict(d.Values - 1), strict(d.Values)},
		{"string", text(d.StringBytes), text(d.StringBytes + 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Decode(c.good, Limits{}); err != nil {
				t.Errorf("at the limit: %v", err)
			}
			if _, err := Decode(c.over, Limits{}); !errors.Is(err, ErrLimit) {
				t.Errorf("above the limit: %v", err)
			}
		})
	}
}

// TestReferencesDoNotMultiply: without limits on what references repeat, 4 KB would
// mean 2^200 values, or gigabytes of text.
func TestReferencesDoNotMultiply(t *testing.T) {
	doubling := []byte{markerObject, 0, 0, markerObjectEnd}
	for i := range byte(200) {
		doubling = append(doubling, markerStrictArray, 0, 0, 0, 2, markerReference, 0, i, markerReference, 0, i)
	}
	long := Append(nil, Object{{"k", strings.Repeat("x", 16000)}})
	for range 1000 {
		long = append(long, markerReference, 0, 0)
	}
	nested := append(Append(nil, Object{{"k", strings.Repeat("x", 16000)}}), markerStrictArray, 0, 0, 0, 1, markerReference, 0, 0)
	for range 1000 {
		nested = append(nested, markerReference, 0, 1)
	}
	amf3Strings := append([]byte{markerAMF3, amf3Array, 0x8F, 0x51, 1, amf3String, 0x82, 0xFA, 1}, bytes.Repeat([]byte{'x'}, 16000)...)
	amf3Strings = append(amf3Strings, bytes.Repeat([]byte{amf3String, 0}, 1000)...)
	for name, b := range map[string][]byte{"doubling": doubling, "long": long, "nested": nested, "AMF3 strings": amf3Strings} {
		t.Run(name, func(t *testing.T) {
			values, err := Decode(b, Limits{})
			if !errors.Is(err, ErrLimit) {
				t.Errorf("error %v, want %v", err, ErrLimit)
			}
			if n := len(Append(nil, values...)); n > 1<<20 {
				t.Errorf("%d bytes mean %d", len(b), n)
			}
		})
	}
}

// TestDecodePrefixes: no prefix of a real connect fails in another way than by its
// end, and what is whole in it is there.
func TestDecodePrefixes(t *testing.T) {
	whole := Append(nil, "connect", 1, Object{{"app", "live"}, {"tcUrl", "rtmp://h/live"}, {"fourCcList", StrictArray{"hvc1"}}})
	for n := range whole {
		values, err := Decode(whole[:n], Limits{})
		if err != nil && !errors.Is(err, ErrTruncated) {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if n >= 40 && len(values) < 2 {
			t.Fatalf("%d bytes: only %v", n, values)
		}
	}
}

// values generates any value that can be encoded.
func values(depth int) *rapid.Generator[Value] {
	return rapid.Custom(func(t *rapid.T) Value {
		kinds := 11
		if depth == 0 {
			kinds = 7
		}
		properties := func() []Property {
			return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Property {
				return Property{rapid.String().Draw(t, "key"), values(depth-1).Draw(t, "value")}
			}), 0, 4).Draw(t, "properties")
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return nil
		case 1:
			return Undefined{}
		case 2:
			return rapid.Bool().Draw(t, "bool")
		case 3:
			return rapid.Float64().Draw(t, "number")
		case 4:
			return string(rapid.SliceOf(rapid.Byte()).Draw(t, "string"))
		case 5:
			return Date{rapid.Float64().Draw(t, "ms"), rapid.Int16().Draw(t, "zone")}
		case 6:
			return XML(rapid.String().Draw(t, "xml"))
		case 7:
			return Object(properties())
		case 8:
			return ECMAArray(properties())
		case 9:
			return StrictArray(rapid.SliceOfN(values(depth-1), 0, 4).Draw(t, "values"))
		default:
			return TypedObject{rapid.String().Draw(t, "class"), properties()}
		}
	})
}

// TestReadAppendIdentity: what is written is read as it was.
//
// S2-14.
func TestReadAppendIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(values(4), 0, 5).Draw(t, "values")
		got, err := Decode(Append(nil, want...), roomy())
		if err != nil {
			t.Fatal(err)
		}
		if d := diff(want, got); d != "" {
			t.Fatalf("(-want +got)\n%s", d)
		}
	})
}

// FuzzDecode: no input panics or means much more than it says, and what is read
// can be written and read again.
func FuzzDecode(f *testing.F) {
	for _, c := range wireCases() {
		if len(c.wire) < 1000 {
			f.Add(bytesOf(f, c.wire))
		}
	}
	for _, c := range readCases() {
		f.Add(bytesOf(f, c.wire))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		values, err := Decode(b, Limits{})
		wire := Append(nil, values...)
		if limit := 64*len(b) + 17*DefaultLimits().StringBytes*2; len(wire) > limit {
			t.Errorf("%d bytes mean %d", len(b), len(wire))
		}
		again, err2 := Decode(wire, roomy())
		if err2 != nil {
			t.Fatalf("%s (%v): written as %s: %v", hex.EncodeToString(b), err, hex.EncodeToString(wire), err2)
		}
		if d := diff(values, again); d != "" {
			t.Errorf("(-first +second)\n%s", d)
		}
	})
}

func BenchmarkDecodeConnect(b *testing.B) {
	wire := Append(nil, "connect", 1, Object{
		{"app", "live"},
		{"type", "nonprivate"},
		{"flashVer", "FMLE/3.0 (compatible; Lavf62.19.101)"},
		{"tcUrl", "rtmp://127.0.0.1:1935/live"},
	})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(wire, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
