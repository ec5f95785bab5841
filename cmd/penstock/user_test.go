package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

// commandIn runs commands on a data directory of their own, which has a database.
// It returns the exit code and all that is said.
func commandIn(t *testing.T, dir string) func(stdin string, args ...string) (int, string) {
	t.Helper()
	try := func(stdin string, args ...string) (int, string) {
		var out, errs bytes.Buffer
		code := run(t.Context(), append(args, "--data-dir", dir), environment{
			stdin: strings.NewReader(stdin), stdout: &out, stderr: &errs,
		})
		return code, out.String() + errs.String()
	}
	if code, said := try("", "migrate"); code != 0 {
		t.Fatalf("penstock migrate: exit code %d, %s", code, said)
	}
	return try
}

// TestUserOfAVhost: a user is limited to the vhosts named, and to none that do
// not exist.
func TestUserOfAVhost(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	try := commandIn(t, dir)
	create := []string{"user", "create", adminName, "--vhost", "sport"}
	if code, said := try(adminPassword+"\n", create...); code != 1 || !strings.Contains(said, "sport") {
		t.Errorf("a vhost that does not exist: exit code %d, %s", code, said)
	}
	for _, args := range [][]string{{"vhost", "set", "sport", "enabled=true"}, create} {
		if code, said := try(adminPassword+"\n", args...); code != 0 {
			t.Fatalf("penstock %v: exit code %d, %s", args, code, said)
		}
	}
	s, err := store.Open(t.Context(), "sqlite:"+filepath.Join(dir, "penstock.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	u, err := s.UserByEmail(t.Context(), adminName)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.VhostByName(t.Context(), "sport")
	if err != nil || !slices.Equal(u.Vhosts, []string{v.ID}) {
		t.Errorf("limited to %v, not to %s (%v)", u.Vhosts, v.ID, err)
	}
}

// TestNewPassword: a user gets a new password, which ends their logins; nobody gets
// one by a mistyped address or too short a word.
func TestNewPassword(t *testing.T) {
	t.Parallel()
	const better = "a better battery staple"
	dir := t.TempDir()
	try := commandIn(t, dir)
	if code, said := try(adminPassword+"\n", "user", "create", adminName, "--role", "admin"); code != 0 {
		t.Fatalf("user create: exit code %d, %s", code, said)
	}
	if code, said := try("", "user", "create", adminName); code != 1 || !strings.Contains(said, "penstock user password "+adminName) {
		t.Errorf("an address that is taken: exit code %d, %s", code, said)
	}
	s, err := store.Open(t.Context(), "sqlite:"+filepath.Join(dir, "penstock.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	before, err := s.UserByEmail(t.Context(), adminName)
	if err != nil {
		t.Fatal(err)
	}
	login, err := s.CreateRefreshToken(t.Context(), store.RefreshToken{
		Hash: config.HashKey("a login"), UserID: before.ID, ExpiresAt: time.Now().Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ email, password, said string }{
		{"nobody@example.com", better, "there is no user nobody@example.com"},
		{adminName, "short", "at least"},
	} {
		if code, said := try(c.password+"\n", "user", "password", c.email); code != 1 || !strings.Contains(said, c.said) {
			t.Errorf("user password %s: exit code %d, %s", c.email, code, said)
		}
	}
	if live, err := s.RefreshFamilyLive(t.Context(), login.Family); err != nil || !live {
		t.Fatalf("a refused password ends the login (%v)", err)
	}
	code, said := try(better+"\n", "user", "password", strings.ToUpper(adminName))
	if code != 0 || !strings.Contains(said, adminName) || strings.Contains(said, better) {
		t.Fatalf("user password: exit code %d, %s", code, said)
	}
	after, err := s.UserByEmail(t.Context(), adminName)
	if err != nil || after.PasswordHash == before.PasswordHash || after.Role != store.RoleAdmin {
		t.Errorf("the user is now %+v (%v)", after, err)
	}
	if live, err := s.RefreshFamilyLive(t.Context(), login.Family); err != nil || live {
		t.Errorf("the login goes on (%v)", err)
	}
}
