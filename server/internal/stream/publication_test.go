package stream

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestPublishDuplicates(t *testing.T) {
	for name, c := range map[string]struct {
		owner1, owner2 string
		policy         Duplicate
		busy           bool
	}{
		"reject":                               {"a", "a", Reject, true},
		"takeover":                             {"a", "b", Takeover, false},
		"takeover by nobody":                   {"", "", Takeover, false},
		"takeover by the same owner":           {"a", "a", TakeoverSameOwner, false},
		"no takeover by another owner":         {"a", "b", TakeoverSameOwner, true},
		"nobody is not the same as nobody":     {"", "", TakeoverSameOwner, true},
		"nobody does not take an owner's over": {"a", "", TakeoverSameOwner, true},
	} {
		t.Run(name, func(t *testing.T) {
			h := still()
			replaced := make(chan struct{}, 2)
			first := publish(t, h, PublishOptions{Owner: c.owner1, Session: "1", Replaced: func() { replaced <- struct{}{} }})
			defer first.Close()
			write(t, first, keyFrame(0, 9))
			second, err := h.Publish(testID, PublishOptions{Owner: c.owner2, Session: "2", Duplicate: c.policy})
			if c.busy {
				if !errors.Is(err, ErrBusy) {
					t.Fatalf("second publisher: %v", err)
				}
				if i := h.Streams()[0]; !i.Live || i.Session != "1" {
					t.Errorf("the stream is %+v", i)
				}
				write(t, first, frame(40, 9))
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			<-replaced
			if err := first.Write(frame(40, 9)); !errors.Is(err, ErrReplaced) {
				t.Errorf("the first one writes: %v", err)
			}
			first.Close() // changes nothing
			if i := h.Streams()[0]; !i.Live || i.Session != "2" {
				t.Errorf("the stream is %+v", i)
			}
			write(t, second, keyFrame(0, 9))
			second.Close()
			second.Close()
			if err := second.Write(frame(40, 9)); !errors.Is(err, ErrClosed) {
				t.Errorf("writes after Close: %v", err)
			}
			if n := len(h.Streams()); n != 0 {
				t.Errorf("%d streams are left", n)
			}
			if h.Live(testID) {
				t.Error("still live")
			}
		})
	}
}

func TestPublishAtOnce(t *testing.T) {
	for round := range 20 {
		h := still()
		var won atomic.Pointer[Publication]
		var wins, busy atomic.Int32
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				p, err := h.Publish(testID, PublishOptions{Owner: "k", Duplicate: Reject})
				switch {
				case err == nil:
					wins.Add(1)
					won.Store(p)
				case errors.Is(err, ErrBusy):
					busy.Add(1)
				}
			})
		}
		wg.Wait()
		if wins.Load() != 1 || busy.Load() != 99 {
			t.Fatalf("round %d: %d won, %d were busy", round, wins.Load(), busy.Load())
		}
		won.Load().Close()
	}
}

// Of a hundred who may all take the stream over one has it in the end, and all
// others were told.
func TestTakeoverAtOnce(t *testing.T) {
	h := still()
	var replaced sync.WaitGroup
	var wg sync.WaitGroup
	ps := make([]*Publication, 100)
	for i := range ps {
		replaced.Add(1)
		wg.Go(func() {
			p, err := h.Publish(testID, PublishOptions{Duplicate: Takeover, Session: fmt.Sprint(i), Replaced: replaced.Done})
			if err != nil {
				t.Error(err)
			}
			ps[i] = p
		})
	}
	wg.Wait()
	replaced.Done() // for the one that has it
	replaced.Wait()
	owners := 0
	for i, p := range ps {
		if p.Write(keyFrame(0, 9)) == nil {
			owners++
			if s := h.Streams()[0].Session; s != fmt.Sprint(i) {
				t.Errorf("session %s is shown, %d writes", s, i)
			}
		}
	}
	if owners != 1 {
		t.Errorf("%d may write", owners)
	}
	for _, p := range ps {
		p.Close()
	}
	if n := len(h.Streams()); n != 0 {
		t.Errorf("%d streams are left", n)
	}
}

func TestSilentPublisherYields(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := still()
		first := publish(t, h, PublishOptions{Owner: "a"})
		defer first.Close()
		try := func() error {
			p, err := h.Publish(testID, PublishOptions{Owner: "b", Duplicate: Reject})
			if err == nil {
				p.Close()
			}
			return err
		}
		time.Sleep(silence - time.Millisecond)
		if err := try(); !errors.Is(err, ErrBusy) {
			t.Errorf("before the silence was long enough: %v", err)
		}
		write(t, first, keyFrame(0, 9))
		time.Sleep(silence - time.Millisecond)
		if err := try(); !errors.Is(err, ErrBusy) {
			t.Errorf("after media: %v", err)
		}
		time.Sleep(time.Millisecond)
		if err := try(); err != nil {
			t.Errorf("a silent publisher is kept: %v", err)
		}
	})
}

