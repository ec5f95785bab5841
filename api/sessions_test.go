package api_test

import (
	"testing"
	"time"

	"github.com/penstock-media/penstock/api"
	"github.com/penstock-media/penstock/api/store"
)

func TestSessions(t *testing.T) { // S0-41
	h := newHouse(t)
	admin := h.admin()
	all := read[api.List[api.Session]](h.do(call{method: "GET", path: "/api/v1/sessions", token: admin}).want(200))
	players := read[api.List[api.Session]](h.do(call{method: "GET", path: "/api/v1/sessions?role=player&limit=1", token: admin}).want(200))
	if len(all.Items) != 3 || len(players.Items) != 1 || players.Items[0].ID != "ses_player1" {
		t.Errorf("got %d and %+v", len(all.Items), players.Items)
	}
	next := read[api.List[api.Session]](h.do(call{method: "GET", path: "/api/v1/sessions?role=player&limit=1&cursor=" + players.NextCursor, token: admin}).want(200))
	if len(next.Items) != 1 || next.Items[0].ID != "ses_player2" || next.NextCursor != "" {
		t.Errorf("the next page is %+v", next)
	}
	h.do(call{method: "DELETE", path: "/api/v1/sessions/ses_player1?reason=too+loud&ban_seconds=60", token: admin}).want(204)
	h.engine.mu.Lock()
	if h.engine.kicked["ses_player1"] != time.Minute || h.engine.detail != "too loud" {
		t.Errorf("kicked %v, %q", h.engine.kicked, h.engine.detail)
	}
	h.engine.mu.Unlock()
	h.do(call{method: "DELETE", path: "/api/v1/sessions/ses_player1", token: admin}).problem(404, "not_found")
	audit := read[api.List[api.AuditEntry]](h.do(call{method: "GET", path: "/api/v1/audit?target_id=ses_player1", token: admin}).want(200))
	if len(audit.Items) != 1 || audit.Items[0].Action != "session.kick" {
		t.Errorf("audit has %+v", audit.Items)
	}
}

func TestEndedSessions(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	end := time.Now().UTC().Truncate(time.Second)
	h.ok(h.store.SaveSession(t.Context(), store.Session{
		ID: "ses_old", Node: "ams-1", Role: "publisher", Protocol: "rtmp", Peer: "203.0.113.40:1", Vhost: "default", App: "live", Stream: "match-day",
		BytesIn: 1_000_000, StartedAt: end.Add(-10 * time.Second), EndedAt: end, Reason: "peer_closed", Detail: "The encoder hung up.",
	}))
	l := read[api.List[api.Session]](h.do(call{method: "GET", path: "/api/v1/sessions?state=ended&name=match-day", token: admin}).want(200))
	if len(l.Items) != 1 {
		t.Fatalf("got %+v", l)
	}
	if s := l.Items[0]; s.State != "ended" || s.DurationMS != 10_000 || s.InKbps != 800 || s.EndedAt == nil || s.Reason != "peer_closed" {
		t.Errorf("got %+v", s)
	}
	h.do(call{method: "GET", path: "/api/v1/sessions/ses_old", token: admin}).want(200)
	h.do(call{method: "GET", path: "/api/v1/sessions/ses_never", token: admin}).problem(404, "not_found")
}

func TestEvents(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	l := read[api.EventList](h.do(call{method: "GET", path: "/api/v1/events", token: admin}).want(200))
	if len(l.Items) != 1 || l.LastSeq != 1 || l.Epoch == "" || l.Items[0].Type != "stream.published" {
		t.Errorf("got %+v", l)
	}
	l = read[api.EventList](h.do(call{method: "GET", path: "/api/v1/events?after=1", token: admin}).want(200))
	if len(l.Items) != 0 || l.LastSeq != 1 {
		t.Errorf("got %+v", l)
	}
}

func TestExplainAndRefusals(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	r := h.do(call{method: "POST", path: "/api/v1/access:explain", token: admin, body: map[string]any{
		"url": "rtmp://live.example.com/live/match-day", "action": "play", "referer": "https://copycat.example/",
	}}).want(200)
	if x := read[api.AccessAnswer](r); x.Allow || x.Reason != "refused_referer" || len(x.Checks) != 1 || x.Checks[0].RuleID != "rr_1" {
		t.Errorf("got %+v", x)
	}
	h.engine.mu.Lock()
	if q := h.engine.asked; q.IP.String() != "127.0.0.1" || q.Action != "play" || !q.At.IsZero() {
		t.Errorf("the engine was asked %+v", q)
	}
	h.engine.mu.Unlock()
	p := h.do(call{method: "POST", path: "/api/v1/access:explain", token: admin, body: map[string]any{"url": "nonsense", "action": "play", "ip": "::ffff:198.51.100.7"}}).
		problem(422, "validation_failed")
	if p.Errors[0].Pointer != "/url" {
		t.Errorf("got %+v", p.Errors)
	}
	for query, want := range map[string]int{"": 1, "?action=play": 0, "?q=fmle": 1, "?q=nobody": 0, "?vhost=default": 1} {
		l := read[api.List[api.Refusal]](h.do(call{method: "GET", path: "/api/v1/refusals" + query, token: admin}).want(200))
		if len(l.Items) != want {
			t.Errorf("%q: %d refusals, want %d", query, len(l.Items), want)
		}
	}
}
