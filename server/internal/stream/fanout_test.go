//go:build unix

package stream

import (
	"bytes"
	"errors"
	"hash/fnv"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/internal/media"
)

// sockets returns a connected pair of stream sockets; buffer is the send buffer of
// the first in bytes, 0 for the system's choice.
func sockets(tb testing.TB, buffer int) (server, client *net.UnixConn) {
	tb.Helper()
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		tb.Fatal(err)
	}
	conn := func(fd int) *net.UnixConn {
		f := os.NewFile(uintptr(fd), "socketpair")
		defer f.Close()
		c, err := net.FileConn(f)
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { c.Close() })
		return c.(*net.UnixConn)
	}
	server, client = conn(fds[0]), conn(fds[1])
	if buffer > 0 {
		if err := server.SetWriteBuffer(buffer); err != nil {
			tb.Fatal(err)
		}
	}
	return server, client
}

func rawConn(tb testing.TB, c syscall.Conn) syscall.RawConn {
	tb.Helper()
	raw, err := c.SyscallConn()
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

// player is the far end of a direct subscription.
type player struct {
	sub  *Subscription
	conn *net.UnixConn // the server's side
	far  *net.UnixConn
	ends chan error
}

func direct(tb testing.TB, h *Hub, o SubscribeOptions, buffer int) *player {
	tb.Helper()
	p := &player{ends: make(chan error, 2)}
	p.conn, p.far = sockets(tb, buffer)
	o.Conn = rawConn(tb, p.conn)
	o.Closed = func(err error) { p.ends <- err }
	p.sub = attach(tb, h, o)
	p.sub.Start()
	tb.Cleanup(p.sub.Close)
	return p
}

// read reads n bytes and returns them.
func (p *player) read(tb testing.TB, n int) []byte {
	tb.Helper()
	b := make([]byte, n)
	if err := p.far.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		tb.Fatal(err)
	}
	if got, err := io.ReadFull(p.far, b); err != nil {
		tb.Fatalf("after %d of %d bytes: %v", got, n, err)
	}
	return b
}

// A thousand players, spread over shards, joining while media flows and reading at
// their own pace, each get exactly the same bytes from their key frame on.
func TestThousandPlayers(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 100
	}
	h := runHub(t, 4)
	// Six seconds of media come in an instant: nobody is late because of that.
	p := publish(t, h, PublishOptions{Settings: Settings{GOP: true, Queue: time.Hour}})
	defer p.Close()
	write(t, p, intro()...)

	const gops = 6
	var batches [gops][]packet
	for g := range batches {
		batches[g] = gop(uint32(g)*1000, 2000)
	}
	// What a player that joins in GOP g must get, as a hash.
	var want [gops]uint64
	var size [gops]int
	for g := range batches {
		b := rtmpBytes(at(uint32(g)*1000, intro()...)...)
		for _, m := range batches[g:] {
			b = append(b, rtmpBytes(m...)...)
		}
		sum := fnv.New64a()
		sum.Write(b)
		want[g], size[g] = sum.Sum64(), len(b)
	}

	// The time of the first message but metadata tells where a player joined.
	configTime := len(rtmpBytes(intro()[0])) + 1
	var wg sync.WaitGroup
	var joined [gops]atomic.Int32
	for g := range batches {
		for i := range n / gops {
			pl := direct(t, h, SubscribeOptions{}, 16<<10)
			wg.Go(func() {
				sum := fnv.New64a()
				buf := make([]byte, 1000+i%3*30_000)
				total, joinedAt := 0, -1
				if err := pl.far.SetReadDeadline(time.Now().Add(60 * time.Second)); err != nil {
					t.Error(err)
				}
				for joinedAt < 0 || total < size[joinedAt] {
					least := 1
					if joinedAt < 0 {
						least = configTime + 3
					}
					k, err := io.ReadAtLeast(pl.far, buf, least)
					if err != nil {
						t.Errorf("player %d of GOP %d: after %d bytes: %v", i, g, total, err)
						return
					}
					if joinedAt < 0 {
						joinedAt = int(buf[configTime])<<16 | int(buf[configTime+1])<<8 | int(buf[configTime+2])
						joinedAt /= 1000
						joined[joinedAt].Add(1)
					}
					sum.Write(buf[:k])
					total += k
				}
				if total != size[joinedAt] || sum.Sum64() != want[joinedAt] {
					t.Errorf("player %d of GOP %d, from GOP %d on: %d bytes, want %d, or they differ", i, g, joinedAt, total, size[joinedAt])
				}
			})
		}
		write(t, p, batches[g]...)
	}
	wg.Wait()
	eventually(t, "all counted", func() bool {
		var sum uint64
		for g := range joined {
			sum += uint64(joined[g].Load()) * uint64(size[g])
		}
		return h.Streams()[0].BytesOut == sum
	})
	if i := h.Streams()[0]; i.Players != n/gops*gops || i.Dropped != 0 {
		t.Errorf("the stream is %+v", i)
	}
}

