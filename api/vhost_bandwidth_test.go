package api_test

import (
	"strings"
	"testing"

	"github.com/penstock-media/penstock/api"
	"github.com/penstock-media/penstock/server/config"
)

// The key of a bandwidth check goes in and never comes out. S0-81.
func TestVhostBandwidthCheck(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	body := func(check map[string]any) map[string]any {
		return map[string]any{"name": "check", "bandwidth_check": check}
	}
	h.do(call{method: "POST", path: "/api/v1/vhosts", token: admin, body: body(map[string]any{"enabled": true})}).problem(422, "validation_failed")
	const key = "a key nobody guesses"
	r := h.do(call{method: "POST", path: "/api/v1/vhosts", token: admin, body: body(map[string]any{"enabled": true, "key": key})}).want(201)
	v := read[api.Vhost](r)
	want := api.BandwidthCheck{Enabled: true, KeySet: true, IntervalMS: 30_000, LimitKbps: 1000}
	if v.BandwidthCheck != want {
		t.Errorf("made %+v", v.BandwidthCheck)
	}
	path := "/api/v1/vhosts/" + v.ID
	change := map[string]any{"bandwidth_check": map[string]any{"limit_kbps": 5000}}
	r = h.do(call{method: "PATCH", path: path, token: admin, body: change, header: ifMatch("*")}).want(200)
	want.LimitKbps = 5000
	if got := read[api.Vhost](r).BandwidthCheck; got != want {
		t.Errorf("changed to %+v", got)
	}
	h.eventually("the engine has the key", func() bool {
		h.engine.mu.Lock()
		defer h.engine.mu.Unlock()
		named := h.engine.applied.Named("check")
		return named != nil && named.BandwidthCheck.Key == config.HashKey(key) && named.BandwidthCheck.LimitKbps == 5000
	})
	for _, path := range []string{path, "/api/v1/vhosts", "/api/v1/audit"} {
		text := string(h.do(call{method: "GET", path: path, token: admin}).want(200).body)
		if strings.Contains(text, key) || strings.Contains(text, config.HashKey(key).String()) {
			t.Errorf("%s tells the key: %s", path, text)
		}
	}
	change = map[string]any{"bandwidth_check": map[string]any{"enabled": false, "key": ""}}
	r = h.do(call{method: "PATCH", path: path, token: admin, body: change, header: ifMatch("*")}).want(200)
	if got := read[api.Vhost](r).BandwidthCheck; got.KeySet || got.Enabled {
		t.Errorf("taken away: %+v", got)
	}
}
