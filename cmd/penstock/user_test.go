package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-media/penstock/api/store"
)

// TestUserOfAVhost: a user is limited to the vhosts named, and to none that do
// not exist.
func TestUserOfAVhost(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	try := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		code := run(t.Context(), append(args, "--data-dir", dir), environment{
			stdin: strings.NewReader(adminPassword + "\n"), stdout: &out, stderr: &errs,
		})
		return code, errs.String()
	}
	create := []string{"user", "create", adminName, "--vhost", "sport"}
	if code, said := try(create...); code != 1 || !strings.Contains(said, "sport") {
		t.Errorf("a vhost that does not exist: exit code %d, %s", code, said)
	}
	for _, args := range [][]string{{"vhost", "set", "sport", "enabled=true"}, create} {
		if code, said := try(args...); code != 0 {
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
