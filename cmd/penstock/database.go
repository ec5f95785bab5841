package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"strings"

	"github.com/penstock-media/penstock/api/store"
)

// dataDirMode keeps stream keys' hashes and signing keys from other users.
const dataDirMode = 0o700

// dsn is the database the flags name: SQLite in the data directory unless told
// otherwise.
func (g globals) dsn() string {
	if g.Database != "" {
		return g.Database
	}
	return "sqlite:" + filepath.Join(g.DataDir, "penstock.db")
}

// databaseName is the database as it may be shown: without user and password.
func (g globals) databaseName() string {
	dsn := g.dsn()
	u, err := url.Parse(dsn)
	switch {
	case strings.HasPrefix(dsn, "sqlite:"):
		return dsn
	case err == nil && strings.HasPrefix(u.Scheme, "postgres"):
		return u.Scheme + "://" + u.Host + u.Path
	default:
		return "(database)"
	}
}

// openStore makes the data directory where it is missing, and opens the database
// that the flags name. The caller closes it.
func (c *command) openStore(ctx context.Context, options store.Options) (*store.Store, error) {
	if c.globals.Database == "" || strings.HasPrefix(c.globals.Database, "sqlite:") {
		if err := os.MkdirAll(c.globals.DataDir, dataDirMode); err != nil {
			return nil, fmt.Errorf("make the data directory: %w", err)
		}
	}
	options.DSN = c.globals.dsn()
	s, err := store.OpenWith(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("open the database %s: %w", c.globals.databaseName(), err)
	}
	return s, nil
}

// withStore opens the database for a command that ends at once. It makes none: in
// the wrong directory a new, empty one would only hide the mistake.
func (c *command) withStore(f func(*store.Store) error) (err error) {
	if path, missing := store.Missing(c.globals.dsn()); missing {
		return fmt.Errorf("there is no database at %s; start penstock serve or run penstock migrate first, "+
			"or name the right --data-dir / --database", path)
	}
	s, err := c.openStore(c.ctx, store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return f(s)
}

// actor is who changes things on the command line, for the audit.
func (c *command) actor() store.Actor {
	actor := store.Actor{Kind: "cli", Name: "command line"}
	if u, err := user.Current(); err == nil {
		actor.ID, actor.Name = u.Uid, u.Username
	}
	return actor
}
