package store_test

import (
	"path/filepath"
	"testing"

	"github.com/penstock-media/penstock/api/store"
)

func TestSecretSettingStaysTheSame(t *testing.T) {
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "penstock.db")
	var first string
	for range 2 { // the second time after a restart
		s, err := store.Open(t.Context(), dsn, nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.SecretSetting(t.Context(), "one")
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.SecretSetting(t.Context(), "another")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if len(a.Reveal()) < 32 || a == b || (first != "" && a.Reveal() != first) {
			t.Errorf("got %d characters, equal to another: %v, changed: %v", len(a.Reveal()), a == b, a.Reveal() != first)
		}
		first = a.Reveal()
	}
}
