package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// postgresEnv names a server whose database the tests may make schemas in.
const postgresEnv = "PENSTOCK_TEST_POSTGRES"

// both runs a test on SQLite, and on PostgreSQL when there is one.
func both(t *testing.T, f func(t *testing.T, dsn string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); f(t, sqliteDSN(t)) })
	t.Run("postgres", func(t *testing.T) { t.Parallel(); f(t, postgresDSN(t)) })
}

// onBoth is both with an open store.
func onBoth(t *testing.T, f func(t *testing.T, s *Store)) {
	t.Helper()
	both(t, func(t *testing.T, dsn string) { f(t, open(t, dsn)) })
}

func sqliteDSN(t *testing.T) string {
	t.Helper()
	// A name with everything that means something in an address.
	return "sqlite:" + filepath.Join(t.TempDir(), "a b%41?#&.d", "penstock.db")
}

// postgresDSN makes a schema for the test alone and removes it afterwards.
func postgresDSN(t *testing.T) string {
	t.Helper()
	raw := os.Getenv(postgresEnv)
	if raw == "" {
		t.Skip("set " + postgresEnv + " to a postgres:// address to run this on PostgreSQL")
	}
	schema := "test_" + strings.ToLower(rand.Text()[:12])
	db, err := sql.Open("pgx", raw)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "CREATE SCHEMA "+schema); err != nil {
		t.Fatalf("make a schema for the test: %v", err)
	}
	t.Cleanup(func() {
		if _, err := db.ExecContext(context.Background(), "DROP SCHEMA "+schema+" CASCADE"); err != nil {
			t.Errorf("drop the test's schema: %v", err)
		}
		_ = db.Close()
	})
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("search_path", schema)
	u.RawQuery = q.Encode()
	return u.String()
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

// must returns the value and ends the test on an error.
func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
