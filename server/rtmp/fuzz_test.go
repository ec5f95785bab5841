package rtmp

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/handshake"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// deaf is a connection on which everything has arrived already and whose peer
// takes whatever is written.
type deaf struct {
	bytes.Reader
	written int
}

func (d *deaf) Write(p []byte) (int, error)    { d.written += len(p); return len(p), nil }
func (*deaf) Close() error                     { return nil }
func (*deaf) LocalAddr() net.Addr              { return nil }
func (*deaf) RemoteAddr() net.Addr             { return nil }
func (*deaf) SetDeadline(time.Time) error      { return nil }
func (*deaf) SetReadDeadline(time.Time) error  { return nil }
func (*deaf) SetWriteDeadline(time.Time) error { return nil }

// session is a whole life of a server's connection whose client sends wire.
func session(wire []byte) (events int, d *deaf) {
	hello := make([]byte, 1+2*handshake.Size)
	hello[0] = handshake.Version
	d = &deaf{}
	d.Reset(slices.Concat(hello, wire))
	serve(d, Config{}, func(string, ...any) { events++ })
	return events, d
}

// Anything may come in any state: no panic, no endless loop, and answers in
// proportion to what came.
func FuzzSession(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("testdata", "conversations", "*.txt"))
	if err != nil || len(paths) == 0 {
		f.Fatalf("no conversations: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		p := &peer{tb: f, size: chunk.DefaultSize}
		var wire []byte
		for l := range strings.Lines(string(text)) {
			if say, ok := strings.CutPrefix(strings.TrimSpace(l), "C: "); ok && say != "close" {
				wire = append(wire, p.wire(say)...)
			}
		}
		f.Add(wire)
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		_, d := session(wire)
		if most := 4000 + 100*len(wire); d.written > most {
			t.Errorf("%d bytes of answers to %d", d.written, len(wire))
		}
	})
}

// What messages are made of in FuzzSequence.
var (
	sequenceNames = []string{
		"connect", "createStream", "releaseStream", "FCPublish", "FCUnpublish", "publish", "play", "play2", "pause", "pauseRaw",
		"seek", "receiveAudio", "receiveVideo", "closeStream", "deleteStream", "getStreamLength", "FCSubscribe", "_checkbw",
		"_result", "_error", "onStatus", "@setDataFrame", "onMetaData", "close", "nobodyKnows", "",
	}
	sequenceValues = []amf.Value{
		nil,
		amf.Undefined{},
		true, false, 0.0, 1.0, 2.0, -1.0, 1e300, math.NaN(), "cam", "other?x=1", "",
		amf.Object{{Key: "app", Value: "live"}, {Key: "code", Value: nil}},
		amf.ECMAArray{{Key: "streamName", Value: 5.0}},
		amf.Object{{Key: "streamName", Value: "cam"}},
		amf.StrictArray{nil},
	}
	sequenceTypes = []uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 18, 19, 20, 22, 99, 255}
)

// sequence makes messages that each make sense out of bytes: the first says of what
// kind it is and on which message stream, the others what is in it.
func sequence(tb testing.TB, b []byte) []byte {
	tb.Helper()
	p := &peer{tb: tb, size: chunk.DefaultSize}
	wire := p.wire(sayConnect)
	next := func() (v byte) {
		if len(b) > 0 {
			v, b = b[0], b[1:]
		}
		return v
	}
	for len(b) > 0 {
		kind := next()
		h := chunk.Header{CSID: 2 + uint32(kind>>3&7), StreamID: uint32(kind >> 6), Timestamp: uint32(next()) << (kind & 7)}
		var payload []byte
		if kind&7 < 5 {
			h.Type = message.TypeCommand
			payload = amf.Append(payload, sequenceNames[int(next())%len(sequenceNames)])
			for range next() % 7 {
				payload = amf.Append(payload, sequenceValues[int(next())%len(sequenceValues)])
			}
		} else {
			h.Type = sequenceTypes[int(next())%len(sequenceTypes)]
			for range next() % 32 {
				payload = append(payload, next())
			}
		}
		if h.Type == message.TypeSetChunkSize {
			payload = []byte{0, 0, 0, 200}
		}
		wire = chunk.AppendMessage(wire, h, payload, p.size)
		if h.Type == message.TypeSetChunkSize {
			p.size = 200
		}
	}
	return wire
}

