package main

import (
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/penstock-media/penstock/server/config"
)

func TestRooms(t *testing.T) {
	room := func(name string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(name)) })
	}
	h := handlers{play: room("play"), api: room("api"), web: room("web"), maxURL: 4096}
	for path, want := range map[string]string{
		"/":                    "web",
		"/streams/st_1":        "web",
		"/assets/index-1.js":   "web",
		"/apis":                "web",
		"/api":                 "api",
		"/api/v1/streams":      "api",
		"/api/v1/x.flv":        "api",
		"/docs":                "api",
		"/docs/scripts/doc.js": "api",
		"/healthz":             "api",
		"/readyz":              "api",
		"/metrics":             "api",
		"/metricsx":            "web",
		"/live/demo.flv":       "play",
		"/live/a/b.flv":        "play",
	} {
		recorder := httptest.NewRecorder()
		h.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, path, nil))
		if got := recorder.Body.String(); got != want {
			t.Errorf("%s goes to %s, want %s", path, got, want)
		}
	}
}

// HTTP/2 is spoken under TLS, whichever door is opened first.
func TestHTTP2BesidePlainHTTP(t *testing.T) {
	borrowed := httptest.NewTLSServer(http.NotFoundHandler())
	conf := &tls.Config{Certificates: borrowed.TLS.Certificates, MinVersion: tls.VersionTLS12}
	borrowed.Close()
	server := newHTTPServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Proto)
	}), conf, config.Limits{}, slog.New(slog.DiscardHandler))
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}}
	done := make(chan error, 2)
	for _, door := range []struct {
		scheme, proto string
		serve         func(net.Listener) error
	}{{"http", "HTTP/1.1", server.Serve}, {"https", "HTTP/2.0", serveTLS(server)}} {
		ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() { done <- serveHTTP(door.serve, ln) }()
		resp, err := client.Get(door.scheme + "://" + ln.Addr().String())
		if err != nil {
			t.Fatalf("%s: %v", door.scheme, err)
		}
		body, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if string(body) != door.proto {
			t.Errorf("%s: %s, want %s", door.scheme, body, door.proto)
		}
	}
	client.CloseIdleConnections()
	_ = server.Close()
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
