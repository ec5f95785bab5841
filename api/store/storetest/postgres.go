// Package storetest gives tests a PostgreSQL database of their own, and takes it
// away.
package storetest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"net/url"
	"os"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// Env names a postgres:// address whose database the tests may make schemas in.
const Env = "PENSTOCK_TEST_POSTGRES"

// Postgres makes a schema for the test alone, removes it afterwards, and returns
// its address. The test is skipped where Env is not set.
func Postgres(t *testing.T) string {
	t.Helper()
	raw := os.Getenv(Env)
	if raw == "" {
		t.Skip("set " + Env + " to a postgres:// address to run this on PostgreSQL")
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
