package store

import (
	"context"
	"fmt"
	"time"
)

// RevokeToken refuses the token with that id from now on. expires is when the
// token ends by itself and need not be remembered any longer.
func (s *Store) RevokeToken(ctx context.Context, a Actor, id string, expires time.Time) error {
	return s.change(ctx, a, func(ctx context.Context, c *change) error {
		const insert = "INSERT INTO revoked_tokens (id, created_at, expires_at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING"
		if _, err := c.q.ExecContext(ctx, insert, storable(id), micros(c.now), micros(expires)); err != nil {
			return s.wrap("revoke a token", err)
		}
		return c.audit(ctx, "token.revoke", storable(id), nil, nil)
	})
}

// TokenRevoked says whether a token has been revoked and not yet forgotten.
func (s *Store) TokenRevoked(ctx context.Context, id string) (bool, error) {
	n, err := s.number(ctx, s.read, "SELECT count(*) FROM revoked_tokens WHERE id = $1", storable(id))
	return n > 0, err
}

// UseToken remembers that a single-use token has been used, until it expires.
// The second time the error is ErrUsed, on whatever node and after a restart.
func (s *Store) UseToken(ctx context.Context, id string, expires time.Time) error {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	const insert = "INSERT INTO used_tokens (id, created_at, expires_at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING"
	res, err := s.write.ExecContext(ctx, insert, storable(id), micros(now()), micros(expires))
	if err != nil {
		return s.wrap("use a token", err)
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		return fmt.Errorf("token %w", ErrUsed)
	}
	return s.wrap("use a token", err)
}
