package store

import (
	"context"
	"net/netip"
	"time"

	"github.com/penstock-media/penstock/server/config"
)

// APIKey is a machine's credential for the API. The secret itself is nowhere.
type APIKey struct {
	Meta
	Name         string         `json:"name"`
	LastFour     string         `json:"secret_last4"`
	Scopes       []string       `json:"scopes"`
	Vhosts       []string       `json:"vhosts"` // ids of the vhosts it is limited to; none: all
	CIDRs        []netip.Prefix `json:"cidrs"`  // none: from anywhere
	ExpiresAt    time.Time      `json:"expires_at,omitzero"`
	RevokedAt    time.Time      `json:"revoked_at,omitzero"`
	LastUsedAt   time.Time      `json:"last_used_at,omitzero"`
	LastUsedFrom string         `json:"last_used_from,omitempty"`

	hash string
}

func apiKeyTable() table[APIKey] {
	return table[APIKey]{
		name: "api_keys", noun: "api_key", prefix: "ak", taken: "this secret is in use already",
		columns: []string{
			"name", "hash", "last_four", "scopes", "vhosts", "cidrs", "expires_at", "revoked_at",
			"last_used_at", "last_used_from",
		},
		fields: func(v *APIKey) []any {
			return []any{
				&v.Name, &v.hash, &v.LastFour,
				jsonText{&v.Scopes},
				jsonText{&v.Vhosts},
				jsonText{&v.CIDRs},
				stamp{&v.ExpiresAt},
				stamp{&v.RevokedAt},
				stamp{&v.LastUsedAt},
				&v.LastUsedFrom,
			}
		},
		meta:  func(v *APIKey) *Meta { return &v.Meta },
		usual: "-created_at", sorts: []string{"created_at", "name", "last_used_at"},
	}
}

// APIKey returns the API key with that id.
func (s *Store) APIKey(ctx context.Context, id string) (APIKey, error) {
	return apiKeyTable().get(ctx, s, s.read, id)
}

// APIKeyByHash returns the API key with that secret. It may be expired or
// revoked: that is for the caller to see.
func (s *Store) APIKeyByHash(ctx context.Context, h config.KeyHash) (APIKey, error) {
	var w where
	w.add("hash = ?", h.String())
	return apiKeyTable().find(ctx, s, s.read, w)
}

// APIKeys lists API keys, the newest first.
func (s *Store) APIKeys(ctx context.Context, o ListOptions) (List[APIKey], error) {
	return apiKeyTable().list(ctx, s, where{}, o)
}

// CreateAPIKey stores a new API key.
func (s *Store) CreateAPIKey(ctx context.Context, a Actor, k APIKey, secret config.Secret) (APIKey, error) {
	return apiKeyTable().create(ctx, s, a, k, func(_ context.Context, _ *change, k *APIKey) error {
		k.hash, k.LastFour = config.HashKey(secret.Reveal()).String(), secret.LastFour()
		return k.check()
	})
}

// UpdateAPIKey replaces name, scopes, limits and times of an API key.
func (s *Store) UpdateAPIKey(ctx context.Context, a Actor, k APIKey) (APIKey, error) {
	return apiKeyTable().update(ctx, s, a, "update", k, func(_ context.Context, _ *change, before APIKey, k *APIKey) error {
		k.hash, k.LastFour = before.hash, before.LastFour
		k.LastUsedAt, k.LastUsedFrom = before.LastUsedAt, before.LastUsedFrom
		return k.check()
	})
}

// RevokeAPIKey ends an API key; it stays in the list.
func (s *Store) RevokeAPIKey(ctx context.Context, a Actor, id string, revision int64) (APIKey, error) {
	k := APIKey{Meta: Meta{ID: id, Revision: revision}}
	return apiKeyTable().update(ctx, s, a, "revoke", k, func(_ context.Context, c *change, before APIKey, k *APIKey) error {
		m := k.Meta
		*k = before
		k.Meta = m
		if k.RevokedAt.IsZero() {
			k.RevokedAt = c.now
		}
		return nil
	})
}

// DeleteAPIKey removes an API key from the list.
func (s *Store) DeleteAPIKey(ctx context.Context, a Actor, id string, revision int64) error {
	return apiKeyTable().remove(ctx, s, a, id, revision, nil)
}

// TouchAPIKey notes that an API key was used. It is no configuration change.
func (s *Store) TouchAPIKey(ctx context.Context, id string, at time.Time, from string) error {
	return s.exec(ctx, "note the use of an API key",
		"UPDATE api_keys SET last_used_at = $1, last_used_from = $2 WHERE id = $3 AND last_used_at < $1",
		micros(at), storable(from), storable(id))
}

func (k *APIKey) check() error {
	const maxName = 512
	k.Vhosts = idSet(k.Vhosts)
	if k.CIDRs == nil {
		k.CIDRs = []netip.Prefix{}
	}
	if k.Name == "" || len(k.Name) > maxName || !plain(k.Name) {
		return fieldError("/name", "use 1 to %d bytes without control characters", maxName)
	}
	if len(k.Scopes) == 0 {
		return fieldError("/scopes", "name at least one scope")
	}
	k.ExpiresAt, k.RevokedAt = kept(k.ExpiresAt), kept(k.RevokedAt)
	return nil
}
