package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/penstock-media/penstock/server/config"
)

// CreateSetupToken stores the token of a one-time set-up link. Unused ones made
// before are void.
func (s *Store) CreateSetupToken(ctx context.Context, h config.KeyHash, expires time.Time) error {
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM setup_tokens WHERE used_at = 0"); err != nil {
			return s.wrap("drop old set-up links", err)
		}
		const insert = "INSERT INTO setup_tokens (hash, created_at, expires_at, used_at) VALUES ($1, $2, $3, 0)"
		_, err := tx.ExecContext(ctx, insert, h.String(), micros(now()), micros(expires))
		return s.wrap("store a set-up link", err)
	})
}

// CheckSetupToken says what is wrong with a set-up link: ErrNotFound, ErrUsed,
// ErrExpired, or nothing.
func (s *Store) CheckSetupToken(ctx context.Context, h config.KeyHash) error {
	return s.checkSetup(ctx, s.read, h)
}

// UseSetupToken uses a set-up link up and makes the admin it was for, both or
// neither. It is used up as soon as there is any user. The errors are those of CheckSetupToken and CreateUser.
func (s *Store) UseSetupToken(ctx context.Context, a Actor, h config.KeyHash, admin User) (User, error) {
	admin.Role, admin.Enabled = RoleAdmin, true
	err := s.change(ctx, a, func(ctx context.Context, c *change) error {
		if err := s.checkSetup(ctx, c.q, h); err != nil {
			return err
		}
		if n, err := s.number(ctx, c.q, "SELECT count(*) FROM users"); err != nil || n > 0 {
			return errors.Join(err, fmt.Errorf("set-up link %w: there is a user", ErrUsed))
		}
		const use = "UPDATE setup_tokens SET used_at = $1 WHERE hash = $2"
		if _, err := c.q.ExecContext(ctx, use, micros(c.now), h.String()); err != nil {
			return s.wrap("use a set-up link", err)
		}
		return userTable().createIn(ctx, c, &admin, func(_ context.Context, _ *change, u *User) error { return u.check() })
	})
	return admin, err
}

func (s *Store) checkSetup(ctx context.Context, q querier, h config.KeyHash) error {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	var expires, used time.Time
	const query = "SELECT expires_at, used_at FROM setup_tokens WHERE hash = $1"
	err := q.QueryRowContext(ctx, query, h.String()).Scan(stamp{&expires}, stamp{&used})
	switch {
	case isNoRows(err):
		return fmt.Errorf("set-up link %w", ErrNotFound)
	case err != nil:
		return s.wrap("read a set-up link", err)
	case !used.IsZero():
		return fmt.Errorf("set-up link %w", ErrUsed)
	case !now().Before(expires):
		return fmt.Errorf("set-up link %w", ErrExpired)
	default:
		return nil
	}
}
