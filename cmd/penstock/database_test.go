package main

import (
	"database/sql"
	"fmt"
	"net/url"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the PostgreSQL driver
)

// newDatabase makes a database of its own for a test and returns its URL.
func newDatabase(t *testing.T, server string) string {
	t.Helper()
	admin, err := sql.Open("pgx", server)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("penstock_e2e_%d", time.Now().UnixNano())
	if _, err := admin.Exec("CREATE DATABASE " + name); err != nil {
		t.Fatalf("PENSTOCK_TEST_POSTGRES: %v", err)
	}
	t.Cleanup(func() {
		if _, err := admin.Exec("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Error(err)
		}
		_ = admin.Close()
	})
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

func TestDatabaseNameHasNoPassword(t *testing.T) {
	t.Parallel()
	for dsn, want := range map[string]string{
		"":                          "sqlite:data/penstock.db",
		"sqlite:/var/lib/a b%41.db": "sqlite:/var/lib/a b%41.db",
		"postgres://ada:hunter2@db.example:5432/penstock?sslmode=require": "postgres://db.example:5432/penstock",
		"postgres:///penstock?host=/run/postgresql&password=hunter2":      "postgres:///penstock",
		"postgres://ada:hunter2@a:1,b:2/penstock":                         "postgres://a:1,b:2/penstock",
		"host=db password=hunter2":                                        "(database)",
	} {
		if got := (globals{DataDir: "data", Database: dsn}).databaseName(); got != want {
			t.Errorf("%s is shown as %s, want %s", dsn, got, want)
		}
	}
}
