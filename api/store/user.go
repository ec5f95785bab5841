package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The roles of users.
const (
	RoleAdmin    = "admin"
	RoleOperator = "operator"
	RoleViewer   = "viewer"
)

// User is somebody who signs in to the dashboard.
type User struct {
	Meta
	Email        string    `json:"email"` // what they sign in with, kept in lower case
	Name         string    `json:"name"`
	PasswordHash string    `json:"-"` // argon2id, as text
	Role         string    `json:"role"`
	Vhosts       []string  `json:"vhosts"` // ids of the vhosts they are limited to; none: all
	Enabled      bool      `json:"enabled"`
	LastLoginAt  time.Time `json:"last_login_at,omitzero"`
}

func userTable() table[User] {
	return table[User]{
		name: "users", noun: "user", prefix: "usr", taken: "another user has this address",
		columns: []string{"email", "name", "password_hash", "role", "vhosts", "enabled", "last_login_at"},
		fields: func(v *User) []any {
			return []any{
				&v.Email, &v.Name, &v.PasswordHash, &v.Role, jsonText{&v.Vhosts}, &v.Enabled, stamp{&v.LastLoginAt},
			}
		},
		meta:  func(v *User) *Meta { return &v.Meta },
		usual: "email", sorts: []string{"email", "name", "created_at", "last_login_at"},
	}
}

// User returns the user with that id.
func (s *Store) User(ctx context.Context, id string) (User, error) {
	return userTable().get(ctx, s, s.read, id)
}

// UserByEmail returns the user who signs in with that address.
func (s *Store) UserByEmail(ctx context.Context, email string) (User, error) {
	var w where
	w.add("email = ?", storable(normalEmail(email)))
	return userTable().find(ctx, s, s.read, w)
}

// Users lists users by address.
func (s *Store) Users(ctx context.Context, o ListOptions) (List[User], error) {
	return userTable().list(ctx, s, where{}, o)
}

// CountUsers returns how many users there are.
func (s *Store) CountUsers(ctx context.Context) (int, error) {
	n, err := s.number(ctx, s.read, "SELECT count(*) FROM users")
	return int(n), err
}

// CreateUser stores a new user.
func (s *Store) CreateUser(ctx context.Context, a Actor, u User) (User, error) {
	return userTable().create(ctx, s, a, u, func(_ context.Context, _ *change, u *User) error { return u.check() })
}

// UpdateUser replaces all fields of a user. An empty password hash keeps the old
// password; a new one, another role, other vhosts or disabling ends all their
// refresh tokens. The last enabled admin stays one.
func (s *Store) UpdateUser(ctx context.Context, a Actor, u User) (User, error) {
	return userTable().update(ctx, s, a, "update", u, func(ctx context.Context, c *change, before User, u *User) error {
		if u.PasswordHash == "" {
			u.PasswordHash = before.PasswordHash
		}
		u.LastLoginAt = before.LastLoginAt
		if err := u.check(); err != nil {
			return err
		}
		if u.PasswordHash != before.PasswordHash || u.Role != before.Role || !u.Enabled || !slices.Equal(u.Vhosts, before.Vhosts) {
			if err := c.s.revokeUser(ctx, c.q, u.ID, c.now); err != nil {
				return err
			}
		}
		if u.administers() {
			return nil
		}
		return c.keepAdmin(ctx, before)
	})
}

// DeleteUser removes a user and their refresh tokens. The last enabled admin
// stays.
func (s *Store) DeleteUser(ctx context.Context, a Actor, id string, revision int64) error {
	return userTable().remove(ctx, s, a, id, revision, func(ctx context.Context, c *change, before User) error {
		if err := c.keepAdmin(ctx, before); err != nil {
			return err
		}
		// First, as UseRefreshToken takes them first: PostgreSQL locks in this order.
		return c.s.revokeUser(ctx, c.q, before.ID, c.now)
	})
}

// TouchUser notes that a user signed in. It is no configuration change.
func (s *Store) TouchUser(ctx context.Context, id string, at time.Time) error {
	return s.exec(ctx, "note a login", "UPDATE users SET last_login_at = $1 WHERE id = $2", micros(at), storable(id))
}

// administers says whether the user may do everything, on every vhost.
func (u *User) administers() bool { return u.Role == RoleAdmin && u.Enabled && len(u.Vhosts) == 0 }

// keepAdmin refuses to let go of a user who is the only one to administer.
func (c *change) keepAdmin(ctx context.Context, u User) error {
	if !u.administers() {
		return nil
	}
	const query = "SELECT count(*) FROM users WHERE role = $1 AND enabled = $2 AND vhosts = '[]' AND id <> $3"
	others, err := c.s.number(ctx, c.q, query, RoleAdmin, true, u.ID)
	if err == nil && others == 0 {
		err = fmt.Errorf("user: %w: this is the last enabled admin; make another one first", ErrConflict)
	}
	return err
}

func (u *User) check() error {
	const maxEmail, maxName = 254, 512
	u.Email, u.Vhosts = normalEmail(u.Email), idSet(u.Vhosts)
	switch {
	case u.Email == "" || len(u.Email) > maxEmail || !plain(u.Email):
		return fieldError("/email", "use 1 to %d characters", maxEmail)
	case len(u.Name) > maxName || !plain(u.Name):
		return fieldError("/name", "use at most %d bytes without control characters", maxName)
	case !slices.Contains([]string{RoleAdmin, RoleOperator, RoleViewer}, u.Role):
		return fieldError("/role", "use one of %s, %s, %s", RoleAdmin, RoleOperator, RoleViewer)
	case u.PasswordHash == "":
		return fieldError("/password", "a password is needed")
	}
	return nil
}

// idSet is a list of ids in one order, each once.
func idSet(ids []string) []string {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	if ids == nil {
		return []string{}
	}
	return ids
}

func normalEmail(s string) string { return strings.ToLower(strings.TrimSpace(s)) }
