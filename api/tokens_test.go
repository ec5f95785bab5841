package api_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/api"
	"github.com/penstock-media/penstock/server/config"
)

func TestTokenLife(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	r := h.do(call{method: "POST", path: "/api/v1/tokens", token: admin, body: map[string]any{
		"action": "play", "stream": "match-day", "expires_in_seconds": 600, "max_session_seconds": 60, "referer": "sport.example.com",
	}}).want(201)
	token := read[api.Token](r)
	if len(token.Token) > 300 || !strings.HasPrefix(token.ID, "tok_") || r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("got %+v", token)
	}
	for _, address := range []string{token.URLs.RTMP, token.URLs.HTTPFLV, token.URLs.WSFLV} {
		u, err := url.Parse(address)
		if err != nil || u.Query().Get("token") != token.Token {
			t.Errorf("%s: %v", address, err)
		}
	}
	if d := time.Until(token.ExpiresAt); d < 9*time.Minute || d > 11*time.Minute {
		t.Errorf("it expires at %v", token.ExpiresAt)
	}
	verify := func() api.TokenAnswer {
		return read[api.TokenAnswer](h.do(call{method: "POST", path: "/api/v1/tokens:verify", token: admin, body: map[string]string{"token": token.Token}}).want(200))
	}
	if v := verify(); !v.Valid || v.ID != token.ID || v.Action != "play" || v.Stream != "match-day" || v.MaxSessionSeconds != 60 || v.Referer != "sport.example.com" {
		t.Errorf("got %+v", v)
	}
	h.do(call{method: "DELETE", path: "/api/v1/tokens/" + token.ID, token: admin}).want(204)
	h.do(call{method: "DELETE", path: "/api/v1/tokens/" + token.ID, token: admin}).want(204)
	h.eventually("the token is revoked", func() bool { v := verify(); return !v.Valid && v.Revoked })
	h.engine.mu.Lock()
	defer h.engine.mu.Unlock()
	if _, err := config.VerifyToken(h.engine.applied, token.Token, time.Now()); err == nil {
		t.Error("the engine takes a revoked token")
	}
}

func TestTokenMistakes(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	for pointer, body := range map[string]map[string]any{
		"/referer": {"action": "play", "stream": "x", "referer": "sport.example.com, https://campus.example.com/watch"},
		"/vhost":   {"action": "play", "stream": "a", "vhost": "nowhere"},
		"/stream":  {"action": "play", "stream": strings.Repeat("long", 32), "app": strings.Repeat("app", 20), "referer": strings.Repeat("x.", 45) + "x"},
		"/ip":      {"action": "play", "stream": "a", "ip": "home"},
		"/action":  {"action": "watch", "stream": "a"},
	} {
		p := h.do(call{method: "POST", path: "/api/v1/tokens", token: admin, body: body}).problem(422, "validation_failed")
		if len(p.Errors) == 0 || p.Errors[0].Pointer != pointer {
			t.Errorf("%s: got %+v", pointer, p.Errors)
		}
	}
	v := read[api.TokenAnswer](h.do(call{method: "POST", path: "/api/v1/tokens:verify", token: admin, body: map[string]string{"token": "a.b.c"}}).want(200))
	if v.Valid || v.Detail == "" {
		t.Errorf("got %+v", v)
	}
}

func TestPublishTokenIsForTheEncoder(t *testing.T) {
	h := newHouse(t)
	r := h.do(call{method: "POST", path: "/api/v1/tokens", token: h.admin(), body: map[string]any{"action": "publish", "stream": "match-day", "single_use": true}})
	u := read[api.Token](r.want(201)).URLs
	if u.RTMPServer != "rtmp://127.0.0.1/live" || !strings.HasPrefix(u.RTMPStreamKey, "match-day?token=") || u.HTTPFLV != "" {
		t.Errorf("got %+v", u)
	}
}
