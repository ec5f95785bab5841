package main

import "github.com/penstock-media/penstock/api/store"

type migrateCommand struct{}

// Run brings the database to this version's schema. serve does the same at its
// start; a command of its own lets an operator do it before.
func (migrateCommand) Run(c *command) error {
	return c.withStore(func(*store.Store) error {
		return c.print("%s is at this version's schema\n", c.globals.databaseName())
	})
}
