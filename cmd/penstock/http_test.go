package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestRooms(t *testing.T) {
	room := func(name string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(name)) })
	}
	h := handlers{play: room("play"), api: room("api"), web: room("web")}
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
