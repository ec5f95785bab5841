package store

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/config"
)

func TestNewDatabase(t *testing.T) {
	both(t, func(e env) {
		t, ctx := e.t, e.t.Context()
		s := open(t, e.dsn)
		snap := get(s.Snapshot(ctx))(t)
		if len(snap.Vhosts) != 1 || snap.Vhosts[0].Name != config.DefaultVhost || len(snap.TokenKeys) != 1 || snap.Revision != 1 {
			t.Fatalf("a new database makes %+v", snap)
		}
		want := config.NewVhost(config.DefaultVhost)
		if got := snap.Vhosts[0]; got.Media != want.Media || got.PublishPolicy != want.PublishPolicy || got.PlayPolicy != want.PlayPolicy {
			t.Errorf("the default vhost: %+v", got)
		}
		if n := get(s.CountUsers(ctx))(t); n != 0 {
			t.Errorf("%d users by default", n)
		}
		// A second process opens the same one and finds it made.
		s2 := open(t, e.dsn)
		if again := get(s2.Snapshot(ctx))(t); again.TokenKeys[0] != snap.TokenKeys[0] || again.Revision != 1 {
			t.Error("opening again made things again")
		}
		if string(s.cursorSecret) != string(s2.cursorSecret) {
			t.Error("cursors of one node are strange to the other")
		}
	})
}

// TestOpenAtOnce: several nodes start on an empty database together.
func TestOpenAtOnce(t *testing.T) {
	both(t, func(e env) {
		t, ctx := e.t, e.t.Context()
		stores := make([]*Store, 4)
		errs := make([]error, len(stores))
		race(len(stores), func(i int) {
			stores[i], errs[i] = OpenWith(context.WithoutCancel(ctx), Options{DSN: e.dsn})
		})
		for i, s := range stores {
			if errs[i] != nil {
				t.Errorf("node %d: %v", i, errs[i])
				continue
			}
			if snap := get(s.Snapshot(ctx))(t); len(snap.Vhosts) != 1 || len(snap.TokenKeys) != 1 {
				t.Errorf("node %d sees %+v", i, snap)
			}
			must(t, s.Close())
		}
	})
}

// TestChangesCount: changes made at once follow one another; each counts.
func TestChangesCount(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		v := defaultVhost(t, s)
		before := get(s.Revision(ctx))(t)
		const n = 12
		race(n, func(i int) {
			if _, err := s.CreateStream(ctx, operator(), Stream{VhostID: v.ID, App: "live", Name: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
		if after := get(s.Revision(ctx))(t); after != before+n {
			t.Errorf("%d changes took the revision from %d to %d", n, before, after)
		}
		if snap := get(s.Snapshot(ctx))(t); len(snap.Named("default").DisabledStreams) != n {
			t.Errorf("%d disabled streams in the snapshot", len(snap.Named("default").DisabledStreams))
		}
	})
}

// TestTwoAdmins: of two who change one row, the second is told.
func TestTwoAdmins(t *testing.T) {
	both(t, func(e env) {
		t, ctx := e.t, e.t.Context()
		stores := []*Store{open(t, e.dsn), open(t, e.dsn)}
		v := defaultVhost(t, stores[0])
		errs := make([]error, 8)
		race(len(errs), func(i int) {
			w := v
			w.Media.QueueMS = 1000 + i
			_, errs[i] = stores[i%2].UpdateVhost(ctx, operator(), w)
		})
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
				continue
			}
			refused(t, ErrRevision, err)
		}
		if won != 1 {
			t.Errorf("%d changed the same revision", won)
		}
	})
}

