package message

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server/amf"
)

func TestUint32(t *testing.T) {
	b := AppendUint32(nil, 0x01020304)
	if diff := cmp.Diff([]byte{1, 2, 3, 4}, b); diff != "" {
		t.Error(diff)
	}
	if v, err := ParseUint32(append(b, 9)); v != 0x01020304 || err != nil {
		t.Errorf("%x, %v", v, err)
	}
	if _, err := ParseUint32(b[:3]); !errors.Is(err, ErrMalformed) {
		t.Error(err)
	}
	if diff := cmp.Diff([]byte{0, 0x26, 0x25, 0xA0, 2}, AppendPeerBandwidth(nil, 2_500_000, BandwidthDynamic)); diff != "" {
		t.Error(diff)
	}
}

// S2-12.
func TestUserControl(t *testing.T) {
	for _, tt := range []struct {
		bytes []byte
		want  UserControl
	}{
		{[]byte{0, 6, 0, 0, 1, 2}, UserControl{Event: EventPingRequest, Value: 0x102}},
		{[]byte{0, 3, 0, 0, 0, 1, 0, 0, 1, 0x2C}, UserControl{Event: EventSetBufferLength, Value: 1, Buffer: 300}},
		{[]byte{0, 32, 0, 0, 0, 1}, UserControl{Event: 32, Value: 1}},
	} {
		got, err := ParseUserControl(tt.bytes)
		if err != nil || got != tt.want {
			t.Errorf("%x: %+v, %v", tt.bytes, got, err)
		}
		if diff := cmp.Diff(tt.bytes, AppendUserControl(nil, tt.want)); diff != "" {
			t.Error(diff)
		}
	}
	if got, err := ParseUserControl([]byte{0, 27}); got.Event != 27 || err != nil {
		t.Errorf("without data: %+v, %v", got, err)
	}
	if _, err := ParseUserControl([]byte{0}); !errors.Is(err, ErrMalformed) {
		t.Error(err)
	}
}

var commandCases = []struct {
	name    string
	typ     uint8
	payload []byte
	want    Command
}{
	{
		"whole", TypeCommand,
		amf.Append(nil, "publish", 5.0, nil, "key", "live"),
		Command{Name: "publish", Transaction: 5, Args: []amf.Value{"key", "live"}},
	},
	{
		"name alone", TypeCommand,
		amf.Append(nil, "closeStream"),
		Command{Name: "closeStream"},
	},
	{
		"no command object (some cameras)", TypeCommand,
		amf.Append(nil, "publish", 5.0, "key", "live"),
		Command{Name: "publish", Transaction: 5, Args: []amf.Value{"key", "live"}},
	},
	{
		"no transaction", TypeCommand,
		amf.Append(nil, "FCPublish", nil, "key"),
		Command{Name: "FCPublish", Args: []amf.Value{"key"}},
	},
	{
		"object as an array", TypeCommand,
		amf.Append(nil, "connect", 1.0, amf.ECMAArray{{Key: "app", Value: "live"}}),
		Command{Name: "connect", Transaction: 1, Object: amf.ECMAArray{{Key: "app", Value: "live"}}},
	},
	{
		"object that never ends (Envivio)", TypeCommand,
		amf.Append(nil, "connect", 1.0, amf.Object{{Key: "app", Value: "live"}})[:34],
		Command{Name: "connect", Transaction: 1, Object: amf.Object{{Key: "app", Value: "live"}}},
	},
	{
		"AMF3 with format byte", TypeCommandAMF3,
		append([]byte{0}, amf.Append(nil, "createStream", 2.0, nil)...),
		Command{Name: "createStream", Transaction: 2},
	},
	{
		"AMF3 without format byte", TypeCommandAMF3,
		amf.Append(nil, "createStream", 2.0, nil),
		Command{Name: "createStream", Transaction: 2},
	},
	{
		"AMF3 values", TypeCommandAMF3,
		slices.Concat([]byte{0}, amf.Append(nil, "publish", 3.0, nil), amf.AppendAMF3(nil, "cam", "live")),
		Command{Name: "publish", Transaction: 3, Args: []amf.Value{"cam", "live"}},
	},
	{
		"AMF3 all through", TypeCommandAMF3,
		append([]byte{0}, amf.AppendAMF3(nil, "call", 3.0, nil, amf.Object{{Key: "a", Value: true}})...),
		Command{Name: "call", Transaction: 3, Args: []amf.Value{amf.Object{{Key: "a", Value: true}}}},
	},
}

