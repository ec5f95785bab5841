package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the PostgreSQL driver

	"github.com/penstock-media/penstock/api/store"
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

// TestNoDatabase: in the wrong directory commands say so, and make nothing there;
// migrate makes a database, and says what it did.
func TestNoDatabase(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "elsewhere")
	try := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		code := run(t.Context(), append(args, "--data-dir", dir), environment{
			stdin: strings.NewReader(adminPassword + "\n"), stdout: &out, stderr: &errs,
		})
		return code, out.String() + errs.String()
	}
	for _, args := range [][]string{
		{"user", "list"},
		{"user", "create", adminName},
		{"user", "password", adminName},
		{"key", "list"},
		{"key", "create", "live/stage"},
		{"token", "mint", "play", "live/stage"},
		{"vhost", "list"},
		{"vhost", "set", "default", "gop=true"},
	} {
		code, said := try(args...)
		if code != 1 || !strings.Contains(said, "there is no database at "+filepath.Join(dir, "penstock.db")) || !strings.Contains(said, "--data-dir") {
			t.Errorf("penstock %v: exit code %d, %s", args, code, said)
		}
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("something was made in the wrong directory (%v)", err)
	}
	for _, want := range []string{"is new", "nothing changed"} {
		if code, said := try("migrate"); code != 0 || !strings.Contains(said, want) {
			t.Errorf("penstock migrate: exit code %d, want %q: %s", code, want, said)
		}
	}
	if code, said := try("vhost", "list"); code != 0 || !strings.Contains(said, "default") {
		t.Errorf("vhost list afterwards: exit code %d, %s", code, said)
	}
}

// TestDoctorOnDatabases: a malformed address is to be corrected, with no question
// about a server; a database that is not there yet is left so.
func TestDoctorOnDatabases(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for address, want := range map[string]string{
		"mysql://somewhere/penstock":        "Correct --database",
		"postgres://somewhere:port/x":       "Correct --database",
		"sqlite:" + filepath.Join(dir, "x"): "serve makes it",
	} {
		var out bytes.Buffer
		args := []string{"doctor", "--data-dir", dir, "--rtmp", "127.0.0.1:0", "--http", "127.0.0.1:0", "--database", address}
		run(t.Context(), args, environment{stdin: &out, stdout: &out, stderr: &out})
		if said := out.String(); !strings.Contains(said, want) || strings.Contains(said, "does the server answer") {
			t.Errorf("%s: the doctor says\n%s", address, said)
		}
	}
	if made, err := os.ReadDir(dir); err != nil || len(made) > 0 {
		t.Errorf("the doctor made %v (%v)", made, err)
	}
}

// TestMigrateSaysFromWhere: an older schema is brought up to date, and migrate says so.
func TestMigrateSaysFromWhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	dsn := "sqlite:" + filepath.Join(dir, "penstock.db")
	schema, err := store.Migrate(t.Context(), dsn, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if schema.Newest < 2 {
		t.Skip("there is only one version of the schema")
	}
	var out bytes.Buffer
	code := run(t.Context(), []string{"migrate", "--data-dir", dir}, environment{stdin: &out, stdout: &out, stderr: &out})
	if want := fmt.Sprintf("from schema version 1 to %d", schema.Newest); code != 0 || !strings.Contains(out.String(), want) {
		t.Errorf("exit code %d, want %q: %s", code, want, out.String())
	}
}
