package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
)

// TestHostileClients runs one attack after the other against the program while
// ffmpeg publishes and somebody plays. Nothing may happen to these, and when an
// attack is over nothing of it may be left. How late a stream of small messages is
// meanwhile is written down.
//
// C-60, R-3.12, R-3.13, R-3.18.
func TestHostileClients(t *testing.T) { //nolint:tparallel // one attack after the other
	t.Parallel()
	p := open(t)
	v := p.victim(t)
	probe := p.probe(t)
	for _, a := range []struct {
		name string
		run  func(t *testing.T, p *program)
	}{
		{"other protocols", otherProtocols},
		{"broken chunks", brokenChunks},
		{"chunk sizes", chunkSizes},
		{"announced memory", announcedMemory},
		{"hoarded memory", hoardedMemory},
		{"hostile values", hostileValues},
		{"floods", floods},
		{"tiny windows", tinyWindows},
		{"windows back and forth", pingPong},
		{"no acknowledgements", noAcks},
		{"random messages in every state", randomMessages},
		{"half a handshake", halfHandshakes},
	} {
		t.Run(a.name, func(t *testing.T) {
			before := p.metrics(t)
			quiet, quietest := probe.lateness()
			t.Run("attack", func(t *testing.T) { a.run(t, p) })
			median, p99 := probe.lateness()
			t.Logf("the probe is %v late (99%%: %v), before it was %v (%v)", median, p99, quiet, quietest)
			p.back(t, before)
		})
		v.unharmed()
		probe.complete(t)
	}
}

// otherProtocols: what is not RTMP is closed at once, and called by its name in the log
// and in the metrics, once.
func otherProtocols(t *testing.T, p *program) { // C-03
	t.Helper()
	before := p.metrics(t)
	const ended = `"msg":"closed"`
	for i, c := range []struct{ hello, what, said string }{
		{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "http", "The peer speaks HTTP on a port for RTMP."},
		{"POST /api HTTP/1.1\r\nHost: x\r\n\r\n", "http", "The peer speaks HTTP on a port for RTMP."},
		{"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "tls", "The peer speaks TLS on a port for plain RTMP."},
		{"\x06\x00", "rtmpe", "The peer speaks RTMPE"},
		{"\x00", "unknown", "its first byte is 0x00"},
		{"\xff\xff", "unknown", "its first byte is 0xff"},
		{"SSH-2.0-x\r\n", "unknown", "its first byte is 0x53"},
		{"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n", "proxy", "The peer sent a PROXY protocol header, which is not taken from its address."},
		{"\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c", "proxy", "The peer sent a PROXY protocol header, which is not taken from its address."},
	} {
		seen := strings.Count(p.logged(), c.said)
		a := &attacker{Conn: p.connectFrom(t, source(400+i)), t: t}
		a.write([]byte(c.hello))
		a.closedWithin(patience)
		eventually(t, patience, "it is in the log", func() bool { return strings.Count(p.logged(), c.said) > seen })
		lines := 0
		for line := range strings.Lines(p.logged()) {
			if strings.Contains(line, a.LocalAddr().String()) && strings.Contains(line, ended) {
				lines++
			}
		}
		if strings.Count(p.logged(), c.said) != seen+1 || lines != 1 {
			t.Errorf("%q: %d lines of the log", c.hello, lines)
		}
		name := `penstock_handshake_failures_total{reason="` + c.what + `"}`
		if p.metrics(t)[name] == before[name] {
			t.Errorf("%q: not counted as %s", c.hello, c.what)
		}
	}
	if strings.Contains(p.logged(), "1.2.3.4") {
		t.Error("the address of a spoofed header is in the log")
	}
}

// chunkSizes: sizes that are a game are taken for what they mean, and what comes in them
// is taken too.
func chunkSizes(t *testing.T, p *program) { // C-17, R-3.1
	t.Helper()
	before := p.metrics(t)[resident]
	size := func(v uint32) []byte { return binary.BigEndian.AppendUint32(nil, v) }
	picture := append([]byte{0x17, 1, 0, 0, 0}, make([]byte, 3000)...)
	for _, c := range []struct {
		said uint32
		size int // what it means
	}{{0x7FFFFFFF, 0xFFFFFF}, {0x08000000, 0xFFFFFF}, {0x80000080, 128}, {0x80000001, 1}, {1, 1}, {2, 2}, {0xFFFFFF, 0xFFFFFF}} {
		a := p.attack(t, source(420)).publishes()
		begun := append([]byte{7, 0, 0, 0, 0, 4, 0, 9, 1, 0, 0, 0}, make([]byte, 128)...) // of a message of 1024 bytes
		a.write(begun)
		a.write(a.message(2, 1, 0, size(c.said)))
		a.size = c.size
		rest := chunk.AppendMessage(nil, chunk.Header{CSID: 7}, make([]byte, 1024-128), a.size)
		a.write(append([]byte{0xC7}, rest[12:]...)) // goes on in the new size
		for range 5 {
			a.write(a.message(6, 9, 1, picture))
		}
		if !a.answers() {
			t.Errorf("chunk size %#x: closed", c.said)
		}
		_ = a.Close()
	}
	a := p.attack(t, source(421)).publishes()
	for n := range 150 { // changes size with every message
		a.write(a.message(2, 1, 0, size(uint32(1+n*37%500))))
		a.size = 1 + n*37%500
		a.write(a.message(6, 9, 1, picture))
	}
	if !a.answers() {
		t.Error("a chunk size for each picture: closed")
	}
	if grown := p.metrics(t)[resident] - before; grown > 16<<20 {
		t.Errorf("the program grew by %.0f MB", grown/1e6)
	}
}

// brokenChunks: whoever has lost its place in the chunk stream is closed.
func brokenChunks(t *testing.T, p *program) { // C-17, R-3.2, R-3.7
	t.Helper()
	begun := append([]byte{6, 0, 0, 0, 0, 4, 0, 9, 1, 0, 0, 0}, make([]byte, 128)...) // of a message of 1024 bytes
	for name, b := range map[string][]byte{
		"length changed inside a message": append(bytes.Clone(begun), 0x46, 0, 0, 0, 0, 8, 0, 9),
		"type changed inside a message":   append(bytes.Clone(begun), 0x46, 0, 0, 0, 0, 4, 0, 8),
		"another message inside one":      append(bytes.Clone(begun), begun...),
		"fmt 3 without a header":          {0xC0 | 40, 1, 2, 3},
		"fmt 2 without a header":          {0x80 | 40, 0, 0, 0, 1},
		"chunk size 0":                    {2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 0},
		"chunk size 2^31":                 {2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0x80, 0, 0, 0},
		"chunk size of 3 bytes":           {2, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			stranger := p.attack(t, source(1))
			stranger.write(b)
			stranger.closedWithin(patience)
			publisher := p.attack(t, source(2)).publishes()
			publisher.write(b)
			publisher.closedWithin(patience)
		})
	}
}

