package store

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server/config"
)

func TestVhosts(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		v := NewVhost("sport")
		v.Hostnames = []string{"*.Sport.example.com"}
		v.Media.QueueMS = 1234
		made := must[Vhost](t)(s.CreateVhost(ctx, operator(), v))
		got := must[Vhost](t)(s.Vhost(ctx, made.ID))
		if d := cmp.Diff(made, got); d != "" {
			t.Fatalf("read back otherwise (-made +got):\n%s", d)
		}
		if got.Revision != 1 || got.Hostnames[0] != "*.sport.example.com" || got.Media.QueueMS != 1234 {
			t.Fatalf("stored as %+v", got)
		}

		got.PlayPolicy = config.PlayToken
		changed := must[Vhost](t)(s.UpdateVhost(ctx, operator(), got))
		if changed.Revision != 2 || changed.UpdatedAt.Before(got.UpdatedAt) {
			t.Fatalf("after an update: %+v", changed.Meta)
		}
		if _, err := s.UpdateVhost(ctx, operator(), got); !errors.Is(err, ErrRevision) {
			t.Fatalf("an update of an old revision: %v", err)
		}
		if err := s.DeleteVhost(ctx, operator(), got.ID, 1); !errors.Is(err, ErrRevision) {
			t.Fatalf("a removal of an old revision: %v", err)
		}
		if _, err := s.CreateVhost(ctx, operator(), NewVhost("sport")); !errors.Is(err, ErrConflict) {
			t.Fatalf("a second vhost of that name: %v", err)
		}
		ok(t, s.DeleteVhost(ctx, operator(), got.ID, 2))
		if _, err := s.Vhost(ctx, got.ID); !errors.Is(err, ErrNotFound) {
			t.Fatalf("after the removal: %v", err)
		}
	})
}
