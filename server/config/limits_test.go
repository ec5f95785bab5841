package config_test

import (
	"strings"
	"testing"

	"github.com/penstock-media/penstock/server/config"
)

func TestLimits(t *testing.T) {
	l := config.DefaultLimits()
	if problems := l.Problems(); len(problems) > 0 {
		t.Errorf("the defaults: %v", problems)
	}
	if l != (config.Limits{}).WithDefaults() {
		t.Error("the zero limits are not the defaults")
	}
	seen := map[string]bool{}
	for _, d := range l.List() {
		if seen[d.Name] || d.Meaning == "" || d.Value != d.Default {
			t.Errorf("%+v", d)
		}
		seen[d.Name] = true
		// What is shown can be said.
		again, err := config.Limits{}.With(d.Name, d.Value)
		if err != nil {
			t.Error(err)
		}
		if again == (config.Limits{}) || again.WithDefaults() != l {
			t.Errorf("%s: %s is read as something else", d.Name, d.Value)
		}
		low, up, _ := strings.Cut(strings.TrimSuffix(d.Range, ", or none"), " to ")
		for _, value := range []string{low, up} {
			if again, err = again.With(d.Name, value); err != nil {
				t.Errorf("the end of its own range: %v", err)
			}
			if problems := again.Problems(); len(problems) > 0 {
				t.Error(problems)
			}
		}
		for _, value := range []string{"", "-1", "none", "0", "99999999999999999999", "1x", "1 1", "1e3", "NaN", "-5s", "9999999h"} {
			if (value == "none" || value == "0") && strings.HasSuffix(d.Range, "or none") {
				continue
			}
			if _, err := again.With(d.Name, value); err == nil || !strings.Contains(err.Error(), d.Range) {
				t.Errorf("%s=%q: %v", d.Name, value, err)
			}
		}
	}
}

func TestLimitsWith(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"first_timeout", "3s", "3s"},
		{"key_block", "90m", "1h30m"},
		{"key_block", "2h", "2h"},
		{"audio_message", "65536", "64KiB"},
		{"audio_message", "64k", "64KiB"},
		{"audio_message", "2 MiB", "2MiB"},
		{"audio_message", "5000b", "5000B"},
		{"max_sessions", "none", "none"},
		{"max_sessions", "0", "none"},
		{"max_sessions", " 7 ", "7"},
	} {
		l, err := config.Limits{}.With(c.name, c.value)
		if err != nil {
			t.Error(err)
		}
		for _, d := range l.List() {
			if d.Name == c.name && d.Value != c.want {
				t.Errorf("%s=%s: %s, want %s", c.name, c.value, d.Value, c.want)
			}
		}
	}
	var l config.Limits
	for name, want := range map[string]string{"max-sessions": "max_sessions?", "audio": "audio_message?", "nonsense": "penstock limits", "": "penstock limits"} {
		if _, err := l.With(name, "5"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	l.AudioMessage, l.MaxSessions, l.ChunkStreams = 1, config.NoLimit, config.NoLimit
	problems := l.Problems()
	if len(problems) != 2 || problems[0].Field != "audio_message" || problems[1].Field != "chunk_streams" {
		t.Errorf("problems: %v", problems)
	}
}