// Players stay over a takeover and get the new publisher's configurations, and its
// media from the first key frame on, with time going on upward.
//
// S4-24, S4-25.
func TestTakeoverKeepsPlayers(t *testing.T) {
	for name, reconnect := range map[string]bool{"takeover": false, "end and return": true} {
		t.Run(name, func(t *testing.T) {
			h := still()
			first := publish(t, h, PublishOptions{Settings: Settings{GOP: true, Gap: time.Minute}})
			s := pull(t, h, SubscribeOptions{})
			defer s.Close()
			write(t, first, join(intro(), gop(0, 99))...)
			got := drained(t, s)
			if reconnect {
				first.Close()
				if s.Live() {
					t.Error("live without a publisher")
				}
			}
			late := pull(t, h, SubscribeOptions{})
			defer late.Close()
			if reconnect {
				if b := drained(t, late); b != nil {
					t.Errorf("a player that comes in the gap gets %d old bytes", len(b))
				}
			} else {
				drained(t, late)
			}
			second := publish(t, h, PublishOptions{Duplicate: Takeover, Settings: Settings{GOP: true, Gap: time.Minute}})
			defer second.Close()
			if !s.Live() {
				t.Error("not live with a publisher")
			}
			write(t, second, metadata(0, 1), videoConfig(0, 2), audioConfig(0, 1), frame(500_000, 50))
			write(t, second, keyFrame(500_040, 50), sound(500_040, 9), frame(500_080, 50))

			end := uint32(960 + 5) // the last sound
			base := end + joint
			heads := []packet{metadata(base, 1), videoConfig(base, 2), audioConfig(base, 1)}
			news := []packet{keyFrame(base+40, 50), sound(base+40, 9), frame(base+80, 50)}
			for i, n := range []uint32{500_040, 500_040, 500_080} {
				news[i].Payload = filled(news[i].Payload[0], n, len(news[i].Payload))
			}
			got = append(got, drained(t, s)...)
			same(t, "the player that stayed", got, rtmpBytes(join(intro(), gop(0, 99), heads, news)...))
			if d := s.Stats().Dropped; d != 0 {
				t.Errorf("dropped %d", d)
			}
			if reconnect {
				same(t, "the player that came in the gap", drained(t, late),
					rtmpBytes(join(at(base+40, heads...), news)...))
			}
		})
	}
}

func TestGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		h := NewHub(Config{Shards: 2})
		var wg sync.WaitGroup
		wg.Go(func() { _ = h.Run(ctx) })
		defer wg.Wait()
		defer cancel()

		const gap = 10 * time.Second
		settings := Settings{GOP: true, Gap: gap}
		p := publish(t, h, PublishOptions{Settings: settings})
		ends := make(chan error, 3)
		var players []*Subscription
		for range 3 {
			s := pull(t, h, SubscribeOptions{Closed: func(err error) { ends <- err }})
			players = append(players, s)
		}
		write(t, p, keyFrame(0, 9))
		p.Close()
		time.Sleep(gap - time.Millisecond)
		p = publish(t, h, PublishOptions{Settings: settings})
		time.Sleep(2 * gap)
		if len(ends) > 0 {
			t.Fatal("players ended although the publisher returned in time")
		}
		write(t, p, keyFrame(0, 9))
		if _, err := players[0].Next(ctx); err != nil {
			t.Fatal(err)
		}
		write(t, p, frame(40, 9))
		p.Close()
		began := time.Now()
		for range 3 {
			if err := <-ends; !errors.Is(err, ErrEnded) {
				t.Errorf("Closed with %v", err)
			}
		}
		if took := time.Since(began); took != gap {
			t.Errorf("players were kept %v, want %v", took, gap)
		}
		// What still waits comes before the end.
		b, err := players[0].Next(ctx)
		if err != nil || len(b) == 0 {
			t.Errorf("Next after the end: %d bytes, %v", len(b), err)
		}
		var last error
		for range 5 {
			if _, last = players[0].Next(ctx); last != nil {
				break
			}
		}
		if !errors.Is(last, ErrEnded) {
			t.Errorf("Next after the last byte: %v", last)
		}
		for _, s := range players {
			s.Close()
		}
		if n := len(h.Streams()); n != 0 {
			t.Errorf("%d streams are left", n)
		}
	})
}

func TestWaitLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := still()
		s := attach(t, h, SubscribeOptions{})
		defer s.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.WaitLive(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("nobody publishes: %v", err)
		}
		live := make(chan error)
		go func() { live <- s.WaitLive(t.Context()) }()
		synctest.Wait()
		p := publish(t, h, PublishOptions{})
		defer p.Close()
		if err := <-live; err != nil {
			t.Error(err)
		}
		if err := s.WaitLive(ctx); err != nil {
			t.Errorf("somebody publishes: %v", err)
		}
	})
}

