// Package migrations carries the database schema as numbered SQL files, the same
// numbers for PostgreSQL and SQLite.
package migrations

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed postgres/*.sql sqlite/*.sql
var files embed.FS

// Postgres returns the migrations for PostgreSQL.
func Postgres() fs.FS { return sub("postgres") }

// SQLite returns the migrations for SQLite.
func SQLite() fs.FS { return sub("sqlite") }

func sub(dir string) fs.FS {
	f, err := fs.Sub(files, dir)
	if err != nil {
		panic(fmt.Sprintf("migrations: %v", err)) // dir is a constant above
	}
	return f
}
