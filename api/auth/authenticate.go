package auth

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

// The bounds of what is remembered of callers. Within freshFor a change made on
// another node goes unseen; within staleFor a caller stays known while the
// database is away.
const (
	freshFor   = 500 * time.Millisecond
	staleFor   = AccessTokenLife
	touchEvery = time.Minute
	maxKnown   = 10_000
)

// known is what was found out about a caller.
type known struct {
	principal *Principal
	cidrs     []netip.Prefix // of an API key
	expires   time.Time      // of an API key; zero: never
	seen      time.Time
	// generation is that of the time the store was asked: an older one has to be
	// asked again.
	generation int
	touched    time.Time // when an API key's use was last noted
}

// NewAPIKeySecret makes the secret of an API key.
func NewAPIKeySecret() config.Secret { return config.NewSecret("ak") }

// Authenticate finds out whose credential raw is: an API key or an access token.
// The error is ErrUnknown for one that does not hold.
func (a *Auth) Authenticate(ctx context.Context, raw string, ip netip.Addr) (*Principal, error) {
	if config.LooksLikeSecret("ak", raw) {
		return a.apiKey(ctx, hashOf(raw), ip)
	}
	userID, family, err := readAccess(a.key, raw, time.Now())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	return a.user(ctx, userID, family)
}

// Alive says whether a caller who was let in before may go on.
func (a *Auth) Alive(ctx context.Context, p *Principal) bool {
	var err error
	if p.Kind == KindAPIKey {
		_, err = a.keyByID(ctx, p.ID)
	} else {
		_, err = a.user(ctx, p.ID, p.Family)
	}
	return !errors.Is(err, ErrUnknown)
}

// user looks a user's sign-in up.
func (a *Auth) user(ctx context.Context, userID, family string) (*Principal, error) {
	k, err := a.lookUp(ctx, userID+" "+family, func(ctx context.Context) (known, error) {
		u, err := a.store.User(ctx, userID)
		if err != nil {
			return known{}, err
		}
		live, err := a.store.RefreshFamilyLive(ctx, family)
		if err != nil {
			return known{}, err
		}
		if !live || !u.Enabled {
			return known{}, ErrUnknown
		}
		role := Role(u.Role)
		return known{principal: &Principal{
			Kind: KindUser, ID: u.ID, Name: nameOf(u), Role: role, Family: family, Scopes: role.Scopes(),
			Vhosts: u.Vhosts,
		}}, nil
	})
	return k.principal, err
}

// apiKey looks an API key up by its secret, and notes its use.
func (a *Auth) apiKey(ctx context.Context, h config.KeyHash, ip netip.Addr) (*Principal, error) {
	k, err := a.lookUp(ctx, h.String(), func(ctx context.Context) (known, error) {
		row, err := a.store.APIKeyByHash(ctx, h)
		if err != nil {
			return known{}, err
		}
		return keyKnown(row)
	})
	if err != nil {
		return nil, err
	}
	if !k.admits(ip) {
		return nil, ErrUnknown
	}
	now := time.Now()
	if now.Sub(k.touched) > touchEvery {
		a.mu.Lock()
		k.touched = now
		if _, still := a.known[h.String()]; still {
			a.known[h.String()] = k
		}
		a.mu.Unlock()
		if err := a.store.TouchAPIKey(ctx, k.principal.ID, now, ip.String()); err != nil {
			a.log.Warn("note the use of an API key", "err", err)
		}
	}
	return k.principal, nil
}

func (a *Auth) keyByID(ctx context.Context, id string) (*Principal, error) {
	k, err := a.lookUp(ctx, id, func(ctx context.Context) (known, error) {
		row, err := a.store.APIKey(ctx, id)
		if err != nil {
			return known{}, err
		}
		return keyKnown(row)
	})
	return k.principal, err
}

func keyKnown(row store.APIKey) (known, error) {
	if !row.RevokedAt.IsZero() || (!row.ExpiresAt.IsZero() && !time.Now().Before(row.ExpiresAt)) {
		return known{}, ErrUnknown
	}
	p := &Principal{Kind: KindAPIKey, ID: row.ID, Name: row.Name, Vhosts: row.Vhosts}
	for _, s := range row.Scopes {
		p.Scopes = append(p.Scopes, Scope(s))
	}
	return known{principal: p, cidrs: row.CIDRs, expires: row.ExpiresAt, touched: row.LastUsedAt}, nil
}

// admits says whether an API key may be used from that address now.
func (k known) admits(ip netip.Addr) bool {
	if !k.expires.IsZero() && !time.Now().Before(k.expires) {
		return false
	}
	for _, c := range k.cidrs {
		if c.Contains(ip) {
			return true
		}
	}
	return len(k.cidrs) == 0
}

// lookUp answers from memory what was found out a moment ago, and asks the store
// otherwise. With the database away the last answer holds for some minutes.
func (a *Auth) lookUp(ctx context.Context, name string, ask func(context.Context) (known, error)) (known, error) {
	a.mu.Lock()
	k, ok := a.known[name]
	generation := a.generation
	a.mu.Unlock()
	now := time.Now()
	if ok && k.generation == generation && now.Sub(k.seen) < freshFor {
		return k, nil
	}
	if ok && !a.store.State().OK && now.Sub(k.seen) < staleFor {
		return k, nil // asking could take as long as a database that hangs
	}
	fresh, err := ask(ctx)
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case err == nil:
		if len(a.known) >= maxKnown {
			clear(a.known)
		}
		fresh.seen, fresh.generation = now, generation
		if ok && k.touched.After(fresh.touched) {
			fresh.touched = k.touched
		}
		a.known[name] = fresh
		return fresh, nil
	case errors.Is(err, store.ErrNotFound), errors.Is(err, ErrUnknown):
		delete(a.known, name)
		return known{}, ErrUnknown
	case ok && now.Sub(k.seen) < staleFor:
		return k, nil
	}
	return known{}, fmt.Errorf("auth: look up a credential: %w", err)
}
