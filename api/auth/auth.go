package auth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"sync"

	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

// The errors callers tell apart with errors.Is.
var (
	// ErrUnknown: the credential is not valid, or no longer.
	ErrUnknown = errors.New("auth: credential not valid")
	// ErrPassword: no such user, or another password.
	ErrPassword = errors.New("auth: e-mail and password do not match")
	// ErrSession: the refresh token is missing, expired, revoked or was used before.
	ErrSession = errors.New("auth: the session has ended")
	// ErrSetup: a user exists, or the set-up link is unknown, used or has ended.
	ErrSetup = errors.New("auth: set-up is done or the link has ended")
)

// Config configures an Auth.
type Config struct {
	Store *store.Store
	// Logger takes the log. Nil is silence.
	Logger *slog.Logger
}

// Auth knows who is asking. Its methods may be called from any goroutine.
type Auth struct {
	store  *store.Store
	log    *slog.Logger
	hasher *hasher
	key    []byte // signs access tokens

	mu         sync.Mutex
	known      map[string]known // guarded by mu: by user and sign-in, or by API key
	generation int              // guarded by mu: grows with Forget

	refreshing sync.Mutex
	exchanges  map[string]*exchange // guarded by refreshing: by refresh token
}

// Client is where a request comes from.
type Client struct {
	IP        netip.Addr
	Agent     string
	RequestID string
}

func (c Client) ip() string {
	if !c.IP.IsValid() {
		return ""
	}
	return c.IP.String()
}

// New returns an Auth that signs with the key of the store.
func New(ctx context.Context, cfg Config) (*Auth, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	key, err := cfg.Store.SecretSetting(ctx, "access_token_key")
	if err != nil {
		return nil, fmt.Errorf("auth: get the key that signs access tokens: %w", err)
	}
	return &Auth{
		store: cfg.Store, log: cfg.Logger, hasher: newHasher(), key: []byte(key.Reveal()),
		known: map[string]known{}, exchanges: map[string]*exchange{},
	}, nil
}

// Hash makes the hash to keep of a password. The error is ErrBusy when too many
// are being made.
func (a *Auth) Hash(ctx context.Context, password string) (string, error) {
	return a.hasher.hash(ctx, password)
}

// Forget makes the store be asked again about users and API keys, so that a
// change holds from the next request on. While the database is away the old
// answers still hold for some minutes.
func (a *Auth) Forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.generation++
}

// hashOf is what the store keeps of a secret.
func hashOf(secret string) config.KeyHash { return config.HashKey(secret) }