// begins are chunks that begin messages of n bytes on many chunk streams, a byte each.
func begins(streams, n int) []byte {
	b := []byte{2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 1} // chunk size 1
	for i := range streams {
		b = append(b, 1, byte(i), byte(i>>8), 0, 0, 0, byte(n>>16), byte(n>>8), byte(n), 9, 1, 0, 0, 0, 0x17)
	}
	return b
}

// announcedMemory: memory follows what came, not what headers say.
func announcedMemory(t *testing.T, p *program) {
	t.Helper()
	before := p.metrics(t)
	for i := range 20 {
		a := p.attack(t, source(10+i))
		a.write(begins(1000, 16<<10))
		a.closedWithin(patience)
	}
	for _, n := range []int{0xFFFFFF, 8 << 20} {
		a := p.attack(t, source(40)).publishes()
		a.write(begins(1000, n))
		a.closedWithin(patience)
	}
	if grown := p.metrics(t)[resident] - before[resident]; grown > 16<<20 {
		t.Errorf("the program grew by %.0f MB", grown/1e6)
	}
}

// hoardedMemory: what a publisher makes the program keep is bounded by bytes, not
// by what it calls them.
func hoardedMemory(t *testing.T, p *program) {
	t.Helper()
	before := p.metrics(t)
	junk := 2 << 20
	aggregate := []byte{8, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0xAF, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 21}
	aggregate = append(aggregate, 99, byte(junk>>16), byte(junk>>8), byte(junk))
	aggregate = append(aggregate, make([]byte, 7+junk)...)
	config := append([]byte{0x96, 0, 'h', 'v', 'c', '1', 0}, make([]byte, junk)...)
	for name, attack := range map[string]func(a *attacker){
		"a little in each big aggregate": func(a *attacker) {
			for range 60 {
				a.write(a.message(6, 22, 1, aggregate))
			}
		},
		"a little behind much junk": func(a *attacker) {
			b := a.message(4, 18, 1, append(bytes.Repeat([]byte{5}, 60<<10), amf.Append(nil, "onX")...))
			for range 2000 {
				a.write(b)
			}
		},
		"tiny messages of one time": func(a *attacker) {
			b := bytes.Repeat(a.message(4, 18, 1, amf.Append(nil, "onX")), 2000)
			for range 500 {
				a.write(b)
			}
		},
		"long configurations of many tracks": func(a *attacker) {
			for track := range 33 {
				config[6] = byte(track + 1)
				a.write(a.message(6, 9, 1, config))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := p.attack(t, source(50)).publishes().whole()
			a.patience(10 * time.Second)
			attack(a)
			if !a.answers() {
				t.Error("the publisher was closed")
			}
			if grown := p.metrics(t)[resident] - before[resident]; grown > 96<<20 {
				t.Errorf("the program grew by %.0f MB", grown/1e6)
			}
		})
	}
}

