package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
)

type setupInput struct {
	UserAgent string `header:"User-Agent" hidden:"true"`
	Body      SetupRequest
}

// loginOutput is the reply of whatever signs in.
type loginOutput struct {
	SetCookie    []http.Cookie `header:"Set-Cookie" doc:"The refresh token, HttpOnly"`
	CacheControl string        `header:"Cache-Control" doc:"no-store"`
	Body         Login
}

func (a *API) registerSetup() {
	register(a, operation{
		id: "get-setup", method: get, path: "/setup", tag: "Set-up", public: true,
		summary: "Whether the first user is still missing",
	}, a.getSetup)
	register(a, operation{
		id: "setup", method: post, path: "/setup", tag: "Set-up", public: true, cookie: true, limited: true, status: http.StatusCreated,
		summary: "Make the first user and sign in",
		about:   "The user becomes an admin. Works once, with the token of the link that the server printed at its start; afterwards it answers 410.",
	}, a.setup)
}

func (a *API) getSetup(ctx context.Context, _ *struct{}) (*plain[SetupState], error) {
	needed, err := a.auth.SetupNeeded(ctx)
	return &plain[SetupState]{Body: SetupState{Needed: needed}}, err
}

func (a *API) setup(ctx context.Context, in *setupInput) (*loginOutput, error) {
	admin := store.User{Email: in.Body.Email, Name: in.Body.Name}
	l, err := a.auth.Setup(ctx, in.Body.Token, admin, in.Body.Password, client(ctx, in.UserAgent))
	if errors.Is(err, auth.ErrSetup) {
		return nil, newProblem("setup_done", "This set-up link does not hold, or set-up is done.")
	}
	if err != nil {
		return nil, err
	}
	return a.loggedIn(ctx, l), nil
}

// loggedIn is the reply to a user who is signed in now.
func (a *API) loggedIn(ctx context.Context, l auth.Login) *loginOutput {
	return &loginOutput{
		SetCookie:    []http.Cookie{refreshCookie(ctx, l.RefreshToken.Reveal(), auth.RefreshLife)},
		CacheControl: "no-store",
		Body: Login{
			AccessToken: l.AccessToken.Reveal(), TokenType: "Bearer",
			ExpiresInSeconds: int(auth.AccessTokenLife / time.Second), User: userOf(l.User),
		},
	}
}
