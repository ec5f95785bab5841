package server_test

import (
	"bytes"
	"runtime"
	"slices"
	"testing"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// inUse is the memory of this process, in bytes: objects and stacks.
func inUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what finalizers held
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// perOne is what each of n connections costs since before, the test's own side included.
func perOne(t *testing.T, before int64, n int) int64 {
	t.Helper()
	each := (inUse() - before) / int64(n)
	t.Logf("%.1f KiB each", float64(each)/1024)
	return each
}

// A stranger costs what it sent, and that is little. It has announced a lot.
func TestMemoryOfStrangers(t *testing.T) { // C-60, R-3.7, R-3.9, R-3.20
	const n = 200
	l := newLab(t, func(_ *lab, c *server.Config) { c.Limits.MaxPending = config.NoLimit })
	before := inUse()
	for range n {
		in := l.intrude(l.plain()).connects()
		// A chunk size of 2^31-1, and the most a stranger may have under way, less a byte.
		in.write(wire(2, message.TypeSetChunkSize, 0, []byte{0x7F, 0xFF, 0xFF, 0xFF}))
		in.write([]byte{5, 0, 0, 0, 0, 0x3F, 0xFF, 9, 1, 0, 0, 0}, make([]byte, 0x3FFE))
	}
	within(t, patience, "all of it has come", func() bool {
		all := l.engine.Sessions()
		return len(all) == n && !slices.ContainsFunc(all, func(s server.SessionInfo) bool { return s.BytesIn < 1+2*1536+0x3FFE })
	})
	each := perOne(t, before, n)
	if each > 64<<10 {
		t.Errorf("%d bytes each, at most 64 KiB are allowed", each)
	}
}

// A publisher that begins messages of 16 MB on many chunk streams, a byte each, costs
// bytes and not megabytes.
func TestMemoryOfAnnouncedMessages(t *testing.T) { // C-17, C-60, R-3.1, R-3.7, R-3.9
	l := newLab(t, limits(t, "unfinished_messages=64", "unfinished_bytes=64MiB"),
		vhost(func(v *config.Vhost) { v.Media.MaxMessageBytes = 16<<20 - 1 }))
	in := l.intrude(l.plain()).publishes("a")
	in.write(wire(2, message.TypeSetChunkSize, 0, []byte{0, 0, 0, 1}))
	before := inUse()
	for csid := range byte(60) {
		in.write([]byte{3 + csid, 0, 0, 0, 0xFF, 0xFF, 0xFF, 9, 1, 0, 0, 0, 0x17})
	}
	in.write([]byte{0, 0, 0, 0, 0, 0, 0, 1, 8, 1, 0, 0, 0, 0x2F}) // a whole message behind them
	within(t, patience, "all of it has come", func() bool { s, _ := l.strange("a"); return s.BytesIn > 0 })
	if cost := perOne(t, before, 1); cost > 13<<20 {
		t.Errorf("%d bytes, at most 13 MiB are allowed", cost)
	}
	// Under the defaults the ninth ends it.
	l = newLab(t)
	in = l.intrude(l.plain()).publishes("a")
	in.write(wire(2, message.TypeSetChunkSize, 0, []byte{0, 0, 0, 1}))
	for csid := range byte(9) {
		in.write([]byte{3 + csid, 0, 0, 0, 0x7F, 0xFF, 0xFF, 9, 1, 0, 0, 0, 0x17})
	}
	if !in.closed() {
		t.Error("nine messages under way are allowed")
	}
	within(t, patience, "it is counted", func() bool { return l.engine.Totals().EndingsTotal[string(config.ReasonTooLarge)] == 1 })
}

// Players that wait cost little: there may be thousands.
func TestMemoryOfIdlePlayers(t *testing.T) {
	const n = 200
	l := newLab(t)
	before := inUse()
	for range n {
		in := l.intrude(l.plain()).connects().asks("play", "a")
		if said, err := in.hears("NetStream.Play.Start"); err != nil {
			t.Fatalf("%v after %q", err, said)
		}
	}
	if each := perOne(t, before, n); each > 40<<10 {
		t.Errorf("%d bytes each, at most 40 KiB are allowed", each)
	}
}

// What a publisher makes us keep for players is bounded, however long it goes without a
// key frame.
func TestMemoryOfAPublisher(t *testing.T) {
	l := newLab(t)
	pub := l.publish("live/a")
	pub.configs(t)
	picture := frame(true, 0, 64<<10)
	before := inUse()
	for n := range 2000 { // 128 MB
		picture[0] = 0x27
		if n == 0 {
			picture[0] = 0x17
		}
		if err := pub.WriteMedia(message.TypeVideo, uint32(n*5), bytes.Clone(picture)); err != nil {
			t.Fatal(err)
		}
	}
	within(t, patience, "all of it has come", func() bool { s, _ := l.stream("a"); return s.BytesIn > 2000*64<<10 })
	grown := inUse() - before
	t.Logf("%.1f MiB", float64(grown)/(1<<20))
	if grown > 48<<20 {
		t.Errorf("the server grew by %d MiB", grown>>20)
	}
}
