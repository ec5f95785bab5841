package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/penstock-media/penstock/server/config"
)

// limitVariable begins the name of the environment variable of each limit.
const limitVariable = "PENSTOCK_LIMIT_"

// limitFlags say what peers may cost. The first three are limits that many people
// need, as flags of their own.
type limitFlags struct {
	MaxSessions   *int              `placeholder:"N" env:"PENSTOCK_MAX_SESSIONS" help:"How many connections may be open at once; 0: any number. Default: 20000"`
	MaxPerAddress *int              `placeholder:"N" env:"PENSTOCK_MAX_PER_ADDRESS" help:"How many of them may come from one address; 0: any number. Default: 256"`
	MaxPending    *int              `placeholder:"N" env:"PENSTOCK_MAX_PENDING" help:"How many of one address may neither publish nor play yet; 0: any number. Default: 64"`
	Limit         map[string]string `placeholder:"NAME=VALUE" help:"Any limit that penstock limits lists; may be given several times."`
}

// limits puts together what the file, the environment and the command line say.
func (f limitFlags) limits(c *command) (config.Limits, error) {
	var l config.Limits
	var problems []error
	set := func(from string, values map[string]string) {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			var err error
			if l, err = l.With(name, values[name]); err != nil {
				problems = append(problems, fmt.Errorf("%s: %w", from, err))
			}
		}
	}
	if c.file != nil {
		set(c.globals.Config, c.file.limits)
	}
	set("environment", limitsOf(os.Environ()))
	for name, flag := range map[string]*int{"max_sessions": f.MaxSessions, "max_per_address": f.MaxPerAddress, "max_pending": f.MaxPending} {
		if flag != nil {
			set("--"+strings.ReplaceAll(name, "_", "-"), map[string]string{name: fmt.Sprint(*flag)})
		}
	}
	set("--limit", f.Limit)
	return l.WithDefaults(), errors.Join(problems...)
}

// limitsOf are the limits in an environment: PENSTOCK_LIMIT_FIRST_TIMEOUT=3s.
func limitsOf(environment []string) map[string]string {
	values := map[string]string{}
	for _, line := range environment {
		name, value, _ := strings.Cut(line, "=")
		if name, ok := strings.CutPrefix(name, limitVariable); ok {
			values[strings.ToLower(name)] = value
		}
	}
	return values
}

type limitsCommand struct {
	limitFlags `embed:""`

	Markdown bool `hidden:"" help:"Print the table for docs/operations.md."`
}

// Run lists all limits as serve would have them, with the same flags, environment and
// file.
func (l limitsCommand) Run(c *command) error {
	limits, err := l.limits(c)
	if err != nil {
		return err
	}
	if l.Markdown {
		return c.print("%s", markdown(limits))
	}
	t := c.table("LIMIT", "DEFAULT", "NOW", "RANGE", "MEANING")
	for _, d := range limits.List() {
		t.row(d.Name, d.Default, d.Value, d.Range, d.Meaning)
	}
	return t.flush()
}

// markdown is the table of all limits in docs/operations.md.
func markdown(limits config.Limits) string {
	var b strings.Builder
	b.WriteString("| limit | default | range | |\n|---|---|---|---|\n")
	for _, d := range limits.List() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", d.Name, d.Default, d.Range, d.Meaning)
	}
	return b.String()
}
