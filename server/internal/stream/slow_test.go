package stream

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/penstock-media/penstock/server/internal/media"
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

// S0-64, S4-18, S4-19: a player that is too far behind loses video up to the newest key
// frame, and no sound. The decoder configurations it has stay what they are.
func TestSkipToKeyFrame(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	s := pull(t, h, SubscribeOptions{})
	defer s.Close()
	write(t, p, join(intro(), gop(0, 99))...)
	drained(t, s)

	write(t, p, gop(1000, 99)...)
	got := takeSome(s, len(rtmpBytes(keyFrame(1000, 99)))+20) // within the sound after the key frame
	missed := gop(1000, 99)[2:]
	for ms := uint32(2000); ms < 5000; ms += 1000 {
		missed = append(missed, gop(ms, 99)...)
	}
	missed = append(missed, metadata(5000, 2), videoConfig(5000, 2), colours(5000, 1))
	write(t, p, missed[len(gop(0, 9))-2:]...)
	write(t, p, gop(5000, 99)...)
	got = append(got, drained(t, s)...)
	var want []packet
	video := uint64(0)
	for _, pkt := range missed {
		if pkt.Kind == media.Video && !introduces(pkt) {
			video++
			continue
		}
		want = append(want, pkt)
	}
	same(t, "after the message under way, sound, configurations and the newest key frame", got,
		rtmpBytes(join([]packet{keyFrame(1000, 99), sound(1000, 100)}, want, gop(5000, 99))...))
	st := s.Stats()
	if (st.Drops != Drops{Video: video}) || st.Dropped != video {
		t.Errorf("dropped %+v, want %d", st, video)
	}
	if want := uint64(len(gop(0, 9)) + 2 + len(want) + len(gop(0, 9))); st.Messages != want {
		t.Errorf("delivered %d messages, want %d", st.Messages, want)
	}
	if i := h.Streams()[0]; i.Dropped != st.Dropped || i.BytesOut != st.BytesOut && i.BytesOut == 0 {
		t.Errorf("the stream counts %+v, the player %+v", i, st)
	}
	if s.narrow {
		t.Error("still picks messages one by one")
	}
}

// S4-17: a player that is a little behind misses the frames that no other needs, up to
// the next key frame, and nothing else.
func TestDisposableFramesGoFirst(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	s := pull(t, h, SubscribeOptions{})
	defer s.Close()
	write(t, p, join(intro(), gop(0, 99))...)
	drained(t, s)

	var all, kept []packet
	for ms := uint32(1000); ms <= 2800; ms += 40 {
		pkt := frame(ms, 99)
		pkt.Disposable = ms%80 == 0
		all = append(all, pkt, sound(ms+5, 20))
		if !pkt.Disposable {
			kept = append(kept, pkt)
		}
		kept = append(kept, sound(ms+5, 20))
	}
	lost := uint64(len(all) - len(kept))
	later := frame(2840, 99)
	later.Disposable = true
	again := frame(3040, 99)
	again.Disposable = true
	write(t, p, all...)
	same(t, "half a queue behind", drained(t, s), rtmpBytes(kept...))
	write(t, p, later, frame(2880, 99))
	same(t, "up to the key frame", drained(t, s), rtmpBytes(frame(2880, 99)))
	write(t, p, keyFrame(3000, 99), again)
	same(t, "from it on", drained(t, s), rtmpBytes(keyFrame(3000, 99), again))
	if st := s.Stats(); (st.Drops != Drops{Disposable: lost + 1}) {
		t.Errorf("dropped %+v, want %d disposable", st.Drops, lost+1)
	}
	if s.narrow {
		t.Error("still picks messages one by one")
	}
}

// A player for which even the sound is too much jumps over all of it.
func TestJumpToKeyFrame(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	s := pull(t, h, SubscribeOptions{})
	defer s.Close()
	write(t, p, join(intro(), gop(0, 99))...)
	drained(t, s)
	for ms := uint32(1000); ms < 5000; ms += 1000 {
		write(t, p, gop(ms, 99)...)
	}
	got := takeSome(s, 0)
	s.mu.Lock()
	s.catchUp(time.Now())
	s.mu.Unlock()
	got = append(got, takeSome(s, 20)...) // within the first sound
	for ms := uint32(5000); ms < 9000; ms += 1000 {
		write(t, p, gop(ms, 99)...)
	}
	got = append(got, drained(t, s)...)
	same(t, "after the message under way, the newest key frame", got,
		rtmpBytes(join([]packet{sound(1000, 100)}, at(8000, intro()...), gop(8000, 99))...))
	each := uint64(len(gop(0, 9)) / 2)
	if d := s.Stats().Drops; (d != Drops{Video: 7 * each, Audio: 7*each - 1}) {
		t.Errorf("dropped %+v", d)
	}
}

// A write that ends with a message leaves nothing of it to finish: what is between two
// messages goes out next.
func TestControlWhereAWriteEnded(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	s := pull(t, h, SubscribeOptions{})
	defer s.Close()
	if err := s.Send([]byte("<a>")); err != nil {
		t.Fatal(err)
	}
	got := drained(t, s)
	write(t, p, keyFrame(0, 99), frame(40, 99))
	got = append(got, takeSome(s, len(rtmpBytes(keyFrame(0, 99))))...)
	if err := s.Send([]byte("<c>")); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	if b := s.pending(time.Now()); len(b) == 0 {
		t.Error("nothing is to be written, though something is there")
	}
	s.mu.Unlock()
	got = append(got, drained(t, s)...)
	want := append(append([]byte("<a>"), rtmpBytes(keyFrame(0, 99))...), "<c>"...)
	same(t, "control where a write ended", got, append(want, rtmpBytes(frame(40, 99))...))
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

// With no key frame ahead and too many bytes waiting, the player has sound until the
// next key frame comes, and is at the end of the log if that is too much as well.
//
// S0-64, S4-19.
func TestHeavyWithoutKeyFrame(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	s := pull(t, h, SubscribeOptions{MaxQueueBytes: 3000})
	defer s.Close()
	write(t, p, keyFrame(0, 99))
	drained(t, s)
	write(t, p, frame(40, 2000), sound(50, 20), frame(80, 2000))
	same(t, "sound", drained(t, s), rtmpBytes(sound(50, 20)))
	write(t, p, frame(90, 2000), frame(95, 2000), sound(100, 2500), sound(110, 20))
	if b := drained(t, s); b != nil {
		t.Errorf("got %d bytes that were to be left out", len(b))
	}
	write(t, p, sound(115, 20), frame(120, 100), keyFrame(160, 50))
	same(t, "goes on with sound and the next key frame", drained(t, s), rtmpBytes(sound(115, 20), keyFrame(160, 50)))
	if d := s.Stats().Drops; (d != Drops{Video: 5, Audio: 2}) {
		t.Errorf("dropped %+v", d)
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
