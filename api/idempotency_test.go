package api_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/penstock-media/penstock/api"
	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

func TestAPostSentTwiceCreatesOnce(t *testing.T) {
	h := newHouse(t)
	admin, operator := h.admin(), h.user("operator")
	key := http.Header{"Idempotency-Key": {"7d4c0b0e-3a9c-4c1e-9a57-2f0d8d6b1b11"}}
	base := "/api/v1/streams/" + h.stream(admin, "match-day").ID + "/keys"
	body := map[string]any{"label": "once"}
	first := read[api.KeySecret](h.do(call{method: "POST", path: base, token: admin, header: key, body: body}).want(201))
	r := h.do(call{method: "POST", path: base, token: admin, header: key, body: body}).want(201)
	second := read[api.KeySecret](r)
	if first.Secret != second.Secret || first.Key.ID != second.Key.ID {
		t.Error("the second request made a second key")
	}
	if r.header.Get("Idempotency-Replayed") != "true" || r.header.Get("ETag") == "" || r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("the repeated reply has the header %v", r.header)
	}
	h.do(call{method: "POST", path: base, token: admin, header: key, body: map[string]any{"label": "other"}}).problem(422, "idempotency_key_reused")
	other := read[api.KeySecret](h.do(call{method: "POST", path: base, token: operator, header: key, body: body}).want(201))
	if other.Key.ID == first.Key.ID {
		t.Error("somebody else's key gave the same reply")
	}
	h.do(call{method: "POST", path: base, token: admin, header: http.Header{"Idempotency-Key": {"short"}}, body: body}).problem(422, "validation_failed")

	// A failure is not kept: the same request may be sent again.
	key = http.Header{"Idempotency-Key": {"another-key-of-the-client"}}
	bad := map[string]any{"name": "default"}
	h.do(call{method: "POST", path: "/api/v1/vhosts", token: admin, header: key, body: bad}).problem(409, "conflict")
	h.do(call{method: "POST", path: "/api/v1/vhosts", token: admin, header: key, body: map[string]any{"name": "sport"}}).want(201)
}

// TestARecordTellsNothingOfThePassword: who reads the database must not be able
// to try passwords on the hash of a request.
func TestARecordTellsNothingOfThePassword(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	me := read[api.Me](h.do(call{method: "GET", path: "/api/v1/auth/me", token: admin}).want(200)).User
	const key, path = "7d4c0b0e-3a9c-4c1e-9a57-2f0d8d6b1b11", "/api/v1/users"
	body := `{"email":"olga@example.com","role":"viewer","password":"` + password + `"}`
	h.do(call{method: "POST", path: path, token: admin, header: http.Header{"Idempotency-Key": {key}}, body: body}).want(201)
	hash := func(s string) string { return config.HashKey(s).String() }
	r, began, err := h.store.BeginIdempotent(t.Context(), store.IdempotencyRecord{Scope: me.ID, Key: hash(key), ExpiresAt: time.Now().Add(time.Hour)})
	if err != nil || began || len(r.RequestHash) != 64 {
		t.Fatalf("the record is %+v, %v, %v", r, began, err)
	}
	if r.RequestHash == hash(body) || r.RequestHash == hash("POST "+path+"\n"+body) || strings.Contains(r.Response, "olga") {
		t.Errorf("the record tells of the request: %+v", r)
	}
}

func TestTheSameRequestAtOnceCreatesOnce(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	var mu sync.Mutex
	ids := map[string]bool{}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			r := h.do(call{
				method: "POST", path: "/api/v1/streams", token: admin, body: map[string]any{"name": "once"},
				header: http.Header{"Idempotency-Key": {"the-same-for-all-of-them"}},
			})
			mu.Lock()
			defer mu.Unlock()
			switch r.status {
			case 201:
				ids[read[api.Stream](r).ID] = true
			case 409:
				r.problem(409, "idempotency_in_progress")
			default:
				t.Errorf("got %d", r.status)
			}
		})
	}
	all.Wait()
	if len(ids) != 1 {
		t.Errorf("%d streams were made", len(ids))
	}
}
