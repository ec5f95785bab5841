package stream

import (
	"bytes"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server/internal/media"
)

func newLog() *log {
	l := &log{}
	l.restart()
	return l
}

func fill(l *log, ps ...media.Packet) {
	for _, p := range ps {
		l.append(p, Settings{MaxBytes: DefaultMaxBytes})
	}
}

// keptTimes returns the times of the kept packets.
func keptTimes(l *log) []uint32 {
	ts := []uint32{}
	for i := range l.kept.len() {
		ts = append(ts, l.kept.at(i).time)
	}
	return ts
}

func TestDeque(t *testing.T) {
	var d deque[int]
	next, front := 0, 0
	for i := range 1000 {
		for range i % 7 {
			d.push(next)
			next++
		}
		k := min(d.len(), i%5)
		d.drop(k)
		front += k
		if d.len() != next-front {
			t.Fatalf("round %d: length %d, want %d", i, d.len(), next-front)
		}
		for j := range d.len() {
			if *d.at(j) != front+j {
				t.Fatalf("round %d: element %d is %d, want %d", i, j, *d.at(j), front+j)
			}
		}
	}
}

func TestLogTrim(t *testing.T) {
	for name, c := range map[string]struct {
		max  int
		in   []media.Packet
		want []uint32
	}{
		"from the newest key frame on": {
			DefaultMaxBytes, join(intro(), gop(0, 100), []media.Packet{keyFrame(1000, 9), sound(1001, 9)}),
			[]uint32{1000, 1001},
		},
		"nothing of a GOP with too many bytes": {
			250,
			[]media.Packet{videoConfig(0, 1), keyFrame(0, 100), frame(40, 100), frame(80, 100), frame(120, 10)},
			[]uint32{},
		},
		"a GOP again after one with too many bytes": {
			250,
			[]media.Packet{videoConfig(0, 1), keyFrame(0, 200), frame(40, 100), keyFrame(80, 100), frame(120, 10)},
			[]uint32{80, 120},
		},
		"nothing of a GOP that lasts too long": {
			DefaultMaxBytes,
			[]media.Packet{keyFrame(0, 9), frame(9000, 9), frame(18000, 9), frame(27000, 9), frame(36000, 9), frame(45000, 9), frame(54000, 9), frame(61000, 9)},
			[]uint32{},
		},
		"a second of sound alone": {
			DefaultMaxBytes,
			[]media.Packet{sound(0, 9), sound(500, 9), sound(1400, 9), sound(1600, 9)},
			[]uint32{1400, 1600},
		},
		"no video before the first key frame": {
			DefaultMaxBytes,
			[]media.Packet{videoConfig(0, 1), frame(0, 9), frame(40, 9), keyFrame(80, 9), frame(120, 9)},
			[]uint32{80, 120},
		},
		"empty packets never": {
			DefaultMaxBytes,
			[]media.Packet{keyFrame(0, 9), {Kind: media.Video, Empty: true, Time: 40}, frame(80, 9)},
			[]uint32{0, 80},
		},
		"a key frame of another track is not one": {
			DefaultMaxBytes,
			[]media.Packet{keyFrame(0, 9), {Kind: media.Video, Key: true, Multitrack: true, Track: 1, Time: 40, Payload: filled(0x96, 40, 9)}},
			[]uint32{0, 40},
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLog()
			for _, p := range c.in {
				l.append(p, Settings{MaxBytes: c.max})
			}
			if diff := cmp.Diff(c.want, keptTimes(l)); diff != "" {
				t.Error(diff)
			}
			sum := 0
			for i := range l.kept.len() {
				sum += len(l.kept.at(i).packet.Payload)
			}
			if sum != l.bytes {
				t.Errorf("counts %d bytes kept, there are %d", l.bytes, sum)
			}
		})
	}
}

// A codec that marks no key frames is let through after a while.
func TestLogWithoutKeyFrames(t *testing.T) {
	l := newLog()
	var first uint32
	for ms := uint32(0); ms < 15_000; ms += 500 {
		if l.append(frame(ms, 9), Settings{MaxBytes: DefaultMaxBytes}) {
			first = ms
			break
		}
	}
	if want := uint32(keyPatience.Milliseconds()); first != want {
		t.Errorf("passed from %d ms on, want %d", first, want)
	}
}

