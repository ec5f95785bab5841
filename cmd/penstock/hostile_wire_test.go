package main

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/amf"
)

// TestHostileClients runs one attack after the other against the program while
// ffmpeg publishes and somebody plays. Nothing may happen to these, and when an
// attack is over nothing of it may be left.
func TestHostileClients(t *testing.T) { //nolint:tparallel // one attack after the other
	t.Parallel()
	p := open(t)
	v := p.victim(t)
	for _, a := range []struct {
		name string
		run  func(t *testing.T, p *program)
	}{
		{"other protocols", otherProtocols},
		{"broken chunks", brokenChunks},
		{"announced memory", announcedMemory},
		{"hoarded memory", hoardedMemory},
		{"hostile values", hostileValues},
		{"floods", floods},
		{"tiny windows", tinyWindows},
		{"random messages in every state", randomMessages},
		{"half a handshake", halfHandshakes},
	} {
		t.Run(a.name, func(t *testing.T) {
			before := p.metrics(t)
			t.Run("attack", func(t *testing.T) { a.run(t, p) })
			p.back(t, before)
		})
		v.unharmed()
	}
}

// otherProtocols: what is not RTMP is closed at once, and counted.
func otherProtocols(t *testing.T, p *program) {
	t.Helper()
	before := p.metrics(t)
	hellos := []string{
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "\x06\x00", "\x00", "\xff\xff", "SSH-2.0-x\r\n",
		"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n", "\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c",
	}
	for _, hello := range hellos {
		a := &attacker{Conn: p.connectFrom(t, source(0)), t: t}
		a.write([]byte(hello))
		a.closedWithin(time.Second)
	}
	eventually(t, time.Second, "each is counted as a failed handshake", func() bool {
		return p.metrics(t)[sessionsEnded("handshake")]-before[sessionsEnded("handshake")] == float64(len(hellos))
	})
}

// brokenChunks: whoever has lost its place in the chunk stream is closed.
func brokenChunks(t *testing.T, p *program) {
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
			stranger.closedWithin(time.Second)
			publisher := p.attack(t, source(2)).publishes()
			publisher.write(b)
			publisher.closedWithin(2 * time.Second)
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
		a.closedWithin(time.Second)
	}
	for _, n := range []int{0xFFFFFF, 8 << 20} {
		a := p.attack(t, source(40)).publishes()
		a.write(begins(1000, n))
		a.closedWithin(2 * time.Second)
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
func hostileValues(t *testing.T, p *program) {
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
			a.closedWithin(3 * time.Second)
			eventually(t, 2*time.Second, "the flood is counted", func() bool {
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
				a.closedWithin(4 * time.Second)
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
	if took := time.Since(asked); took > time.Second {
		t.Errorf("a publisher was let in after %v", took)
	}
	for _, a := range slow {
		a.closedWithin(time.Until(began.Add(8 * time.Second)))
	}
	if took := time.Since(began); took < 4*time.Second {
		t.Errorf("closed after %v", took)
	}
}
