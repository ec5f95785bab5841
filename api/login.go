package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/penstock-media/penstock/api/auth"
)

type loginInput struct {
	UserAgent string `header:"User-Agent" hidden:"true"`
	Body      LoginRequest
}

type refreshInput struct {
	UserAgent string `header:"User-Agent" hidden:"true"`
	Secure    string `cookie:"__Host-penstock_refresh" doc:"The refresh token, over TLS"`
	Plain     string `cookie:"penstock_refresh" doc:"The refresh token, over plain HTTP"`
}

type logoutOutput struct {
	SetCookie []http.Cookie `header:"Set-Cookie" doc:"Removes the refresh token"`
}

func (a *API) registerAuth() {
	register(a, operation{
		id: "login", method: post, path: "/auth/login", tag: "Auth", public: true, cookie: true, limited: true,
		summary: "Sign in",
		about:   "Answers with an access token and sets the refresh cookie.",
	}, a.login)
	register(a, operation{
		id: "refresh", method: post, path: "/auth/refresh", tag: "Auth", public: true, cookie: true,
		summary: "Get the next access token",
		about:   "Needs the refresh cookie and replaces it. A refresh token that is used twice ends the whole session: somebody else has it.",
	}, a.refresh)
	register(a, operation{
		id: "logout", method: post, path: "/auth/logout", tag: "Auth", public: true, cookie: true,
		summary: "Sign out",
		about:   "Ends the session of the refresh cookie and removes the cookie. Without one it does nothing.",
	}, a.logout)
	register(a, operation{
		id: "get-me", method: get, path: "/auth/me", tag: "Auth",
		summary: "Who is asking, and what they may do",
	}, a.me)
}

func (a *API) login(ctx context.Context, in *loginInput) (*loginOutput, error) {
	l, err := a.auth.Login(ctx, in.Body.Email, in.Body.Password, client(ctx, in.UserAgent))
	if errors.Is(err, auth.ErrPassword) {
		return nil, newProblem("bad_credentials", "E-mail and password do not match.")
	}
	if err != nil {
		return nil, err
	}
	return a.loggedIn(ctx, l), nil
}

func (a *API) refresh(ctx context.Context, in *refreshInput) (*loginOutput, error) {
	l, err := a.auth.Refresh(ctx, cookies{in.Secure, in.Plain}.refresh(ctx), client(ctx, in.UserAgent))
	if errors.Is(err, auth.ErrSession) {
		gone := refreshCookie(ctx, "", -time.Second)
		return nil, newProblem("session_ended", "Sign in again.").with("Set-Cookie", gone.String())
	}
	if err != nil {
		return nil, err
	}
	return a.loggedIn(ctx, l), nil
}

func (a *API) logout(ctx context.Context, in *refreshInput) (*logoutOutput, error) {
	if token := (cookies{in.Secure, in.Plain}).refresh(ctx); token != "" {
		if err := a.auth.Logout(ctx, token); err != nil {
			return nil, err
		}
		a.feed.Recheck()
	}
	return &logoutOutput{SetCookie: []http.Cookie{refreshCookie(ctx, "", -time.Second)}}, nil
}

func (a *API) me(ctx context.Context, _ *struct{}) (*plain[Me], error) {
	p := auth.From(ctx)
	me := Me{Kind: string(p.Kind), Scopes: scopeNames(p.Scopes)}
	if p.Kind == auth.KindAPIKey {
		k, err := a.store.APIKey(ctx, p.ID)
		if err != nil {
			return nil, err
		}
		key := apiKeyOf(k)
		me.APIKey = &key
		return &plain[Me]{Body: me}, nil
	}
	u, err := a.store.User(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	user := userOf(u)
	me.User = &user
	return &plain[Me]{Body: me}, nil
}

func scopeNames(scopes []auth.Scope) []string {
	names := make([]string, len(scopes))
	for i, s := range scopes {
		names[i] = string(s)
	}
	return names
}
