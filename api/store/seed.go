package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"github.com/penstock-media/penstock/server/config"
)

const (
	settingCursorSecret = "cursor_secret"
	cursorSecretBytes   = 32
)

// seed puts the first rows into a new database: the default vhost, a key to
// sign tokens with and the secret of list cursors. It does nothing once a
// revision exists, so what is deleted later stays deleted.
func (s *Store) seed(ctx context.Context) error {
	at, err := s.Revision(ctx)
	if err != nil || at > 0 {
		return err
	}
	return s.change(ctx, System(), func(ctx context.Context, c *change) error {
		if c.revision > 1 {
			return nil // another node was faster
		}
		vhost := NewVhost(config.DefaultVhost)
		if err := vhostTable().createIn(ctx, c, &vhost, nil); err != nil {
			return err
		}
		key := TokenKey{Label: "made at the first start", Enabled: true}
		if err := tokenKeyTable().createIn(ctx, c, &key, prepareTokenKey); err != nil {
			return err
		}
		secret := make([]byte, cursorSecretBytes)
		_, _ = rand.Read(secret) // never fails; it ends the process instead
		const insert = "INSERT INTO settings (name, value) VALUES ($1, $2)"
		_, err := c.q.ExecContext(ctx, insert, settingCursorSecret, hex.EncodeToString(secret))
		return s.wrap("store a setting", err)
	})
}

// setting returns a value the database remembers for the program.
func (s *Store) setting(ctx context.Context, name string) (string, error) {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	var v string
	err := s.read.QueryRowContext(ctx, "SELECT value FROM settings WHERE name = $1", name).Scan(&v)
	if isNoRows(err) {
		return "", fmt.Errorf("setting %s %w", name, ErrNotFound)
	}
	return v, s.wrap("read a setting", err)
}
