package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestBehindProxies(t *testing.T) {
	trusted, err := prefixes([]string{"10.0.0.0/8", "127.0.0.1", "::1"})
	if err != nil {
		t.Fatal(err)
	}
	var seen string
	h, err := behindProxies(trusted, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.RemoteAddr }))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ peer, forwarded, want string }{
		{"127.0.0.1:5", "198.51.100.7", "198.51.100.7:0"},
		{"127.0.0.1:5", "6.6.6.6, 198.51.100.7, 10.1.1.1", "198.51.100.7:0"}, // the client may have made the first up
		{"[::1]:5", "2001:db8::7", "[2001:db8::7]:0"},
		{"127.0.0.1:5", "", "127.0.0.1:5"},
		{"127.0.0.1:5", "nonsense", "127.0.0.1:5"},
		{"203.0.113.9:5", "198.51.100.7", "203.0.113.9:5"}, // not a proxy of ours
	} {
		r := httptest.NewRequest(http.MethodGet, "/live/demo.flv", nil)
		r.RemoteAddr = c.peer
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		h.ServeHTTP(httptest.NewRecorder(), r)
		if seen != c.want {
			t.Errorf("from %s for %q: seen as %s, want %s", c.peer, c.forwarded, seen, c.want)
		}
	}
}

func TestPrefixes(t *testing.T) {
	if _, err := prefixes([]string{"10.0.0.0/8", "proxy.internal"}); err == nil {
		t.Error("a host name is taken for a range")
	}
}
