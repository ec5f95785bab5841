package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

const page = "<!doctype html><title>Penstock</title>"

func testFiles() fstest.MapFS {
	return fstest.MapFS{
		"index.html":            {Data: []byte(page)},
		"theme.js":              {Data: []byte("// theme")},
		"favicon.svg":           {Data: []byte("<svg/>")},
		"assets/index-abc.js":   {Data: bytes.Repeat([]byte("let x=1;"), 400)},
		"assets/index-abc.css":  {Data: []byte("a{}")},
		"assets/player-0f1.js":  {Data: []byte("//p")},
		"assets/odd.unknownext": {Data: []byte("?")},
	}
}

func get(t *testing.T, method, target string, header map[string]string) *http.Response {
	t.Helper()
	req := httptest.NewRequest(method, "http://penstock.example:8080"+target, http.NoBody)
	for k, v := range header {
		req.Header.Set(k, v)
	}
	rec := httptest.NewRecorder()
	newHandler(testFiles()).ServeHTTP(rec, req)
	return rec.Result()
}

func TestHandlerAnswers(t *testing.T) {
	navigate := map[string]string{"Sec-Fetch-Mode": "navigate", "Accept": "text/html"}
	tests := []struct {
		name, method, target string
		header               map[string]string
		status               int
		contentType, cache   string
		isPage               bool
	}{
		{"root", "GET", "/", navigate, 200, "text/html; charset=utf-8", cacheNever, true},
		{"index by name", "GET", "/index.html", nil, 200, "text/html; charset=utf-8", cacheNever, true},
		{"a route", "GET", "/streams/st_1", navigate, 200, "text/html; charset=utf-8", cacheNever, true},
		{"a route with a dot", "GET", "/live/default/live/a.b", navigate, 200, "text/html; charset=utf-8", cacheNever, true},
		{"a route without fetch metadata", "GET", "/setup", map[string]string{"Accept": "text/html,*/*"}, 200, "text/html; charset=utf-8", cacheNever, true},
		{"head", "HEAD", "/streams", navigate, 200, "text/html; charset=utf-8", cacheNever, false},
		{"a script", "GET", "/assets/index-abc.js", nil, 200, "text/javascript; charset=utf-8", cacheForever, false},
		{"a style sheet", "GET", "/assets/index-abc.css", nil, 200, "text/css; charset=utf-8", cacheForever, false},
		{"an unknown kind", "GET", "/assets/odd.unknownext", nil, 200, "application/octet-stream", cacheForever, false},
		{"a file without a hash", "GET", "/favicon.svg", nil, 200, "image/svg+xml", cacheCheck, false},
		{"a missing script", "GET", "/assets/gone.js", map[string]string{"Sec-Fetch-Mode": "no-cors", "Accept": "*/*"}, 404, "text/plain; charset=utf-8", cacheNever, false},
		{"a missing fetch that asks for html", "GET", "/x", map[string]string{"Sec-Fetch-Mode": "cors", "Accept": "text/html"}, 404, "text/plain; charset=utf-8", cacheNever, false},
		{"a missing file for curl", "GET", "/nothing", map[string]string{"Accept": "*/*"}, 404, "text/plain; charset=utf-8", cacheNever, false},
		{"a walk upward", "GET", "/../../etc/passwd", nil, 404, "text/plain; charset=utf-8", cacheNever, false},
		{"a write", "POST", "/", navigate, 405, "text/plain; charset=utf-8", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := get(t, tt.method, tt.target, tt.header)
			defer func() { _ = res.Body.Close() }()
			body, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			if res.StatusCode != tt.status {
				t.Errorf("status %d, want %d", res.StatusCode, tt.status)
			}
			if got := res.Header.Get("Content-Type"); got != tt.contentType {
				t.Errorf("Content-Type %q, want %q", got, tt.contentType)
			}
			if got := res.Header.Get("Cache-Control"); got != tt.cache {
				t.Errorf("Cache-Control %q, want %q", got, tt.cache)
			}
			if got := string(body) == page; got != tt.isPage {
				t.Errorf("body %.40q, want the page: %v", body, tt.isPage)
			}
			for _, name := range []string{"Content-Security-Policy", "Referrer-Policy", "Cross-Origin-Opener-Policy"} {
				if res.Header.Get(name) == "" {
					t.Errorf("no %s", name)
				}
			}
			if got := res.Header.Get("X-Content-Type-Options"); got != "nosniff" {
				t.Errorf("X-Content-Type-Options %q", got)
			}
		})
	}
}

