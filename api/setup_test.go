package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/penstock-media/penstock/api"
)

func TestSetupMakesTheFirstUserOnce(t *testing.T) {
	h := newHouse(t)
	if !read[api.SetupState](h.do(call{method: "GET", path: "/api/v1/setup"}).want(200)).Needed {
		t.Error("a fresh server needs no set-up")
	}
	void, err := h.auth.NewSetupToken(t.Context())
	h.ok(err)
	link, err := h.auth.NewSetupToken(t.Context()) // a restart makes a new link, and voids the old one
	h.ok(err)
	body := map[string]string{"token": void.Reveal(), "email": email, "name": "Ingrid Solheim", "password": password}
	h.do(call{method: "POST", path: "/api/v1/setup", body: body}).problem(410, "setup_done")
	body["token"], body["password"] = link.Reveal(), "short"
	p := h.do(call{method: "POST", path: "/api/v1/setup", body: body}).problem(422, "validation_failed")
	if len(p.Errors) != 1 || p.Errors[0].Pointer != "/password" || strings.Contains(p.Errors[0].Message, "short") {
		t.Errorf("the password's mistake is told as %+v", p.Errors)
	}
	body["password"] = password
	r := h.do(call{method: "POST", path: "/api/v1/setup", body: body}).want(201)
	l := read[api.Login](r)
	if l.User.Email != email || l.User.Role != "admin" || l.TokenType != "Bearer" || l.ExpiresInSeconds != 600 {
		t.Errorf("got %+v", l)
	}
	if c := r.header.Get("Set-Cookie"); !strings.HasPrefix(c, "penstock_refresh=") || !strings.Contains(c, "HttpOnly") ||
		!strings.Contains(c, "SameSite=Strict") || strings.Contains(c, "Secure") {
		t.Errorf("over plain HTTP the cookie is %q", c)
	}
	h.do(call{method: "POST", path: "/api/v1/setup", body: body}).problem(410, "setup_done")
	if read[api.SetupState](h.do(call{method: "GET", path: "/api/v1/setup"})).Needed {
		t.Error("set-up is still needed")
	}
	if link, err := h.auth.NewSetupToken(t.Context()); err != nil || link != "" {
		t.Errorf("there is a new link with a user: %v", err)
	}
	h.do(call{method: "GET", path: "/api/v1/auth/me", token: l.AccessToken}).want(200)
	if strings.Contains(h.log.String(), link.Reveal()) || strings.Contains(h.log.String(), password) {
		t.Error("the log has the link or the password")
	}
}

func TestFailedSetupsAreLimited(t *testing.T) {
	h := newHouse(t)
	body := map[string]string{"token": "guess", "email": email, "password": password}
	for range 10 {
		h.do(call{method: "POST", path: "/api/v1/setup", body: body}).problem(410, "setup_done")
	}
	r := h.do(call{method: "POST", path: "/api/v1/setup", body: body})
	r.problem(429, "rate_limited")
	if r.header.Get("Retry-After") == "" {
		t.Error("429 without Retry-After")
	}
}

func TestCookieOperationsRefuseOtherSites(t *testing.T) {
	h := newHouse(t)
	for _, path := range []string{"/api/v1/setup", "/api/v1/auth/login", "/api/v1/auth/refresh", "/api/v1/auth/logout"} {
		for name, header := range map[string]http.Header{
			"another site": {"Sec-Fetch-Site": {"cross-site"}, "Origin": {"https://evil.example"}},
			"null origin":  {"Origin": {"null"}},
			"old browser":  {"Origin": {"https://evil.example"}},
		} {
			t.Run(path+" "+name, func(t *testing.T) {
				h := *h
				h.T = t
				h.do(call{method: "POST", path: path, header: header, body: map[string]string{}}).problem(403, "cross_origin")
			})
		}
	}
}
