package main

import (
	"fmt"
	"runtime"
)

type versionCommand struct{}

// Run prints the version and what it was built with.
func (versionCommand) Run(c *command) error {
	_, err := fmt.Fprintf(c.stdout, "penstock %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
