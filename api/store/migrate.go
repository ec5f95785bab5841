package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/pressly/goose/v3"
)

// Schema says where a database's schema stands.
type Schema struct {
	Version int64 // of the database
	Newest  int64 // that this program knows
}

// Migrate brings the schema of a database to a version, -1 for the newest, up or
// down. Going down loses what the older schema has no place for. The schema
// returned is the one before.
func Migrate(ctx context.Context, dsn string, version int64, log *slog.Logger) (Schema, error) {
	var before Schema
	err := withProvider(ctx, dsn, log, func(p *goose.Provider) error {
		var err error
		if before, err = schemaOf(ctx, p); err != nil {
			return err
		}
		switch {
		case version < 0:
			err = up(ctx, p, before)
		case version > before.Newest:
			return fmt.Errorf("migrate: there is no version %d; the newest is %d", version, before.Newest)
		case version < before.Version:
			_, err = p.DownTo(ctx, version)
		default:
			_, err = p.UpTo(ctx, version)
		}
		if err != nil {
			return fmt.Errorf("migrate: %w", err)
		}
		return nil
	})
	return before, err
}

// SchemaOf says where the schema of a database stands. All it changes is that
// the table which holds the version is there afterwards.
func SchemaOf(ctx context.Context, dsn string) (Schema, error) {
	var out Schema
	err := withProvider(ctx, dsn, nil, func(p *goose.Provider) error {
		var err error
		out, err = schemaOf(ctx, p)
		return err
	})
	return out, err
}

// withProvider opens a database for its schema only.
func withProvider(ctx context.Context, dsn string, log *slog.Logger, f func(*goose.Provider) error) (err error) {
	s := &Store{log: log}
	if log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.ctx, s.cancel = context.WithCancel(ctx)
	if s.engine, err = newEngine(dsn); err != nil {
		return err
	}
	if s.write, s.read, err = s.engine.open(); err != nil {
		return s.wrap("open database", err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	p, err := s.provider()
	if err != nil {
		return err
	}
	return s.wrap("schema", f(p))
}

func (s *Store) provider() (*goose.Provider, error) {
	dialect, files, options, err := s.engine.migrations()
	if err != nil {
		return nil, err
	}
	p, err := goose.NewProvider(dialect, s.write, files, append(options, goose.WithDisableGlobalRegistry(true))...)
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return p, nil
}

func schemaOf(ctx context.Context, p *goose.Provider) (Schema, error) {
	at, err := p.GetDBVersion(ctx)
	if err != nil {
		return Schema{}, fmt.Errorf("read schema version: %w", err)
	}
	var newest int64
	for _, src := range p.ListSources() {
		newest = max(newest, src.Version)
	}
	if at > newest {
		return Schema{at, newest}, fmt.Errorf("%w: it is at version %d and this program knows %d; start the newer Penstock, or migrate down with it first",
			ErrNewerSchema, at, newest)
	}
	return Schema{at, newest}, nil
}

// migrate brings the schema up to date, or only looks whether it is.
func (s *Store) migrate(ctx context.Context, onlyLook bool) error {
	p, err := s.provider()
	if err != nil {
		return err
	}
	schema, err := schemaOf(ctx, p)
	if err != nil {
		return s.wrap("open database", err)
	}
	switch {
	case schema.Version == schema.Newest:
		return nil
	case onlyLook:
		return fmt.Errorf(`%w: it is at version %d and has to be at %d; run "penstock migrate"`, ErrOlderSchema, schema.Version, schema.Newest)
	}
	if err := up(ctx, p, schema); err != nil {
		return s.wrap("migrate", err)
	}
	s.log.Info("database migrated", "from", schema.Version, "to", schema.Newest)
	return nil
}

// up goes to the newest version. On SQLite nothing keeps another process from
// doing the same at the same time: each migration is one transaction, so the
// slower one fails because the tables are there, and then finds that all is
// done.
func up(ctx context.Context, p *goose.Provider, at Schema) error {
	const tries, pause = 10, 100 * time.Millisecond
	for n := 1; ; n++ {
		_, err := p.Up(ctx)
		if err == nil {
			return nil
		}
		now, e := schemaOf(ctx, p)
		switch {
		case e == nil && now.Version == now.Newest:
			return nil
		case e == nil && now.Version > at.Version:
			at, n = now, 0 // somebody gets on with it
		case n == tries || ctx.Err() != nil:
			return err
		}
		time.Sleep(pause)
	}
}