// A player that does not read is parked, and neither stops the others nor the
// publisher; when it reads again it gets whole messages and goes on at a key frame.
func TestStalledPlayer(t *testing.T) {
	h := runHub(t, 1)
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	stalled := direct(t, h, SubscribeOptions{}, 8<<10)
	brisk := direct(t, h, SubscribeOptions{}, 0)
	write(t, p, intro()...)
	want := rtmpBytes(intro()...)
	for g := range uint32(8) {
		m := gop(g*1000, 20_000)
		write(t, p, m...)
		b := rtmpBytes(m...)
		if g == 0 {
			b = append(want, b...)
		}
		same(t, "the others' bytes", brisk.read(t, len(b)), b)
	}
	eventually(t, "parked", stalled.sub.parked.Load)
	if lag := stalled.sub.Stats().Lag; lag < 5*time.Second {
		t.Errorf("the stalled player lags %v", lag)
	}

	// It wakes up: a prefix of the stream, ending with a message, then GOP 7.
	var all []byte
	for g := range uint32(8) {
		all = append(all, rtmpBytes(gop(g*1000, 20_000)...)...)
	}
	all = append(want, all...)
	tail := rtmpBytes(join(at(7000, intro()...), gop(7000, 20_000))...)
	var in []byte
	buf := make([]byte, 64<<10)
	_ = stalled.far.SetReadDeadline(time.Now().Add(20 * time.Second))
	for !bytes.HasSuffix(in, tail) {
		n, err := stalled.far.Read(buf)
		if err != nil {
			t.Fatalf("after %d bytes: %v", len(in), err)
		}
		in = append(in, buf[:n]...)
	}
	head := in[:len(in)-len(tail)]
	if !bytes.HasPrefix(all, head) {
		t.Error("what came before the jump is not the beginning of the stream")
	}
	eventually(t, "unparked", func() bool { return !stalled.sub.parked.Load() })
	if st := stalled.sub.Stats(); st.Dropped == 0 || st.Lag != 0 || st.BytesOut != uint64(len(in)) {
		t.Errorf("stats %+v after %d bytes", st, len(in))
	}
	write(t, p, frame(8000, 9))
	same(t, "live again", stalled.read(t, len(rtmpBytes(frame(8000, 9)))), rtmpBytes(frame(8000, 9)))
}

// a player that reads slowly jumps, again and again, and stays. What
// it gets is whole messages as they were published, in order, and a jump lands on a
// key frame.
func TestSlowPlayer(t *testing.T) {
	h := runHub(t, 1)
	p := publish(t, h, PublishOptions{Settings: Settings{GOP: true, Queue: time.Second}})
	defer p.Close()
	slow := direct(t, h, SubscribeOptions{Framing: FLV}, 8<<10)

	type key struct {
		typ  uint8
		time uint32
	}
	published := map[key][]byte{}
	for _, pkt := range intro() {
		write(t, p, pkt)
	}
	var read bytes.Buffer
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 16<<10)
		for {
			n, err := slow.far.Read(buf)
			read.Write(buf[:n])
			if err != nil {
				return
			}
			time.Sleep(500 * time.Microsecond)
		}
	}()
	dropped, skips := uint64(0), 0
	for g := uint32(0); skips < 16 && g < 2000; g++ {
		for _, pkt := range gop(g*1000, 40_000) {
			typ := flv.TagAudio
			if pkt.Kind == media.Video {
				typ = flv.TagVideo
			}
			published[key{typ, pkt.Time}] = pkt.Payload
			write(t, p, pkt)
		}
		select {
		case err := <-slow.ends:
			t.Fatalf("the slow player ended with %v", err)
		case <-time.After(2 * time.Millisecond):
		}
		if d := slow.sub.Stats().Dropped; d > dropped {
			dropped = d
			skips++
		}
	}
	slow.sub.Close()
	slow.conn.Close()
	<-done
	if st := slow.sub.Stats(); st.Dropped == 0 || st.BytesOut != uint64(read.Len()) {
		t.Errorf("stats %+v, read %d bytes", st, read.Len())
	}

	tags, jumps, last, picture, deaf := flv.NewReader(&read), 0, uint32(0), uint32(0), 0
	heard := uint32(0)
	for {
		tag, err := tags.Next()
		if err != nil {
			break // within a tag, where it was closed
		}
		if tag.Type == flv.TagData {
			continue
		}
		if tag.Timestamp < last {
			t.Fatalf("time went from %d back to %d", last, tag.Timestamp)
		}
		last = tag.Timestamp
		if len(tag.Body) < 8 { // a decoder configuration
			continue
		}
		if tag.Type == flv.TagAudio {
			if tag.Timestamp > heard+75 {
				deaf++
			}
			heard = tag.Timestamp
		} else {
			if tag.Timestamp > picture+40 || jumps == 0 {
				jumps++
				if tag.Body[0] != 0x17 {
					t.Fatalf("began at %d with % x", tag.Timestamp, tag.Body[:4])
				}
			}
			picture = tag.Timestamp
		}
		if want := published[key{tag.Type, tag.Timestamp}]; !bytes.Equal(tag.Body, want) {
			t.Fatalf("message of type %d at %d differs from what was published", tag.Type, tag.Timestamp)
		}
	}
	if jumps < 4 || deaf > jumps/2 {
		t.Errorf("its pictures began %d times, its sound was cut %d times", jumps, deaf)
	}
}

