package auth

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

// SetupLife is how long a set-up link holds.
const SetupLife = 30 * time.Minute

// SetupNeeded says whether the first user is still missing.
func (a *Auth) SetupNeeded(ctx context.Context) (bool, error) {
	n, err := a.store.CountUsers(ctx)
	if err != nil {
		return false, fmt.Errorf("auth: count users: %w", err)
	}
	return n == 0, nil
}

// NewSetupToken makes the token of a one-time set-up link, and voids the one
// before. It is empty when a user exists. Call it at each start.
func (a *Auth) NewSetupToken(ctx context.Context) (config.Secret, error) {
	needed, err := a.SetupNeeded(ctx)
	if err != nil || !needed {
		return "", err
	}
	token := config.NewSecret("setup")
	if err := a.store.CreateSetupToken(ctx, hashOf(token.Reveal()), time.Now().Add(SetupLife)); err != nil {
		return "", fmt.Errorf("auth: make a set-up link: %w", err)
	}
	return token, nil
}

// Setup uses a set-up link up, makes the admin and signs in. The error is
// ErrSetup when the link does not hold.
func (a *Auth) Setup(ctx context.Context, token string, admin store.User, password string, c Client) (Login, error) {
	needed, err := a.SetupNeeded(ctx)
	if err != nil {
		return Login{}, err
	}
	if !needed {
		return Login{}, ErrSetup
	}
	if err := setupError(a.store.CheckSetupToken(ctx, hashOf(token))); err != nil {
		return Login{}, err
	}
	if admin.PasswordHash, err = a.hasher.hash(ctx, password); err != nil {
		return Login{}, err
	}
	actor := store.Actor{Kind: "setup", Name: admin.Email, IP: c.ip(), RequestID: c.RequestID}
	user, err := a.store.UseSetupToken(ctx, actor, hashOf(token), admin)
	if err := setupError(err); err != nil {
		return Login{}, err
	}
	return a.signIn(ctx, user, c)
}

func setupError(err error) error {
	for _, why := range []error{store.ErrNotFound, store.ErrUsed, store.ErrExpired} {
		if errors.Is(err, why) {
			return fmt.Errorf("%w: %w", ErrSetup, err)
		}
	}
	return err
}