// C-21, S2-15.
func TestParseCommand(t *testing.T) {
	for _, tt := range commandCases {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseCommand(tt.typ, tt.payload, amf.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			again, err := ParseCommand(TypeCommand, AppendCommand(nil, got), amf.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(got, again); diff != "" {
				t.Errorf("written and read again: %s", diff)
			}
		})
	}
	for name, payload := range map[string][]byte{
		"empty":         nil,
		"a number":      amf.Append(nil, 1.0),
		"null":          amf.Append(nil, nil),
		"garbage":       {0xFF, 0xFF},
		"half a string": {2, 0, 9, 'a'},
	} {
		if _, err := ParseCommand(TypeCommand, payload, amf.DefaultLimits()); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestArg(t *testing.T) {
	c := Command{Args: []amf.Value{"a"}}
	if c.Arg(0) != "a" || c.Arg(1) != nil || c.Arg(-1) != nil {
		t.Error(c.Arg(0), c.Arg(1), c.Arg(-1))
	}
}

// S2-15, S0-79.
func TestDataPayload(t *testing.T) {
	meta := amf.ECMAArray{{Key: "width", Value: 640}}
	in3 := amf.AppendAMF3(amf.Append(nil, "onMetaData"), meta)
	in0 := amf.Append(nil, "onMetaData", meta)
	for _, tt := range []struct {
		name       string
		typ        uint8
		wire, want []byte
	}{
		{"format byte", TypeDataAMF3, []byte{0, 2, 0, 0}, []byte{2, 0, 0}},
		{"no format byte", TypeDataAMF3, []byte{2, 0, 0}, []byte{2, 0, 0}},
		{"in AMF0 a leading 0 is the marker of a number", TypeData, []byte{0, 2, 0}, []byte{0, 2, 0}},
		{"nothing", TypeDataAMF3, nil, nil},
		{"values in AMF3", TypeDataAMF3, append([]byte{0}, in3...), in0},
		{"values in AMF3 without format byte", TypeDataAMF3, in3, in0},
		{"values in AMF3 in a message of AMF0", TypeData, in3, in0},
		{"values in AMF3 that end too early", TypeDataAMF3, append([]byte{0}, in3[:len(in3)-1]...), in3[:len(in3)-1]},
	} {
		if diff := cmp.Diff(tt.want, DataPayload(tt.typ, tt.wire, amf.DefaultLimits())); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// sub is one message of an aggregate with its back pointer.
func sub(typ uint8, at uint32, body ...byte) []byte {
	n := len(body)
	b := []byte{typ, byte(n >> 16), byte(n >> 8), byte(n), byte(at >> 16), byte(at >> 8), byte(at), byte(at >> 24), 0, 0, 0}
	b = append(b, body...)
	return AppendUint32(b, uint32(11+n))
}

// S0-80a, S2-13: what is whole of an aggregate, at times that count from the first.
func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		name    string
		at      uint32
		payload []byte
		want    []Media
	}{
		{"empty", 5, nil, nil},
		{
			"times count from the first", 900,
			slices.Concat(sub(8, 50_000, 0xAF, 1), sub(9, 50_020, 0x27), sub(18, 50_023, 2)),
			[]Media{{8, 900, []byte{0xAF, 1}}, {9, 920, []byte{0x27}}, {18, 923, []byte{2}}},
		},
		{
			"times over 24 bits, and the wrap", 0xFFFFFFFF,
			slices.Concat(sub(8, 0x01FFFFFF, 1), sub(8, 0x02000001, 2)),
			[]Media{{8, 0xFFFFFFFF, []byte{1}}, {8, 1, []byte{2}}},
		},
		{
			"no last back pointer", 1,
			sub(8, 0, 1, 2)[:13],
			[]Media{{8, 1, []byte{1, 2}}},
		},
		{
			"cut tail", 1,
			slices.Concat(sub(8, 0, 1), sub(8, 1, 2, 3)[:12]),
			[]Media{{8, 1, []byte{1}}},
		},
		{
			"other types, an aggregate among them, are left out", 1,
			slices.Concat(sub(22, 0, sub(8, 0, 1)...), sub(20, 0, 1), sub(8, 3, 7)),
			[]Media{{8, 4, []byte{7}}},
		},
		{"empty body", 1, sub(9, 0), []Media{{9, 1, []byte{}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, slices.Collect(Split(tt.at, tt.payload))); diff != "" {
				t.Error(diff)
			}
			for range Split(tt.at, tt.payload) {
				break // stops when asked to
			}
		})
	}
}

// Whatever comes in: no panic, parts lie inside, and what was read can be
// written and read again.
func FuzzParse(f *testing.F) {
	for _, tt := range commandCases {
		f.Add(tt.typ, tt.payload)
	}
	f.Add(TypeAggregate, slices.Concat(sub(8, 50_000, 0xAF, 1), sub(9, 50_020, 0x27)))
	f.Add(TypeUserControl, []byte{0, 3, 0, 0, 0, 1, 0, 0, 1, 0x2C})
	f.Fuzz(func(t *testing.T, typ uint8, payload []byte) {
		total := 0
		for m := range Split(7, payload) {
			total += 11 + len(m.Payload)
		}
		if total > len(payload) {
			t.Fatalf("%d bytes out of %d", total, len(payload))
		}
		_, _ = ParseUint32(payload)
		if data := DataPayload(typ, payload, amf.Limits{}); !bytes.Equal(data, DataPayload(TypeData, data, amf.Limits{})) {
			t.Fatalf("%x is still not AMF0: %x", payload, data)
		}
		if u, err := ParseUserControl(payload); err == nil {
			if again, err := ParseUserControl(AppendUserControl(nil, u)); err != nil ||
				again.Event != u.Event || again.Value != u.Value {
				t.Fatalf("%+v became %+v, %v", u, again, err)
			}
		}
		c, err := ParseCommand(typ, payload, amf.DefaultLimits())
		if err != nil {
			return
		}
		again, err := ParseCommand(TypeCommand, AppendCommand(nil, c), amf.Limits{
			Depth: 100, Properties: 1 << 20, Values: 1 << 20, StringBytes: 1 << 20,
		})
		if err != nil || again.Name != c.Name || len(again.Args) != len(c.Args) {
			t.Fatalf("%+v became %+v, %v", c, again, err)
		}
	})
}
