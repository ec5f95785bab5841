package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestSecretStaysHidden(t *testing.T) {
	s := NewStreamKeySecret()
	var out bytes.Buffer
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "key", s, "in", struct{ S Secret }{s})
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "key", s, "in", struct{ S Secret }{s})
	b, err := json.Marshal(map[string]any{"a": s, "b": []Secret{s}, "c": TokenKey{ID: "k", Secret: s}})
	if err != nil {
		t.Fatal(err)
	}
	out.Write(b)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&out, verb+verb, s, TokenKey{ID: "k", Secret: s})
	}
	fmt.Fprint(&out, s.String(), fmt.Errorf("wrapped: %v", s))
	if strings.Contains(out.String(), s.Reveal()) || strings.Contains(out.String(), fmt.Sprintf("%x", s.Reveal())) {
		t.Fatalf("the secret got out:\n%s", out.String())
	}
	if !strings.Contains(out.String(), masked) {
		t.Fatal("nothing was written at all")
	}
}

func TestStreamKeyForm(t *testing.T) {
	seen := map[Secret]bool{}
	for range 200 {
		k := NewStreamKeySecret()
		if seen[k] {
			t.Fatal("the same key twice")
		}
		seen[k] = true
		raw := k.Reveal()
		if !LooksLikeKey(raw) || LooksLikeMistypedKey(raw) {
			t.Fatal("a new key does not look like one")
		}
		if err := ValidName(raw); err != nil {
			t.Fatalf("a key cannot stand in a name's place: %v", err)
		}
		// One wrong character anywhere is noticed.
		i := len("sk_") + len(seen)%(len(raw)-len("sk_"))
		wrong := []byte(raw)
		if wrong[i]++; wrong[i] > 'z' || wrong[i] == '8' {
			wrong[i] = 'a'
		}
		if raw == string(wrong) {
			continue
		}
		if LooksLikeKey(string(wrong)) {
			t.Fatalf("the wrong character at %d is not noticed", i)
		}
		if !LooksLikeMistypedKey(string(wrong)) || !LooksLikeMistypedKey(raw[:30]) {
			t.Fatal("a mistyped key is taken for a name")
		}
	}
	for _, name := range []string{"", "sk_", "sk_news", "talk", "SK_" + strings.Repeat("a", 36)} {
		if LooksLikeKey(name) || LooksLikeMistypedKey(name) {
			t.Errorf("%q is taken for a key", name)
		}
	}
	if !LooksLikeSecret("ak", NewSecret("ak").Reveal()) || LooksLikeSecret("sk", NewSecret("ak").Reveal()) {
		t.Error("the prefix does not tell secrets apart")
	}
	if got := Secret("sk_abcdefghijklmnop").LastFour(); got != "mnop" {
		t.Errorf("last four: %q", got)
	}
	if Secret("short").LastFour() != "" {
		t.Error("a short secret shows most of itself")
	}
}
