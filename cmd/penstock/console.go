package main

import (
	"context"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"
)

// console is a slog.Handler that writes lines for people:
//
//	15:04:05 published  session=ses_01k… stream=demo
//	15:04:09 WARN database is away  err="connection refused"
type console struct {
	level  slog.Level
	prefix string // attributes given by With, already written out
	group  string // open group, with a dot at its end

	mu  *sync.Mutex // shared by all handlers made from one
	out io.Writer   // guarded by mu
}

func newConsole(out io.Writer, level slog.Level) *console {
	return &console{level: level, mu: &sync.Mutex{}, out: out}
}

// Enabled implements slog.Handler.
func (c *console) Enabled(_ context.Context, level slog.Level) bool { return level >= c.level }

// Handle implements slog.Handler.
func (c *console) Handle(_ context.Context, r slog.Record) error {
	var line strings.Builder
	line.WriteString(r.Time.Format("15:04:05 "))
	if r.Level != slog.LevelInfo {
		line.WriteString(r.Level.String() + " ")
	}
	line.WriteString(plain(r.Message))
	line.WriteString(c.prefix)
	r.Attrs(func(a slog.Attr) bool {
		appendAttr(&line, c.group, a)
		return true
	})
	line.WriteByte('\n')
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := io.WriteString(c.out, line.String())
	return err
}

// WithAttrs implements slog.Handler.
func (c *console) WithAttrs(attrs []slog.Attr) slog.Handler {
	var line strings.Builder
	for _, a := range attrs {
		appendAttr(&line, c.group, a)
	}
	next := *c
	next.prefix += line.String()
	return &next
}

// WithGroup implements slog.Handler.
func (c *console) WithGroup(name string) slog.Handler {
	next := *c
	next.group += name + "."
	return &next
}

func appendAttr(line *strings.Builder, group string, a slog.Attr) {
	value := a.Value.Resolve()
	if value.Kind() == slog.KindGroup {
		if a.Key != "" {
			group += a.Key + "."
		}
		for _, inner := range value.Group() {
			appendAttr(line, group, inner)
		}
		return
	}
	if a.Key == "" {
		return
	}
	line.WriteString("  " + group + a.Key + "=")
	text := value.String()
	if text == "" || strings.ContainsAny(text, " \"=") || plain(text) != text {
		text = strconv.Quote(text)
	}
	line.WriteString(text)
}

// plain replaces control characters, so that what a peer chose (a stream's
// name) cannot steer the terminal.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) || r == '\u202e' {
			return '\ufffd'
		}
		return r
	}, s)
}
