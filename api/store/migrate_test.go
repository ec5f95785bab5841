package store

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/api/store/storetest"
	"github.com/penstock-media/penstock/migrations"
)

func writeFile(name string) error { return os.WriteFile(name, []byte("x"), 0o600) }

func TestMigrateUpDownUp(t *testing.T) {
	both(t, func(e env) {
		t, ctx := e.t, e.t.Context()
		if got := get(SchemaOf(ctx, e.dsn))(t); got.Version != 0 || got.Newest < 1 {
			t.Fatalf("a new database: %+v", got)
		}
		get(Migrate(ctx, e.dsn, -1, nil))(t)
		up := columns(t, e.dsn)
		before := get(Migrate(ctx, e.dsn, 0, nil))(t)
		if before.Version != before.Newest {
			t.Errorf("after going up: %+v", before)
		}
		if left := columns(t, e.dsn); len(left) != 0 {
			t.Errorf("after going down these are left: %v", left)
		}
		get(Migrate(ctx, e.dsn, -1, nil))(t)
		if d := cmp.Diff(up, columns(t, e.dsn)); d != "" || len(up) < 100 {
			t.Errorf("the second time up differs (%d columns):\n%s", len(up), d)
		}
		// And it works.
		newStream(t, open(t, e.dsn), "talk")
		if _, err := Migrate(ctx, e.dsn, 99, nil); err == nil {
			t.Error("a version that does not exist is reached")
		}
	})
}

// TestBothSidesAgree compares the migrations' numbers, and the columns they
// make with their kinds, of both databases.
func TestBothSidesAgree(t *testing.T) {
	names := func(f fs.FS) []string {
		list := get(fs.Glob(f, "*.sql"))(t)
		slices.Sort(list)
		return list
	}
	if d := cmp.Diff(names(migrations.SQLite()), names(migrations.Postgres())); d != "" {
		t.Fatalf("the files differ (-sqlite +postgres):\n%s", d)
	}
	lite, pg := sqliteDSN(t), storetest.Postgres(t)
	open(t, lite)
	open(t, pg)
	if d := cmp.Diff(columns(t, lite), columns(t, pg)); d != "" {
		t.Errorf("the columns differ (-sqlite +postgres):\n%s", d)
	}
}

// columns lists "table.column type null" of all our tables.
func columns(t *testing.T, dsn string) []string {
	t.Helper()
	e := get(newEngine(dsn))(t)
	write, read, err := e.open()
	must(t, err)
	defer func() { _, _ = write.Close(), read.Close() }()
	query := `SELECT m.name || '.' || c.name || ' ' || lower(c.type) || ' ' || CASE WHEN c."notnull" = 1 OR c.pk > 0 THEN 'NO' ELSE 'YES' END
		FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'goose%' AND m.name NOT LIKE 'sqlite%'`
	if e.name() == enginePostgres {
		query = `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable FROM information_schema.columns
			WHERE table_schema = current_schema() AND table_name NOT LIKE 'goose%'`
	}
	s := &Store{engine: e}
	list := get(s.texts(t.Context(), read, query))(t)
	slices.Sort(list)
	return list
}

func TestSchemaGuards(t *testing.T) {
	both(t, func(e env) {
		t, ctx := e.t, e.t.Context()
		_, err := OpenWith(ctx, Options{DSN: e.dsn, SkipMigrate: true})
		refused(t, ErrOlderSchema, err)
		s := open(t, e.dsn)
		s2 := get(OpenWith(ctx, Options{DSN: e.dsn, SkipMigrate: true}))(t)
		must(t, s2.Close())

		// A newer Penstock was here.
		must(t, s.exec(ctx, "pretend", "INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, $2)", 9999, true))
		for name, f := range map[string]func() error{
			"open":    func() error { _, err := Open(ctx, e.dsn, nil); return err },
			"migrate": func() error { _, err := Migrate(ctx, e.dsn, -1, nil); return err },
			"look":    func() error { _, err := SchemaOf(ctx, e.dsn); return err },
		} {
			err := f()
			refused(t, ErrNewerSchema, err)
			t.Logf("%s: %v", name, err)
		}
	})
}

// TestSQLiteFile: only the owner can read the file, and its connections keep
// references and wait for one another.
func TestSQLiteFile(t *testing.T) {
	s := open(t, sqliteDSN(t))
	e, ok := s.engine.(*sqliteEngine)
	if !ok {
		t.Fatal("not SQLite")
	}
	info := get(os.Stat(e.path))(t)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v", info.Mode())
	}
	for pragma, want := range map[string]string{"journal_mode": "wal", "foreign_keys": "1", "busy_timeout": fmt.Sprint(sqliteBusyMS)} {
		if got := get(s.texts(context.Background(), s.write, "PRAGMA "+pragma))(t); len(got) != 1 || got[0] != want {
			t.Errorf("%s is %v", pragma, got)
		}
	}
	if err := s.exec(t.Context(), "x", "DELETE FROM streams"); err != nil {
		t.Error(err)
	}
	if _, err := s.read.ExecContext(t.Context(), "DELETE FROM streams"); err == nil {
		t.Error("a reader writes")
	}
}
