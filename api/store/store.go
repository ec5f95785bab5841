// Package store keeps the configuration and what has happened in PostgreSQL or
// SQLite, with one set of queries for both.
package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

const (
	// opTimeout bounds every operation, whatever the caller's context says: a
	// database that hangs costs its callers that long and not more.
	opTimeout = 5 * time.Second
	// awayTimeout bounds it once the database is known to be away: callers hear of
	// it soon, and the first one it is back for still gets an answer.
	awayTimeout = time.Second
	// pingTimeout is how long a healthy database may take to answer.
	pingTimeout = 2 * time.Second
)

// Options says how to open a store. Only DSN is needed.
type Options struct {
	// DSN is "sqlite:path/to/file.db" or "postgres://user:password@host/name".
	DSN    string
	Logger *slog.Logger // nil: none
	// SkipMigrate leaves the schema as it is, and fails with ErrOlderSchema when
	// it is not the newest.
	SkipMigrate bool
	// Poll is how often Changes looks without being told. 0: 5 s on PostgreSQL,
	// 500 ms on SQLite, where another process cannot ring.
	Poll time.Duration
}

// Store is an open database. It is safe for many goroutines. Call Close.
type Store struct {
	log          *slog.Logger
	engine       engine
	read, write  *sql.DB // the same pool on PostgreSQL
	poll         time.Duration
	cursorSecret []byte
	bell         bell
	health       health

	ctx    context.Context //nolint:containedctx // ends what Changes started, when Close is called
	cancel context.CancelFunc
	work   sync.WaitGroup
}

// Open opens the database, brings its schema up to date, and makes the default
// vhost and the first signing key in a new one.
func Open(ctx context.Context, dsn string, log *slog.Logger) (*Store, error) {
	return OpenWith(ctx, Options{DSN: dsn, Logger: log})
}

// OpenWith is Open with all options.
func OpenWith(ctx context.Context, o Options) (*Store, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Store{log: o.Logger, poll: o.Poll}
	var err error
	if s.engine, err = newEngine(o.DSN); err != nil {
		return nil, err
	}
	if s.poll <= 0 {
		s.poll = s.engine.poll()
	}
	s.ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if s.write, s.read, err = s.engine.open(); err != nil {
		return nil, s.wrap("open database", err)
	}
	if err = s.start(ctx, o.SkipMigrate); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.bell.init()
	s.health.set(nil)
	return s, nil
}

// start brings the schema up to date and the first rows in.
func (s *Store) start(ctx context.Context, skipMigrate bool) error {
	if err := s.migrate(ctx, skipMigrate); err != nil {
		return err
	}
	if err := s.seed(ctx); err != nil {
		return fmt.Errorf("prepare a new database: %w", err)
	}
	text, err := s.setting(ctx, settingCursorSecret)
	if err != nil {
		return err
	}
	if s.cursorSecret, err = hex.DecodeString(text); err != nil {
		return fmt.Errorf("read setting %s: %w", settingCursorSecret, err)
	}
	return nil
}

// Close ends the channels of Changes, waits for their goroutines and closes the
// database. It may be called twice.
func (s *Store) Close() error {
	s.cancel()
	s.work.Wait()
	err := s.read.Close()
	if s.write != s.read {
		err = errors.Join(err, s.write.Close())
	}
	if err != nil {
		return fmt.Errorf("close database: %w", err)
	}
	return nil
}

// Revision returns the number of the configuration. It grows with each change.
func (s *Store) Revision(ctx context.Context) (int64, error) {
	return s.number(ctx, s.read, "SELECT value FROM revision WHERE id = 1")
}

// bound gives an operation its end.
func (s *Store) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := opTimeout
	if s.health.away() {
		limit = awayTimeout
	}
	return context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %v", limit))
}

// number runs a query for one number.
func (s *Store) number(ctx context.Context, q querier, query string, args ...any) (int64, error) {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	var n int64
	err := q.QueryRowContext(ctx, query, args...).Scan(&n)
	return n, s.wrap("read a number", err)
}

// exec runs one statement that is no configuration change.
func (s *Store) exec(ctx context.Context, what, query string, args ...any) error {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	_, err := s.write.ExecContext(ctx, query, args...)
	return s.wrap(what, err)
}

// wrap says what was being done and turns the engine's error into one of ours.
// It also notes whether the database is there.
func (s *Store) wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	kind := s.engine.kind(err)
	if kind == nil && s.ctx.Err() != nil {
		kind = ErrUnavailable // the store has been closed
	}
	if kind != nil {
		err = fmt.Errorf("%s: %w: %w", what, kind, err)
	} else {
		err = fmt.Errorf("%s: %w", what, err)
	}
	if errors.Is(err, ErrUnavailable) {
		s.health.set(err)
	}
	return err
}

func isNoRows(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// engineName tells the kind of database from a DSN.
func engineName(dsn string) string {
	switch {
	case strings.HasPrefix(dsn, "sqlite:"):
		return engineSQLite
	case strings.HasPrefix(dsn, "postgres://"), strings.HasPrefix(dsn, "postgresql://"):
		return enginePostgres
	default:
		return ""
	}
}
