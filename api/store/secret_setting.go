package store

import (
	"context"

	"github.com/penstock-media/penstock/server/config"
)

// SecretSetting returns a secret of the program's own with that name, the same
// one on every node and after every start. It is made when it is asked for the
// first time. It is kept as it is: who reads the database can use it.
func (s *Store) SecretSetting(ctx context.Context, name string) (config.Secret, error) {
	const insert = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING"
	if err := s.exec(ctx, "make a secret setting", insert, storable(name), config.NewSecret("set").Reveal()); err != nil {
		return "", err
	}
	v, err := s.setting(ctx, name)
	return config.Secret(v), err
}
