//go:build unix

package stream

import (
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A player parked on a descriptor that its owner closes fails.
func TestParkedPlayerIsClosed(t *testing.T) {
	h := runHub(t, 1)
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	pl := direct(t, h, SubscribeOptions{}, 4<<10)
	write(t, p, keyFrame(0, 1<<20))
	eventually(t, "parked", pl.sub.parked.Load)
	pl.conn.Close()
	if err := <-pl.ends; !errors.Is(err, net.ErrClosed) {
		t.Errorf("Closed with %v", err)
	}
}

// After Close nothing is written any more, whenever it comes, and Closed is not
// called.
func TestCloseAtAnyMoment(t *testing.T) {
	h := runHub(t, 2)
	p := publish(t, h, PublishOptions{Settings: withGOP})
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for ms := uint32(0); ; ms += 40 {
			select {
			case <-stop:
				return
			default:
			}
			pkt := frame(ms, 3000)
			if ms%400 == 0 {
				pkt = keyFrame(ms, 9000)
			}
			if p.Write(pkt) != nil {
				return
			}
			time.Sleep(50 * time.Microsecond)
		}
	})
	rounds := 400
	if testing.Short() {
		rounds = 50
	}
	for i := range rounds {
		conn, far := sockets(t, 4<<10)
		var closed atomic.Bool
		s := attach(t, h, SubscribeOptions{Conn: rawConn(t, conn), Closed: func(err error) {
			if closed.Load() {
				t.Errorf("Closed(%v) after Close", err)
			}
		}})
		if i%5 != 0 {
			s.Start()
		}
		if i%3 == 0 {
			wg.Go(func() { _, _ = io.Copy(io.Discard, far) })
		}
		if i%7 == 0 {
			_ = s.Send([]byte("control"))
		}
		time.Sleep(time.Duration(i%20) * 50 * time.Microsecond)
		s.Close()
		closed.Store(true)
		out := s.Stats().BytesOut
		s.Close()
		if i%10 == 0 {
			time.Sleep(time.Millisecond)
			if n := s.Stats().BytesOut; n != out {
				t.Errorf("%d bytes were written after Close", n-out)
			}
		}
		conn.Close()
		if i%3 != 0 {
			far.Close()
		}
	}
	close(stop)
	p.Close()
	wg.Wait()
	eventually(t, "no stream", func() bool { return len(h.Streams()) == 0 })
	for _, sh := range h.shards {
		eventually(t, "nobody on the shard", func() bool { return sh.players.Load() == 0 && sh.slow.Load() == 0 })
	}
}