// TestDoorbell: a change wakes every node, whoever made it.
func TestDoorbell(t *testing.T) {
	both(t, func(e env) {
		t, ctx := e.t, e.t.Context()
		here, there := open(t, e.dsn), open(t, e.dsn)
		if here.engine.name() == enginePostgres {
			here.poll, there.poll = time.Hour, time.Hour // notifications alone have to do
		}
		chHere, chThere := here.Changes(ctx), there.Changes(ctx)
		first := next(t, chHere)
		if got := next(t, chThere); got != first || first.Revision != 1 {
			t.Fatalf("at first: %v and %v", first, got)
		}
		if here.engine.name() == enginePostgres {
			waitListening(t, here, 2)
		}
		began := time.Now()
		newStream(t, here, "talk")
		if got := next(t, chHere); got.Revision != 2 {
			t.Errorf("here: %v", got)
		}
		if got := next(t, chThere); got.Revision != 2 {
			t.Errorf("there: %v", got)
		}
		t.Logf("both nodes knew after %v", time.Since(began))
		// Whoever does not look finds only the newest revision.
		for i := range 5 {
			newStream(t, there, fmt.Sprint(i))
		}
		deadline := time.Now().Add(patience)
		for got := next(t, chHere); got.Revision != 7; got = next(t, chHere) {
			if time.Now().After(deadline) {
				t.Fatalf("the newest revision is not told: %v", got)
			}
		}
	})
}

// patience is how long a busy machine may take for what is done in a moment.
const patience = 30 * time.Second

func next(t *testing.T, ch <-chan Change) Change {
	t.Helper()
	select {
	case c, ok := <-ch:
		if !ok {
			t.Fatal("the channel is closed")
		}
		return c
	case <-time.After(patience):
		t.Fatal("nothing is told")
	}
	return Change{}
}

// waitListening waits until n connections of the test's schema listen.
func waitListening(t *testing.T, s *Store, n int64) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		got := get(s.number(t.Context(), s.read,
			"SELECT count(*) FROM pg_stat_activity WHERE query = 'LISTEN "+postgresChannel+"' AND state = 'idle'"))(t)
		if got >= n {
			return
		}
	}
	t.Fatal("nobody listens")
}

func TestChangesEnd(t *testing.T) {
	both(t, func(e env) {
		t := e.t
		s := get(Open(t.Context(), e.dsn, nil))(t)
		ctx, cancel := context.WithCancel(t.Context())
		a, b := s.Changes(ctx), s.Changes(t.Context())
		next(t, a)
		next(t, b)
		cancel()
		if c, open := <-a; open {
			t.Errorf("after the context ended: %v", c)
		}
		must(t, s.Close())
		if c, open := <-b; open {
			t.Errorf("after the store closed: %v", c)
		}
		must(t, s.Close())
	})
}

func TestPing(t *testing.T) {
	onBoth(t, func(e env) {
		t, s := e.t, e.s
		must(t, s.Ping(t.Context()))
		if st := s.State(); !st.OK || st.Error != "" || st.Since.IsZero() || st.Engine != s.engine.name() {
			t.Errorf("state: %+v", st)
		}
		must(t, s.write.Close())
		must(t, s.read.Close())
		if err := s.Ping(t.Context()); err == nil {
			t.Error("a closed database answers")
		}
		if st := s.State(); st.OK || st.Error == "" {
			t.Errorf("state: %+v", st)
		}
	})
}

func TestBadAddresses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	for _, dsn := range []string{
		"", "x.db", "mysql://x", "sqlite:", "sqlite::memory:", "postgres://user:hunter2@127.0.0.1:notaport/x",
		"postgres://user:hunter2@127.0.0.1:1/x?connect_timeout=2", "sqlite:" + file + "/below/a/file",
	} {
		if strings.HasSuffix(dsn, "file") {
			must(t, writeFile(file))
		}
		s, err := Open(t.Context(), dsn, nil)
		if err == nil {
			_ = s.Close()
			t.Errorf("%q opens", dsn)
			continue
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error shows the password: %v", err)
		}
	}
	_, err := Open(t.Context(), "postgres://user:hunter2@127.0.0.1:1/x", nil)
	refused(t, ErrUnavailable, err)
}
