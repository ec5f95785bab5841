package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/penstock-media/penstock/server/config"
)

// RefreshToken keeps a user signed in. Each is used once, for the next of its
// family; using one twice is theft and ends the family.
type RefreshToken struct {
	Hash      config.KeyHash // of the secret
	Family    string         // one login; empty for CreateRefreshToken: a new one
	UserID    string
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    time.Time
	RevokedAt time.Time
	IP        string
	Agent     string

	hash string
}

func refreshTable() table[RefreshToken] {
	return table[RefreshToken]{
		name: "refresh_tokens", noun: "refresh token", taken: "this token exists already",
		columns: []string{"hash", "family", "user_id", "created_at", "expires_at", "used_at", "revoked_at", "ip", "agent"},
		fields: func(v *RefreshToken) []any {
			return []any{
				&v.hash, &v.Family, &v.UserID,
				stamp{&v.CreatedAt},
				stamp{&v.ExpiresAt},
				stamp{&v.UsedAt},
				stamp{&v.RevokedAt},
				&v.IP, &v.Agent,
			}
		},
		usual: "created_at", sorts: []string{"created_at"},
	}
}

// CreateRefreshToken stores the first token of a login.
func (s *Store) CreateRefreshToken(ctx context.Context, t RefreshToken) (RefreshToken, error) {
	err := s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if t.Family == "" {
			id, err := newID("fam")
			if err != nil {
				return err
			}
			t.Family = id
		}
		t.hash, t.CreatedAt = t.Hash.String(), now()
		return refreshTable().insert(ctx, s, tx, &t)
	})
	return t, err
}

// UseRefreshToken exchanges a token for the next one, of which Hash, ExpiresAt,
// IP and Agent are given. ErrNotFound: unknown or revoked. ErrExpired. ErrUsed:
// it has been used before, and all of its family are revoked now; the token
// returned says whose.
func (s *Store) UseRefreshToken(ctx context.Context, h config.KeyHash, next RefreshToken) (RefreshToken, error) {
	var stolen bool
	err := s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		at := now()
		// The update comes first: it locks the row, so that of two at once only
		// one finds it unused.
		const use = "UPDATE refresh_tokens SET used_at = $1 WHERE hash = $2 AND used_at = 0"
		res, err := tx.ExecContext(ctx, use, micros(at), h.String())
		if err != nil {
			return s.wrap("use a refresh token", err)
		}
		first, err := res.RowsAffected()
		if err != nil {
			return s.wrap("use a refresh token", err)
		}
		var w where
		w.add("hash = ?", h.String())
		old, err := refreshTable().find(ctx, s, tx, w)
		if err != nil {
			return err
		}
		next.Family, next.UserID = old.Family, old.UserID
		switch {
		case !old.RevokedAt.IsZero():
			return fmt.Errorf("refresh token %w", ErrNotFound)
		case first == 0:
			stolen = true
			return s.revokeFamily(ctx, tx, old.Family, at)
		case !at.Before(old.ExpiresAt):
			return fmt.Errorf("refresh token %w", ErrExpired)
		}
		next.hash, next.CreatedAt = next.Hash.String(), at
		return refreshTable().insert(ctx, s, tx, &next)
	})
	if err == nil && stolen {
		err = fmt.Errorf("refresh token %w", ErrUsed)
	}
	return next, err
}

// RefreshFamilyLive says whether a login may go on: it has a token that is
// neither used, revoked nor expired.
func (s *Store) RefreshFamilyLive(ctx context.Context, family string) (bool, error) {
	const query = "SELECT count(*) FROM refresh_tokens WHERE family = $1 AND revoked_at = 0 AND used_at = 0 AND expires_at > $2"
	n, err := s.number(ctx, s.read, query, storable(family), micros(now()))
	return n > 0, err
}

// RevokeRefreshFamily ends one login.
func (s *Store) RevokeRefreshFamily(ctx context.Context, family string) error {
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return s.revokeFamily(ctx, tx, family, now())
	})
}

// RevokeRefreshTokens ends all logins of a user.
func (s *Store) RevokeRefreshTokens(ctx context.Context, userID string) error {
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error { return s.revokeUser(ctx, tx, userID, now()) })
}

// RevokeRefreshToken ends the login the token with that hash belongs to. An
// unknown token is no error.
func (s *Store) RevokeRefreshToken(ctx context.Context, h config.KeyHash) error {
	return s.exec(ctx, "end a login",
		"UPDATE refresh_tokens SET revoked_at = $1 WHERE revoked_at = 0 AND family IN (SELECT family FROM refresh_tokens WHERE hash = $2)",
		micros(now()), h.String())
}

func (s *Store) revokeFamily(ctx context.Context, q querier, family string, at time.Time) error {
	const update = "UPDATE refresh_tokens SET revoked_at = $1 WHERE family = $2 AND revoked_at = 0"
	_, err := q.ExecContext(ctx, update, micros(at), storable(family))
	return s.wrap("end a login", err)
}

func (s *Store) revokeUser(ctx context.Context, q querier, userID string, at time.Time) error {
	const update = "UPDATE refresh_tokens SET revoked_at = $1 WHERE user_id = $2 AND revoked_at = 0"
	_, err := q.ExecContext(ctx, update, micros(at), storable(userID))
	return s.wrap("end the logins of a user", err)
}
