package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/penstock-media/penstock/migrations"
)

// sqliteEngine is SQLite in a file, in WAL mode: one connection writes, a few
// read beside it and see the last commit. Other processes may use the file at
// the same time; they wait for each other up to busy_timeout.
type sqliteEngine struct{ path string }

const (
	sqliteReaders = 4
	sqliteBusyMS  = 4000
)

func newSQLite(dsn string) (*sqliteEngine, error) {
	path := strings.TrimPrefix(strings.TrimPrefix(dsn, "sqlite:"), "//")
	if path == "" || strings.HasPrefix(path, ":memory:") {
		return nil, fmt.Errorf("%w: SQLite needs a file", ErrDSN)
	}
	return &sqliteEngine{path: path}, nil
}

// Missing gives the path of the SQLite file that dsn names and says whether it is
// missing, so that Open would make it. Of a PostgreSQL server nothing is known.
func Missing(dsn string) (path string, missing bool) {
	if engineName(dsn) != engineSQLite {
		return "", false
	}
	e, err := newSQLite(dsn)
	if err != nil {
		return "", false
	}
	_, err = os.Stat(e.path)
	return e.path, errors.Is(err, fs.ErrNotExist)
}

func (*sqliteEngine) name() string { return engineSQLite }

func (e *sqliteEngine) open() (write, read *sql.DB, err error) {
	const onlyMe = 0o700 // the database holds the secrets that sign tokens
	if err := os.MkdirAll(filepath.Dir(e.path), onlyMe); err != nil {
		return nil, nil, fmt.Errorf("make the folder of the database: %w", err)
	}
	f, err := os.OpenFile(e.path, os.O_CREATE|os.O_RDWR, onlyMe&^0o100)
	if err != nil {
		return nil, nil, fmt.Errorf("make the database file: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, nil, fmt.Errorf("make the database file: %w", err)
	}
	if write, err = sql.Open("sqlite", e.dsn("_txlock=immediate")); err != nil {
		return nil, nil, fmt.Errorf("open to write: %w", err)
	}
	write.SetMaxOpenConns(1)
	if read, err = sql.Open("sqlite", e.dsn("_pragma=query_only(1)")); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("open to read: %w", err), write.Close())
	}
	read.SetMaxOpenConns(sqliteReaders)
	read.SetMaxIdleConns(sqliteReaders)
	return write, read, nil
}

// dsn escapes the path, so that any file name works.
func (e *sqliteEngine) dsn(more string) string {
	path := (&url.URL{Path: filepath.ToSlash(e.path)}).EscapedPath()
	return fmt.Sprintf("file:%s?_pragma=busy_timeout(%d)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=foreign_keys(1)&%s",
		path, sqliteBusyMS, more)
}

func (*sqliteEngine) kind(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return ErrUnavailable
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return nil
	}
	switch e.Code() {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
		return ErrConflict
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return ErrNotFound
	}
	const primary = 0xff // the rest of the code says more than needed here
	switch e.Code() & primary {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN,
		sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_NOMEM:
		return ErrUnavailable
	}
	return nil
}

func (*sqliteEngine) migrations() (goose.Dialect, fs.FS, []goose.ProviderOption, error) {
	return goose.DialectSQLite3, migrations.SQLite(), nil, nil
}

// notify has nobody to tell: in this process the bell rings by itself, others
// poll.
func (*sqliteEngine) notify(context.Context, querier) error { return nil }

func (*sqliteEngine) listen(ctx context.Context, _, _ func()) error {
	<-ctx.Done()
	return ctx.Err()
}

// poll is short, because it is the only way to hear of another process ("penstock
// key create") and costs some microseconds.
func (*sqliteEngine) poll() time.Duration { return 500 * time.Millisecond }

// snapshotOptions: in WAL mode every transaction sees one state.
func (*sqliteEngine) snapshotOptions() *sql.TxOptions { return nil }
