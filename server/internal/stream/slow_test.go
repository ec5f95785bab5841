package stream

import (
	"testing"
	"testing/synctest"
	"time"
)

// takeSome takes n messages' bytes of what is there and leaves the cursor within the
// next message.
func takeSome(s *Subscription, n int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.pending(time.Now())
	s.advance(n, len(b))
	return append([]byte{}, b[:n]...)
}

func TestJumpToKeyFrame(t *testing.T) { // S0-64
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	s := pull(t, h, SubscribeOptions{})
	defer s.Close()
	write(t, p, join(intro(), gop(0, 99))...)
	drained(t, s)

	write(t, p, gop(1000, 99)...)
	got := takeSome(s, len(rtmpBytes(keyFrame(1000, 99)))+20) // within the sound after the key frame
	for ms := uint32(2000); ms < 6000; ms += 1000 {
		write(t, p, gop(ms, 99)...)
	}
	got = append(got, drained(t, s)...)
	want := rtmpBytes(join([]packet{keyFrame(1000, 99), sound(1000, 100)}, at(5000, intro()...), gop(5000, 99))...)
	same(t, "after the message under way, the newest key frame", got, want)
	g := len(gop(0, 9))
	st := s.Stats()
	if want := uint64(4*g - 2); st.Dropped != want {
		t.Errorf("dropped %d, want %d", st.Dropped, want)
	}
	if want := uint64(len(intro()) + g + 2 + g - len(intro())); st.Messages != want {
		t.Errorf("delivered %d messages, want %d", st.Messages, want)
	}
	if i := h.Streams()[0]; i.Dropped != st.Dropped || i.BytesOut != st.BytesOut && i.BytesOut == 0 {
		t.Errorf("the stream counts %+v, the player %+v", i, st)
	}
}

// With no key frame ahead the player goes on until one comes.
func TestNoJumpBackward(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	s := pull(t, h, SubscribeOptions{})
	defer s.Close()
	write(t, p, keyFrame(0, 99))
	got := drained(t, s)
	var want []packet
	for ms := uint32(40); ms < 5000; ms += 40 {
		want = append(want, frame(ms, 99))
	}
	write(t, p, want...)
	if lag := s.Stats().Lag; lag < 4*time.Second {
		t.Errorf("lag %v", lag)
	}
	got = append(got, drained(t, s)...)
	same(t, "all of the GOP", got, rtmpBytes(append([]packet{keyFrame(0, 99)}, want...)...))
	if d := s.Stats().Dropped; d != 0 {
		t.Errorf("dropped %d", d)
	}
}

// With no key frame ahead and too many bytes waiting, the player leaves the log and
// comes back at the next key frame.
//
// S0-64, S4-19.
func TestJumpOffTheLog(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	s := pull(t, h, SubscribeOptions{MaxQueueBytes: 3000})
	defer s.Close()
	write(t, p, keyFrame(0, 99))
	drained(t, s)
	write(t, p, frame(40, 2000), frame(80, 2000))
	if b := drained(t, s); b != nil {
		t.Fatalf("got %d bytes with no key frame", len(b))
	}
	if s.at.seg != nil {
		t.Error("keeps a segment while it waits")
	}
	write(t, p, frame(120, 100), keyFrame(160, 50))
	same(t, "goes on at the next key frame", drained(t, s), rtmpBytes(keyFrame(160, 50)))
	if d := s.Stats().Dropped; d != 3 {
		t.Errorf("dropped %d, want 3", d)
	}
}

// A player that is given a long GOP to begin with is not late because of that.
func TestLongGOPIsNoJump(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	want := []packet{keyFrame(0, 99)}
	for ms := uint32(40); ms < 8000; ms += 40 {
		want = append(want, frame(ms, 99))
	}
	write(t, p, want...)
	s := pull(t, h, SubscribeOptions{MaxQueueBytes: 5000})
	defer s.Close()
	got := takeSome(s, 500)
	more := []packet{frame(8000, 99), keyFrame(8040, 99), frame(8080, 99)}
	write(t, p, more...)
	got = append(got, drained(t, s)...)
	same(t, "all", got, rtmpBytes(join(want, more)...))
}

// Without video a player jumps to what little is kept.
func TestSoundJumps(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	s := pull(t, h, SubscribeOptions{})
	defer s.Close()
	write(t, p, audioConfig(0, 1), sound(0, 50))
	drained(t, s)
	var kept []packet
	for ms := uint32(1000); ms <= 6000; ms += 100 {
		write(t, p, sound(ms, 50))
		if ms >= 5000 {
			kept = append(kept, sound(ms, 50))
		}
	}
	same(t, "live again", drained(t, s), rtmpBytes(join(at(5000, audioConfig(0, 1)), kept)...))
	if d := s.Stats().Dropped; d != 40 {
		t.Errorf("dropped %d, want 40", d)
	}
}

// a player that is far too slow for the stream sees a key frame now
// and then for as long as it likes.
func TestSlowPlayerStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := still()
		p := publish(t, h, PublishOptions{Settings: withGOP})
		defer p.Close()
		s := pull(t, h, SubscribeOptions{Closed: func(err error) { t.Errorf("ended with %v", err) }})
		defer s.Close()
		write(t, p, gop(0, 99)...)
		drained(t, s)
		dropped := uint64(0)
		for ms := uint32(1000); ms < 60_000; ms += 5000 {
			for g := range uint32(5) {
				write(t, p, gop(ms+g*1000, 99)...)
			}
			drained(t, s)
			st := s.Stats()
			if st.Dropped <= dropped {
				t.Fatal("it did not jump")
			}
			dropped = st.Dropped
			time.Sleep(5 * time.Second)
		}
		synctest.Wait()
	})
}

// Next gives no more than a slow player takes in time, also of a large message, and
// control messages go between two.
func TestNextLendsLittle(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	s := pull(t, h, SubscribeOptions{})
	defer s.Close()
	write(t, p, keyFrame(0, 3*lendLimit), frame(40, 9))
	var got []byte
	for i := 0; ; i++ {
		b, err := s.take()
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			break
		}
		if len(b) > lendLimit {
			t.Errorf("%d bytes at once", len(b))
		}
		got = append(got, b...)
		if i == 0 {
			if err := s.Send([]byte("<c>")); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := append(append(rtmpBytes(keyFrame(0, 3*lendLimit)), "<c>"...), rtmpBytes(frame(40, 9))...)
	same(t, "all, in order", got, want)
}
