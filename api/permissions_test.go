package api_test

import (
	"net/http"
	"regexp"
	"slices"
	"testing"

	"github.com/penstock-media/penstock/api"
)

// public are the operations that need no credential. Everything else answers 401.
func public() []string {
	return []string{"get-setup", "setup", "login", "refresh", "logout"}
}

// concrete fills a path's parameters in.
func concrete(path string) string {
	return regexp.MustCompile(`\{[a-z_]+\}`).ReplaceAllString(path, "x")
}

func request(o api.Operation, token string) call {
	c := call{method: o.Method, path: concrete(o.Path), token: token}
	if o.Body {
		c.body = map[string]any{}
	}
	return c
}

func TestEveryOperationNeedsACredential(t *testing.T) {
	h := newHouse(t)
	seen := 0
	for _, o := range h.api.Operations() {
		if slices.Contains(public(), o.ID) != o.Public {
			t.Errorf("%s: public is %v", o.ID, o.Public)
		}
		if o.Public {
			continue
		}
		seen++
		for _, token := range []string{"", "nonsense", "ak_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3JfMSJ9."} {
			r := h.do(request(o, token))
			r.problem(401, "unauthorized")
			if r.header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: 401 without WWW-Authenticate", o.ID)
			}
		}
	}
	if seen < 40 {
		t.Errorf("only %d operations were seen", seen)
	}
}

// harmless are the POSTs that change nothing a viewer may not change.
func harmless() []string {
	return []string{"verify-token", "explain-access", "create-feed-ticket"}
}

func TestViewersMayNotChangeAnything(t *testing.T) {
	h := newHouse(t)
	h.admin()
	viewer, operator := h.user("viewer"), h.user("operator")
	for _, o := range h.api.Operations() {
		if o.Public {
			continue
		}
		write := o.Method != http.MethodGet && !slices.Contains(harmless(), o.ID)
		adminOnly := o.Scope == "admin"
		r := h.do(request(o, viewer))
		if write || adminOnly {
			r.problem(403, "forbidden")
		} else if r.status == 401 || r.status == 403 {
			t.Errorf("%s: a viewer gets %d", o.ID, r.status)
		}
		r = h.do(request(o, operator))
		if adminOnly {
			r.problem(403, "forbidden")
		} else if r.status == 401 || r.status == 403 {
			t.Errorf("%s: an operator gets %d", o.ID, r.status)
		}
	}
}

func TestAPIKeyScopes(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	key := func(scopes ...string) string {
		r := h.do(call{method: "POST", path: "/api/v1/api-keys", token: admin, body: map[string]any{"name": "backend", "scopes": scopes}}).want(201)
		if r.header.Get("Cache-Control") != "no-store" {
			t.Error("a secret may be cached")
		}
		return read[api.APIKeySecret](r).Secret
	}
	for scope, allowed := range map[string][]string{
		"streams:read":  {"list-streams", "get-system"},
		"streams:write": {"create-stream"},
		"keys:write":    {"create-key"},
		"tokens:mint":   {"create-token"},
		"sessions:kick": {"kick-session"},
		"admin":         {"list-streams", "create-stream", "create-key", "create-token", "kick-session", "list-users", "create-vhost"},
	} {
		token := key(scope)
		for _, o := range h.api.Operations() {
			if o.Public || o.Scope == "" {
				continue
			}
			r := h.do(request(o, token))
			permitted := o.Scope == scope || scope == "admin"
			if permitted == (r.status == 403) {
				t.Errorf("%s with %s: %d", o.ID, scope, r.status)
			}
			if slices.Contains(allowed, o.ID) && !permitted {
				t.Errorf("%s is not permitted by %s", o.ID, scope)
			}
		}
	}
}
