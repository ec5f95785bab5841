package store

import (
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/penstock-media/penstock/server/config"
)

func TestKeys(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		st := newStream(t, s, "talk")
		secret := config.NewStreamKeySecret()
		until := now().Add(time.Hour)
		made := get(s.CreateKey(ctx, operator(), Key{
			StreamID: st.ID, Label: "Gallery A", Enabled: true, ExpiresAt: until,
			CIDRs: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")},
		}, secret))(t)
		got := get(s.Key(ctx, made.ID))(t)
		same := []cmp.Option{cmp.AllowUnexported(Key{}), cmpopts.EquateComparable(netip.Prefix{})}
		if d := cmp.Diff(made, got, same...); d != "" || got.LastFour != secret.LastFour() {
			t.Fatalf("read back otherwise (-made +got):\n%s", d)
		}
		want := config.StreamKey{
			ID: made.ID, StreamID: st.ID, Vhost: "default", App: "live", Stream: "talk", Enabled: true, StreamEnabled: true,
			ExpiresAt: until, CIDRs: made.CIDRs,
		}
		found := get(s.KeyByHash(ctx, config.HashKey(secret.Reveal())))(t)
		if d := cmp.Diff(want, found, same...); d != "" {
			t.Fatalf("found by its hash (-want +got):\n%s", d)
		}
		_, err := s.KeyByHash(ctx, config.HashKey("sk_other"))
		refused(t, config.ErrNoKey, err)
		_, err = s.CreateKey(ctx, operator(), Key{StreamID: st.ID}, secret)
		refused(t, ErrConflict, err)
		_, err = s.CreateKey(ctx, operator(), Key{StreamID: "st_none"}, config.NewStreamKeySecret())
		refused(t, ErrNotFound, err)

		// An update changes what it should, even made from scratch, and forgets
		// neither the secret nor the use.
		must(t, s.TouchKey(ctx, made.ID, until, "192.0.2.9:5000"))
		must(t, s.TouchKey(ctx, made.ID, until.Add(-time.Minute), "late news"))
		changed := get(s.UpdateKey(ctx, operator(), Key{Meta: Meta{ID: made.ID, Revision: 1}, Label: "B"}))(t)
		if changed.Enabled || changed.Label != "B" || changed.StreamID != st.ID || changed.LastUsedFrom != "192.0.2.9:5000" {
			t.Fatalf("after the update: %+v", changed)
		}
		if found = get(s.KeyByHash(ctx, config.HashKey(secret.Reveal())))(t); found.Enabled {
			t.Error("a disabled key is found enabled")
		}
		_, err = s.UpdateKey(ctx, operator(), Key{Meta: changed.Meta, NotBefore: until, ExpiresAt: until})
		if fields := FieldErrors(err); len(fields) != 1 || fields[0].Pointer != "/expires_at" {
			t.Errorf("a key that is never valid: %v", err)
		}
		must(t, s.DeleteKey(ctx, operator(), made.ID, changed.Revision))
		_, err = s.KeyByHash(ctx, config.HashKey(secret.Reveal()))
		refused(t, config.ErrNoKey, err)
	})
}

func TestRotateKey(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		st := newStream(t, s, "talk")
		secrets := []config.Secret{config.NewStreamKeySecret(), config.NewStreamKeySecret(), config.NewStreamKeySecret(), config.NewStreamKeySecret()}
		hash := func(i int) config.KeyHash { return config.HashKey(secrets[i].Reveal()) }
		k := get(s.CreateKey(ctx, operator(), Key{StreamID: st.ID, Label: "A", Enabled: true}, secrets[0]))(t)
		grace := now().Add(time.Hour)

		rotated := get(s.RotateKey(ctx, operator(), k.ID, 1, secrets[1], grace))(t)
		if rotated.ID != k.ID || rotated.Label != "A" || rotated.LastFour != secrets[1].LastFour() ||
			rotated.PreviousLastFour != secrets[0].LastFour() || !rotated.PreviousExpiresAt.Equal(grace) {
			t.Fatalf("rotated: %+v", rotated)
		}
		old := get(s.KeyByHash(ctx, hash(0)))(t)
		if old.ID != k.ID || !old.ExpiresAt.Equal(grace) {
			t.Errorf("the old secret: %+v", old)
		}
		if fresh := get(s.KeyByHash(ctx, hash(1)))(t); fresh.ID != k.ID || !fresh.ExpiresAt.IsZero() {
			t.Errorf("the new secret: %+v", fresh)
		}
		_, err := s.RotateKey(ctx, operator(), k.ID, 1, secrets[2], grace)
		refused(t, ErrRevision, err)
		// A secret in its grace time is taken, too.
		_, err = s.CreateKey(ctx, operator(), Key{StreamID: st.ID}, secrets[0])
		refused(t, ErrConflict, err)
		_, err = s.RotateKey(ctx, operator(), k.ID, 2, secrets[1], grace)
		refused(t, ErrConflict, err)

		get(s.RotateKey(ctx, operator(), k.ID, 2, secrets[2], grace))(t)
		_, err = s.KeyByHash(ctx, hash(0))
		refused(t, config.ErrNoKey, err)
		get(s.RotateKey(ctx, operator(), k.ID, 3, secrets[3], time.Time{}))(t)
		_, err = s.KeyByHash(ctx, hash(2))
		refused(t, config.ErrNoKey, err)
		get(s.KeyByHash(ctx, hash(3)))(t)
	})
}

func TestCreateStreamWithKey(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		secret := config.NewStreamKeySecret()
		v := Stream{VhostID: defaultVhost(t, s).ID, App: "live", Name: "talk", Enabled: true}
		st, k, err := s.CreateStreamWithKey(ctx, operator(), v, Key{Label: "first", Enabled: true}, secret)
		must(t, err)
		if k.StreamID != st.ID || get(s.KeyByHash(ctx, config.HashKey(secret.Reveal())))(t).Stream != "talk" {
			t.Fatalf("%+v, %+v", st, k)
		}
		// Both or neither.
		v.Name = "talk 2"
		_, _, err = s.CreateStreamWithKey(ctx, operator(), v, Key{}, secret)
		refused(t, ErrConflict, err)
		_, err = s.StreamByName(ctx, "default", "live", "talk 2")
		refused(t, ErrNotFound, err)
		// Removing the stream removes its keys.
		must(t, s.DeleteStream(ctx, operator(), st.ID, 0))
		_, err = s.Key(ctx, k.ID)
		refused(t, ErrNotFound, err)
	})
}
