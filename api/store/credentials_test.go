package store

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/config"
)

func newUser(t *testing.T, s *Store, email, role string) User {
	t.Helper()
	return get(s.CreateUser(t.Context(), operator(), User{Email: email, PasswordHash: "$argon2id$x", Role: role, Enabled: true}))(t)
}

func TestUsers(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		admin := newUser(t, s, " Ingrid@Example.com ", RoleAdmin)
		if got := get(s.UserByEmail(ctx, "INGRID@example.com"))(t); got.ID != admin.ID || got.Email != "ingrid@example.com" {
			t.Fatalf("found %+v", got)
		}
		_, err := s.CreateUser(ctx, operator(), User{Email: "ingrid@example.COM", PasswordHash: "x", Role: RoleViewer})
		refused(t, ErrConflict, err)
		_, err = s.CreateUser(ctx, operator(), User{Email: "x@example.com", PasswordHash: "x", Role: "god"})
		if fields := FieldErrors(err); len(fields) != 1 || fields[0].Pointer != "/role" {
			t.Fatalf("an unknown role: %v", err)
		}

		// The last admin can neither go, be disabled nor become less.
		refused(t, ErrConflict, s.DeleteUser(ctx, operator(), admin.ID, 0))
		for _, change := range []func(*User){
			func(u *User) { u.Enabled = false },
			func(u *User) { u.Role = RoleViewer },
		} {
			u := admin
			change(&u)
			_, err = s.UpdateUser(ctx, operator(), u)
			refused(t, ErrConflict, err)
		}
		second := newUser(t, s, "second@example.com", RoleAdmin)
		must(t, s.DeleteUser(ctx, operator(), admin.ID, 0))
		refused(t, ErrConflict, s.DeleteUser(ctx, operator(), second.ID, 0))

		must(t, s.TouchUser(ctx, second.ID, now()))
		second.Name, second.PasswordHash = "Second", ""
		second = get(s.UpdateUser(ctx, operator(), second))(t)
		if got := get(s.User(ctx, second.ID))(t); got.PasswordHash != "$argon2id$x" || got.LastLoginAt.IsZero() || got.Name != "Second" {
			t.Errorf("after the update: %+v", got)
		}
		if n := get(s.CountUsers(ctx))(t); n != 1 {
			t.Errorf("%d users", n)
		}
		if list := get(s.Users(ctx, ListOptions{}))(t).Items; len(list) != 1 || list[0].Vhosts == nil {
			t.Errorf("users: %+v", list)
		}
	})
}

func TestAPIKeys(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		secret := config.NewSecret("ak")
		k := get(s.CreateAPIKey(ctx, operator(), APIKey{
			Name: "backend", Scopes: []string{"streams:read"}, CIDRs: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
		}, secret))(t)
		must(t, s.TouchAPIKey(ctx, k.ID, now(), "10.1.1.1"))
		k.Name, k.hash = "backend 2", ""
		k = get(s.UpdateAPIKey(ctx, operator(), k))(t)
		got := get(s.APIKeyByHash(ctx, config.HashKey(secret.Reveal())))(t)
		if got.ID != k.ID || got.Name != "backend 2" || got.LastFour != secret.LastFour() || got.LastUsedFrom != "10.1.1.1" || got.CIDRs[0].String() != "10.0.0.0/8" {
			t.Fatalf("found %+v", got)
		}
		revoked := get(s.RevokeAPIKey(ctx, operator(), k.ID, 2))(t)
		if revoked.RevokedAt.IsZero() || revoked.Name != "backend 2" || get(s.APIKey(ctx, k.ID))(t).RevokedAt != revoked.RevokedAt {
			t.Fatalf("revoked: %+v", revoked)
		}
		_, err := s.CreateAPIKey(ctx, operator(), APIKey{Name: "x", Scopes: []string{"admin"}}, secret)
		refused(t, ErrConflict, err)
		_, err = s.CreateAPIKey(ctx, operator(), APIKey{Name: "x"}, config.NewSecret("ak"))
		if fields := FieldErrors(err); len(fields) != 1 || fields[0].Pointer != "/scopes" {
			t.Fatalf("without scopes: %v", err)
		}
		must(t, s.DeleteAPIKey(ctx, operator(), k.ID, 3))
		if list := get(s.APIKeys(ctx, ListOptions{}))(t).Items; len(list) != 0 {
			t.Errorf("API keys: %+v", list)
		}
	})
}