// Many stalled players, then all read again: everybody gets everything.
func TestManyStalledPlayers(t *testing.T) {
	n := 500
	if testing.Short() {
		n = 50
	}
	h := runHub(t, 2)
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	players := make([]*player, n)
	for i := range players {
		players[i] = direct(t, h, SubscribeOptions{}, 4<<10)
	}
	ps := gop(0, 30_000)
	write(t, p, ps...)
	want := rtmpBytes(ps...)
	for _, pl := range players {
		eventually(t, "parked", pl.sub.parked.Load)
	}
	var wg sync.WaitGroup
	for _, pl := range players {
		wg.Go(func() {
			b := make([]byte, len(want))
			_ = pl.far.SetReadDeadline(time.Now().Add(60 * time.Second))
			if k, err := io.ReadFull(pl.far, b); err != nil {
				t.Errorf("after %d bytes: %v", k, err)
			} else if !bytes.Equal(b, want) {
				t.Error("the bytes differ")
			}
		})
	}
	wg.Wait()
	for _, sh := range h.shards {
		eventually(t, "nobody is slow any more", func() bool { return sh.slow.Load() == 0 })
	}
}

func TestDeadPlayer(t *testing.T) { // S4-21
	h := runHub(t, 1)
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	gone := direct(t, h, SubscribeOptions{}, 0)
	stays := direct(t, h, SubscribeOptions{}, 0)
	gone.far.Close()
	write(t, p, keyFrame(0, 9))
	select {
	case err := <-gone.ends:
		if err == nil || errors.Is(err, ErrSlow) {
			t.Errorf("Closed with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("Closed was not called")
	}
	if err := gone.sub.Send([]byte("x")); err == nil {
		t.Error("Send to a dead player works")
	}
	same(t, "the other", stays.read(t, len(rtmpBytes(keyFrame(0, 9)))), rtmpBytes(keyFrame(0, 9)))
}

// Control goes out at once to a player that waits for nothing, and between messages
// to one that is parked.
func TestDirectControl(t *testing.T) {
	h := runHub(t, 1)
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	pl := direct(t, h, SubscribeOptions{}, 4<<10)
	if err := pl.sub.Send([]byte("<early>")); err != nil {
		t.Fatal(err)
	}
	if got := pl.read(t, 7); string(got) != "<early>" {
		t.Errorf("got %q", got)
	}
	write(t, p, keyFrame(0, 200_000), frame(40, 200_000))
	eventually(t, "parked", pl.sub.parked.Load)
	if err := pl.sub.Send([]byte("<c>")); err != nil {
		t.Fatal(err)
	}
	want := append(append(rtmpBytes(keyFrame(0, 200_000)), "<c>"...), rtmpBytes(frame(40, 200_000))...)
	same(t, "control between messages", pl.read(t, len(want)), want)
	if pl.sub.Close(); pl.sub.Busy() {
		t.Error("busy although all was written")
	}
}

func TestBusy(t *testing.T) {
	h := runHub(t, 1)
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	pl := direct(t, h, SubscribeOptions{}, 4<<10)
	write(t, p, keyFrame(0, 1<<20))
	eventually(t, "parked", pl.sub.parked.Load)
	pl.sub.Pause(true)
	if !pl.sub.Busy() {
		t.Error("not busy within a message of a megabyte")
	}
	if err := pl.sub.Send([]byte("<c>")); err != nil {
		t.Fatal(err)
	}
	whole := len(rtmpBytes(keyFrame(0, 1<<20)))
	pl.read(t, whole)
	if got := pl.read(t, 3); string(got) != "<c>" {
		t.Errorf("got %q behind the message", got)
	}
	eventually(t, "not busy any more", func() bool { return !pl.sub.Busy() })
}

// FLV and RTMP players of one stream at once, one of them without a descriptor.
func TestFramingsAtOnce(t *testing.T) {
	h := runHub(t, 2)
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	rtmp := direct(t, h, SubscribeOptions{}, 0)
	write(t, p, join(intro(), gop(0, 4000))...)
	flvPlayer := direct(t, h, SubscribeOptions{Framing: FLV}, 0)
	pulled := pull(t, h, SubscribeOptions{Framing: FLV})
	defer pulled.Close()
	got, err := pulled.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got = bytes.Clone(got)
	all := join(intro(), gop(0, 4000), gop(1000, 4000))
	want := append([]byte("FLV\x01\x05\x00\x00\x00\x09\x00\x00\x00\x00"), flvBytes(all...)...)
	early := flvPlayer.read(t, 13)
	first := rtmp.read(t, 1) // has begun too: else it could begin at the second GOP
	write(t, p, gop(1000, 4000)...)
	same(t, "RTMP", append(first, rtmp.read(t, len(rtmpBytes(all...))-1)...), rtmpBytes(all...))
	same(t, "FLV", append(early, flvPlayer.read(t, len(want)-13)...), want)
	for len(got) < len(want) {
		b, err := pulled.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, b...)
	}
	same(t, "FLV by Next", got, want)
}
