package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"
)

// started is what a person or a log wants to know of a gateway that is up.
type started struct {
	rtmp     []net.Addr
	http     net.Addr
	database string // without credentials
	public   string // base URL of the dashboard as people reach it
	setup    string // one-time set-up link, while there is no user
}

// say tells it: lines for a person, else one log record.
func (s started) say(c *command, log *slog.Logger) {
	if !c.human() {
		attrs := []slog.Attr{
			slog.String("version", version), slog.String("rtmp", s.addresses()), slog.String("http", s.http.String()),
			slog.String("database", s.database), slog.String("dashboard", s.public),
		}
		if s.setup != "" {
			attrs = append(attrs, slog.String("setup", s.setup))
		}
		log.LogAttrs(context.Background(), slog.LevelInfo, "started", attrs...)
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nPenstock %s\n\n", version)
	for _, addr := range s.rtmp {
		fmt.Fprintf(&b, "  RTMP       rtmp://%s\n", reachable(addr))
	}
	fmt.Fprintf(&b, "  Dashboard  %s\n", s.public)
	fmt.Fprintf(&b, "  Database   %s\n", s.database)
	if s.setup != "" {
		fmt.Fprintf(&b, "\n  There is no user yet. Open this once to create the admin:\n  %s\n", s.setup)
	}
	b.WriteString("\n  Ctrl-C ends it.\n\n")
	_, _ = fmt.Fprint(c.stderr, b.String())
}

func (s started) addresses() string {
	all := make([]string, len(s.rtmp))
	for i, addr := range s.rtmp {
		all[i] = addr.String()
	}
	return strings.Join(all, ",")
}

// reachable is an address somebody on this machine can connect to: the wildcard
// address becomes the loopback one.
func reachable(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return addr.String()
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
