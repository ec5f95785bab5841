package auth

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

// RefreshLife is how long a sign-in lasts without being used.
const RefreshLife = 30 * 24 * time.Hour

// exchangeKept is how long the same refresh token gives the same answer: two
// tabs of one browser may send it at once, and that is no theft.
const exchangeKept = 10 * time.Second

// Login is a user who is signed in.
type Login struct {
	User         store.User
	AccessToken  config.Secret
	RefreshToken config.Secret
}

// Login signs a user in. The error is ErrPassword, or ErrBusy.
func (a *Auth) Login(ctx context.Context, email, password string, c Client) (Login, error) {
	user, err := a.store.UserByEmail(ctx, email)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return Login{}, fmt.Errorf("auth: sign in: %w", err)
	}
	ok, err := a.hasher.matches(ctx, password, user.PasswordHash)
	if err != nil {
		return Login{}, err
	}
	if !ok || !user.Enabled {
		a.log.Info("sign-in refused", "peer", c.ip())
		return Login{}, ErrPassword
	}
	return a.signIn(ctx, user, c)
}

// signIn begins a sign-in of a user who has been checked.
func (a *Auth) signIn(ctx context.Context, user store.User, c Client) (Login, error) {
	refresh := config.NewSecret("rt")
	now := time.Now()
	t, err := a.store.CreateRefreshToken(ctx, store.RefreshToken{
		Hash: hashOf(refresh.Reveal()), UserID: user.ID, ExpiresAt: now.Add(RefreshLife), IP: c.ip(), Agent: c.Agent,
	})
	if err != nil {
		return Login{}, fmt.Errorf("auth: begin a session: %w", err)
	}
	access, err := signAccess(a.key, user.ID, t.Family, now)
	if err != nil {
		return Login{}, err
	}
	actor := store.Actor{Kind: string(KindUser), ID: user.ID, Name: nameOf(user), IP: c.ip(), RequestID: c.RequestID}
	if err := a.store.TouchUser(ctx, user.ID, now); err != nil {
		a.log.Warn("note a sign-in", "err", err)
	}
	if err := a.store.RecordAudit(ctx, actor, "user.login", user.ID, nil, nil); err != nil {
		a.log.Warn("note a sign-in", "err", err)
	}
	a.log.Info("signed in", "user", user.ID, "peer", c.ip())
	user.LastLoginAt = now.UTC()
	return Login{User: user, AccessToken: config.Secret(access), RefreshToken: refresh}, nil
}

// exchange is a refresh under way, or just done.
type exchange struct {
	done  chan struct{}
	login Login
	err   error
	ip    string
	agent string
}

// Refresh exchanges a refresh token for the next one and an access token. The
// error is ErrSession for a token that does not hold; one that is used twice
// ends its sign-in, unless both uses come at once from the same browser.
func (a *Auth) Refresh(ctx context.Context, token string, c Client) (Login, error) {
	if !config.LooksLikeSecret("rt", token) {
		return Login{}, ErrSession
	}
	h := hashOf(token)
	e, mine := a.begin(h.String(), c)
	if mine {
		// It is carried through even when the browser has gone meanwhile: the token
		// is used up then, and the browser sends it again.
		e.login, e.err = a.refresh(context.WithoutCancel(ctx), h, c)
		a.finish(h.String(), e)
		return e.login, e.err
	}
	select {
	case <-e.done:
		return e.login, e.err
	case <-ctx.Done():
		return Login{}, fmt.Errorf("auth: wait for a refresh: %w", ctx.Err())
	}
}

// begin returns the exchange of a token, and whether the caller has to do it.
func (a *Auth) begin(hash string, c Client) (*exchange, bool) {
	a.refreshing.Lock()
	defer a.refreshing.Unlock()
	if e, ok := a.exchanges[hash]; ok && e.ip == c.ip() && e.agent == c.Agent {
		return e, false
	}
	e := &exchange{done: make(chan struct{}), ip: c.ip(), agent: c.Agent}
	a.exchanges[hash] = e
	return e, true
}

// finish tells those who wait, and keeps an exchange that gave something for a
// little while. Others are forgotten at once: anybody can send tokens that look
// like one.
func (a *Auth) finish(hash string, e *exchange) {
	forget := func() {
		a.refreshing.Lock()
		defer a.refreshing.Unlock()
		if a.exchanges[hash] == e {
			delete(a.exchanges, hash)
		}
	}
	if e.err != nil {
		forget()
	} else {
		time.AfterFunc(exchangeKept, forget)
	}
	close(e.done)
}

func (a *Auth) refresh(ctx context.Context, h config.KeyHash, c Client) (Login, error) {
	refresh := config.NewSecret("rt")
	now := time.Now()
	t, err := a.store.UseRefreshToken(ctx, h, store.RefreshToken{
		Hash: hashOf(refresh.Reveal()), ExpiresAt: now.Add(RefreshLife), IP: c.ip(), Agent: c.Agent,
	})
	switch {
	case errors.Is(err, store.ErrUsed):
		a.Forget()
		a.log.Warn("a refresh token was used twice; the session has been ended", "user", t.UserID, "peer", c.ip())
		return Login{}, ErrSession
	case errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrExpired):
		return Login{}, ErrSession
	case err != nil:
		return Login{}, fmt.Errorf("auth: refresh: %w", err)
	}
	user, err := a.store.User(ctx, t.UserID)
	if err != nil {
		return Login{}, fmt.Errorf("auth: refresh: %w", err)
	}
	if !user.Enabled {
		return Login{}, ErrSession
	}
	access, err := signAccess(a.key, user.ID, t.Family, now)
	if err != nil {
		return Login{}, err
	}
	return Login{User: user, AccessToken: config.Secret(access), RefreshToken: refresh}, nil
}

// Logout ends the sign-in a refresh token belongs to. An unknown one is no error.
func (a *Auth) Logout(ctx context.Context, token string) error {
	h := hashOf(token)
	err := a.store.RevokeRefreshToken(ctx, h)
	a.refreshing.Lock()
	delete(a.exchanges, h.String())
	a.refreshing.Unlock()
	a.Forget()
	if err != nil {
		return fmt.Errorf("auth: sign out: %w", err)
	}
	return nil
}

func nameOf(u store.User) string {
	if u.Name != "" {
		return u.Name
	}
	return u.Email
}