func TestRefreshTokens(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		u := newUser(t, s, "a@example.com", RoleAdmin)
		until := now().Add(time.Hour)
		h := config.HashKey
		first := get(s.CreateRefreshToken(ctx, RefreshToken{Hash: h("1"), UserID: u.ID, ExpiresAt: until}))(t)
		second := get(s.UseRefreshToken(ctx, h("1"), RefreshToken{Hash: h("2"), ExpiresAt: until}))(t)
		if second.Family != first.Family || second.UserID != u.ID || !get(s.RefreshFamilyLive(ctx, first.Family))(t) {
			t.Fatalf("the next token: %+v", second)
		}
		_, err := s.UseRefreshToken(ctx, h("nothing"), RefreshToken{Hash: h("x"), ExpiresAt: until})
		refused(t, ErrNotFound, err)

		// The first one again: somebody has a copy. Nobody stays signed in.
		again, err := s.UseRefreshToken(ctx, h("1"), RefreshToken{Hash: h("3"), ExpiresAt: until})
		refused(t, ErrUsed, err)
		if again.UserID != u.ID || get(s.RefreshFamilyLive(ctx, first.Family))(t) {
			t.Error("the family lives on, or is nobody's")
		}
		_, err = s.UseRefreshToken(ctx, h("2"), RefreshToken{Hash: h("4"), ExpiresAt: until})
		refused(t, ErrNotFound, err)

		get(s.CreateRefreshToken(ctx, RefreshToken{Hash: h("old"), UserID: u.ID, ExpiresAt: now().Add(-time.Second)}))(t)
		_, err = s.UseRefreshToken(ctx, h("old"), RefreshToken{Hash: h("5"), ExpiresAt: until})
		refused(t, ErrExpired, err)

		for name, end := range map[string]func(family string) error{
			"by its hash": func(string) error { return s.RevokeRefreshToken(ctx, h("by its hash")) },
			"family":      func(f string) error { return s.RevokeRefreshFamily(ctx, f) },
			"user":        func(string) error { return s.RevokeRefreshTokens(ctx, u.ID) },
			"password": func(string) error {
				u.PasswordHash += "y"
				var err error
				u, err = s.UpdateUser(ctx, operator(), u)
				return err
			},
		} {
			tok := get(s.CreateRefreshToken(ctx, RefreshToken{Hash: h(name), UserID: u.ID, ExpiresAt: until}))(t)
			must(t, end(tok.Family))
			if get(s.RefreshFamilyLive(ctx, tok.Family))(t) {
				t.Errorf("%s: the login goes on", name)
			}
		}
		newUser(t, s, "b@example.com", RoleAdmin)
		get(s.CreateRefreshToken(ctx, RefreshToken{Hash: h("last"), UserID: u.ID, ExpiresAt: until}))(t)
		must(t, s.DeleteUser(ctx, operator(), u.ID, 0))
		_, err = s.UseRefreshToken(ctx, h("last"), RefreshToken{Hash: h("6"), ExpiresAt: until})
		refused(t, ErrNotFound, err)
	})
}

// TestRefreshRace: of many who use one token at once, one gets the next.
func TestRefreshRace(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		u := newUser(t, s, "a@example.com", RoleAdmin)
		until := now().Add(time.Hour)
		get(s.CreateRefreshToken(ctx, RefreshToken{Hash: config.HashKey("1"), UserID: u.ID, ExpiresAt: until}))(t)
		var won atomic.Int32
		race(8, func(i int) {
			next := RefreshToken{Hash: config.HashKey(string(rune('a' + i))), ExpiresAt: until}
			if _, err := s.UseRefreshToken(ctx, config.HashKey("1"), next); err == nil {
				won.Add(1)
			}
		})
		if won.Load() != 1 {
			t.Errorf("%d got the next token", won.Load())
		}
	})
}

func race(n int, f func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}