func TestHandlerCompresses(t *testing.T) {
	res := get(t, "GET", "/assets/index-abc.js", map[string]string{"Accept-Encoding": "br, gzip"})
	defer func() { _ = res.Body.Close() }()
	if got := res.Header.Get("Content-Encoding"); got != "gzip" {
		t.Fatalf("Content-Encoding %q, want gzip", got)
	}
	zr, err := gzip.NewReader(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(zr)
	if err != nil {
		t.Fatal(err)
	}
	if want := testFiles()["assets/index-abc.js"].Data; !bytes.Equal(body, want) {
		t.Errorf("%d bytes after gzip, want %d", len(body), len(want))
	}

	plain := get(t, "GET", "/assets/index-abc.js", map[string]string{"Accept-Encoding": "gzip;q=0"})
	defer func() { _ = plain.Body.Close() }()
	if got := plain.Header.Get("Content-Encoding"); got != "" {
		t.Errorf("Content-Encoding %q for a peer that refuses gzip", got)
	}
}

func TestHandlerRevalidates(t *testing.T) {
	first := get(t, "GET", "/theme.js", nil)
	_ = first.Body.Close()
	again := get(t, "GET", "/theme.js", map[string]string{"If-None-Match": first.Header.Get("ETag")})
	_ = again.Body.Close()
	if again.StatusCode != http.StatusNotModified {
		t.Errorf("status %d, want 304", again.StatusCode)
	}
}

func TestPolicyNamesTheHostAndNothingElse(t *testing.T) {
	got := policy("penstock.example:8080")
	if !strings.Contains(got, "connect-src 'self' ws://penstock.example:8080 wss://penstock.example:8080") {
		t.Errorf("the feed's host is missing: %s", got)
	}
	if strings.Contains(got, "unsafe") || strings.Contains(got, "*") {
		t.Errorf("the policy is not strict: %s", got)
	}
	for _, host := range []string{"a; script-src *", "a b", "evil.example/x", "", "a,b", "[::1];x"} {
		if got := policy(host); !strings.Contains(got, "connect-src 'self';") {
			t.Errorf("host %q reached the policy: %s", host, got)
		}
	}
	if got := policy("[::1]:8080"); !strings.Contains(got, "ws://[::1]:8080") {
		t.Errorf("an IPv6 host is refused: %s", got)
	}
}

// TestBuildObeysPolicy looks at the embedded build itself: anything inline would be blocked by the policy.
func TestBuildObeysPolicy(t *testing.T) {
	index, err := fs.ReadFile(files(), "index.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, inline := range []string{`<style`, ` style=`, ` onload=`, ` onclick=`, `http://`, `https://`} {
		if bytes.Contains(index, []byte(inline)) {
			t.Errorf("index.html has %q", inline)
		}
	}
	for _, tag := range regexp.MustCompile(`<script[^>]*>[^<]`).FindAll(index, -1) {
		t.Errorf("index.html has an inline script: %s", tag)
	}
	for _, ref := range regexp.MustCompile(`(?:src|href)="/([^"]+)"`).FindAllSubmatch(index, -1) {
		if _, err := fs.Stat(files(), string(ref[1])); err != nil {
			t.Errorf("index.html names a file that is not there: %v", err)
		}
	}
}