// With a merge time all messages of that time reach a player at once, and not
// later than that.
func TestMerge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		h := NewHub(Config{Shards: 1})
		var wg sync.WaitGroup
		wg.Go(func() { _ = h.Run(ctx) })
		defer wg.Wait()
		defer cancel()

		const merge = 100 * time.Millisecond
		p := publish(t, h, PublishOptions{Settings: Settings{GOP: true, Merge: merge}})
		defer p.Close()
		s := pull(t, h, SubscribeOptions{})
		defer s.Close()
		read := func(n int) (took time.Duration) {
			t.Helper()
			began := time.Now()
			for n > 0 {
				b, err := s.Next(ctx)
				if err != nil {
					t.Fatal(err)
				}
				n -= len(b)
			}
			if n != 0 {
				t.Errorf("%d bytes more than expected", -n)
			}
			return time.Since(began)
		}
		write(t, p, keyFrame(0, 9))
		read(len(rtmpBytes(keyFrame(0, 9))))
		time.Sleep(time.Second)
		for round := range 3 {
			go func() {
				for i := range uint32(3) {
					_ = p.Write(frame(40+i, 9))
					time.Sleep(30 * time.Millisecond)
				}
			}()
			if took := read(3 * len(rtmpBytes(frame(40, 9)))); took != merge {
				t.Errorf("round %d: after %v, want %v", round, took, merge)
			}
			time.Sleep(time.Second)
		}
		h.Settle(testID.Vhost, Settings{GOP: true})
		go func() { _ = p.Write(frame(50, 9)) }()
		if took := read(len(rtmpBytes(frame(50, 9)))); took != 0 {
			t.Errorf("without merging: after %v", took)
		}
	})
}

func TestSettle(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	write(t, p, keyFrame(0, 90_000))
	s := pull(t, h, SubscribeOptions{})
	defer s.Close()
	h.Settle("another", Settings{ChunkSize: 1})
	h.Settle(testID.Vhost, Settings{GOP: true, ChunkSize: 4096})
	if n := s.ChunkSize(); n != DefaultChunkSize {
		t.Errorf("a player's chunk size changed to %d", n)
	}
	other := pull(t, h, SubscribeOptions{})
	defer other.Close()
	if n := other.ChunkSize(); n != 4096 {
		t.Errorf("a new player has chunk size %d", n)
	}
	same(t, "the player from before", drained(t, s), rtmpBytes(keyFrame(0, 90_000)))
	got := drained(t, other)
	if want := len(rtmpBytes(keyFrame(0, 90_000))) + 21 - 1; len(got) != want {
		t.Errorf("with small chunks: %d bytes, want %d", len(got), want)
	}
}

// A player that does not take what Next gave it ends.
func TestBlockedPull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		h := NewHub(Config{Shards: 1})
		var wg sync.WaitGroup
		wg.Go(func() { _ = h.Run(ctx) })
		defer wg.Wait()
		defer cancel()
		p := publish(t, h, PublishOptions{Settings: withGOP})
		defer p.Close()
		ends := make(chan error, 1)
		s := pull(t, h, SubscribeOptions{Closed: func(err error) { ends <- err }})
		defer s.Close()
		idle := pull(t, h, SubscribeOptions{Closed: func(err error) { ends <- fmt.Errorf("idle: %w", err) }})
		defer idle.Close()
		write(t, p, keyFrame(0, 9))
		if _, err := s.Next(ctx); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := <-ends; !errors.Is(err, ErrSlow) {
			t.Errorf("ended with %v", err)
		}
		if took := time.Since(began); took < blockLimit || took > blockLimit+2*sweepEvery {
			t.Errorf("ended after %v", took)
		}
	})
}

// S0-54, S0-55: a wait to write more at once ends at a number of messages too, and
// without a wait each message is written at once.
func TestMergeMinimum(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		h := NewHub(Config{Shards: 1})
		var wg sync.WaitGroup
		wg.Go(func() { _ = h.Run(ctx) })
		defer wg.Wait()
		defer cancel()
		const merge, step = 350 * time.Millisecond, 10 * time.Millisecond
		p := publish(t, h, PublishOptions{Settings: Settings{GOP: true, Merge: merge, MergeMin: 8}})
		defer p.Close()
		s := pull(t, h, SubscribeOptions{})
		defer s.Close()
		write(t, p, keyFrame(0, 9))
		if _, err := s.Next(ctx); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		run := func(n int, want time.Duration) {
			t.Helper()
			began := time.Now()
			go func() {
				for i := range uint32(n) {
					_ = p.Write(frame(40+i, 9))
					time.Sleep(step)
				}
			}()
			for left := n * len(rtmpBytes(frame(40, 9))); left > 0; {
				b, err := s.Next(ctx)
				if err != nil {
					t.Fatal(err)
				}
				left -= len(b)
			}
			if took := time.Since(began); took != want {
				t.Errorf("%d messages after %v, want %v", n, took, want)
			}
			time.Sleep(time.Second)
		}
		run(8, 7*step) // the eighth ends the wait
		run(3, merge)
		h.Settle(testID.Vhost, Settings{GOP: true})
		run(1, 0)
	})
}
