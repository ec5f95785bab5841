package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/penstock-media/penstock/migrations"
)

// postgresEngine is PostgreSQL through pgx. Changes are told with NOTIFY.
type postgresEngine struct{ config *pgx.ConnConfig }

const (
	postgresConns          = 10
	postgresConnectTimeout = 5 * time.Second
	postgresConnLifetime   = 5 * time.Minute // after a failover nobody stays with the old primary for longer
	postgresChannel        = "penstock"
	postgresStatementMS    = "4500" // the server gives up before opTimeout does; a long migration has to SET LOCAL its own
)

func newPostgres(dsn string) (*postgresEngine, error) {
	c, err := pgx.ParseConfig(dsn)
	if err != nil {
		// pgx's error has the address in it, without its password.
		return nil, fmt.Errorf("%w: %w", ErrDSN, err)
	}
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = postgresConnectTimeout
	}
	for name, v := range map[string]string{
		"application_name":                    "penstock",
		"statement_timeout":                   postgresStatementMS,
		"idle_in_transaction_session_timeout": postgresStatementMS,
	} {
		if c.RuntimeParams[name] == "" {
			c.RuntimeParams[name] = v
		}
	}
	// Of several hosts only the one that takes writes is of use.
	if c.ValidateConnect == nil && len(c.Fallbacks) > 0 {
		c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	return &postgresEngine{config: c}, nil
}

func (*postgresEngine) name() string { return enginePostgres }

func (e *postgresEngine) open() (write, read *sql.DB, err error) {
	db := stdlib.OpenDB(*e.config)
	db.SetMaxOpenConns(postgresConns)
	db.SetMaxIdleConns(postgresConns)
	db.SetConnMaxLifetime(postgresConnLifetime)
	return db, db, nil
}

func (*postgresEngine) kind(err error) error {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return postgresKind(e.Code)
	}
	var (
		connect *pgconn.ConnectError
		network net.Error
	)
	switch {
	case errors.Is(err, context.Canceled):
		return nil
	case errors.As(err, &connect), errors.As(err, &network), errors.Is(err, context.DeadlineExceeded),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed), pgconn.Timeout(err):
		return ErrUnavailable
	}
	return nil
}

// postgresKind sorts an SQLSTATE.
func postgresKind(code string) error {
	switch code {
	case "23505": // unique_violation
		return ErrConflict
	case "23503": // foreign_key_violation
		return ErrNotFound
	case "25006", // read_only_sql_transaction: a former primary
		"57014",                   // query_canceled: statement_timeout
		"57P01", "57P02", "57P03", // shutting down, crashed, not ready
		"28000", "28P01", "3D000": // may not log in, no such database
		return ErrUnavailable
	}
	switch code[:min(2, len(code))] {
	case "08", "53", "58": // connection, resources, system
		return ErrUnavailable
	}
	return nil
}

func (*postgresEngine) migrations() (goose.Dialect, fs.FS, []goose.ProviderOption, error) {
	const second, minutes = 1, 300 // tries a second apart, as long as another node migrates
	l, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(second, minutes), lock.WithUnlockTimeout(second, minutes))
	if err != nil {
		return "", nil, nil, fmt.Errorf("make migration lock: %w", err)
	}
	return goose.DialectPostgres, migrations.Postgres(), []goose.ProviderOption{goose.WithSessionLocker(l)}, nil
}

func (*postgresEngine) notify(ctx context.Context, q querier) error {
	_, err := q.ExecContext(ctx, "SELECT pg_notify($1, '')", postgresChannel)
	return err //nolint:wrapcheck // the caller says what it did
}

// listen has a connection of its own, outside the pool.
func (e *postgresEngine) listen(ctx context.Context, ready, ring func()) error {
	conn, err := pgx.ConnectConfig(ctx, e.config)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(end)
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+postgresChannel); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	ready()
	for {
		if err := e.wait(ctx, conn); err != nil {
			return err
		}
		ring()
	}
}

// wait returns at the next notification. Now and then it asks the server
// whether it is still there, since a dead connection is silent too.
func (e *postgresEngine) wait(ctx context.Context, conn *pgx.Conn) error {
	const silence, answer = 30 * time.Second, 5 * time.Second
	for {
		short, cancel := context.WithTimeout(ctx, silence)
		_, err := conn.WaitForNotification(short)
		cancel()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil || !pgconn.Timeout(err) {
			return fmt.Errorf("wait for notification: %w", err)
		}
		short, cancel = context.WithTimeout(ctx, answer)
		err = conn.Ping(short)
		cancel()
		if err != nil {
			return fmt.Errorf("listen: the server is silent: %w", err)
		}
	}
}

func (*postgresEngine) poll() time.Duration { return 5 * time.Second }

func (*postgresEngine) snapshotOptions() *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
}
