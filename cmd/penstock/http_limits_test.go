package main

import (
	"bufio"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestLimitsOfHTTP passes each limit of HTTP, on the real program.
func TestLimitsOfHTTP(t *testing.T) {
	t.Parallel()
	p := prepare(t)
	p.withAdmin()
	p.start("--limit", "http_header_bytes=8KiB", "--limit", "http_header_timeout=1s", "--limit", "http_body_bytes=64KiB", "--limit", "http_read_timeout=2s",
		"--limit", "http_url_bytes=1KiB", "--limit", "http_idle_timeout=1s", "--limit", "http_per_address=8", "--limit", "http_connections=16")
	for what, c := range map[string]struct{ request, answer string }{
		"head":     {"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 8<<10) + "\r\n\r\n", "HTTP/1.1 431"},
		"URL":      {"GET /" + strings.Repeat("a", 1100) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 414"},
		"API URL":  {"GET /api/v1/" + strings.Repeat("a", 1100) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 414"},
		"play URL": {"GET /live/" + strings.Repeat("a", 1100) + ".flv HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 414"},
		"body": {
			"POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 70000\r\n\r\n\"" + strings.Repeat("a", 69_999),
			"HTTP/1.1 413",
		},
		"slow head": {"GET / HTTP/1.1\r\nHost: x\r\n", ""},
		"slow body": {"POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n\"", ""},
	} {
		if answer := p.askRaw(t, c.request); !strings.HasPrefix(answer, c.answer) || c.answer == "" && strings.HasPrefix(answer, "HTTP/1.1 200") {
			t.Errorf("%s: %.200q", what, answer)
		}
	}

	// One address has its share, others theirs, and there is an end to all of them; who
	// leaves makes room. What comes from 127.0.0.1, with which this test asks for
	// metrics, is not counted by address.
	open := func(address string) *attacker {
		plain := &program{t: t, rtmp: p.http}
		return &attacker{Conn: plain.connectFrom(t, address), t: t}
	}
	served := func(a *attacker) bool {
		a.write([]byte("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"))
		a.patience(patience)
		response, err := http.ReadResponse(bufio.NewReader(a), nil)
		if err != nil {
			return false
		}
		_ = response.Body.Close()
		return response.StatusCode == http.StatusOK
	}
	var inside []*attacker
	for i := range 7 {
		a := open(source(5000))
		a.write([]byte("GET /healthz HTTP/1.1\r\n")) // its head takes up to a second
		if inside = append(inside, a); i == 0 && !served(open(source(5001))) {
			t.Error("another address is kept out")
		}
	}
	last, over := open(source(5000)), open(source(5000))
	if !served(last) {
		t.Error("the eighth connection of an address is kept out")
	}
	if served(over) {
		t.Error("the ninth connection of an address is served")
	}
	for _, a := range append(inside, last) {
		_ = a.Close()
	}
	eventually(t, patience, "there is room again", func() bool { return served(open(source(5000))) })
	if !strings.Contains(p.logged(), "HTTP connection not taken: there are too many") {
		t.Error("the log does not say that there were too many")
	}
	// A connection that waits for its next request is closed.
	idle := open("127.0.0.1")
	if !served(idle) {
		t.Error("not served")
	}
	began := time.Now()
	idle.closedWithin(patience)
	t.Logf("an idle connection is closed after %v", time.Since(began))
	var all []net.Conn
	for range 40 {
		all = append(all, open("127.0.0.1"))
	}
	if served(open(source(5002))) && served(open(source(5003))) && len(all) > 16 {
		t.Error("there is no end to connections")
	}
}
