package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/api"
)

func ifMatch(tag string) http.Header { return http.Header{"If-Match": {tag}} }

func TestVhostLife(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	r := h.do(call{method: "POST", path: "/api/v1/vhosts", token: admin, body: map[string]any{
		"name": "sport", "hostnames": []string{"Sport.Example.com"}, "play_policy": "token", "media": map[string]any{"gop": false, "queue_ms": 5000},
	}}).want(201)
	v := read[api.Vhost](r)
	if !v.Enabled || v.PublishPolicy != "key_or_token" || v.PlayPolicy != "token" || v.Media.GOP || v.Media.QueueMS != 5000 ||
		v.Media.ChunkSizeBytes != 60000 || v.Hostnames[0] != "sport.example.com" {
		t.Errorf("got %+v", v)
	}
	tag := r.header.Get("ETag")
	path := "/api/v1/vhosts/" + v.ID
	if read[api.Vhost](h.do(call{method: "GET", path: "/api/v1/vhosts/sport", token: admin}).want(200)).ID != v.ID {
		t.Error("a vhost is not found by its name")
	}

	change := map[string]any{"enabled": false}
	h.do(call{method: "PATCH", path: path, token: admin, body: change}).problem(428, "precondition_required")
	r = h.do(call{method: "PATCH", path: path, token: admin, body: change, header: ifMatch(tag)}).want(200)
	if read[api.Vhost](r).Enabled || r.header.Get("ETag") == tag {
		t.Error("the change did not take")
	}
	h.eventually("the engine has the change", func() bool {
		h.engine.mu.Lock()
		defer h.engine.mu.Unlock()
		named := h.engine.applied.Named("sport")
		return named != nil && !named.Enabled && h.engine.forgets > 0
	})
	h.do(call{method: "PATCH", path: path, token: admin, body: change, header: ifMatch(tag)}).problem(412, "precondition_failed")
	h.do(call{method: "DELETE", path: path, token: admin, header: ifMatch(tag)}).problem(412, "precondition_failed")
	h.do(call{method: "DELETE", path: path, token: admin, header: ifMatch(r.header.Get("ETag"))}).want(204)
	h.do(call{method: "GET", path: path, token: admin}).problem(404, "not_found")
}

func TestTheDefaultVhostStays(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	h.do(call{method: "DELETE", path: "/api/v1/vhosts/default", token: admin, header: ifMatch("*")}).problem(409, "default_vhost")
	h.do(call{method: "PATCH", path: "/api/v1/vhosts/default", token: admin, header: ifMatch("*"), body: map[string]any{"name": "main"}}).
		problem(409, "default_vhost")
}

func TestMistakesNameTheField(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	for name, c := range map[string]struct {
		body    any
		status  int
		code    string
		pointer string
	}{
		"hostname":      {map[string]any{"name": "a", "hostnames": []string{"not a host"}}, 422, "validation_failed", "/hostnames/0"},
		"range":         {map[string]any{"name": "a", "media": map[string]any{"queue_ms": 1}}, 422, "validation_failed", "/media/queue_ms"},
		"unknown field": {map[string]any{"name": "a", "colour": "blue"}, 422, "validation_failed", "/colour"},
		"enum":          {map[string]any{"name": "a", "play_policy": "maybe"}, 422, "validation_failed", "/play_policy"},
		"no JSON":       {"{", 400, "bad_request", ""},
		"taken":         {map[string]any{"name": "default"}, 409, "conflict", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := *h
			h.T = t
			p := h.do(call{method: "POST", path: "/api/v1/vhosts", token: admin, body: c.body}).problem(c.status, c.code)
			if c.pointer != "" && (len(p.Errors) == 0 || p.Errors[0].Pointer != c.pointer) {
				t.Errorf("got %+v", p.Errors)
			}
		})
	}
	for sent, said := range map[string]string{
		"text/plain": "text/plain", "application/x-www-form-urlencoded": "x-www-form-urlencoded", "-": "without a Content-Type", ";": "cannot be read",
	} {
		header := http.Header{"Content-Type": {sent}}
		if sent == "-" {
			header = http.Header{"Content-Type": nil}
		}
		for _, path := range []string{"/api/v1/vhosts", "/api/v1/auth/login"} {
			p := h.do(call{method: "POST", path: path, token: admin, body: `{"name":"a"}`, header: header}).problem(415, "unsupported_media_type")
			if !strings.Contains(p.Detail, said) || !strings.Contains(p.Detail, "Content-Type: application/json") {
				t.Errorf("%q to %s: %s", sent, path, p.Detail)
			}
		}
	}
	h.do(call{method: "POST", path: "/api/v1/vhosts", token: admin, body: `{"name":"json"}`, header: http.Header{"Content-Type": {"Application/JSON; charset=utf-8"}}}).
		want(201)
	h.do(call{method: "GET", path: "/api/v1/vhosts?colour=blue", token: admin}).problem(422, "validation_failed")
	h.do(call{method: "GET", path: "/api/v1/vhosts?cursor=made-up", token: admin}).problem(422, "validation_failed")
	h.do(call{method: "GET", path: "/api/v1/nothing", token: admin}).problem(404, "not_found")
	r := h.do(call{method: "PUT", path: "/api/v1/vhosts", token: admin})
	r.problem(405, "method_not_allowed")
	if r.header.Get("Allow") != "GET, POST" {
		t.Errorf("Allow is %q", r.header.Get("Allow"))
	}
}

