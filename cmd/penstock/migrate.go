package main

import (
	"errors"
	"fmt"

	"github.com/penstock-media/penstock/api/store"
)

type migrateCommand struct{}

// Run brings the database to this version's schema, and makes it where there is
// none. serve does the same at its start; a command of its own lets an operator do
// it before.
func (migrateCommand) Run(c *command) (err error) {
	name := c.globals.databaseName()
	_, missing := store.Missing(c.globals.dsn())
	before, err := store.Migrate(c.ctx, c.globals.dsn(), -1, nil)
	if err != nil {
		return fmt.Errorf("open the database %s: %w", name, err)
	}
	s, err := c.openStore(c.ctx, store.Options{}) // makes the first rows
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	switch {
	case missing || before.Version == 0:
		return c.print("%s is new: made at schema version %d\n", name, before.Newest)
	case before.Version == before.Newest:
		return c.print("%s was at schema version %d already: nothing changed\n", name, before.Newest)
	default:
		return c.print("%s went from schema version %d to %d\n", name, before.Version, before.Newest)
	}
}
