package chunk

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
)

//
func TestTooManyChunkStreams(t *testing.T) {
	var wire []byte
	for i := range uint32(65) {
		wire = AppendMessage(wire, Header{CSID: 1000 + i, Type: 8}, []byte{1}, 128)
	}
	all, err := readAll(NewReader(bytes.NewReader(wire), 0, Limits{}))
	if len(all) != 64 || !errors.Is(err, ErrTooLarge) {
		t.Errorf("%d messages, then %v", len(all), err)
	}
}

//
func TestTooManyUnfinishedMessages(t *testing.T) {
	var wire []byte
	for i := range uint32(9) {
		m := AppendMessage(nil, Header{CSID: 10 + i, Type: 9}, make([]byte, 200), 128)
		wire = append(wire, m[:12+128]...)
	}
	r := NewReader(bytes.NewReader(wire), 0, Limits{})
	if _, err := r.Next(); !errors.Is(err, ErrTooLarge) || r.unfinished != 9 {
		t.Errorf("%d unfinished, then %v", r.unfinished, err)
	}
}

//
func TestTooManyUnfinishedBytes(t *testing.T) {
	wire := AppendMessage(nil, Header{CSID: 6, Type: 9}, make([]byte, 5000), 128)
	r := NewReader(bytes.NewReader(wire), 0, Limits{UnfinishedBytes: 4096})
	if _, err := r.Next(); !errors.Is(err, ErrTooLarge) || r.held > 4096 {
		t.Errorf("%d bytes held, then %v", r.held, err)
	}
}

// C-44: what a peer announces costs nothing until it arrives: 16 MB messages on 64
// chunk streams, one byte each.
func TestMemoryFollowsWhatArrived(t *testing.T) {
	wire := unhex(t, "02 000000 000004 01 00000000 00000001")
	for i := range byte(60) {
		wire = append(wire, 3+i, 0, 0, 0, 0xFF, 0xFF, 0xFF, 9, 1, 0, 0, 0, 0xAA)
	}
	limits := Limits{Video: MaxLength, Unfinished: 100}
	bytesPerRun := testing.Benchmark(func(b *testing.B) {
		b.Helper()
		b.ReportAllocs()
		for b.Loop() {
			if _, err := readAll(NewReader(bytes.NewReader(wire), 512, limits)); !errors.Is(err, io.ErrUnexpectedEOF) {
				b.Fatal(err)
			}
		}
	}).AllocedBytesPerOp()
	if most := int64(60*(4096+200) + 8192); bytesPerRun > most {
		t.Errorf("%d bytes for %d bytes of input, at most %d wanted", bytesPerRun, len(wire), most)
	}
}

// A message leaves nothing behind but the payload the caller gets.
func TestNoGarbage(t *testing.T) {
	for _, n := range []int{10, 5_000, 64 << 10, 200_000} {
		payload := make([]byte, n)
		one := AppendMessage(nil, Header{CSID: 6, Timestamp: 1 << 25, Type: 9, StreamID: 1}, payload, 4096)
		src := &loop{one: one}
		r := NewReader(src, 64<<10, Limits{Eager: 64 << 10})
		r.size = 4096
		next := func() {
			if _, err := r.Next(); err != nil {
				t.Fatal(err)
			}
		}
		next() // the first makes state and spare buffer
		if got := testing.AllocsPerRun(50, next); got != 1 {
			t.Errorf("%d bytes: %v allocations a message, want 1", n, got)
		}
	}
}

// loop repeats the same bytes for ever.
type loop struct {
	one []byte
	at  int
}

func (l *loop) Read(p []byte) (int, error) {
	n := copy(p, l.one[l.at:])
	l.at = (l.at + n) % len(l.one)
	return n, nil
}

// S2-06: payloads of every size, interleaved on several chunk streams with changing
// chunk sizes, come out as they went in, and no two share memory.
func TestPayloadsAreWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	type sent struct {
		h       Header
		payload []byte
	}
	var wire []byte
	var want []sent
	size := DefaultSize
	for i := range 300 {
		if i%17 == 0 {
			size = 1 + rng.IntN(70_000)
			wire = append(wire, AppendMessage(nil, Header{CSID: 2, Type: 1}, []byte{0, byte(size >> 16), byte(size >> 8), byte(size)}, 128)...)
		}
		payload := make([]byte, rng.IntN(1<<rng.IntN(20)+1))
		for j := range payload {
			payload[j] = byte(rng.Uint32())
		}
		h := Header{CSID: 3 + uint32(rng.IntN(5)), Timestamp: rng.Uint32(), Type: 9, StreamID: 1}
		if i%17 == 0 {
			h.CSID = 100
		}
		wire = AppendMessage(wire, h, payload, size)
		want = append(want, sent{h, payload})
	}
	r := NewReader(bytes.NewReader(wire), 4096, Limits{Eager: 1000})
	var all []Message
	for {
		m, err := r.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			break
		}
		if m.Type != 1 {
			all = append(all, m)
		}
	}
	if len(all) != len(want) {
		t.Fatalf("%d messages, want %d", len(all), len(want))
	}
	for i, m := range all {
		if m.Header != want[i].h || !bytes.Equal(m.Payload, want[i].payload) {
			t.Errorf("message %d: %+v and %d bytes, want %+v and %d", i, m.Header, len(m.Payload), want[i].h, len(want[i].payload))
		}
	}
	if r.held != 0 || r.unfinished != 0 {
		t.Errorf("%d bytes, %d messages held at the end", r.held, r.unfinished)
	}
}

func BenchmarkReader(b *testing.B) {
	one := AppendMessage(nil, Header{CSID: 6, Type: 9, StreamID: 1}, make([]byte, 10_000), 4096)
	r := NewReader(&loop{one: one}, 64<<10, Limits{Eager: 64 << 10})
	r.size = 4096
	b.SetBytes(int64(len(one)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Next(); err != nil {
			b.Fatal(err)
		}
	}
}
