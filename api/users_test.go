package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/api"
)

func TestUserLife(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	r := h.do(call{method: "POST", path: "/api/v1/users", token: admin, body: map[string]any{"email": "Olga@Example.com", "role": "operator", "password": password}}).want(201)
	u := read[api.User](r)
	if strings.Contains(string(r.body), "hash") || u.Email != "olga@example.com" || !u.Enabled {
		t.Errorf("got %s", r.body)
	}
	path, tag := "/api/v1/users/"+u.ID, r.header.Get("ETag")
	olga := h.login("olga@example.com")
	h.do(call{method: "POST", path: "/api/v1/streams", token: olga, body: map[string]any{"name": "hers"}}).want(201)

	r = h.do(call{method: "PATCH", path: path, token: admin, header: ifMatch(tag), body: map[string]any{"role": "viewer"}}).want(200)
	h.do(call{method: "GET", path: "/api/v1/streams", token: olga}).problem(401, "unauthorized") // signed out at once
	olga = h.login("olga@example.com")
	h.do(call{method: "POST", path: "/api/v1/streams", token: olga, body: map[string]any{"name": "no more"}}).problem(403, "forbidden")

	r = h.do(call{method: "PATCH", path: path, token: admin, header: ifMatch(r.header.Get("ETag")), body: map[string]any{"password": "another long password"}}).want(200)
	h.do(call{method: "POST", path: "/api/v1/auth/login", body: map[string]string{"email": "olga@example.com", "password": password}}).problem(401, "bad_credentials")
	r = h.do(call{method: "PATCH", path: path, token: admin, header: ifMatch(r.header.Get("ETag")), body: map[string]any{"enabled": false}}).want(200)
	h.do(call{method: "POST", path: "/api/v1/auth/login", body: map[string]string{"email": "olga@example.com", "password": "another long password"}}).problem(401, "bad_credentials")
	h.do(call{method: "DELETE", path: path, token: admin, header: ifMatch(r.header.Get("ETag"))}).want(204)
	h.do(call{method: "GET", path: path, token: admin}).problem(404, "not_found")
}

func TestTheLastAdminStays(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	me := read[api.Me](h.do(call{method: "GET", path: "/api/v1/auth/me", token: admin}).want(200))
	path := "/api/v1/users/" + me.User.ID
	for _, body := range []map[string]any{{"role": "viewer"}, {"enabled": false}} {
		p := h.do(call{method: "PATCH", path: path, token: admin, header: ifMatch("*"), body: body}).problem(409, "conflict")
		if !strings.Contains(p.Detail, "last enabled admin") {
			t.Errorf("the reason is %q", p.Detail)
		}
	}
	h.do(call{method: "DELETE", path: path, token: admin, header: ifMatch("*")}).problem(409, "conflict")
}

func TestAPIKeyLife(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	create := func(body map[string]any) (api.APIKeySecret, string) {
		r := h.do(call{method: "POST", path: "/api/v1/api-keys", token: admin, body: body}).want(201)
		return read[api.APIKeySecret](r), r.header.Get("ETag")
	}
	key, tag := create(map[string]any{"name": "backend", "scopes": []string{"streams:read"}})
	if !strings.HasPrefix(key.Secret, "ak_") || !strings.HasSuffix(key.Secret, key.APIKey.Last4) {
		t.Errorf("got %+v", key.APIKey)
	}
	me := read[api.Me](h.do(call{method: "GET", path: "/api/v1/auth/me", token: key.Secret}).want(200))
	if me.Kind != "api_key" || me.APIKey.ID != key.APIKey.ID || len(me.Scopes) != 1 {
		t.Errorf("got %+v", me)
	}
	r := h.do(call{method: "GET", path: "/api/v1/api-keys", token: admin}).want(200)
	l := read[api.List[api.APIKey]](r)
	if strings.Contains(string(r.body), key.Secret) || l.Items[0].LastUsedAt == nil || l.Items[0].LastUsedIP != "127.0.0.1" {
		t.Errorf("the list is %s", r.body)
	}
	h.do(call{method: "DELETE", path: "/api/v1/api-keys/" + key.APIKey.ID, token: admin, header: ifMatch(tag)}).want(204)
	h.do(call{method: "GET", path: "/api/v1/auth/me", token: key.Secret}).problem(401, "unauthorized")
	l = read[api.List[api.APIKey]](h.do(call{method: "GET", path: "/api/v1/api-keys", token: admin}).want(200))
	if l.Items[0].RevokedAt == nil {
		t.Error("a revoked key does not say so")
	}

	elsewhere, _ := create(map[string]any{"name": "elsewhere", "scopes": []string{"admin"}, "cidrs": []string{"203.0.113.0/24"}})
	h.do(call{method: "GET", path: "/api/v1/auth/me", token: elsewhere.Secret}).problem(401, "unauthorized")
	expired, _ := create(map[string]any{"name": "expired", "scopes": []string{"admin"}, "expires_at": time.Now().Add(-time.Second)})
	h.do(call{method: "GET", path: "/api/v1/auth/me", token: expired.Secret}).problem(401, "unauthorized")
	h.do(call{method: "POST", path: "/api/v1/api-keys", token: admin, body: map[string]any{"name": "x", "scopes": []string{"everything"}}}).problem(422, "validation_failed")
}

func TestForwardedAddressesAreBelievedFromProxiesOnly(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	h.do(call{method: "PATCH", path: "/api/v1/vhosts/default", token: admin, header: http.Header{
		"If-Match": {"*"}, "X-Forwarded-For": {"203.0.113.9"},
	}, body: map[string]any{"play_policy": "token"}}).want(200)
	l := read[api.List[api.AuditEntry]](h.do(call{method: "GET", path: "/api/v1/audit", token: admin}).want(200))
	if l.Items[0].IP != "127.0.0.1" {
		t.Errorf("anybody may say where they come from: %s", l.Items[0].IP)
	}
}
