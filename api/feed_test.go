package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/penstock-media/penstock/api"
)

// socket opens the feed.
func (h *house) socket(token string, header http.Header) (*websocket.Conn, error) {
	h.Helper()
	t := read[api.FeedTicket](h.do(call{method: "POST", path: "/api/v1/feed-tickets", token: token}).want(201))
	ctx, cancel := context.WithTimeout(h.Context(), patience)
	defer cancel()
	c, res, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(h.url, "http")+t.URL, &websocket.DialOptions{HTTPHeader: header})
	if res != nil && res.Body != nil {
		res.Body.Close()
	}
	if err == nil {
		c.SetReadLimit(-1)
		h.Cleanup(func() { _ = c.CloseNow() })
	}
	return c, err
}

// fromFeed reads a message and checks it against its schema.
func (h *house) fromFeed(c *websocket.Conn) map[string]any {
	h.Helper()
	ctx, cancel := context.WithTimeout(h.Context(), patience)
	defer cancel()
	_, b, err := c.Read(ctx)
	if err != nil {
		h.Fatal(err)
	}
	var m map[string]any
	h.ok(json.Unmarshal(b, &m))
	kind := m["type"].(string)
	h.ok(h.api.CheckNamed("Feed"+strings.ToUpper(kind[:1])+kind[1:], b))
	return m
}

func TestFeedTopics(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	s := h.stream(admin, "match-day")
	c, err := h.socket(admin, http.Header{"Origin": {h.url}})
	if err != nil {
		t.Fatal(err)
	}
	if m := h.fromFeed(c); m["type"] != "hello" || m["tick_ms"] != 1000.0 {
		t.Errorf("got %v", m)
	}
	for topic, want := range map[string]struct {
		schema string
		items  int
	}{
		"overview": {"Overview", 1}, "streams": {"Stream", 1}, "sessions": {"Session", 3}, "events": {"Event", 1},
		"refusals": {"Refusal", 1}, "system": {"System", 1}, "stream:" + s.ID: {"FeedStreamItem", 6},
	} {
		h.ok(c.Write(t.Context(), websocket.MessageText, []byte(`{"type":"sub","topic":"`+topic+`"}`)))
		m := h.fromFeed(c)
		for m["type"] != "snap" { // deltas of topics followed before
			m = h.fromFeed(c)
		}
		items := m["items"].([]any)
		if m["topic"] != topic || len(items) != want.items {
			t.Errorf("%s: got %v", topic, m)
		}
		for _, item := range items {
			b, err := json.Marshal(item)
			h.ok(err)
			h.ok(h.api.CheckNamed(want.schema, b))
		}
	}
	h.ok(h.engine.Kick("ses_player1", "", 0))
	for {
		m := h.fromFeed(c)
		if m["topic"] == "sessions" {
			if rm := m["rm"].([]any); len(rm) == 1 && rm[0] == "ses_player1" {
				return
			}
		}
	}
}

func TestFeedIsForPagesOfThisServer(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	if _, err := h.socket(admin, http.Header{"Origin": {"https://evil.example"}}); err == nil {
		t.Error("a page of another site opens the feed")
	}
	h.do(call{method: "GET", path: "/api/v1/feed?ticket=none"}).problem(401, "unauthorized")
	h.do(call{method: "GET", path: "/api/v1/feed", header: http.Header{"Origin": {"null"}}}).problem(403, "cross_origin")
}

func TestFeedClosesWhenItsUserIsGone(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	viewer := h.user("viewer")
	id := read[api.Me](h.do(call{method: "GET", path: "/api/v1/auth/me", token: viewer}).want(200)).User.ID
	c, err := h.socket(viewer, nil)
	if err != nil {
		t.Fatal(err)
	}
	h.fromFeed(c)
	h.do(call{method: "DELETE", path: "/api/v1/users/" + id, token: admin, header: ifMatch("*")}).want(204)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, _, err := c.Read(ctx); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
		t.Errorf("got %v", err)
	}
}
