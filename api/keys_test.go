package api_test

import (
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/api"
	"github.com/penstock-media/penstock/server/config"
)

func TestKeyLife(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	s := h.stream(admin, "match-day")
	base := "/api/v1/streams/" + s.ID + "/keys"
	r := h.do(call{method: "POST", path: base, token: admin, body: map[string]any{"label": "Gallery A", "cidrs": []string{"198.51.100.7"}}}).want(201)
	if r.header.Get("Cache-Control") != "no-store" {
		t.Error("the reply with the secret may be cached")
	}
	made := read[api.KeySecret](r)
	if !config.LooksLikeKey(made.Secret) || !strings.HasSuffix(made.Secret, made.Key.Last4) || made.Key.CIDRs[0] != "198.51.100.7/32" {
		t.Errorf("got %+v", made.Key)
	}
	one := base + "/" + made.Key.ID
	list := h.do(call{method: "GET", path: base, token: admin}).want(200)
	single := h.do(call{method: "GET", path: one, token: admin}).want(200)
	audit := h.do(call{method: "GET", path: "/api/v1/audit", token: admin}).want(200)
	for _, r := range []reply{list, single, audit} {
		if strings.Contains(string(r.body), made.Secret) {
			t.Error("a secret was shown again")
		}
	}

	expires := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
	r = h.do(call{method: "PATCH", path: one, token: admin, header: ifMatch(single.header.Get("ETag")), body: map[string]any{
		"enabled": false, "expires_at": expires, "cidrs": []string{},
	}}).want(200)
	if k := read[api.Key](r); k.Enabled || k.ExpiresAt == nil || !k.ExpiresAt.Equal(expires) || len(k.CIDRs) != 0 || k.Label != "Gallery A" {
		t.Errorf("got %+v", k)
	}
	if k, err := h.store.KeyByHash(t.Context(), config.HashKey(made.Secret)); err != nil || k.Enabled {
		t.Errorf("the store has %+v, %v", k, err)
	}
	r = h.do(call{method: "PATCH", path: one, token: admin, header: ifMatch(r.header.Get("ETag")), body: map[string]any{"expires_at": nil}}).want(200)
	if read[api.Key](r).ExpiresAt != nil {
		t.Error("null does not remove the end")
	}
	h.do(call{method: "PATCH", path: one, token: admin, header: ifMatch("*"), body: map[string]any{"cidrs": []string{"x"}}}).problem(422, "validation_failed")
	h.do(call{method: "GET", path: "/api/v1/streams/" + h.stream(admin, "other").ID + "/keys/" + made.Key.ID, token: admin}).problem(404, "not_found")
	h.do(call{method: "DELETE", path: one, token: admin}).problem(428, "precondition_required")
	h.do(call{method: "DELETE", path: one, token: admin, header: ifMatch(r.header.Get("ETag"))}).want(204)
	h.do(call{method: "GET", path: one, token: admin}).problem(404, "not_found")
}

func TestRotatedKeysOldSecretWorksForTheGrace(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	base := "/api/v1/streams/" + h.stream(admin, "match-day").ID + "/keys"
	old := read[api.KeySecret](h.do(call{method: "POST", path: base, token: admin, body: map[string]any{}}).want(201))
	one := base + "/" + old.Key.ID
	fresh := read[api.KeySecret](h.do(call{method: "POST", path: one + ":rotate", token: admin, body: map[string]any{"grace_seconds": 3600}}).want(201))
	if fresh.Secret == old.Secret || fresh.Key.ID != old.Key.ID || fresh.Key.PreviousLast4 != old.Key.Last4 || fresh.Key.PreviousUntil == nil {
		t.Errorf("got %+v", fresh.Key)
	}
	for _, secret := range []string{old.Secret, fresh.Secret} {
		if _, err := h.store.KeyByHash(t.Context(), config.HashKey(secret)); err != nil {
			t.Error(err)
		}
	}

	// Kick ends what publishes with the key, and only that.
	h.engine.mu.Lock()
	h.engine.sessions[2].KeyID = old.Key.ID
	h.engine.mu.Unlock()
	if ids := read[api.Key](h.do(call{method: "GET", path: one, token: admin}).want(200)).LiveSessionIDs; len(ids) != 1 || ids[0] != "ses_publisher" {
		t.Errorf("live sessions are %v", ids)
	}
	h.do(call{method: "POST", path: one + ":rotate", token: admin, body: map[string]any{"live_session": "kick"}}).want(201)
	h.engine.mu.Lock()
	defer h.engine.mu.Unlock()
	if _, ok := h.engine.kicked["ses_publisher"]; !ok || len(h.engine.kicked) != 1 {
		t.Errorf("kicked %v", h.engine.kicked)
	}
	if _, err := h.store.KeyByHash(t.Context(), config.HashKey(old.Secret)); err == nil {
		t.Error("the first secret works after the second rotation without grace")
	}
}
