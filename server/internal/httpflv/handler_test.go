package httpflv

import (
	"net/url"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		path, app, name string
		ok              bool
	}{
		{"/live/a.flv", "live", "a", true},
		{"/live/inst/a.flv", "live/inst", "a", true},
		{"/live/a.b.flv", "live", "a.b", true},
		{"/live/a%20b.flv", "live", "a b", true},
		{"/live/a", "", "", false},
		{"/a.flv", "", "", false},
		{"/live/.flv", "", "", false},
		{"//.flv", "", "", false},
		{"/", "", "", false},
	}
	for _, tt := range tests {
		u, err := url.Parse(tt.path)
		if err != nil {
			t.Fatal(err)
		}
		app, name, ok := split(u)
		if app != tt.app || name != tt.name || ok != tt.ok {
			t.Errorf("%s: %q %q %v", tt.path, app, name, ok)
		}
	}
}

func TestPageOfKeepsNoSecrets(t *testing.T) {
	got := pageOf("https://user:pass@site.example/watch?token=secret#frag")
	if got != "https://site.example/watch" {
		t.Errorf("%q", got)
	}
	if got := pageOf("https://site.example/" + strings.Repeat("x", 1000)); len(got) > 300 {
		t.Errorf("%d bytes", len(got))
	}
}
