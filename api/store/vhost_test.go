package store

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server/config"
)

func TestVhosts(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		v := NewVhost("sport")
		v.Hostnames = []string{"*.Sport.example.com"}
		v.Media.QueueMS = 1234
		made := get(s.CreateVhost(ctx, operator(), v))(t)
		got := get(s.Vhost(ctx, made.ID))(t)
		if d := cmp.Diff(made, got); d != "" {
			t.Fatalf("read back otherwise (-made +got):\n%s", d)
		}
		if got.Revision != 1 || got.Hostnames[0] != "*.sport.example.com" || got.Media.QueueMS != 1234 {
			t.Fatalf("stored as %+v", got)
		}

		got.PlayPolicy = config.PlayToken
		changed := get(s.UpdateVhost(ctx, operator(), got))(t)
		if changed.Revision != 2 || !changed.CreatedAt.Equal(made.CreatedAt) || changed.UpdatedAt.Before(made.UpdatedAt) {
			t.Fatalf("after an update: %+v", changed.Meta)
		}
		_, err := s.UpdateVhost(ctx, operator(), got)
		refused(t, ErrRevision, err)
		refused(t, ErrRevision, s.DeleteVhost(ctx, operator(), got.ID, 1))
		_, err = s.CreateVhost(ctx, operator(), NewVhost("sport"))
		refused(t, ErrConflict, err)
		must(t, s.DeleteVhost(ctx, operator(), got.ID, 2))
		_, err = s.Vhost(ctx, got.ID)
		refused(t, ErrNotFound, err)
		refused(t, ErrNotFound, s.DeleteVhost(ctx, operator(), got.ID, 0))
	})
}

func TestDefaultVhostStays(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		v := get(s.VhostByName(ctx, config.DefaultVhost))(t)
		refused(t, ErrConflict, s.DeleteVhost(ctx, operator(), v.ID, 0))
		v.Name = "other"
		_, err := s.UpdateVhost(ctx, operator(), v)
		if fields := FieldErrors(err); len(fields) != 1 || fields[0].Pointer != "/name" {
			t.Fatalf("renaming the default vhost: %v", err)
		}
	})
}

// TestNothingInvalidIsKept: what would make no snapshot is refused, whole, with
// the fields that are wrong, and leaves nothing behind.
func TestNothingInvalidIsKept(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		a := NewVhost("a")
		a.Hostnames = []string{"live.example.com"}
		a = get(s.CreateVhost(ctx, operator(), a))(t)
		before := get(s.Revision(ctx))(t)

		bad := NewVhost("not good")
		bad.Media.QueueMS = -1
		_, err := s.CreateVhost(ctx, operator(), bad)
		var one *FieldError
		if fields := FieldErrors(err); len(fields) != 2 || fields[0].Pointer != "/name" || fields[1].Pointer != "/media/queue_ms" || !errors.As(err, &one) {
			t.Fatalf("an invalid vhost: %v", err)
		}
		taken := NewVhost("b")
		taken.Hostnames = []string{"Live.example.com"}
		_, err = s.CreateVhost(ctx, operator(), taken)
		if fields := FieldErrors(err); len(fields) != 1 || fields[0].Pointer != "/hostnames" {
			t.Fatalf("a hostname of another vhost: %v", err)
		}
		_, err = s.CreateRefererRule(ctx, operator(), RefererRule{VhostID: a.ID, Scope: "all", Action: "allow", Pattern: "http://x"})
		if fields := FieldErrors(err); len(fields) != 1 || fields[0].Pointer != "/pattern" {
			t.Fatalf("an invalid pattern: %v", err)
		}
		_, err = s.CreateIPRule(ctx, operator(), IPRule{VhostID: a.ID, Scope: "all", Action: "allow"})
		if fields := FieldErrors(err); len(fields) != 1 || fields[0].Pointer != "/cidr" {
			t.Fatalf("no CIDR: %v", err)
		}
		_, err = s.CreateHook(ctx, operator(), Hook{VhostID: a.ID, Mode: "ask"})
		if len(FieldErrors(err)) < 4 {
			t.Fatalf("an empty hook: %v", err)
		}
		if after := get(s.Revision(ctx))(t); after != before {
			t.Errorf("refused changes took the revision from %d to %d", before, after)
		}
		if rows := get(s.AuditRows(ctx, AuditFilter{ActorID: operator().ID}, ListOptions{}))(t); len(rows.Items) != 1 {
			t.Errorf("%d audit rows for one change that was made", len(rows.Items))
		}
		get(s.Snapshot(ctx))(t)
	})
}
