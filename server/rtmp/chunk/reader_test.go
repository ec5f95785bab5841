package chunk

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// unhex reads bytes as the case lists write them; "N*XX" is N times XX.
func unhex(tb testing.TB, s string) []byte {
	tb.Helper()
	var out []byte
	for word := range strings.FieldsSeq(s) {
		n := 1
		if count, b, ok := strings.Cut(word, "*"); ok {
			n = 0
			for _, d := range count {
				n = n*10 + int(d-'0')
			}
			word = b
		}
		b, err := hex.DecodeString(word)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, bytes.Repeat(b, n)...)
	}
	return out
}

// got is a message without its payload's bytes.
type got struct {
	CSID, Time uint32
	Type       uint8
	StreamID   uint32
	Length     int
}

func readAll(r *Reader) ([]got, error) {
	var all []got
	for {
		m, err := r.Next()
		if err != nil {
			return all, err
		}
		all = append(all, got{m.CSID, m.Timestamp, m.Type, m.StreamID, len(m.Payload)})
	}
}

var readCases = []struct {
	name string
	wire string
	want []got
	err  error // what ends it; io.EOF if not named
}{
	{
		"fmt 3 begins messages and adds the last delta (C-07)",
		"04 00000A 000002 09 01000000 AAAA  44 000028 000002 09 BBBB  C4 CCCC  C4 DDDD",
		[]got{{4, 10, 9, 1, 2}, {4, 50, 9, 1, 2}, {4, 90, 9, 1, 2}, {4, 130, 9, 1, 2}},
		nil,
	},
	{
		"fmt 3 after fmt 0 adds the time itself (FMLE)",
		"04 00001A 000001 08 01000000 AA  C4 BB",
		[]got{{4, 26, 8, 1, 1}, {4, 52, 8, 1, 1}},
		nil,
	},
	{
		"fmt 2 keeps length, type and stream",
		"04 000001 000001 08 07000000 AA  84 000002 BB",
		[]got{{4, 1, 8, 7, 1}, {4, 3, 8, 7, 1}},
		nil,
	},
	{
		"an extended delta is a delta (C-09)",
		"04 002AF8 000080 09 01000000 128*00  44 FFFFFF 000080 09 00FFFC18 128*00",
		[]got{{4, 11000, 9, 1, 128}, {4, 16787216, 9, 1, 128}},
		nil,
	},
	{
		"extended time repeated on a continuation (C-11)",
		"04 FFFFFF 0000C8 09 01000000 01312D00 128*AA  C4 01312D00 72*BB",
		[]got{{4, 20000000, 9, 1, 200}},
		nil,
	},
	{
		"extended time not repeated on a continuation (C-11)",
		"04 FFFFFF 0000C8 09 01000000 01312D00 128*AA  C4 72*BB",
		[]got{{4, 20000000, 9, 1, 200}},
		nil,
	},
	{
		"not repeated, and the payload begins like it",
		"04 FFFFFF 000083 09 01000000 01312D00 128*AA  C4 01312E",
		[]got{{4, 20000000, 9, 1, 131}},
		nil,
	},
	{
		"absolute time on the continuation of an extended delta",
		"04 000064 000001 09 01000000 AA  44 FFFFFF 000081 09 01312D00 128*AA  C4 01312D64 BB",
		[]got{{4, 100, 9, 1, 1}, {4, 20000100, 9, 1, 129}},
		nil,
	},
	{
		"fmt 3 begins a message with the extended delta",
		"04 000000 000001 09 01000000 AA  44 FFFFFF 000001 09 01000000 AA  44 FFFFFF 000001 09 01000000 AA  C4 01000000 BB",
		[]got{{4, 0, 9, 1, 1}, {4, 1 << 24, 9, 1, 1}, {4, 2 << 24, 9, 1, 1}, {4, 3 << 24, 9, 1, 1}},
		nil,
	},
	{
		"fmt 3 begins a message with the absolute time",
		"04 FFFFFF 000001 09 01000000 01312D00 AA  C4 01312D28 BB",
		[]got{{4, 20000000, 9, 1, 1}, {4, 20000040, 9, 1, 1}},
		nil,
	},
	{
		"fmt 3 begins a message without extended time where the peer never repeats it",
		"04 000005 000001 09 01000000 AA  44 FFFFFF 000081 09 00FFFFFF 128*AA C4 AA  44 FFFFFF 000004 09 00FFFFFF 4*AA  C4 4*BB",
		[]got{
			{4, 5, 9, 1, 1}, {4, 0xFFFFFF + 5, 9, 1, 129}, {4, 2*0xFFFFFF + 5, 9, 1, 4}, {4, 3*0xFFFFFF + 5, 9, 1, 4},
		},
		nil,
	},
	{
		"a negative delta is modulo 2^32 (C-38)",
		"04 000064 000001 09 01000000 AA  44 FFFFFF 000001 09 FFFFFFF6 BB",
		[]got{{4, 100, 9, 1, 1}, {4, 90, 9, 1, 1}},
		nil,
	},
	{
		"time wraps at 2^32",
		"04 FFFFFF 000001 09 01000000 FFFFFFF0 AA  44 000028 000001 09 BB",
		[]got{{4, 0xFFFFFFF0, 9, 1, 1}, {4, 24, 9, 1, 1}},
		nil,
	},
	{
		"abort drops the partial and keeps the base (C-12)",
		"06 000064 00012C 09 01000000 128*AA  02 000000 000004 02 00000000 00000006  46 000028 000005 09 5*BB",
		[]got{{2, 0, 2, 0, 4}, {6, 140, 9, 1, 5}},
		nil,
	},
	{
		"abort of an unknown chunk stream, of an idle one, of its own",
		"02 000000 000004 02 00000000 0000FFFF  C2 00000002  C2 00000040",
		[]got{{2, 0, 2, 0, 4}, {2, 0, 2, 0, 4}, {2, 0, 2, 0, 4}},
		nil,
	},
	{
		"abort with half a number",
		"02 000000 000002 02 00000000 0006", nil, ErrProtocol,
	},
	{
		"interleaved (C-13)",
		"06 000064 00012C 09 01000000 128*AA  04 000065 0000C8 08 01000000 128*BB  C6 128*AA  C4 72*BB  C6 44*AA",
		[]got{{4, 101, 8, 1, 200}, {6, 100, 9, 1, 300}},
		nil,
	},
	{
		"the first header is fmt 1 (C-15)",
		"42 000000 000006 04 0007 00000D0F",
		[]got{{2, 0, 4, 0, 6}},
		nil,
	},
	{"the first header is fmt 2", "82 000000", nil, ErrProtocol},
	{"the first header is fmt 3", "C2", nil, ErrProtocol},
	{
		"fmt 0 inside a message",
		"04 000000 0000FF 09 01000000 128*AA  04 000000 0000FF 09 01000000", nil, ErrProtocol,
	},
	{
		"fmt 1 inside a message, same length: a continuation",
		"04 000000 000081 09 01000000 128*AA  44 000000 000081 09 BB",
		[]got{{4, 0, 9, 1, 129}},
		nil,
	},
	{
		"fmt 1 inside a message, another length (CVE-2016-10191)",
		"04 000000 000081 09 01000000 128*AA  44 000000 000082 09 BB", nil, ErrProtocol,
	},
	{
		"fmt 1 inside a message, another type",
		"04 000000 000081 09 01000000 128*AA  44 000000 000081 08 BB", nil, ErrProtocol,
	},
	{
		"fmt 2 inside a message: a continuation",
		"04 000005 000081 09 01000000 128*AA  84 000007 BB",
		[]got{{4, 5, 9, 1, 129}},
		nil,
	},
	{
		"zero length, and fmt 3 of it (C-29)",
		"04 000000 000000 08 01000000  C4C4  44 000003 000001 09 AA",
		[]got{{4, 0, 8, 1, 0}, {4, 0, 8, 1, 0}, {4, 0, 8, 1, 0}, {4, 3, 9, 1, 1}},
		nil,
	},
	{
		"empty control messages mean nothing",
		"02 000000 000000 01 00000000  42 000000 000000 02  42 000000 000000 03",
		[]got{{2, 0, 1, 0, 0}, {2, 0, 2, 0, 0}, {2, 0, 3, 0, 0}},
		nil,
	},
	{
		"chunk size 1",
		"02 000000 000004 01 00000000 00000001  04 000000 000003 09 01000000 27 C4 01 C4 00",
		[]got{{2, 0, 1, 0, 4}, {4, 0, 9, 1, 3}},
		nil,
	},
	{
		"the top bit of a chunk size is none of it",
		"02 000000 000004 01 00000000 80000080  04 000000 000081 09 01000000 128*AA C4 AA",
		[]got{{2, 0, 1, 0, 4}, {4, 0, 9, 1, 129}},
		nil,
	},
	{
		"chunk size 0x7FFFFFFF (C-17)",
		"02 000000 000004 01 00000000 7FFFFFFF  04 000000 00012C 09 01000000 300*AA",
		[]got{{2, 0, 1, 0, 4}, {4, 0, 9, 1, 300}},
		nil,
	},
	{"chunk size 0", "02 000000 000004 01 00000000 00000000", nil, ErrProtocol},
	{"chunk size 0 with the top bit", "02 000000 000004 01 00000000 80000000", nil, ErrProtocol},
	{"chunk size of 3 bytes", "02 000000 000003 01 00000000 000080", nil, ErrProtocol},
	{
		"a new chunk size holds inside a message under way",
		"04 000000 000084 09 01000000 128*AA  02 000000 000004 01 00000000 00000002  C4 BBBB C4 BBBB",
		[]got{{2, 0, 1, 0, 4}, {4, 0, 9, 1, 132}},
		nil,
	},
	{
		"chunk stream ids in all three forms; one number, one state",
		"00 00 000001 000001 08 01000000 AA  01 00FF 000002 000001 08 01000000 AA  01 FFFF 000003 000001 08 01000000 AA  41 0000 000004 000001 08 BB",
		[]got{{64, 1, 8, 1, 1}, {64 + 0xFF00, 2, 8, 1, 1}, {65599, 3, 8, 1, 1}, {64, 5, 8, 1, 1}},
		nil,
	},
	{"cut in a basic header", "00", nil, io.ErrUnexpectedEOF},
	{"cut in a header", "04 0000", nil, io.ErrUnexpectedEOF},
	{"cut in an extended time", "04 FFFFFF 000001 09 01000000 0131", nil, io.ErrUnexpectedEOF},
	{"cut in a payload", "04 000000 000002 09 01000000 AA", nil, io.ErrUnexpectedEOF},
	{"cut between chunks", "04 000000 000081 09 01000000 128*AA", nil, io.ErrUnexpectedEOF},
	{"audio too long", "04 000000 100001 08 01000000", nil, ErrTooLarge},
	{"video too long", "04 000000 800001 09 01000000", nil, ErrTooLarge},
	{"command too long", "04 000000 010001 14 01000000", nil, ErrTooLarge},
}

func TestReader(t *testing.T) {
	for _, tt := range readCases {
		t.Run(tt.name, func(t *testing.T) {
			wire := unhex(t, tt.wire)
			wantErr := tt.err
			if wantErr == nil {
				wantErr = io.EOF
			}
			for name, src := range map[string]io.Reader{
				"whole":   bytes.NewReader(wire),
				"bytes":   iotest.OneByteReader(bytes.NewReader(wire)),
				"halves":  iotest.HalfReader(bytes.NewReader(wire)),
				"eof too": iotest.DataErrReader(bytes.NewReader(wire)),
			} {
				all, err := readAll(NewReader(src, 0, Limits{}))
				if diff := cmp.Diff(tt.want, all); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
				if !errors.Is(err, wantErr) {
					t.Errorf("%s: ended with %v, want %v", name, err, wantErr)
				}
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
