package main

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/penstock-media/penstock/server/config"
)

func TestConsole(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(newConsole(&out, slog.LevelInfo)).With("session", "ses_1").WithGroup("peer")
	log.Debug("nobody sees this")
	log.Info("published", "stream", "a b", "key", config.Secret("sk_secret"))
	log.Warn("late\x1b[2J", "err", errors.New("no \"route\""), slog.Group("at", "ms", 5))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	want := []string{
		`published  session=ses_1  peer.stream="a b"  peer.key=***`,
		"WARN late\ufffd[2J  session=ses_1" + `  peer.err="no \"route\""  peer.at.ms=5`,
	}
	if len(lines) != len(want) {
		t.Fatalf("got %d lines:\n%s", len(lines), out.String())
	}
	for i := range want {
		_, line, _ := strings.Cut(lines[i], " ") // without the time
		if line != want[i] {
			t.Errorf("got  %s\nwant %s", line, want[i])
		}
	}
}
