package rtmp

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// The conversations in testdata write one message a line:
//
//	chunksize 4096 | abort 6 | ack 1000 | window 2500000 | bandwidth 2500000 2
//	user EVENT VALUE [BUFFER]
//	audio@MSID TIME HEX | video@MSID TIME HEX | aggregate@MSID TIME HEX
//	data@MSID TIME VALUES | command@MSID VALUES | command3@MSID VALUES
//	raw TYPE@MSID TIME HEX
//
// VALUES are AMF: null undefined true 1 "text" {"k": v} ecma{"k": v} [v].

var mediaNames = map[uint8]string{
	message.TypeAudio: "audio", message.TypeVideo: "video", message.TypeAggregate: "aggregate",
}

// line writes a message as a line.
func line(m chunk.Message) string {
	n, _ := message.ParseUint32(m.Payload)
	switch m.Type {
	case message.TypeSetChunkSize:
		return fmt.Sprintf("chunksize %d", n)
	case message.TypeAbort:
		return fmt.Sprintf("abort %d", n)
	case message.TypeAck:
		return fmt.Sprintf("ack %d", n)
	case message.TypeWindowAckSize:
		return fmt.Sprintf("window %d", n)
	case message.TypeSetPeerBandwidth:
		return fmt.Sprintf("bandwidth %d %d", n, m.Payload[4])
	case message.TypeUserControl:
		u, _ := message.ParseUserControl(m.Payload)
		s := fmt.Sprintf("user %d %d", u.Event, u.Value)
		if u.Event == message.EventSetBufferLength {
			s += fmt.Sprintf(" %d", u.Buffer)
		}
		return s
	case message.TypeAudio, message.TypeVideo, message.TypeAggregate:
		return fmt.Sprintf("%s@%d %d %x", mediaNames[m.Type], m.StreamID, m.Timestamp, m.Payload)
	case message.TypeCommand:
		return fmt.Sprintf("command@%d %s", m.StreamID, values(m.Payload))
	case message.TypeCommandAMF3:
		return fmt.Sprintf("command3@%d %s", m.StreamID, values(m.Payload[1:]))
	case message.TypeData:
		return fmt.Sprintf("data@%d %d %s", m.StreamID, m.Timestamp, values(m.Payload))
	default:
		return fmt.Sprintf("raw %d@%d %d %x", m.Type, m.StreamID, m.Timestamp, m.Payload)
	}
}

func values(payload []byte) string {
	all, err := amf.Decode(payload, amf.DefaultLimits())
	words := make([]string, 0, len(all))
	for _, v := range all {
		words = append(words, value(v))
	}
	if err != nil {
		words = append(words, "...")
	}
	return strings.Join(words, " ")
}

