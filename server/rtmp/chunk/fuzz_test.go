package chunk

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"
)

func seed(f *testing.F) {
	f.Helper()
	for _, tt := range cases {
		f.Add(unhex(f, tt.wire))
	}
	// Captures as far as they are there; the corpus does not depend on them.
	paths, _ := filepath.Glob(filepath.Join("..", "..", "..", "..", "shared", "samples", "vectors", "*.bin"))
	for _, path := range paths {
		if b, err := os.ReadFile(path); err == nil {
			f.Add(b)
		}
	}
}

// S2-06, S2-07: whatever comes in: no panic, memory within limits, the same messages however
// the bytes are cut, and messages that can be written and read again.
func FuzzReader(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, wire []byte) {
		limits := Limits{Video: 1 << 20, UnfinishedBytes: 2 << 20}
		read := func(src io.Reader) []Message {
			r := NewReader(src, 512, limits)
			var all []Message
			for {
				m, err := r.Next()
				if r.held > limits.UnfinishedBytes || r.held < 0 || r.unfinished < 0 {
					t.Fatalf("%d bytes in %d messages held", r.held, r.unfinished)
				}
				if err != nil {
					return all
				}
				all = append(all, m)
			}
		}
		all := read(bytes.NewReader(wire))
		cut := read(iotest.OneByteReader(bytes.NewReader(wire)))
		if len(all) != len(cut) {
			t.Fatalf("%d messages, %d byte by byte", len(all), len(cut))
		}
		var again []byte
		for i, m := range all {
			if m.Header != cut[i].Header || !bytes.Equal(m.Payload, cut[i].Payload) {
				t.Fatalf("message %d differs byte by byte", i)
			}
			if m.Type != typeSetChunkSize && m.Type != typeAbort {
				again = AppendMessage(again, m.Header, m.Payload, DefaultSize)
			}
		}
		back := read(bytes.NewReader(again))
		for _, m := range all {
			if m.Type == typeSetChunkSize || m.Type == typeAbort {
				continue
			}
			if len(back) == 0 || back[0].Header != m.Header || !bytes.Equal(back[0].Payload, m.Payload) {
				t.Fatalf("%+v is not what comes back", m.Header)
			}
			back = back[1:]
		}
	})
}
