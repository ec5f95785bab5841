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
	rtmps    []net.Addr
	http     []net.Addr
	https    []net.Addr
	database string // without credentials
	public   string // base URL of the dashboard as people reach it
	setup    string // one-time set-up link, while there is no user
}

// say tells it: lines for a person, else log records, the set-up link in one of its
// own.
func (s started) say(c *command, log *slog.Logger) {
	if !c.human() {
		if s.setup != "" {
			log.Info("there is no user yet: open this link once, within 30 minutes, to create the admin", slog.String("setup", s.setup))
		}
		attrs := []slog.Attr{
			slog.String("version", version), slog.String("rtmp", addresses(s.rtmp)), slog.String("http", addresses(s.http)),
			slog.String("database", s.database), slog.String("dashboard", s.public),
		}
		if len(s.rtmps) > 0 {
			attrs = append(attrs, slog.String("rtmps", addresses(s.rtmps)))
		}
		if len(s.https) > 0 {
			attrs = append(attrs, slog.String("https", addresses(s.https)))
		}
		log.LogAttrs(context.Background(), slog.LevelInfo, "started", attrs...)
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nPenstock %s\n\n", version)
	for _, addr := range s.rtmp {
		fmt.Fprintf(&b, "  RTMP       rtmp://%s\n", reachable(addr))
	}
	for _, addr := range s.rtmps {
		fmt.Fprintf(&b, "  RTMPS      rtmps://%s\n", reachable(addr))
	}
	for _, addr := range s.http {
		if at := "http://" + reachable(addr); at != s.public {
			fmt.Fprintf(&b, "  HTTP       %s\n", at)
		}
	}
	for _, addr := range s.https {
		if at := "https://" + reachable(addr); at != s.public {
			fmt.Fprintf(&b, "  HTTPS      %s\n", at)
		}
	}
	fmt.Fprintf(&b, "  Dashboard  %s\n", s.public)
	fmt.Fprintf(&b, "  Database   %s\n", s.database)
	if s.setup != "" {
		fmt.Fprintf(&b, "\n  There is no user yet. Open this once to create the admin:\n  %s\n", s.setup)
	}
	b.WriteString("\n  Ctrl-C ends it.\n\n")
	_, _ = fmt.Fprint(c.stderr, b.String())
}

func addresses(addrs []net.Addr) string {
	all := make([]string, len(addrs))
	for i, addr := range addrs {
		all[i] = addr.String()
	}
	return strings.Join(all, ",")
}

// addrsOf are the addresses of listeners.
func addrsOf(listeners []net.Listener) []net.Addr {
	addrs := make([]net.Addr, len(listeners))
	for i, ln := range listeners {
		addrs[i] = ln.Addr()
	}
	return addrs
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
