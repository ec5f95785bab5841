package store

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/penstock-media/penstock/server/config"
)

// TokenKey signs and verifies tokens. Its id is the token's kid, and shorter
// than other ids because it is part of every token. Its secret is kept as it
// is, not as a hash: who reads the database can sign tokens.
type TokenKey struct {
	Meta
	Label   string        `json:"label"`
	Secret  config.Secret `json:"secret"`
	Enabled bool          `json:"enabled"`
}

func tokenKeyTable() table[TokenKey] {
	return table[TokenKey]{
		name: "token_keys", noun: "token_key", prefix: "tk",
		columns: []string{"label", "secret", "enabled"},
		fields:  func(v *TokenKey) []any { return []any{&v.Label, (*string)(&v.Secret), &v.Enabled} },
		meta:    func(v *TokenKey) *Meta { return &v.Meta },
		usual:   "-created_at", sorts: []string{"created_at"},
	}
}

// TokenKey returns the signing key with that id, its secret included.
func (s *Store) TokenKey(ctx context.Context, id string) (TokenKey, error) {
	return tokenKeyTable().get(ctx, s, s.read, id)
}

// TokenKeys lists signing keys, the newest first. The newest enabled one signs.
func (s *Store) TokenKeys(ctx context.Context, o ListOptions) (List[TokenKey], error) {
	return tokenKeyTable().list(ctx, s, where{}, o)
}

// CreateTokenKey stores a new signing key, which signs from then on. An empty
// secret is replaced by a random one.
func (s *Store) CreateTokenKey(ctx context.Context, a Actor, k TokenKey) (TokenKey, error) {
	return tokenKeyTable().create(ctx, s, a, k, prepareTokenKey)
}

// UpdateTokenKey replaces label and enabled.
func (s *Store) UpdateTokenKey(ctx context.Context, a Actor, k TokenKey) (TokenKey, error) {
	return tokenKeyTable().update(ctx, s, a, "update", k, func(_ context.Context, c *change, before TokenKey, k *TokenKey) error {
		k.Secret = before.Secret
		c.whole = true
		return nil
	})
}

// DeleteTokenKey removes a signing key: the tokens it signed are void.
func (s *Store) DeleteTokenKey(ctx context.Context, a Actor, id string, revision int64) error {
	return tokenKeyTable().remove(ctx, s, a, id, revision, nil)
}

func prepareTokenKey(_ context.Context, c *change, k *TokenKey) error {
	const shortest, idChars = 32, 6
	k.ID = "tk_" + strings.ToLower(rand.Text()[:idChars])
	if k.Secret == "" {
		k.Secret = config.NewSecret("ts")
	}
	if len(k.Secret.Reveal()) < shortest {
		return fmt.Errorf("token key: %w", fieldError("/secret", "use at least %d bytes", shortest))
	}
	c.whole = true
	return nil
}
