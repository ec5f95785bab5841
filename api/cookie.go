package api

import (
	"context"
	"net/http"
	"time"
)

// The refresh cookie. Browsers take the __Host- prefix and Secure over TLS only;
// an installation in a LAN without certificates has to work too, so over plain
// HTTP the cookie has another name, no Secure, and goes to the sign-in paths only.
const (
	secureCookie = "__Host-penstock_refresh"
	plainCookie  = "penstock_refresh"
	plainPath    = "/api/v1/auth"
)

// refreshCookie makes the cookie; a negative life removes it.
func refreshCookie(ctx context.Context, value string, life time.Duration) http.Cookie {
	c := http.Cookie{ //nolint:gosec // Secure follows below, over TLS
		Name: plainCookie, Value: value, Path: plainPath, MaxAge: int(life / time.Second),
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
	if requestOf(ctx).secure {
		c.Name, c.Path, c.Secure = secureCookie, "/", true
	}
	return c
}

// cookies is the refresh token of a request, whichever cookie it came in.
type cookies struct {
	Secure string
	Plain  string
}

// refresh is the refresh token for the way the request came.
func (c cookies) refresh(ctx context.Context) string {
	if requestOf(ctx).secure {
		return c.Secure
	}
	return c.Plain
}