// S0-80e, C-37: a configuration that comes again passes where the vhost lets it, a
// changed one everywhere; the same metadata never comes twice.
func TestLogRepeatedConfigurations(t *testing.T) {
	const never, unlessReduced, always = 0, 1, 2
	info := func(b byte) media.Packet {
		return media.Packet{Kind: media.Video, Info: true, Payload: []byte{0xD4, 'h', 'v', 'c', '1', b}}
	}
	second := media.Packet{Kind: media.Video, Config: true, Multitrack: true, Track: 1, Payload: []byte{0x96, 0, 1}}
	for _, reduce := range []bool{false, true} {
		l := newLog()
		for i, c := range []struct {
			p    media.Packet
			want int
		}{
			{videoConfig(0, 1), always},
			{videoConfig(0, 1), unlessReduced},
			{audioConfig(0, 1), always},
			{audioConfig(5, 1), unlessReduced},
			{metadata(0, 1), always},
			{metadata(0, 1), never},
			{videoConfig(0, 2), always},
			{videoConfig(0, 1), always},
			{info(1), always},
			{info(1), unlessReduced},
			{info(2), always},
			{second, always},
			{second, unlessReduced},
		} {
			want := c.want == always || c.want == unlessReduced && !reduce
			if got := l.append(c.p, Settings{MaxBytes: DefaultMaxBytes, ReduceHeaders: reduce}); got != want {
				t.Errorf("reduced %v: introduction %d: appended %v, want %v", reduce, i, got, want)
			}
		}
		if len(l.heads.more) != 2 {
			t.Errorf("keeps %d introductions besides the default ones, want 2", len(l.heads.more))
		}
	}
}

// C-41: a clock that stands still does not withhold a stream without marked key frames.
func TestLogClockStandsStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLog()
		began := time.Now()
		for !l.append(frame(0, 9), Settings{MaxBytes: DefaultMaxBytes}) {
			time.Sleep(time.Second)
		}
		if d := time.Since(began); d != keyPatience {
			t.Errorf("passes after %v, want %v", d, keyPatience)
		}
	})
}

// A key frame that brings the configuration itself has it in front, once.
func TestLogInbandConfiguration(t *testing.T) {
	unit := func(b ...byte) []byte { return append([]byte{0, 0, 0, byte(len(b))}, b...) }
	key := func(time uint32, level byte) media.Packet {
		b := []byte{0x17, 1, 0, 0, 0}
		b = append(b, unit(0x67, 0x64, 0, level, 0xAC)...)
		b = append(b, unit(0x68, 0xEE)...)
		return media.New(media.Video, time, append(b, unit(0x65, 1, 2, 3)...))
	}
	l := newLog()
	f := l.framing(layout{framing: FLV})
	all := f.last()
	fill(l, key(0, 31), frame(40, 9), key(80, 31), key(120, 40), videoConfig(160, 1), key(160, 31))
	var want []byte
	for _, p := range []media.Packet{key(0, 31), frame(40, 9), key(80, 31), key(120, 40), videoConfig(160, 1), key(160, 31)} {
		if p.Time == 0 || p.Time == 120 {
			c, ok := p.InbandConfig()
			if !ok || !c.Config {
				t.Fatal("the key frame brings no configuration")
			}
			want = append(want, flvBytes(c)...)
		}
		want = append(want, flvBytes(p)...)
	}
	var got []byte
	for b := all.peek(); b != nil; b = all.peek() {
		got = append(got, b...)
		all.off += len(b)
	}
	same(t, "the log", got, want)
}

// A framing made late holds what the log keeps, byte for byte, and its places are
// in step with the kept packets ever after.
//
// S4-22.
func TestFramingFromKeptPackets(t *testing.T) {
	for name, lay := range map[string]layout{"rtmp": {framing: RTMP, chunk: 4096, stream: DefaultMessageStream, on: DefaultChunkStreams()}, "flv": {framing: FLV}} {
		t.Run(name, func(t *testing.T) {
			l := newLog()
			fill(l, join(intro(), gop(0, 5000), gop(1000, 200_000))...)
			f := l.framing(lay)
			fill(l, keyFrame(2000, 70_000))
			fill(l, gop(2040, 3_000_000)...)
			check := func() {
				t.Helper()
				if f.places.len() != l.kept.len() {
					t.Fatalf("%d places for %d packets", f.places.len(), l.kept.len())
				}
				for i := range l.kept.len() {
					e, p := l.kept.at(i), *f.places.at(i)
					want := lay.appendMessage(nil, e.packet, e.time)
					if got := p.seg.buf[p.off:]; !bytes.HasPrefix(got, want) {
						t.Fatalf("packet %d of %d differs", i, l.kept.len())
					}
					if p.seq() != e.seq {
						t.Fatalf("packet %d has number %d, its place %d", i, e.seq, p.seq())
					}
				}
			}
			check()
			fill(l, gop(4000, 2000)...)
			check()
			if l.framing(lay) != f {
				t.Error("made a second framing of the same layout")
			}
			l.leave(f)
			l.leave(f)
			if len(l.framings) != 0 {
				t.Error("keeps a framing without players")
			}
		})
	}
}

