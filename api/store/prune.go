package store

import (
	"context"
	"time"
)

// auditKept is how long it is known who changed what.
const auditKept = 2 * 365 * 24 * time.Hour

// Prune forgets what has expired: tokens, refresh tokens, set-up links and
// idempotency records, audit rows of two years ago, and sessions that ended
// before the time given (zero: none). Call it now and then.
func (s *Store) Prune(ctx context.Context, sessionsBefore time.Time) error {
	at := micros(now())
	for _, table := range []string{"revoked_tokens", "used_tokens", "refresh_tokens", "idempotency"} {
		if err := s.exec(ctx, "prune "+table, "DELETE FROM "+table+" WHERE expires_at <= $1", at); err != nil {
			return err
		}
	}
	const week = 7 * 24 * time.Hour // a used link still says so for that long
	if err := s.exec(ctx, "prune setup_tokens", "DELETE FROM setup_tokens WHERE expires_at <= $1", micros(now().Add(-week))); err != nil {
		return err
	}
	if err := s.exec(ctx, "prune audit", "DELETE FROM audit WHERE created_at < $1", micros(now().Add(-auditKept))); err != nil {
		return err
	}
	return s.exec(ctx, "prune sessions", "DELETE FROM sessions WHERE ended_at < $1", micros(sessionsBefore))
}