// hostileValues: AMF that lies about its depth and its counts is an error, and
// costs nothing.
func hostileValues(t *testing.T, p *program) { // C-23, R-3.3, R-3.4, R-3.5, R-3.6, R-3.10
	t.Helper()
	const size = 12 << 10
	for i, value := range [][]byte{
		{3, 0, 1, 'a'},                         // objects in objects
		{10, 0, 0, 0, 1},                       // arrays in arrays
		{8, 0xFF, 0xFF, 0xFF, 0xFF, 0, 1, 'a'}, // ECMA arrays in each other
		{16, 0, 1, 'A', 0, 1, 'a'},             // typed objects in each other
		{10, 0xFF, 0xFF, 0xFF, 0xFF},           // arrays of 2^32-1
		{3, 0xFF, 0xFF},                        // a key of 64 KiB
		{12, 0xFF, 0xFF, 0xFF, 0xFF},           // a string of 4 GiB
		{17, 9, 3, 1},                          // AMF3 arrays in arrays
		{17, 10, 0xFF, 0xFF, 0xFF, 0xFF},       // AMF3 traits without end
		{7, 0, 0},                              // references
		{0xEE},                                 // nothing
	} {
		body := bytes.Repeat(value, size/len(value))
		for _, typ := range []uint8{20, 17} {
			a := p.attack(t, source(60+i))
			a.write(a.message(3, typ, 0, append(call("connect", 1), body...)))
			a.write(a.message(3, typ, 1, append(call("play", 3, nil), body...)))
			_ = a.Close()
		}
	}
	before := p.metrics(t)["process_cpu_seconds_total"]
	a := p.attack(t, source(80)).publishes().whole()
	deep := bytes.Repeat([]byte{3, 0, 1, 'a'}, 15<<10)
	for range 100 {
		a.write(a.message(4, 18, 1, append(amf.Append(nil, "@setDataFrame", "onMetaData"), deep...)))
		a.write(a.message(3, 20, 1, append(call("nonsense", 0), deep...)))
	}
	if !a.answers() {
		t.Error("the publisher was closed")
	}
	if spent := p.metrics(t)["process_cpu_seconds_total"] - before; spent > 2 {
		t.Errorf("200 messages took %.1f s of CPU, at most 10 ms each are allowed", spent)
	}
}

// floods: a hundred control messages a second are plenty.
func floods(t *testing.T, p *program) {
	t.Helper()
	four := []byte{0, 0, 0, 6}
	for name, m := range map[string]struct {
		typ     uint8
		payload []byte
	}{
		"abort": {2, four}, "ack": {3, four}, "ping": {4, []byte{0, 6, 0, 0, 0, 1}}, "bandwidth": {6, []byte{0, 1, 0, 1, 2}},
		"unknown type": {99, four}, "unknown call": {20, call("nonsense", 5, nil)}, "createStream": {20, call("createStream", 5, nil)},
	} {
		t.Run(name, func(t *testing.T) {
			before := p.metrics(t)[sessionsEnded("protocol")]
			a := p.attack(t, source(90)).publishes()
			b := bytes.Repeat(a.message(2, m.typ, 0, m.payload), 1000)
			go func() {
				for range 20 {
					a.write(b)
				}
			}()
			a.closedWithin(patience)
			eventually(t, patience, "the flood is counted", func() bool {
				return p.metrics(t)[sessionsEnded("protocol")] > before
			})
		})
	}
}

// tinyWindows: a peer that wants an acknowledgement for each byte does not get it.
func tinyWindows(t *testing.T, p *program) {
	t.Helper()
	for _, window := range []uint32{0, 1, 0xFFFFFFFF} {
		a := p.attack(t, source(95)).publishes().whole()
		value := binary.BigEndian.AppendUint32(nil, window)
		a.write(a.message(2, 5, 0, value))
		a.write(a.message(2, 6, 0, append(value, 2)))
		frame := a.message(6, 9, 1, append([]byte{0x27, 1, 0, 0, 0}, make([]byte, 20_000)...))
		for range 100 {
			a.write(frame)
		}
		a.write(a.message(3, 20, 0, call("_checkbw", 9, nil)))
		if said, err := a.hears("_result"); err != nil || len(said) > 4096 {
			t.Errorf("window %d: %d bytes of answers to 2 MB, %v", window, len(said), err)
		}
		_ = a.Close()
	}
}

