package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
)

const (
	engineSQLite   = "sqlite"
	enginePostgres = "postgres"
)

// engine is what differs between the databases; sqlite.go and postgres.go.
type engine interface {
	name() string
	// open returns the pools to write with and to read with, without
	// connecting.
	open() (write, read *sql.DB, err error)
	// kind says which of our errors an error is, nil for none of them.
	kind(err error) error
	// migrations returns the schema's files and how goose runs them.
	migrations() (goose.Dialect, fs.FS, []goose.ProviderOption, error)
	// notify tells other processes, when the transaction commits, that there is
	// something to see.
	notify(ctx context.Context, q querier) error
	// listen calls ring whenever another process notifies, until ctx ends or
	// the connection breaks. ready is called once it listens.
	listen(ctx context.Context, ready, ring func()) error
	// poll is how often to look without being told.
	poll() time.Duration
	// snapshotOptions makes a transaction see one state of the whole database.
	snapshotOptions() *sql.TxOptions
}

// ErrDSN says that the address does not name a database at all.
var ErrDSN = errors.New(`database address not valid: use "sqlite:path/to/file.db" or "postgres://user:password@host:5432/name"`)

func newEngine(dsn string) (engine, error) {
	switch engineName(dsn) {
	case engineSQLite:
		return newSQLite(dsn)
	case enginePostgres:
		return newPostgres(dsn)
	default:
		return nil, ErrDSN
	}
}
