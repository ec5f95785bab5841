package store

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/penstock-media/penstock/api/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// env is where a test of the suite runs.
type env struct {
	t   *testing.T
	dsn string
	s   *Store // open, for tests of onBoth
}

// both runs a test on SQLite, and on PostgreSQL when there is one.
func both(t *testing.T, f func(env)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { f(env{t: t, dsn: sqliteDSN(t)}) })
	t.Run("postgres", func(t *testing.T) { f(env{t: t, dsn: storetest.Postgres(t)}) })
}

// onBoth is both with an open store. Together its tests are the suite that says
// the two databases do the same.
func onBoth(t *testing.T, f func(env)) {
	t.Helper()
	both(t, func(e env) {
		e.s = open(e.t, e.dsn)
		f(e)
	})
}

func sqliteDSN(t *testing.T) string {
	t.Helper()
	// A name with everything that means something in an address.
	return "sqlite:" + filepath.Join(t.TempDir(), "a b%41?#&.d", "penstock.db")
}

func open(t *testing.T, dsn string) *Store {
	t.Helper()
	s, err := OpenWith(t.Context(), Options{DSN: dsn, Poll: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func operator() Actor {
	return Actor{Kind: "user", ID: "usr_1", Name: "Ingrid", IP: "192.0.2.1", RequestID: "req-1"}
}

// must ends the test on an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// get returns the value a call returned and ends the test on its error, as in
// get(s.Vhost(ctx, id))(t).
func get[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		must(t, err)
		return v
	}
}

// refused ends the test unless err is the one wanted.
func refused(t *testing.T, want, err error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("the error is %q, not %q", err, want)
	}
}
