//go:build unix

package stream

import (
	"errors"
	"fmt"
	"net"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/penstock-media/penstock/server/internal/media"
)

// sink is a descriptor that takes everything.
type sink struct{ fd uintptr }

func (s sink) Control(f func(uintptr)) error    { f(s.fd); return nil }
func (s sink) Read(func(uintptr) bool) error    { return syscall.ENOTSUP }
func (s sink) Write(f func(uintptr) bool) error { f(s.fd); return nil }

func nullSink(tb testing.TB) sink {
	tb.Helper()
	fd, err := syscall.Open("/dev/null", syscall.O_WRONLY, 0)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = syscall.Close(fd) })
	return sink{uintptr(fd)}
}

// What a pass does for a player allocates nothing, on a real connection.
//
// S4-22.
func TestPassAllocatesNothing(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	const players = 20
	var fars []*net.UnixConn
	for range players {
		conn, far := sockets(t, 0)
		s := attach(t, h, SubscribeOptions{Conn: rawConn(t, conn)})
		s.Start()
		defer s.Close()
		fars = append(fars, far)
	}
	sh, buf := h.shards[0], make([]byte, 64<<10)
	pkt := frame(1000, 500)
	step := func() {
		pkt.Time += 40
		_ = p.Write(pkt)
		sh.round(time.Now())
		for _, far := range fars {
			_, _ = far.Read(buf)
		}
	}
	write(t, p, join(intro(), gop(0, 100))...)
	step()
	const runs = 200
	before := h.Streams()[0].BytesOut
	got := testing.AllocsPerRun(runs, step)
	if got > 0 {
		t.Errorf("%v allocations a message for %d players", got, players)
	}
	sent := h.Streams()[0].BytesOut - before
	if want := uint64(players * (runs + 1) * (500 + 12)); sent < want {
		t.Errorf("wrote %d bytes, want at least %d", sent, want)
	}
}

// A message that is appended makes no garbage beyond what the log keeps.
func TestWriteAllocatesNothing(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	s := pull(t, h, SubscribeOptions{})
	defer s.Close()
	write(t, p, join(intro(), gop(0, 100))...)
	key, delta, ms := keyFrame(0, 900), frame(0, 300), uint32(1000)
	step := func() {
		pkt := delta
		if ms%1000 == 0 {
			pkt = key
		}
		pkt.Time = ms
		ms += 40
		_ = p.Write(pkt)
	}
	for range 1000 {
		step()
	}
	if got := testing.AllocsPerRun(2000, step); got > 0 {
		t.Errorf("%v allocations a message", got)
	}
}

// Many who join a large GOP get it in turns, between which the others are served.
func TestJoinersTakeTurns(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	sh, null := h.shards[0], nullSink(t)
	join := func() *Subscription {
		s := attach(t, h, SubscribeOptions{Conn: null})
		s.Start()
		t.Cleanup(s.Close)
		return s
	}
	there := join()
	write(t, p, keyFrame(0, 9))
	sh.round(time.Now())
	write(t, p, keyFrame(40, 300_000))
	for ms := uint32(80); ms < 1000; ms += 40 {
		write(t, p, frame(ms, 300_000))
	}
	for there.Stats().Lag > 0 {
		sh.round(time.Now())
	}
	var joiners []*Subscription
	for range 10 {
		joiners = append(joiners, join())
	}
	rounds := 0
	for ms := uint32(1000); len(sh.waiting) > 0 || rounds == 0; ms += 40 {
		write(t, p, frame(ms, 9))
		before := h.Streams()[0].BytesOut
		sh.round(time.Now())
		rounds++
		if there.Stats().Lag != 0 {
			t.Fatalf("round %d: the player that was there waits for joiners", rounds)
		}
		if sent := h.Streams()[0].BytesOut - before; sent > 24*maxSegment {
			t.Fatalf("round %d: %d bytes", rounds, sent)
		}
	}
	if rounds < 10 {
		t.Errorf("70 MB went out in %d rounds", rounds)
	}
	for i, s := range joiners {
		if st := s.Stats(); st.Lag != 0 || st.Messages != joiners[0].Stats().Messages {
			t.Errorf("joiner %d is at %+v, the first at %+v", i, st, joiners[0].Stats())
		}
	}
}

