package chunk

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// C-10, S2-01, S2-02, S2-27.
func TestAppendMessage(t *testing.T) {
	for _, tt := range []struct {
		name    string
		header  Header
		payload []byte
		size    int
		want    []byte
	}{
		{
			"one chunk, stream id little-endian",
			Header{CSID: 5, Timestamp: 0x010203, Type: 20, StreamID: 0x01020304},
			[]byte{0xAA, 0xBB},
			128,
			[]byte{0x05, 1, 2, 3, 0, 0, 2, 20, 4, 3, 2, 1, 0xAA, 0xBB},
		},
		{
			"continuations",
			Header{CSID: 6, Timestamp: 10, Type: 9, StreamID: 1},
			[]byte{1, 2, 3, 4, 5},
			2,
			[]byte{0x06, 0, 0, 10, 0, 0, 5, 9, 1, 0, 0, 0, 1, 2, 0xC6, 3, 4, 0xC6, 5},
		},
		{
			"a payload of whole chunks has no empty one at its end",
			Header{CSID: 6, Type: 9},
			[]byte{1, 2, 3, 4},
			2,
			[]byte{0x06, 0, 0, 0, 0, 0, 4, 9, 0, 0, 0, 0, 1, 2, 0xC6, 3, 4},
		},
		{
			"extended time is repeated",
			Header{CSID: 4, Timestamp: 0x01312D00, Type: 8, StreamID: 1},
			[]byte{1, 2, 3},
			2,
			[]byte{0x04, 0xFF, 0xFF, 0xFF, 0, 0, 3, 8, 1, 0, 0, 0, 1, 0x31, 0x2D, 0, 1, 2, 0xC4, 1, 0x31, 0x2D, 0, 3},
		},
		{
			"0xFFFFFF itself is extended",
			Header{CSID: 4, Timestamp: 0xFFFFFF, Type: 8},
			nil, 128,
			[]byte{0x04, 0xFF, 0xFF, 0xFF, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF},
		},
		{
			"chunk stream in two bytes",
			Header{CSID: 64, Type: 8},
			[]byte{1, 2},
			1,
			[]byte{0x00, 0x00, 0, 0, 0, 0, 0, 2, 8, 0, 0, 0, 0, 1, 0xC0, 0x00, 2},
		},
		{
			"chunk stream in three bytes, little-endian",
			Header{CSID: 64 + 0x0201, Type: 8},
			[]byte{1, 2},
			1,
			[]byte{0x01, 0x01, 0x02, 0, 0, 0, 0, 0, 2, 8, 0, 0, 0, 0, 1, 0xC1, 0x01, 0x02, 2},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := AppendMessage(nil, tt.header, tt.payload, tt.size)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if n := MessageSize(tt.header, len(tt.payload), tt.size); n != len(tt.want) {
				t.Errorf("MessageSize = %d, want %d", n, len(tt.want))
			}
		})
	}
}

// S2-02, S2-04: whatever AppendMessage writes, a Reader reads.
func TestAppendRead(t *testing.T) {
	for _, csid := range []uint32{2, 3, 63, 64, 319, 320, maxCSID} {
		for _, timestamp := range []uint32{0, 1, extended - 1, extended, extended + 1, 1 << 31, 1<<32 - 1} {
			for _, n := range []int{0, 1, 127, 128, 129, 4096, 100_000} {
				for _, size := range []int{0, 1, 128, 4096, MaxLength} {
					if size == 1 && n > 129 {
						continue
					}
					t.Run(fmt.Sprintf("csid %d time %d length %d chunk %d", csid, timestamp, n, size), func(t *testing.T) {
						payload := bytes.Repeat([]byte{0x5A}, n)
						h := Header{CSID: csid, Timestamp: timestamp, Type: 9, StreamID: 7}
						wire := AppendMessage(nil, h, payload, size)
						if got := MessageSize(h, n, size); got != len(wire) {
							t.Errorf("MessageSize = %d, wrote %d", got, len(wire))
						}
						r := NewReader(bytes.NewReader(wire), 0, Limits{})
						if size > 0 {
							r.size = size
						}
						m, err := r.Next()
						if err != nil {
							t.Fatal(err)
						}
						if m.Header != h || !bytes.Equal(m.Payload, payload) {
							t.Errorf("read %+v and %d bytes, want %+v and %d", m.Header, len(m.Payload), h, n)
						}
						if int(r.Consumed()) != len(wire) {
							t.Errorf("consumed %d of %d bytes", r.Consumed(), len(wire))
						}
					})
				}
			}
		}
	}
}

func BenchmarkAppendMessage(b *testing.B) {
	payload := make([]byte, 10_000)
	h := Header{CSID: VideoCSID, Type: 9, StreamID: 1}
	dst := make([]byte, 0, MessageSize(h, len(payload), 60_000))
	b.SetBytes(int64(len(payload)))
	b.ReportAllocs()
	for b.Loop() {
		dst = AppendMessage(dst[:0], h, payload, 60_000)
	}
}
