package apply

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"))
}

// recorder is an engine that writes down what it is told.
type recorder struct {
	mu      sync.Mutex
	applied []int64
	forgets int
	refuse  error
}

func (r *recorder) Apply(s *config.Snapshot) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refuse == nil {
		r.applied = append(r.applied, s.Revision)
	}
	return r.refuse
}

func (r *recorder) ForgetKeys(...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forgets++
}

func (r *recorder) last() (revision int64, forgets int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.applied) > 0 {
		revision = r.applied[len(r.applied)-1]
	}
	return revision, r.forgets
}

func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !f(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within half a minute", what)
		}
	}
}

func TestAChangeReachesTheEngine(t *testing.T) {
	s, err := store.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "penstock.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e := &recorder{}
	changes := make(chan struct{}, 100)
	l := New(Config{Store: s, Engine: e, Keys: NewKeys(s), Changed: func() { changes <- struct{}{} }})
	if l.Snapshot() != nil || !l.Status().AppliedAt.IsZero() {
		t.Error("something is in force before the first")
	}
	if err := l.First(t.Context()); err != nil {
		t.Fatal(err)
	}
	first := l.Status().Revision
	ctx, cancel := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() {
		if err := l.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	defer run.Wait()
	defer cancel()

	v, err := s.VhostByName(ctx, "default")
	if err != nil {
		t.Fatal(err)
	}
	v.PlayPolicy = config.PlayToken
	from := time.Now()
	if _, err := s.UpdateVhost(ctx, store.System(), v); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the change is in force", func() bool {
		snap := l.Snapshot()
		return snap.Revision > first && snap.Named("default").PlayPolicy == config.PlayToken
	})
	t.Logf("the change took %v", time.Since(from))
	if revision, forgets := e.last(); revision != l.Status().Revision || forgets < 2 {
		t.Errorf("the engine has revision %d and was told %d times to look at keys again", revision, forgets)
	}
	<-changes

	e.mu.Lock()
	e.refuse = errors.New("not this one")
	e.mu.Unlock()
	good := l.Snapshot()
	if _, err := s.CreateVhost(ctx, store.System(), store.NewVhost("sport")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the refusal is told", func() bool { return l.Status().Err != nil })
	if l.Snapshot() != good {
		t.Error("the last good configuration is not in force any more")
	}
	e.mu.Lock()
	e.refuse = nil
	e.mu.Unlock()
	eventually(t, "it is tried again", func() bool { return l.Status().Err == nil && l.Snapshot().Named("sport") != nil })
}