// Segments grow with the rate and shrink with it.
func TestSegmentSizes(t *testing.T) {
	l := newLog()
	f := l.framing(layout{framing: FLV})
	ms := uint32(0)
	run := func(seconds int, size int) int {
		for range seconds * 25 {
			fill(l, keyFrame(ms, size))
			ms += 40
		}
		return len(f.tail.buf)
	}
	if got := run(60, 200); got != minSegment {
		t.Errorf("5 kB/s: %d, want %d", got, minSegment)
	}
	if got := run(60, 12_000); got != 512<<10 {
		t.Errorf("300 kB/s: %d, want %d", got, 512<<10)
	}
	if got := run(60, 100_000); got != maxSegment {
		t.Errorf("2.5 MB/s: %d, want %d", got, maxSegment)
	}
	fill(l, keyFrame(ms, 3<<20))
	if got := len(f.tail.buf); got != 3<<20+15 {
		t.Errorf("a large message's own segment has %d bytes", got)
	}
	if got := run(200, 1000); got != minSegment {
		t.Errorf("25 kB/s after that: %d, want %d", got, minSegment)
	}
}

// A reader without locks sees every byte once, in order, while segments fill up.
func TestPeekWhileAppending(t *testing.T) {
	l := newLog()
	f := l.framing(layout{framing: FLV})
	pos := f.last()
	var want []byte
	var packets []media.Packet
	for i := range 20 {
		packets = append(packets, gop(uint32(i)*1000, 20_000)...)
	}
	want = flvBytes(packets...)
	var wg sync.WaitGroup
	wg.Go(func() { fill(l, packets...) })
	var got []byte
	for deadline := time.Now().Add(20 * time.Second); len(got) < len(want); {
		b := pos.peek()
		got = append(got, b...)
		pos.off += len(b)
		if time.Now().After(deadline) {
			t.Fatal("never got all")
		}
	}
	wg.Wait()
	if !bytes.Equal(got, want) {
		t.Error("the bytes differ")
	}
}

// Messages without content, at one time, cost memory all the same.
func TestLogOfTinyMessages(t *testing.T) {
	tiny := media.NewData(0, []byte("\x02\x00\x03onX"))
	l := newLog()
	for range maxKept + 10 {
		l.append(tiny, Settings{MaxBytes: DefaultMaxBytes})
	}
	if got := l.kept.len(); got != maxKept {
		t.Errorf("%d messages are kept, want %d", got, maxKept)
	}
	l = newLog()
	fill(l, keyFrame(0, 100))
	for range maxKept {
		l.append(tiny, Settings{MaxBytes: DefaultMaxBytes})
	}
	if got := l.kept.len(); got != 0 {
		t.Errorf("%d messages of a GOP that is too long are kept", got)
	}
}

// An introduction that is none, by its length, is passed on but not kept.
func TestLogLongIntroduction(t *testing.T) {
	l := newLog()
	config := media.New(media.Video, 0, append([]byte{0x17, 0, 0, 0, 0}, make([]byte, maxHead)...))
	if !config.Config {
		t.Fatal("not a configuration")
	}
	if !l.append(config, Settings{MaxBytes: DefaultMaxBytes}) {
		t.Error("it is not passed on")
	}
	if l.heads.video.Payload != nil {
		t.Error("it is kept")
	}
}

// Frames with ADTS headers have their configuration in front, once, until the encoder
// sends one.
func TestLogAACConfiguration(t *testing.T) {
	l := newLog()
	adts := func(time uint32, rate byte) media.Packet {
		return media.New(media.Audio, time, []byte{0xaf, 1, 0xff, 0xf1, 0x40 | rate<<2, 0x80, 1, 0, 0xfc, 0x21})
	}
	own := media.New(media.Audio, 80, []byte{0xaf, 0, 0x12, 0x10})
	fill(l, adts(0, 3), adts(20, 3), adts(40, 4), own, adts(100, 3))
	var got [][]byte
	for i := range l.kept.len() {
		got = append(got, l.kept.at(i).packet.Payload)
	}
	frame := []byte{0xaf, 1, 0x21}
	want := [][]byte{{0xaf, 0, 0x11, 0x90}, frame, frame, {0xaf, 0, 0x12, 0x10}, frame, {0xaf, 0, 0x12, 0x10}, frame}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
