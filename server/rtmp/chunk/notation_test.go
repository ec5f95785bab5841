package chunk

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
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

// said is a message as the case list writes it, its payload in the notation of unhex.
type said struct {
	CSID, Time uint32
	Type       uint8
	StreamID   uint32
	Payload    string
}

func (s said) header() Header {
	return Header{CSID: s.CSID, Timestamp: s.Time, Type: s.Type, StreamID: s.StreamID}
}

// as turns said into what a Reader returns.
func (s said) as(tb testing.TB) Message {
	tb.Helper()
	return Message{Header: s.header(), Payload: unhex(tb, s.Payload)}
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