func TestSubscriptionIsSmall(t *testing.T) {
	if n := unsafe.Sizeof(Subscription{}); n > 768 {
		t.Errorf("a Subscription has %d bytes", n)
	}
}

func BenchmarkAppend(b *testing.B) {
	for _, c := range []struct {
		name     string
		framings []Framing
	}{{"none", nil}, {"rtmp", []Framing{RTMP}}, {"rtmp+flv", []Framing{RTMP, FLV}}} {
		for _, size := range []int{300, 4000} {
			b.Run(fmt.Sprintf("framings=%s/bytes=%d", c.name, size), func(b *testing.B) {
				h := still()
				p := publish(b, h, PublishOptions{Settings: withGOP})
				defer p.Close()
				for _, f := range c.framings {
					s := pull(b, h, SubscribeOptions{Framing: f})
					defer s.Close()
				}
				pkts := [2]media.Packet{keyFrame(0, size), frame(0, size)}
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for i := uint32(0); b.Loop(); i++ {
					pkt := pkts[min(i%50, 1)]
					pkt.Time = i * 20
					if err := p.Write(pkt); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// A pass over players whose write costs nothing: what the pass itself costs, by
// message and player.
func BenchmarkPassOverhead(b *testing.B) {
	for _, n := range []int{1, 100, 2000} {
		b.Run(fmt.Sprintf("players=%d", n), func(b *testing.B) {
			h := still()
			p := publish(b, h, PublishOptions{Settings: withGOP})
			defer p.Close()
			null := nullSink(b)
			for range n {
				s := attach(b, h, SubscribeOptions{Conn: null})
				s.Start()
				defer s.Close()
			}
			pass(b, h, p, n, 1)
		})
	}
}

// A pass over socket pairs whose far ends are read by a goroutine, one message at a
// time and twenty at a time.
func BenchmarkPass(b *testing.B) {
	for _, n := range []int{100, 500} {
		for _, merged := range []int{1, 20} {
			b.Run(fmt.Sprintf("players=%d/messages=%d", n, merged), func(b *testing.B) {
				h := still()
				p := publish(b, h, PublishOptions{Settings: withGOP})
				defer p.Close()
				var fars []int
				for range n {
					fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
					if err == nil {
						err = errors.Join(syscall.SetNonblock(fds[0], true), syscall.SetNonblock(fds[1], true))
					}
					if err != nil {
						b.Fatal(err)
					}
					fars = append(fars, fds[1])
					defer syscall.Close(fds[0])
					defer syscall.Close(fds[1])
					s := attach(b, h, SubscribeOptions{Conn: sink{uintptr(fds[0])}})
					s.Start()
					defer s.Close()
				}
				buf := make([]byte, 256<<10)
				passAnd(b, h, p, n, merged, func() {
					b.StopTimer()
					for _, fd := range fars {
						_, _ = syscall.Read(fd, buf)
					}
					b.StartTimer()
				})
			})
		}
	}
}

func pass(b *testing.B, h *Hub, p *Publication, players, merged int) {
	b.Helper()
	passAnd(b, h, p, players, merged, func() {})
}

func passAnd(b *testing.B, h *Hub, p *Publication, players, merged int, after func()) {
	b.Helper()
	write(b, p, keyFrame(0, 4000))
	h.shards[0].round(time.Now())
	after()
	pkts := [2]media.Packet{keyFrame(0, 4000), frame(0, 4000)}
	b.ReportAllocs()
	b.ResetTimer()
	i := uint32(0)
	for range b.N {
		for range merged {
			i++
			pkt := pkts[min(i%50, 1)]
			pkt.Time = i * 20
			if err := p.Write(pkt); err != nil {
				b.Fatal(err)
			}
		}
		h.shards[0].round(time.Now())
		after()
	}
	per := float64(b.N) * float64(players)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/per, "ns/pass/player")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/per/float64(merged), "ns/message/player")
}
