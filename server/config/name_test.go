package config

import (
	"errors"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	long := strings.Repeat("ü", 128)
	for _, c := range []struct {
		in        string
		name, app bool // allowed as such
	}{
		{"talk", true, true},
		{"match day 1", true, true},
		{"\u76f4\u64ad-\u9891\u9053", true, true},
		{"a.b_c-d~e!'\"<img src=x>;--", true, true},
		{long, true, true},
		{"a.b", true, true},
		{"live/eu", false, true},
		{"", false, false},
		{long + "u", false, false},
		{"a..b", false, false},
		{"..", false, false},
		{".", false, false},
		{"a/../b", false, false},
		{"/a", false, false},
		{"a/", false, false},
		{"a//b", false, false},
		{"a/./b", false, false},
		{`a\b`, false, false},
		{"a?b", false, false},
		{"a#b", false, false},
		{"a\x00b", false, false},
		{"a\nb", false, false},
		{"a\u202eb", false, false}, // turns the text around
		{"a\u200bb", false, false}, // not to be seen
		{"a\xffb", false, false},
	} {
		if err := ValidName(c.in); (err == nil) != c.name {
			t.Errorf("name %q: %v", c.in, err)
		} else if err != nil && !errors.Is(err, ErrName) {
			t.Errorf("name %q: %v is no ErrName", c.in, err)
		}
		if err := ValidApp(c.in); (err == nil) != c.app {
			t.Errorf("app %q: %v", c.in, err)
		}
	}
}
