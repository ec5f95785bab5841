package main

import (
	"io"
	"log/slog"
	"os"

	"golang.org/x/term"
)

// logger makes the process's logger on standard error: lines for people on a
// terminal, else text, or JSON when asked.
func (c *command) logger() *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.globals.LogLevel)); err != nil {
		level = slog.LevelInfo
	}
	options := &slog.HandlerOptions{Level: level}
	switch {
	case c.globals.LogFormat == "json":
		return slog.New(slog.NewJSONHandler(c.stderr, options))
	case c.human():
		return slog.New(newConsole(c.stderr, level))
	default:
		return slog.New(slog.NewTextHandler(c.stderr, options))
	}
}

// human reports whether a person reads standard error.
func (c *command) human() bool {
	return c.globals.LogFormat == "auto" && isTerminal(c.stderr)
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
