package chunk

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// messages reads until an error.
func messages(r *Reader) ([]Message, error) {
	var all []Message
	for {
		m, err := r.Next()
		if err != nil {
			return all, err
		}
		all = append(all, m)
	}
}

// check reads a wire that comes in some way, and compares.
func check(t *testing.T, how string, src io.Reader, want []Message, wantErr error) {
	t.Helper()
	all, err := messages(NewReader(src, 0, Limits{}))
	same := slices.EqualFunc(want, all, func(a, b Message) bool { return a.Header == b.Header && bytes.Equal(a.Payload, b.Payload) })
	if !same {
		t.Errorf("%s: %s", how, cmp.Diff(want, all))
	}
	if !errors.Is(err, wantErr) {
		t.Errorf("%s: ended with %v, want %v", how, err, wantErr)
	}
}

func TestReader(t *testing.T) {
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			wire := unhex(t, tt.wire)
			wantErr := tt.err
			if wantErr == nil {
				wantErr = io.EOF
			}
			var want []Message
			for _, s := range tt.want {
				want = append(want, s.as(t))
			}
			check(t, "whole", bytes.NewReader(wire), want, wantErr)
			check(t, "byte by byte", iotest.OneByteReader(bytes.NewReader(wire)), want, wantErr)
			check(t, "in halves", iotest.HalfReader(bytes.NewReader(wire)), want, wantErr)
			check(t, "with the end in the last read", iotest.DataErrReader(bytes.NewReader(wire)), want, wantErr)
			// S2-07
			for i := 1; i < len(wire); i++ {
				check(t, "in two", io.MultiReader(bytes.NewReader(wire[:i]), bytes.NewReader(wire[i:])), want, wantErr)
			}
		})
	}
}

// S2-07: a wire that is cut anywhere gives the messages that were complete, and says
// that it was cut unless that was between two.
func TestReaderOfACutWire(t *testing.T) {
	for _, tt := range cases {
		if tt.err != nil {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			wire := unhex(t, tt.wire)
			for i := range wire {
				all, err := messages(NewReader(bytes.NewReader(wire[:i]), 0, Limits{}))
				if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Fatalf("cut at byte %d: %v", i, err)
				}
				if len(all) > len(tt.want) {
					t.Fatalf("cut at byte %d: %d messages of %d", i, len(all), len(tt.want))
				}
				for n, m := range all {
					if want := tt.want[n].as(t); m.Header != want.Header || !bytes.Equal(m.Payload, want.Payload) {
						t.Errorf("cut at byte %d: message %d: %s", i, n, cmp.Diff(want, m))
					}
				}
			}
		})
	}
}

// What was read can be written, in full headers and any chunk size, and is read as the
// same.
func TestWriteWhatWasRead(t *testing.T) {
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			var want []Message
			for _, s := range tt.want {
				if s.Type != typeSetChunkSize { // the wire's, not ours
					want = append(want, s.as(t))
				}
			}
			for _, size := range []int{1, 7, DefaultSize, 4096} {
				wire := AppendMessage(nil, Header{CSID: ControlCSID, Type: typeSetChunkSize}, []byte{0, 0, byte(size >> 8), byte(size)}, DefaultSize)
				announced, err := NewReader(bytes.NewReader(wire), 0, Limits{}).Next()
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range want {
					before := len(wire)
					wire = AppendMessage(wire, m.Header, m.Payload, size)
					if n := MessageSize(m.Header, len(m.Payload), size); n != len(wire)-before {
						t.Errorf("MessageSize says %d, wrote %d", n, len(wire)-before)
					}
				}
				check(t, "written", bytes.NewReader(wire), append([]Message{announced}, want...), io.EOF)
			}
		})
	}
}

func TestReaderPassesSourceErrors(t *testing.T) {
	boom := errors.New("boom")
	r := NewReader(iotest.ErrReader(boom), 0, Limits{})
	if _, err := r.Next(); !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
}

func TestGrowKeepsWhatWasReadAhead(t *testing.T) {
	one := unhex(t, "04 000001 000003 08 01000000 AABBCC")
	wire := bytes.Repeat(one, 100)
	r := NewReader(iotest.HalfReader(bytes.NewReader(wire)), 512, Limits{})
	for i := range 100 {
		m, err := r.Next()
		if err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
		if !bytes.Equal(m.Payload, []byte{0xAA, 0xBB, 0xCC}) {
			t.Fatalf("message %d: %x", i, m.Payload)
		}
		if i == 3 {
			r.Grow(16 << 10)
			r.Grow(1 << 10) // never shrinks
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the last: %v", err)
	}
}
