package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/penstock-media/penstock/api/outbox"
	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// machine is an engine whose events a test makes.
type machine struct {
	mu       sync.Mutex
	events   []server.Event
	sessions []server.SessionInfo
	watch    chan server.Event
}

func (m *machine) Watch() (<-chan server.Event, func()) {
	m.watch = make(chan server.Event, 1)
	return m.watch, func() {}
}

func (m *machine) Events(after uint64) []server.Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.events[min(int(after), len(m.events)):])
}

func (m *machine) Sessions() []server.SessionInfo { return m.sessions }

// happen adds an event; a watcher that is behind loses it, as with the engine.
func (m *machine) happen(e server.Event) {
	m.mu.Lock()
	e.Seq = uint64(len(m.events) + 1)
	m.events = append(m.events, e)
	m.mu.Unlock()
	select {
	case m.watch <- e:
	default:
	}
}

func (m *machine) end(id string) {
	m.happen(server.Event{Type: "session.play_ended", Session: &server.SessionInfo{
		ID: id, Role: "player", Peer: "198.51.100.7:4000", Name: "match-day", EndedAt: time.Now(), Reason: "peer_closed",
	}})
}

// book is a store that can be away.
type book struct {
	mu       sync.Mutex
	away     bool
	sessions []store.Session
	touched  map[string]string
	pruned   int
}

func (b *book) SaveSession(_ context.Context, s store.Session) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.away:
		return store.ErrUnavailable
	case s.ID == "ses_bad":
		return errors.New("no such column")
	}
	b.sessions = append(b.sessions, s)
	return nil
}

func (b *book) TouchKey(_ context.Context, id string, _ time.Time, from string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.away {
		return store.ErrUnavailable
	}
	b.touched[id] = from
	return nil
}

func (b *book) Prune(context.Context, time.Time) error { b.pruned++; return nil }

func (b *book) ids() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []string
	for _, s := range b.sessions {
		out = append(out, s.ID)
	}
	return out
}

// run starts a recorder, and returns how to end it.
func run(t *testing.T, m *machine, b *book) (*outbox.Recorder, func()) {
	t.Helper()
	r := outbox.New(outbox.Config{Engine: m, Store: b, Node: "ams-1"})
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		if err := r.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	synctest.Wait()
	return r, func() { cancel(); done.Wait() }
}

func TestEndedSessionsAreWrittenDownInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, b := &machine{}, &book{touched: map[string]string{}}
		m.end("ses_before") // before anybody watched
		m.sessions = []server.SessionInfo{{ID: "ses_pub", KeyID: "key_1", Peer: "[2001:db8::1]:4000"}}
		_, stop := run(t, m, b)
		m.happen(server.Event{Type: "stream.published", SessionID: "ses_pub", Time: time.Now()})
		synctest.Wait()
		for i := range 100 { // far more than the channel holds
			m.end(fmt.Sprintf("ses_%03d", i))
		}
		synctest.Wait()
		m.end("ses_last")
		synctest.Wait()
		ids := b.ids()
		if len(ids) != 102 || ids[0] != "ses_before" || ids[101] != "ses_last" || !slices.IsSorted(ids[1:101]) {
			t.Errorf("%d sessions were written: %v", len(ids), ids)
		}
		if b.touched["key_1"] != "2001:db8::1" || b.sessions[0].Node != "ams-1" || b.sessions[0].Stream != "match-day" {
			t.Errorf("touched %v, %+v", b.touched, b.sessions[0])
		}
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if b.pruned != 2 {
			t.Errorf("what is old was forgotten %d times", b.pruned)
		}
		stop()
	})
}

func TestSessionsWaitForTheDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, b := &machine{}, &book{touched: map[string]string{}, away: true}
		r, stop := run(t, m, b)
		m.end("ses_1")
		synctest.Wait()
		m.end("ses_bad")
		m.end("ses_2")
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if waiting, lost := r.Waiting(); waiting != 3 || lost != 0 {
			t.Errorf("%d wait, %d are lost", waiting, lost)
		}
		b.mu.Lock()
		b.away = false
		b.mu.Unlock()
		time.Sleep(16 * time.Second)
		synctest.Wait()
		if ids := b.ids(); fmt.Sprint(ids) != "[ses_1 ses_2]" {
			t.Errorf("written: %v", ids)
		}
		if waiting, lost := r.Waiting(); waiting != 0 || lost != 1 {
			t.Errorf("%d wait, %d are lost", waiting, lost)
		}
		m.mu.Lock()
		m.events = append(m.events, server.Event{Seq: 4, Session: &server.SessionInfo{ID: "ses_end", EndedAt: time.Now()}})
		m.mu.Unlock()
		stop() // what nobody was told of is found at the end
		if ids := b.ids(); ids[len(ids)-1] != "ses_end" {
			t.Errorf("written: %v", ids)
		}
	})
}

func TestMemoryIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, b := &machine{}, &book{touched: map[string]string{}, away: true}
		r, stop := run(t, m, b)
		for i := range 20_100 {
			m.mu.Lock()
			m.events = append(m.events, server.Event{Seq: uint64(i + 1), Session: &server.SessionInfo{ID: fmt.Sprint(i), EndedAt: time.Now()}})
			m.mu.Unlock()
		}
		m.end("ses_last")
		synctest.Wait()
		if waiting, lost := r.Waiting(); waiting != 20_000 || lost != 101 {
			t.Errorf("%d wait, %d are lost", waiting, lost)
		}
		stop()
	})
}

// TestWhatTheEngineLetGoIsCounted: it keeps its last events only.
func TestWhatTheEngineLetGoIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, b := &machine{}, &book{touched: map[string]string{}}
		m.events = []server.Event{{Seq: 8, Session: &server.SessionInfo{ID: "ses_8", EndedAt: time.Now()}}}
		r, stop := run(t, m, b)
		if waiting, lost := r.Waiting(); waiting != 0 || lost != 7 || len(b.ids()) != 1 {
			t.Errorf("%d wait, %d are lost, %v are kept", waiting, lost, b.ids())
		}
		stop()
	})
}
