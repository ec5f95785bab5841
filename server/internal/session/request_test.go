package session

import (
	"strings"
	"testing"
)

func TestRequestOf(t *testing.T) {
	tests := []struct{ url, want string }{
		{"rtmp://h.example/live/a", "h.example live a - - rtmp"},
		{"rtmp://h.example:1935/live/inst/a?key=k", "h.example live/inst a k - rtmp"},
		{"rtmps://h.example/live/a?token=t&vhost=v", "v live a - t rtmps"},
		{"rtmp://h.example/live/a?secret=k&jwt=t", "h.example live a k t rtmp"},
		{"http://h.example:8080/live/a.flv?token=t", "h.example live a - t http-flv"},
		{"wss://h.example/live/a.flv", "h.example live a - - ws-flv"},
		{"rtmp://h.example/a", "h.example live a - - rtmp"},
		{"rtmp://h.example//live//a/?key=k", "h.example live a k - rtmp"}, // S0-36
		{"rtmp://h.example/%20live%20/%20a%20?token=t", "h.example live a - t rtmp"},
	}
	for _, tt := range tests {
		r, err := RequestOf(tt.url)
		if err != nil {
			t.Errorf("%s: %v", tt.url, err)
			continue
		}
		or := func(s string) string {
			if s == "" {
				return "-"
			}
			return s
		}
		got := strings.Join([]string{
			r.VhostHost, r.App, r.Name, or(r.Key.Reveal()), or(r.Token.Reveal()), r.Protocol,
		}, " ")
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.url, got, tt.want)
		}
	}
	for _, bad := range []string{"", "ftp://h/live/a", "rtmp://h.example/", "rtmp://h/live/a\x00?key=sk_secret", "://sk_secret"} {
		_, err := RequestOf(bad)
		if err == nil {
			t.Errorf("%q is taken", bad)
		} else if strings.Contains(err.Error(), "sk_secret") {
			t.Errorf("the error repeats a secret: %v", err)
		}
	}
}