// pingPong: a peer that says another bandwidth each time is told another window each
// time, as the specification wants, but only as often as control messages are allowed.
func pingPong(t *testing.T, p *program) {
	t.Helper()
	a := p.attack(t, source(96)).publishes()
	go func() {
		for n := range uint32(3000) {
			a.write(a.message(2, 6, 0, append(binary.BigEndian.AppendUint32(nil, 1+n), 2)))
		}
	}()
	a.patience(patience)
	said, err := io.ReadAll(a)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("3000 of them at once are allowed")
	}
	if len(said) > 8192 {
		t.Errorf("%d bytes of answers", len(said))
	}
}

// noAcks: we wait for nobody's acknowledgement. A player that never sends one gets all,
// and so does the program from a publisher that does not look at its own.
func noAcks(t *testing.T, p *program) {
	t.Helper()
	pub := p.attack(t, source(97)).publishes().whole()
	_, port, _ := net.SplitHostPort(pub.LocalAddr().String())
	player := p.attack(t, source(98))
	player.ask("play", "evil"+port)
	if said, err := player.hears("NetStream.Play.Start"); err != nil {
		t.Fatalf("play: %v after %q", err, said)
	}
	const pictures, each = 35, 100_000 // more than a window, and less than a player may be behind
	go func() {
		picture := append([]byte{0x17, 1, 0, 0, 0, 0, 0, 0, 0, 0x65, 0x9A}, make([]byte, each)...)
		binary.BigEndian.PutUint32(picture[5:], each+2) // the length of its one NAL unit
		for n := range pictures {
			pub.write(chunk.AppendMessage(nil, chunk.Header{CSID: 6, Type: 9, StreamID: 1, Timestamp: uint32(n * 10)}, picture, pub.size))
			picture[0], picture[9] = 0x27, 0x41
		}
	}()
	player.patience(2 * patience)
	if n, err := io.CopyN(io.Discard, player, pictures*each); err != nil {
		t.Errorf("a player that acknowledges nothing: %v after %d bytes", err, n)
	}
	pub.patience(2 * patience)
	if !pub.answers() {
		t.Error("a publisher that reads nothing is closed")
	}
}

// randomMessages: whatever comes in whatever order, the connection ends when the
// peer does.
func randomMessages(t *testing.T, p *program) {
	t.Helper()
	names := []string{
		"connect", "createStream", "publish", "play", "play2", "deleteStream", "closeStream", "FCPublish", "FCUnpublish", "releaseStream",
		"pause", "seek", "receiveAudio", "receiveVideo", "getStreamLength", "_result", "onStatus", "@setDataFrame",
	}
	types := []uint8{20, 20, 20, 20, 17, 8, 9, 18, 15, 22, 4, 5, 6, 3, 2, 0, 7, 19, 16, 200}
	values := []amf.Value{nil, "chance", "nobody", true, false, 1.0, -2.0, amf.Object{}, amf.StrictArray{nil}}
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			random := rand.New(rand.NewPCG(13, uint64(worker)))
			for range 25 {
				a := p.attack(t, source(100+worker))
				if random.IntN(4) > 0 {
					a.write(a.message(3, 20, 0, call("connect", 1, amf.Object{{Key: "app", Value: "live"}})))
					a.write(a.message(3, 20, 0, call("createStream", 2, nil)))
				}
				for range random.IntN(18) {
					typ, stream := types[random.IntN(len(types))], uint32(random.IntN(3))
					payload := make([]byte, random.IntN(30))
					for i := range payload {
						payload[i] = byte(random.Uint32())
					}
					if typ == 20 || typ == 17 {
						payload = call(names[random.IntN(len(names))], float64(random.IntN(5)),
							values[random.IntN(len(values))], values[random.IntN(len(values))], values[random.IntN(len(values))])
					}
					a.write(a.message(uint32(2+random.IntN(8)), typ, stream, payload))
				}
				_ = a.Conn.(*net.TCPConn).CloseWrite()
				a.closedWithin(patience)
				_ = a.Close()
			}
		})
	}
	all.Wait()
}

// halfHandshakes: who does not finish the handshake is closed after five seconds,
// and meanwhile keeps nobody out.
func halfHandshakes(t *testing.T, p *program) {
	t.Helper()
	const n = 300
	began := time.Now()
	var slow []*attacker
	for i := range n {
		a := &attacker{Conn: p.connectFrom(t, source(200+i/30)), t: t}
		a.write([]byte{3, 0})
		slow = append(slow, a)
	}
	asked := time.Now()
	_ = p.attack(t, source(250)).publishes().Close()
	if took := time.Since(asked); took > 5*time.Second {
		t.Errorf("a publisher was let in after %v", took)
	}
	for _, a := range slow {
		a.closedWithin(time.Until(began.Add(20 * time.Second)))
	}
	if took := time.Since(began); took < 4*time.Second {
		t.Errorf("closed after %v", took)
	}
}