func value(v amf.Value) string {
	pairs := func(ps []amf.Property) string {
		all := make([]string, 0, len(ps))
		for _, p := range ps {
			all = append(all, strconv.Quote(p.Key)+": "+value(p.Value))
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	switch v := v.(type) {
	case nil:
		return "null"
	case amf.Undefined:
		return "undefined"
	case string:
		return strconv.Quote(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case amf.Object:
		return pairs(v)
	case amf.ECMAArray:
		return "ecma" + pairs(v)
	case amf.StrictArray:
		all := make([]string, 0, len(v))
		for _, e := range v {
			all = append(all, value(e))
		}
		return "[" + strings.Join(all, ", ") + "]"
	default:
		return fmt.Sprint(v)
	}
}

// parseLine reads what line writes.
func parseLine(tb testing.TB, s string) frame {
	tb.Helper()
	word, rest, _ := strings.Cut(s, " ")
	nums := func() (n [3]uint32) {
		for i, f := range strings.Fields(rest) {
			v, err := strconv.ParseUint(f, 10, 32)
			if err != nil {
				tb.Fatalf("%q: %v", s, err)
			}
			n[i] = uint32(v)
		}
		return n
	}
	switch word {
	case "chunksize":
		return number(message.TypeSetChunkSize, nums()[0])
	case "abort":
		return number(message.TypeAbort, nums()[0])
	case "ack":
		return ack(nums()[0])
	case "window":
		return number(message.TypeWindowAckSize, nums()[0])
	case "bandwidth":
		n := nums()
		return frame{
			chunk.Header{CSID: chunk.ControlCSID, Type: message.TypeSetPeerBandwidth},
			message.AppendPeerBandwidth(nil, n[0], uint8(n[1])),
		}
	case "user":
		n := nums()
		return frame{
			chunk.Header{CSID: chunk.ControlCSID, Type: message.TypeUserControl},
			message.AppendUserControl(nil, message.UserControl{Event: uint16(n[0]), Value: n[1], Buffer: n[2]}),
		}
	case "raw":
		word, rest, _ = strings.Cut(rest, " ")
	}
	kind, msid, ok := strings.Cut(word, "@")
	if !ok {
		tb.Fatalf("%q: what is that?", s)
	}
	f := frame{header: chunk.Header{CSID: chunk.StatusCSID, StreamID: number32(tb, msid)}}
	time := func() {
		t, r, _ := strings.Cut(rest, " ")
		f.header.Timestamp, rest = number32(tb, t), r
	}
	hexadecimal := func() {
		time()
		b, err := hex.DecodeString(rest)
		if err != nil {
			tb.Fatalf("%q: %v", s, err)
		}
		f.payload = b
	}
	switch kind {
	case "audio", "video", "aggregate":
		for typ, name := range mediaNames {
			if name == kind {
				f.header.Type = typ
			}
		}
		hexadecimal()
	case "data":
		f.header.Type = message.TypeData
		time()
		f.payload = parseValues(tb, rest)
	case "command":
		f.header.Type = message.TypeCommand
		f.payload = parseValues(tb, rest)
	case "command3":
		f.header.Type = message.TypeCommandAMF3
		f.payload = append([]byte{0}, parseValues(tb, rest)...)
	default:
		f.header.Type = uint8(number32(tb, kind))
		hexadecimal()
	}
	return f
}

func number32(tb testing.TB, s string) uint32 {
	tb.Helper()
	v, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		tb.Fatal(err)
	}
	return uint32(v)
}

func parseValues(tb testing.TB, s string) []byte {
	tb.Helper()
	p := &valueParser{tb: tb, s: s}
	var out []byte
	for p.space(); p.s != ""; p.space() {
		out = amf.Append(out, p.value())
	}
	return out
}

type valueParser struct {
	tb testing.TB
	s  string
}

func (p *valueParser) space() { p.s = strings.TrimLeft(p.s, " ,:") }

func (p *valueParser) accept(word string) bool {
	rest, ok := strings.CutPrefix(p.s, word)
	if ok {
		p.s = rest
	}
	return ok
}

func (p *valueParser) value() amf.Value {
	p.tb.Helper()
	switch {
	case p.accept("null"):
		return nil
	case p.accept("undefined"):
		return amf.Undefined{}
	case p.accept("true"):
		return true
	case p.accept("false"):
		return false
	case p.accept("ecma{"):
		return amf.ECMAArray(p.pairs())
	case p.accept("{"):
		return amf.Object(p.pairs())
	case p.accept("["):
		list := amf.StrictArray{}
		for p.space(); !p.accept("]"); p.space() {
			list = append(list, p.value())
		}
		return list
	case strings.HasPrefix(p.s, `"`):
		return p.text()
	}
	end := strings.IndexAny(p.s+" ", " ,}]")
	f, err := strconv.ParseFloat(p.s[:end], 64)
	if err != nil {
		p.tb.Fatalf("no value: %q", p.s)
	}
	p.s = p.s[end:]
	return f
}

func (p *valueParser) text() string {
	q, err := strconv.QuotedPrefix(p.s)
	if err != nil {
		p.tb.Fatalf("no text: %q", p.s)
	}
	p.s = p.s[len(q):]
	s, _ := strconv.Unquote(q)
	return s
}

func (p *valueParser) pairs() []amf.Property {
	ps := []amf.Property{}
	for p.space(); !p.accept("}"); p.space() {
		key := p.text()
		p.space()
		ps = append(ps, amf.Property{Key: key, Value: p.value()})
	}
	return ps
}

// The two directions of the notation agree.
func TestScript(t *testing.T) {
	for _, s := range []string{
		`chunksize 4096`, `abort 6`, `ack 7`, `window 2500000`, `bandwidth 2500000 2`, `user 3 1 300`, `user 6 77`,
		`audio@1 23 af00`, `video@0 4294967295 17`, `raw 99@2 5 0102`,
		`command@0 "connect" 1 {"app": "live", "x": [1, "a", null], "y": {"z": true}} "more" undefined`,
		`data@1 0 "@setDataFrame" "onMetaData" ecma{"width": 640.5, "": "a b"}`,
		`command3@0 "createStream" 2 null`,
	} {
		f := parseLine(t, s)
		r := chunk.NewReader(bytes.NewReader(chunk.AppendMessage(nil, f.header, f.payload, 128)), 0, chunk.Limits{})
		m, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if got := line(m); got != s {
			t.Errorf("%s\nbecame %s", s, got)
		}
	}
}
