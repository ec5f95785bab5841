package store_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/penstock-media/penstock/api/store"
)

func TestAClosedStoreIsNotAvailable(t *testing.T) {
	s, err := store.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "penstock.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Vhosts(t.Context(), store.VhostFilter{}, store.ListOptions{}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if s.State().OK {
		t.Error("the state of a closed store is good")
	}
}