// Messages that each make sense, in any order: what the caller is told agrees with
// what it allowed, and nothing grows beyond its limits. What the caller decides comes
// out of the bytes too.
//
// S2-32.
func FuzzSequence(f *testing.F) {
	const (
		create   = "\x00\x00\x01\x00"
		publish  = "\x40\x00\x05\x03\x05\x00\x0a" // on message stream 1, "cam"
		play     = "\x80\x00\x06\x03\x05\x00\x0a" // on message stream 2, "cam"
		pause    = "\x80\x00\x08\x03\x05\x00\x02"
		audio    = "\x45\x01\x08\x02\xaf\x01"
		closed   = "\x40\x00\x0d\x00"
		deleted2 = "\x00\x00\x0e\x03\x05\x00\x06"
	)
	for _, s := range []string{
		create + publish + audio + closed + publish + audio,
		create + create + publish + play + audio + pause + audio + deleted2 + closed,
		create + publish + create + play + publish + play + closed + audio + play,
	} {
		f.Add([]byte(s), []byte{0})
		f.Add([]byte(s), []byte{3, 0, 0xFF})
	}
	f.Fuzz(func(t *testing.T, b, decisions []byte) { _ = playSequence(t, b, decisions) })
}

// playSequence plays a sequence against a server's connection and a model of it, and
// returns how much its caller was told.
func playSequence(t *testing.T, b, decisions []byte) (events int) {
	t.Helper()
	wire := sequence(t, b)
	hello := make([]byte, 1+2*handshake.Size)
	hello[0] = handshake.Version
	d := &deaf{}
	d.Reset(slices.Concat(hello, wire))
	cfg := Config{}.withDefaults()
	c, err := Accept(t.Context(), d, cfg)
	if err != nil {
		return 0
	}
	if err := c.AcceptConnect(); err != nil {
		t.Fatal(err)
	}
	decide := func() (v byte) {
		if len(decisions) > 0 {
			v = decisions[events%len(decisions)]
		}
		return v
	}
	roles := map[uint32]EventKind{} // EventPublish or EventPlay, of what was allowed
	for ; ; events++ {
		if got, want := c.Busy(), len(roles) > 0; got != want {
			t.Fatalf("busy %v with %v", got, roles)
		}
		e, err := c.Next()
		if len(c.streams) > cfg.MaxStreams || len(c.rest) > maxAggregate || len(c.ready) > cfg.MaxStreams {
			t.Fatalf("%d streams, %d parts, %d events are kept", len(c.streams), len(c.rest), len(c.ready))
		}
		if err != nil {
			break
		}
		role := roles[e.StreamID]
		var expected EventKind
		switch e.Kind {
		case EventPublish, EventPlay:
			if e.Kind == EventPublish && e.Publish.StreamID != e.StreamID || e.Kind == EventPlay && e.Play.StreamID != e.StreamID {
				t.Fatalf("%+v is about another stream", e)
			}
			if err := decideOn(c, e, decide()); err == nil {
				roles[e.StreamID] = e.Kind
			}
		case EventMedia, EventUnpublished:
			expected = EventPublish
		default:
			expected = EventPlay
		}
		if role != expected {
			t.Fatalf("%+v on a stream that is %d", e, role)
		}
		switch {
		case e.Kind == EventUnpublished, e.Kind == EventStopped:
			delete(roles, e.StreamID)
		case e.Kind == EventPause:
			_ = c.AnswerPause(e.StreamID, e.On)
		case e.Kind == EventMedia && decide() > 0xF0: // as when it is kicked
			c.EndStream(e.StreamID)
			delete(roles, e.StreamID)
		}
	}
	if most := 4000 + 100*len(wire); d.written > most {
		t.Errorf("%d bytes of answers to %d", d.written, len(wire))
	}
	return events
}

var errDenied = errors.New("denied")

// decideOn allows or rejects what a peer asks for. The error says that it does not.
func decideOn(c *Conn, e Event, decision byte) error {
	switch {
	case e.Kind == EventPublish && decision%4 == 3:
		_ = c.RejectPublish(e.Publish, nil)
	case e.Kind == EventPublish:
		return c.AcceptPublish(e.Publish)
	case decision%4 == 3:
		_ = c.RejectPlay(e.Play, nil)
	default:
		return c.AcceptPlay(e.Play, 60_000)
	}
	return errDenied
}

// FuzzSequence with sequences that are the same every time.
//
//
func TestAnyMessageInAnyState(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	most := 0
	for range 5000 {
		b, decisions := make([]byte, rng.IntN(300)), make([]byte, 8)
		for _, b := range [][]byte{b, decisions} {
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
		}
		most = max(most, playSequence(t, b, decisions))
	}
	if most < 10 {
		t.Errorf("no life had more than %d events", most)
	}
}
