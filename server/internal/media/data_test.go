package media

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// dataCase is a data message and what NewData makes of it.
type dataCase struct {
	name, body, payload string
	meta, empty         bool
	clear               bool
}

func dataCases() []dataCase {
	const (
		set   = `02 000D "@setDataFrame"`
		meta  = `02 000A "onMetaData"`
		array = `08 00000001 0005 "width" 00 4084000000000000 000009`
		zero  = `00 0000000000000000`
	)
	return []dataCase{
		{"onMetaData of FFmpeg", set + meta + array, meta + array, true, false, false},
		{"onMetaData of nginx-rtmp, bare, an object", meta + `03 0001 "a" 05 000009`, meta + `03 0001 "a" 05 000009`, true, false, false},
		{"numbers in front (C-24)", zero + zero + set + meta + array, meta + array, true, false, false},
		{"a boolean, null and undefined in front", `01 01 05 06` + set + meta + array, meta + array, true, false, false},
		{"null behind @setDataFrame", set + `05` + meta + array, meta + array, true, false, false},
		{"format byte of AMF3", `00` + set + meta + array, meta + array, true, false, false},
		{"AMF3 value", `00` + set + meta + `11 09 03 03 "a" 01 01`, meta + `11 09 03 03 "a" 01 01`, true, false, false},
		{"a number that begins with 2 in front", `00 0200000000000000` + meta + array, meta + array, true, false, false},
		{"null metadata (C-26)", set + meta + `05`, meta + `05`, false, true, false},
		{"metadata without a value", set + meta, meta, false, true, false},
		{"@setDataFrame without a name", set, set, false, true, false},
		{"@clearDataFrame", `02 000F "@clearDataFrame"` + meta, `02 000F "@clearDataFrame"` + meta, false, true, true},
		{"@clearDataFrame of nothing", `02 000F "@clearDataFrame"`, `02 000F "@clearDataFrame"`, false, true, true},
		{"@clearDataFrame of something else", `02 000F "@clearDataFrame" 02 0004 "onFI"`, `02 000F "@clearDataFrame" 02 0004 "onFI"`, false, true, false},
		{"metadata without properties takes the place of earlier", set + meta + `08 00000000 000009`, meta + `08 00000000 000009`, true, false, false},
		{"another message behind @setDataFrame", set + `02 0004 "onFI"` + array, `02 0004 "onFI"` + array, false, false, false},
		{"cue point", `02 000A "onCuePoint"` + array, `02 000A "onCuePoint"` + array, false, false, false},
		{"sample access", `02 0011 "|RtmpSampleAccess" 01 01 01 01`, `02 0011 "|RtmpSampleAccess" 01 01 01 01`, false, false, false},
		{"name longer than the message", `02 FFFF "on"`, `02 FFFF "on"`, false, false, false},
		{"no name", `00 4084000000000000`, `00 4084000000000000`, false, false, false},
		{"nothing we know", `FF`, `FF`, false, false, false},
		{"nothing", ``, ``, false, true, false},
	}
}

// C-24: numbers in front of the name mean nothing.
//
// C-26.
func TestNewData(t *testing.T) {
	for _, c := range dataCases() {
		t.Run(c.name, func(t *testing.T) {
			got := NewData(99, bytesOf(t, c.body))
			want := Packet{Kind: Data, Time: 99, Payload: bytesOf(t, c.payload), Meta: c.meta, Empty: c.empty, Clear: c.clear}
			if d := cmp.Diff(want, got); d != "" && len(want.Payload)+len(got.Payload) > 0 {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// Who keeps the payload does not keep what stood in front of it.
func TestNewDataLetsGoOfJunk(t *testing.T) {
	body := append(bytes.Repeat([]byte{amfNull}, 60<<10), "\x02\x00\x03onX"...)
	got := NewData(0, body).Payload
	if string(got) != "\x02\x00\x03onX" {
		t.Fatalf("payload %q", got)
	}
	if &got[len(got)-1] == &body[len(body)-1] {
		t.Error("the payload is a part of the message")
	}
}
