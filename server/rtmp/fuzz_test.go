package rtmp

import (
	"bytes"
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

// RELIABILITY 2-13: sequences of messages that each make sense, in every
// state and order.
func TestAnyMessageInAnyState(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	names := []string{
		"connect", "createStream", "releaseStream", "FCPublish", "FCUnpublish", "publish", "play", "play2", "pause", "seek",
		"receiveAudio", "receiveVideo", "closeStream", "deleteStream", "getStreamLength", "_checkbw", "_result", "_error",
		"onStatus", "@setDataFrame", "onMetaData", "close", "",
	}
	args := []amf.Value{
		nil,
		amf.Undefined{},
		true, false, 0.0, 1.0, -1.0, 1e300, "cam", "",
		amf.Object{{Key: "app", Value: "live"}},
		amf.ECMAArray{{Key: "streamName", Value: 5.0}},
		amf.StrictArray{nil},
	}
	types := []uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 18, 19, 20, 22, 99, 255}
	most := 0
	for range 5000 {
		p := &peer{tb: t, size: chunk.DefaultSize}
		wire := p.wire(sayConnect)
		for range rng.IntN(25) {
			h := chunk.Header{CSID: 2 + uint32(rng.IntN(6)), Timestamp: rng.Uint32() >> rng.IntN(32), StreamID: uint32(rng.IntN(4))}
			var payload []byte
			if rng.IntN(3) > 0 {
				h.Type = message.TypeCommand
				values := []amf.Value{names[rng.IntN(len(names))]}
				for range rng.IntN(6) {
					values = append(values, args[rng.IntN(len(args))])
				}
				payload = amf.Append(nil, values...)
			} else {
				h.Type = types[rng.IntN(len(types))]
				payload = make([]byte, rng.IntN(30))
				for i := range payload {
					payload[i] = byte(rng.Uint32() >> rng.IntN(8))
				}
			}
			if h.Type == message.TypeSetChunkSize {
				payload = []byte{0, 0, 0, 200}
				wire = chunk.AppendMessage(wire, h, payload, p.size)
				p.size = 200
				continue
			}
			wire = chunk.AppendMessage(wire, h, payload, p.size)
		}
		events, _ := session(wire)
		most = max(most, events)
	}
	if most < 10 {
		t.Errorf("no life had more than %d events", most)
	}
}
