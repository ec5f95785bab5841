package api_test

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/penstock-media/penstock/api"
)

// refreshToken is the refresh cookie a reply set.
func refreshToken(r reply) string {
	r.t.Helper()
	for _, c := range (&http.Response{Header: r.header}).Cookies() {
		if c.Name == "penstock_refresh" {
			return c.Value
		}
	}
	r.t.Fatal("no refresh cookie was set")
	return ""
}

func (h *house) refresh(token, agent string) reply {
	h.Helper()
	return h.do(call{method: "POST", path: "/api/v1/auth/refresh", header: http.Header{
		"Cookie": {"penstock_refresh=" + token}, "User-Agent": {agent},
	}})
}

func TestRefreshRotatesAndReuseEndsTheSession(t *testing.T) {
	h := newHouse(t)
	h.admin()
	r := h.do(call{method: "POST", path: "/api/v1/auth/login", body: map[string]string{"email": strings.ToUpper(email), "password": password}}).want(200)
	first := refreshToken(r)
	r = h.refresh(first, "tab").want(200)
	second := refreshToken(r)
	if first == second {
		t.Error("the refresh token did not change")
	}
	access := read[api.Login](r).AccessToken
	h.do(call{method: "GET", path: "/api/v1/auth/me", token: access}).want(200)

	// Another tab of the same browser may send the same token at once.
	if again := refreshToken(h.refresh(first, "tab").want(200)); again != second {
		t.Error("two tabs got two refresh tokens")
	}
	// Somebody else may not: the whole session ends.
	gone := h.refresh(first, "thief")
	gone.problem(401, "session_ended")
	if !strings.Contains(gone.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Error("the cookie of an ended session is not removed")
	}
	h.refresh(second, "tab").problem(401, "session_ended")
	h.do(call{method: "GET", path: "/api/v1/auth/me", token: access}).problem(401, "unauthorized")
}

func TestLogoutEndsTheSessionAtOnce(t *testing.T) {
	h := newHouse(t)
	h.admin()
	r := h.do(call{method: "POST", path: "/api/v1/auth/login", body: map[string]string{"email": email, "password": password}}).want(200)
	access, token := read[api.Login](r).AccessToken, refreshToken(r)
	h.do(call{method: "GET", path: "/api/v1/auth/me", token: access}).want(200)
	h.do(call{method: "POST", path: "/api/v1/auth/logout", header: http.Header{"Cookie": {"penstock_refresh=" + token}}}).want(204)
	h.do(call{method: "GET", path: "/api/v1/auth/me", token: access}).problem(401, "unauthorized")
	h.refresh(token, "").problem(401, "session_ended")
}

func TestWrongPasswordsAreLimitedAndRightOnesAreNot(t *testing.T) {
	h := newHouse(t)
	h.admin()
	for range 12 {
		h.login(email)
	}
	for i := range 10 {
		body := map[string]string{"email": email, "password": "not this one"}
		if i%2 == 0 {
			body["email"] = "nobody@example.com"
		}
		h.do(call{method: "POST", path: "/api/v1/auth/login", body: body}).problem(401, "bad_credentials")
	}
	r := h.do(call{method: "POST", path: "/api/v1/auth/login", body: map[string]string{"email": email, "password": password}})
	r.problem(429, "rate_limited")
	if r.header.Get("Retry-After") == "" {
		t.Error("429 without Retry-After")
	}
}

func TestSecureCookieOverTLSOfATrustedProxy(t *testing.T) {
	h := newHouse(t, func(c *api.Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	h.admin()
	r := h.do(call{
		method: "POST", path: "/api/v1/auth/login", body: map[string]string{"email": email, "password": password},
		header: http.Header{"X-Forwarded-Proto": {"https"}},
	}).want(200)
	c := r.header.Get("Set-Cookie")
	if !strings.HasPrefix(c, "__Host-penstock_refresh=") || !strings.Contains(c, "Secure") || !strings.Contains(c, "Path=/;") {
		t.Errorf("over TLS the cookie is %q", c)
	}
}