func TestRules(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	for _, c := range []struct {
		path        string
		make, patch map[string]any
		bad         map[string]any
		pointer     string
	}{
		{
			"/api/v1/vhosts/default/referer-rules",
			map[string]any{"action": "deny", "pattern": "copycat.example"},
			map[string]any{"report_only": true},
			map[string]any{"action": "deny", "pattern": "http://x/y"},
			"/pattern",
		},
		{
			"/api/v1/vhosts/default/ip-rules",
			map[string]any{"action": "deny", "cidr": "192.0.2.130/25"},
			map[string]any{"scope": "play", "cidr": "192.0.2.7"},
			map[string]any{"action": "deny", "cidr": "everybody"},
			"/cidr",
		},
	} {
		r := h.do(call{method: "POST", path: c.path, token: admin, body: c.make}).want(201)
		rule := read[map[string]any](r)
		if rule["position"] != 1.0 || rule["scope"] != "all" {
			t.Errorf("%s: got %v", c.path, rule)
		}
		one := c.path + "/" + rule["id"].(string)
		h.do(call{method: "PATCH", path: one, token: admin, body: c.patch}).problem(428, "precondition_required")
		r = h.do(call{method: "PATCH", path: one, token: admin, body: c.patch, header: ifMatch(r.header.Get("ETag"))}).want(200)
		h.do(call{method: "GET", path: one, token: admin}).want(200)
		if n := len(read[map[string]any](h.do(call{method: "GET", path: c.path, token: admin}).want(200))["items"].([]any)); n != 1 {
			t.Errorf("%s: %d rules are listed", c.path, n)
		}
		p := h.do(call{method: "POST", path: c.path, token: admin, body: c.bad}).problem(422, "validation_failed")
		if len(p.Errors) == 0 || p.Errors[0].Pointer != c.pointer {
			t.Errorf("%s: got %+v", c.path, p.Errors)
		}
		h.do(call{method: "DELETE", path: one, token: admin, header: ifMatch(r.header.Get("ETag"))}).want(204)
		h.do(call{method: "GET", path: one, token: admin}).problem(404, "not_found")
	}
}

func TestEveryChangeIsAudited(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	h.do(call{method: "PATCH", path: "/api/v1/vhosts/default", token: admin, header: http.Header{"If-Match": {"*"}, "X-Request-Id": {"mine-1"}}, body: map[string]any{"play_policy": "token"}}).want(200)
	l := read[api.List[api.AuditEntry]](h.do(call{method: "GET", path: "/api/v1/audit", token: admin}).want(200))
	e := l.Items[0]
	if e.Action != "vhost.update" || e.ActorKind != "user" || e.ActorName != "Ingrid Solheim" || e.RequestID != "mine-1" || e.IP != "127.0.0.1" ||
		len(e.Before) == 0 || len(e.After) == 0 || time.Since(e.OccurredAt) > time.Minute {
		t.Errorf("got %+v", e)
	}
}
