package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-media/penstock/api"
)

func TestSystemAndOverview(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	s := read[api.System](h.do(call{method: "GET", path: "/api/v1/system", token: admin}).want(200))
	if s.Version != "1.2.3" || s.Node != "ams-1" || s.Database.Engine != h.store.State().Engine || s.Database.State != "up" || s.Degraded ||
		s.MemoryBytes == 0 || s.HeapBytes == 0 || s.Goroutines == 0 || s.Revision == 0 || s.AppliedAt == nil || s.Totals.Refusals != 3 {
		t.Errorf("got %+v", s)
	}
	rtmps := []string{"rtmp://127.0.0.1", "rtmps://127.0.0.1", "rtmps://127.0.0.1:4430"}
	if s.URLs.HTTP != h.url || !slices.Equal(s.URLs.RTMP, rtmps) {
		t.Errorf("the addresses are %+v", s.URLs)
	}
	o := read[api.OverviewHistory](h.do(call{method: "GET", path: "/api/v1/overview", token: admin}).want(200))
	if o.Now.Streams != 1 || o.Now.Players != 2 || o.Now.InKbps != 4500 || o.StepMS != 5000 {
		t.Errorf("got %+v", o.Now)
	}
	h.eventually("the history has a point", func() bool {
		return len(read[api.OverviewHistory](h.do(call{method: "GET", path: "/api/v1/overview", token: admin}).want(200)).Items) > 0
	})
}

func TestHealthReadinessAndMetrics(t *testing.T) {
	h := newHouse(t)
	h.do(call{method: "GET", path: "/healthz"}).want(200)
	h.do(call{method: "GET", path: "/readyz"}).want(200)
	h.ok(h.engine.Kick("ses_player1", "", 0))
	h.eventually("the kick is counted", func() bool {
		return strings.Contains(string(h.do(call{method: "GET", path: "/metrics"}).want(200).body), `penstock_sessions_ended_total{reason="kicked"} 1`)
	})
	body := string(h.do(call{method: "GET", path: "/metrics"}).want(200).body)
	for _, line := range []string{
		"penstock_streams 1", "penstock_players 1", `penstock_refusals_total{reason="refused_key"} 3`, `penstock_sessions_ended_total{reason="handshake"} 5`, "penstock_database_up 1", "go_goroutines",
		`penstock_build_info{version="1.2.3"} 1`, "penstock_timestamp_jumps_total 3", "penstock_av_drift_max_seconds 0.25",
		"penstock_arrival_jitter_max_seconds 0.006", `penstock_stream_findings{code="b_frames"} 1`,
	} {
		if !strings.Contains(body, line) {
			t.Errorf("metrics lack %s", line)
		}
	}
	if strings.Contains(body, "match-day") || strings.Contains(body, "203.0.113") {
		t.Error("metrics have names or addresses of peers")
	}
	h.api.Drain()
	h.do(call{method: "GET", path: "/readyz"}).want(503)
	h.do(call{method: "GET", path: "/healthz"}).want(200)
}

func TestDatabaseAwayIsSaid(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	h.do(call{method: "GET", path: "/api/v1/system", token: admin}).want(200)
	h.closed = true
	h.ok(h.store.Close())
	r := h.do(call{method: "GET", path: "/api/v1/vhosts", token: admin})
	r.problem(503, "database_unavailable")
	if r.header.Get("Retry-After") == "" {
		t.Error("503 without Retry-After")
	}
	s := read[api.System](h.do(call{method: "GET", path: "/api/v1/system", token: admin}).want(200))
	if s.Database.State != "down" || !s.Degraded || len(s.DegradedReasons) == 0 {
		t.Errorf("got %+v", s)
	}
	h.do(call{method: "DELETE", path: "/api/v1/sessions/ses_player1", token: admin}).want(204) // a kick needs no database
	h.do(call{method: "GET", path: "/readyz"}).want(200)
}

func TestDocs(t *testing.T) {
	h := newHouse(t)
	r := h.do(call{method: "GET", path: "/docs"}).want(200)
	page := string(r.body)
	for _, want := range []string{"/api/v1/streams/{stream_id}/keys", "schema-FeedDelta", "precondition_required", `href="/docs/style.css"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, outside := range []string{"https://", "http://", "<script", "style="} {
		for line := range strings.SplitSeq(page, "\n") {
			if strings.Contains(line, outside) && (outside == "<script" || outside == "style=" || strings.Contains(line, "src=") || strings.Contains(line, "<link")) {
				t.Errorf("the page has %q in %s", outside, line)
			}
		}
	}
	if !strings.Contains(r.header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Error("the page has no policy")
	}
	h.do(call{method: "GET", path: "/docs/style.css"}).want(200)
	h.do(call{method: "GET", path: "/api/v1/openapi.json"}).want(200)
	h.do(call{method: "GET", path: "/api/v1/openapi.yaml"}).want(200)
	h.do(call{method: "GET", path: "/docs/problems/precondition_required"}).want(200)
	h.do(call{method: "GET", path: "/docs/problems/none"}).problem(404, "not_found")
}

func TestRequestLimits(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	h.do(call{method: "GET", path: "/api/v1/vhosts?cursor=" + strings.Repeat("x", 5000), token: admin}).problem(414, "uri_too_long")
	big := `{"name":"` + strings.Repeat("x", 2<<20) + `"}`
	h.do(call{method: "POST", path: "/api/v1/vhosts", token: admin, body: big}).problem(413, "body_too_large")
	h.do(call{method: "POST", path: "/api/v1/vhosts", token: admin, body: big, header: http.Header{"Idempotency-Key": {"a-key-that-is-long-enough"}}}).
		problem(413, "body_too_large")
	r := h.do(call{method: "GET", path: "/api/v1/vhosts", header: http.Header{"X-Request-Id": {"bad id\t"}}})
	if id := r.header.Get("X-Request-ID"); !strings.HasPrefix(id, "req_") || read[api.Problem](r).RequestID != id {
		t.Errorf("the request is called %q", id)
	}
	if r.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Error("the reply may be sniffed")
	}
}