func TestSetupTokens(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		h := config.HashKey("link")
		refused(t, ErrNotFound, s.CheckSetupToken(ctx, h))
		must(t, s.CreateSetupToken(ctx, config.HashKey("older"), now().Add(time.Hour)))
		must(t, s.CreateSetupToken(ctx, h, now().Add(-time.Second)))
		refused(t, ErrNotFound, s.CheckSetupToken(ctx, config.HashKey("older")))
		refused(t, ErrExpired, s.CheckSetupToken(ctx, h))
		admin := User{Email: "a@example.com", PasswordHash: "x", Role: RoleViewer}
		_, err := s.UseSetupToken(ctx, operator(), h, admin)
		refused(t, ErrExpired, err)
		must(t, s.CreateSetupToken(ctx, h, now().Add(time.Hour)))

		// A user that cannot be made does not cost the link.
		_, err = s.UseSetupToken(ctx, operator(), h, User{})
		if len(FieldErrors(err)) == 0 {
			t.Fatalf("an empty user: %v", err)
		}
		must(t, s.CheckSetupToken(ctx, h))

		var won atomic.Int32
		race(6, func(i int) {
			u := admin
			u.Email = string(rune('a'+i)) + "@example.com"
			if _, err := s.UseSetupToken(ctx, operator(), h, u); err == nil {
				won.Add(1)
			}
		})
		list := get(s.Users(ctx, ListOptions{}))(t).Items
		if won.Load() != 1 || len(list) != 1 || list[0].Role != RoleAdmin || !list[0].Enabled {
			t.Fatalf("%d used the link: %+v", won.Load(), list)
		}
		refused(t, ErrUsed, s.CheckSetupToken(ctx, h))

		// Nor does a link make a second admin of somebody when there is a user.
		other := config.HashKey("another")
		must(t, s.CreateSetupToken(ctx, other, now().Add(time.Hour)))
		admin.Email = "z@example.com"
		_, err = s.UseSetupToken(ctx, operator(), other, admin)
		refused(t, ErrUsed, err)
	})
}

func TestTokens(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		first := get(s.TokenKeys(ctx, ListOptions{}))(t).Items
		if len(first) != 1 || len(first[0].Secret.Reveal()) < 32 || first[0].Secret == "***" {
			t.Fatalf("a new database has the signing keys %v", first)
		}
		second := get(s.CreateTokenKey(ctx, operator(), TokenKey{Label: "new", Enabled: true}))(t)
		snap := get(s.Snapshot(ctx))(t)
		if len(snap.TokenKeys) != 2 || snap.TokenKeys[0].ID != second.ID || len(second.ID) > 10 {
			t.Fatalf("the newest key does not sign: %v", snap.TokenKeys)
		}
		at := time.Now()
		raw, err := config.MintToken(snap.TokenKeys[0], config.TokenClaims{
			ID: "tok_1", Action: config.ActionPlay, Vhost: "default", App: "live", Stream: "x", ExpiresAt: at.Add(time.Hour),
		})
		must(t, err)
		if _, err := config.VerifyToken(snap, raw, at); err != nil {
			t.Fatal(err)
		}
		must(t, s.RevokeToken(ctx, operator(), "tok_1", at.Add(time.Hour)))
		must(t, s.RevokeToken(ctx, operator(), "tok_1", at.Add(time.Hour)))
		must(t, s.RevokeToken(ctx, operator(), "tok_past", at.Add(-time.Hour)))
		snap = get(s.Snapshot(ctx))(t)
		if _, err := config.VerifyToken(snap, raw, at); err == nil || snap.TokenRevoked("tok_past") {
			t.Error("a revoked token is taken, or an expired one is remembered")
		}
		second.Enabled, second.Secret = false, ""
		second = get(s.UpdateTokenKey(ctx, operator(), second))(t)
		if snap = get(s.Snapshot(ctx))(t); len(snap.TokenKeys) != 1 || get(s.TokenKey(ctx, second.ID))(t).Secret == "" {
			t.Error("a disabled key is in use, or lost its secret")
		}
		must(t, s.DeleteTokenKey(ctx, operator(), second.ID, 2))
		_, err = s.CreateTokenKey(ctx, operator(), TokenKey{Secret: "short"})
		if len(FieldErrors(err)) != 1 {
			t.Errorf("a short secret: %v", err)
		}

		var won atomic.Int32
		race(8, func(int) {
			if s.UseToken(ctx, "tok_once", at.Add(time.Hour)) == nil {
				won.Add(1)
			}
		})
		if won.Load() != 1 {
			t.Errorf("a single-use token was used %d times", won.Load())
		}
		refused(t, config.ErrUsed, s.UseToken(ctx, "tok_once", at.Add(time.Hour)))
	})
}
