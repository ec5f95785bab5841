package auth

import (
	"context"
	"errors"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"go.uber.org/goleak"

	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"))
}

const password = "water flows downhill"

func here() Client { return Client{IP: netip.MustParseAddr("127.0.0.1"), Agent: "test"} }

func open(t *testing.T) (*Auth, *store.Store) {
	t.Helper()
	s, err := store.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "penstock.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	a, err := New(t.Context(), Config{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	return a, s
}

func signUp(t *testing.T, s *store.Store, role Role) store.User {
	t.Helper()
	hash, err := HashPassword(password)
	if err != nil {
		t.Fatal(err)
	}
	u, err := s.CreateUser(t.Context(), store.System(), store.User{Email: string(role) + "@example.com", Role: string(role), PasswordHash: hash, Enabled: true})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestAccessTokens(t *testing.T) {
	key := []byte("a key that is long enough for it")
	now := time.Now()
	good, err := signAccess(key, "usr_1", "fam_1", now)
	if err != nil {
		t.Fatal(err)
	}
	if user, family, err := readAccess(key, good, now); err != nil || user != "usr_1" || family != "fam_1" {
		t.Errorf("got %s, %s, %v", user, family, err)
	}
	sign := func(m jwt.SigningMethod, k any, c jwt.Claims) string {
		raw, err := jwt.NewWithClaims(m, c).SignedString(k)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	claims := func(aud string) accessClaims {
		return accessClaims{Family: "fam_1", RegisteredClaims: jwt.RegisteredClaims{
			Issuer: "penstock", Audience: jwt.ClaimStrings{aud}, Subject: "usr_1", ExpiresAt: jwt.NewNumericDate(now.Add(time.Minute)),
		}}
	}
	endless := claims(tokenAudience)
	endless.ExpiresAt = nil
	old, err := signAccess(key, "usr_1", "fam_1", now.Add(-AccessTokenLife-time.Second))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(good, ".")
	for name, raw := range map[string]string{
		"expired": old, "another key": sign(jwt.SigningMethodHS256, []byte("another"), claims(tokenAudience)),
		"none":  sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, claims(tokenAudience)),
		"HS384": sign(jwt.SigningMethodHS384, key, claims(tokenAudience)), "audience": sign(jwt.SigningMethodHS256, key, claims("play")),
		"no end": sign(jwt.SigningMethodHS256, key, endless), "cut": good[:len(good)-4], "unsigned": parts[0] + "." + parts[1] + ".",
		"dots": strings.Repeat(".", 1<<20), "empty": "",
	} {
		if _, _, err := readAccess(key, raw, now); err == nil || (raw != "" && strings.Contains(err.Error(), raw)) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestRolesHaveTheScopesOfTheirBetters(t *testing.T) {
	for _, s := range RoleViewer.Scopes() {
		if !permits(RoleOperator.Scopes(), s) || !permits(RoleAdmin.Scopes(), s) {
			t.Errorf("viewers have %s and others do not", s)
		}
	}
	if permits(RoleOperator.Scopes(), Admin) || permits(RoleViewer.Scopes(), SessionsKick) || len(Role("guest").Scopes()) != 0 {
		t.Error("somebody may do too much")
	}
	if !permits([]Scope{Admin}, KeysWrite) || !permits(nil, ScopeNone) || permits(nil, StreamsRead) {
		t.Error("permits is wrong")
	}
}

func TestPasswordsAreCheckedTwoAtOnce(t *testing.T) {
	h := newHasher()
	hash, err := h.hash(t.Context(), password)
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]bool{password: true, "another one": false} {
		if ok, err := h.matches(t.Context(), word, hash); err != nil || ok != want {
			t.Errorf("%q: %v, %v", word, ok, err)
		}
	}
	if ok, err := h.matches(t.Context(), "nobody has this password", ""); err != nil || ok {
		t.Errorf("a user who does not exist signs in: %v, %v", ok, err)
	}
	var held []func()
	for range hashesAtOnce {
		release, err := h.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, release)
	}
	if _, err := h.matches(t.Context(), password, hash); !errors.Is(err, ErrBusy) {
		t.Errorf("the third at once gets %v", err)
	}
	for _, release := range held {
		release()
	}
	if ok, err := h.matches(t.Context(), password, hash); err != nil || !ok {
		t.Errorf("afterwards: %v, %v", ok, err)
	}
}

func TestUnknownUsersTakeAsLongAsWrongPasswords(t *testing.T) {
	a, s := open(t)
	signUp(t, s, RoleViewer)
	took := func(email string) time.Duration {
		best := time.Hour
		for range 3 {
			from := time.Now()
			if _, err := a.Login(t.Context(), email, "wrong", here()); !errors.Is(err, ErrPassword) {
				t.Errorf("%s: %v", email, err)
			}
			best = min(best, time.Since(from))
		}
		return best
	}
	known, unknown := took("viewer@example.com"), took("nobody@example.com")
	if unknown < known/3 || unknown > 3*known {
		t.Errorf("a known user takes %v, an unknown one %v", known, unknown)
	}
}

func TestTwoTabsRefreshAtOnce(t *testing.T) {
	a, s := open(t)
	signUp(t, s, RoleViewer)
	l, err := a.Login(t.Context(), "viewer@example.com", password, here())
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	got := map[config.Secret]bool{}
	var tabs sync.WaitGroup
	for range 6 {
		tabs.Go(func() {
			next, err := a.Refresh(t.Context(), l.RefreshToken.Reveal(), here())
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			got[next.RefreshToken] = true
		})
	}
	tabs.Wait()
	if len(got) != 1 {
		t.Errorf("six tabs got %d refresh tokens", len(got))
	}
	for _, bad := range []string{"", "rt_nonsense", config.NewSecret("rt").Reveal()} {
		if _, err := a.Refresh(t.Context(), bad, here()); !errors.Is(err, ErrSession) {
			t.Errorf("got %v", err)
		}
	}
}

// TestRefreshesThatGiveNothingLeaveNothing: anybody can send them, at any rate.
func TestRefreshesThatGiveNothingLeaveNothing(t *testing.T) {
	a, _ := open(t)
	for range 50 {
		if _, err := a.Refresh(t.Context(), config.NewSecret("rt").Reveal(), here()); !errors.Is(err, ErrSession) {
			t.Errorf("got %v", err)
		}
	}
	a.refreshing.Lock()
	defer a.refreshing.Unlock()
	if n := len(a.exchanges); n != 0 {
		t.Errorf("%d are remembered", n)
	}
}

// TestARefreshWhoseBrowserLeftIsNoTheft: the token is used up then, and the
// browser sends it again.
func TestARefreshWhoseBrowserLeftIsNoTheft(t *testing.T) {
	a, s := open(t)
	signUp(t, s, RoleViewer)
	l, err := a.Login(t.Context(), "viewer@example.com", password, here())
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Refresh(gone, l.RefreshToken.Reveal(), here()); err != nil {
		t.Errorf("the exchange ended with the request: %v", err)
	}
	again, err := a.Refresh(t.Context(), l.RefreshToken.Reveal(), here())
	if err != nil {
		t.Fatalf("sent again: %v", err)
	}
	if _, err := a.Refresh(t.Context(), again.RefreshToken.Reveal(), here()); err != nil {
		t.Errorf("the next one: %v", err)
	}
}

func TestCallersStayKnownWhileTheDatabaseIsAway(t *testing.T) {
	a, s := open(t)
	u := signUp(t, s, RoleOperator)
	l, err := a.Login(t.Context(), u.Email, password, here())
	if err != nil {
		t.Fatal(err)
	}
	ask := func() (*Principal, error) { return a.Authenticate(t.Context(), l.AccessToken.Reveal(), here().IP) }
	p, err := ask()
	if err != nil || p.ID != u.ID || !p.May(KeysWrite) || p.May(Admin) {
		t.Fatalf("got %+v, %v", p, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(freshFor)
	if _, err := ask(); err != nil {
		t.Errorf("a caller known a moment ago: %v", err)
	}
	if !a.Alive(t.Context(), p) {
		t.Error("the feed would close with the database away")
	}
	a.Forget()
	if _, err := ask(); err != nil {
		t.Errorf("a caller known before something changed: %v", err)
	}
	stranger, err := signAccess(a.key, "usr_stranger", "fam_1", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Authenticate(t.Context(), stranger, here().IP); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a stranger: %v", err)
	}
}

func TestAliveEndsWithTheUserOrTheKey(t *testing.T) {
	a, s := open(t)
	signUp(t, s, RoleAdmin)
	u := signUp(t, s, RoleViewer)
	l, err := a.Login(t.Context(), u.Email, password, here())
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.Authenticate(t.Context(), l.AccessToken.Reveal(), here().IP)
	if err != nil {
		t.Fatal(err)
	}
	secret := NewAPIKeySecret()
	k, err := s.CreateAPIKey(t.Context(), store.System(), store.APIKey{Name: "backend", Scopes: []string{string(StreamsRead)}}, secret)
	if err != nil {
		t.Fatal(err)
	}
	machine, err := a.Authenticate(t.Context(), secret.Reveal(), here().IP)
	if err != nil || machine.Kind != KindAPIKey || !a.Alive(t.Context(), machine) || !a.Alive(t.Context(), p) {
		t.Fatalf("got %+v, %v", machine, err)
	}
	if err := s.DeleteUser(t.Context(), store.System(), u.ID, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.RevokeAPIKey(t.Context(), store.System(), k.ID, 0); err != nil {
		t.Fatal(err)
	}
	time.Sleep(freshFor) // nobody told this node
	if a.Alive(t.Context(), p) || a.Alive(t.Context(), machine) {
		t.Error("they may still look")
	}
}

func TestContextKnowsWhoIsAsking(t *testing.T) {
	if From(context.Background()) != nil {
		t.Error("nobody is somebody")
	}
	p := &Principal{ID: "usr_1"}
	if From(With(context.Background(), p)) != p {
		t.Error("lost on the way")
	}
	for header, want := range map[string]string{"Bearer x": "x", "bearer  x ": "x", "Basic x": "", "x": "", "": ""} {
		if got := Bearer(header); got != want {
			t.Errorf("%q: got %q", header, got)
		}
	}
}
