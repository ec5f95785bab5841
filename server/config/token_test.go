package config

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func claims(now time.Time) TokenClaims {
	return TokenClaims{
		ID: "tok_01jx3v2v9ke8ra4nqk2m3b7xwz", Action: ActionPlay, Vhost: "default", App: "live", Stream: "match-day",
		ExpiresAt: now.Add(time.Hour),
	}
}

func TestTokenRoundTrip(t *testing.T) {
	s := mustNew(t, NewVhost(DefaultVhost))
	now := time.Now().Truncate(time.Second)
	for _, change := range []func(*TokenClaims){
		func(*TokenClaims) {},
		func(c *TokenClaims) { c.Action = ActionPublish; c.NotBefore = now.Add(-time.Minute) },
		func(c *TokenClaims) { c.IP = "192.0.2.0/24"; c.Max = 90 * time.Second },
		func(c *TokenClaims) { c.Referer = "example.com"; c.SingleUse = true; c.Stream = "match-*" },
		func(c *TokenClaims) { c.ID = ""; c.Vhost = "sport" },
	} {
		want := claims(now)
		change(&want)
		raw, err := MintToken(s.TokenKeys[1], want)
		if err != nil {
			t.Fatal(err)
		}
		if len(raw) > MaxTokenChars {
			t.Errorf("%d characters", len(raw))
		}
		got, err := VerifyToken(s, raw, now)
		if err != nil {
			t.Fatal(err)
		}
		got.ExpiresAt = got.ExpiresAt.In(want.ExpiresAt.Location())
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("read back otherwise (-want +got):\n%s", d)
		}
	}
}

func TestTokenLength(t *testing.T) {
	key := TokenKey{ID: "tk_abcdef", Secret: NewSecret("ts")}
	c := claims(time.Now())
	c.Stream, c.IP, c.Max = "a-stream-name-of-30-characters", "192.0.2.1", time.Hour
	raw, err := MintToken(key, c)
	if err != nil {
		t.Fatalf("a usual token does not fit: %v", err)
	}
	t.Logf("a token for a 30 character name and one address and an hour has %d characters", len(raw))
	c.Stream = strings.Repeat("x", 128)
	if _, err := MintToken(key, c); !errors.Is(err, ErrTokenTooLong) {
		t.Fatalf("a long token: %v", err)
	}
}

func TestTokenAttacks(t *testing.T) {
	s := mustNew(t, NewVhost(DefaultVhost)).WithRevoked([]string{"tok_gone"})
	now := time.Now()
	good, err := MintToken(s.TokenKeys[0], claims(now))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(good, ".")
	b64 := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	sign := func(change func(*TokenClaims)) string {
		c := claims(now)
		change(&c)
		raw, err := MintToken(s.TokenKeys[0], c)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	byHand := func(method jwt.SigningMethod, key any, c jwt.MapClaims) string {
		tok := jwt.NewWithClaims(method, c)
		tok.Header["kid"] = "k1"
		raw, err := tok.SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	full := func(change func(jwt.MapClaims)) jwt.MapClaims {
		m := jwt.MapClaims{"act": "play", "vhost": "default", "app": "live", "stream": "x", "exp": now.Add(time.Hour).Unix()}
		change(m)
		return m
	}
	secret := []byte(s.TokenKeys[0].Secret.Reveal())
	for name, c := range map[string]struct {
		raw  string
		want error
	}{
		"empty":              {"", ErrToken},
		"not a token":        {"hello", ErrToken},
		"a megabyte of dots": {strings.Repeat(".", 1<<20), ErrTokenTooLong},
		"two kilobytes":      {strings.Repeat(".", 2<<10), ErrToken},
		"cut signature":      {good[:len(good)-2], ErrToken},
		"no signature":       {parts[0] + "." + parts[1] + ".", ErrToken},
		"alg none":           {b64(`{"alg":"none","kid":"k1"}`) + "." + parts[1] + ".", ErrToken},
		"alg None":           {b64(`{"alg":"NoNe","kid":"k1"}`) + "." + parts[1] + "." + parts[2], ErrToken},
		"alg RS256":          {b64(`{"alg":"RS256","kid":"k1"}`) + "." + parts[1] + "." + parts[2], ErrToken},
		"alg HS512":          {byHand(jwt.SigningMethodHS512, secret, full(func(jwt.MapClaims) {})), ErrToken},
		"alg none, library":  {byHand(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, full(func(jwt.MapClaims) {})), ErrToken},
		"unknown key":        {b64(`{"alg":"HS256","kid":"k9"}`) + "." + parts[1] + "." + parts[2], ErrToken},
		"no kid":             {b64(`{"alg":"HS256"}`) + "." + parts[1] + "." + parts[2], ErrToken},
		"kid a number":       {b64(`{"alg":"HS256","kid":1}`) + "." + parts[1] + "." + parts[2], ErrToken},
		"other claims":       {parts[0] + "." + b64(`{"act":"publish","vhost":"default","app":"live","stream":"*","exp":9999999999}`) + "." + parts[2], ErrToken},
		"other key's":        {byHand(jwt.SigningMethodHS256, []byte("two"), full(func(jwt.MapClaims) {})), ErrToken},
		"no exp":             {byHand(jwt.SigningMethodHS256, secret, full(func(m jwt.MapClaims) { delete(m, "exp") })), ErrToken},
		"no act":             {byHand(jwt.SigningMethodHS256, secret, full(func(m jwt.MapClaims) { delete(m, "act") })), ErrToken},
		"act both":           {byHand(jwt.SigningMethodHS256, secret, full(func(m jwt.MapClaims) { m["act"] = "both" })), ErrToken},
		"act a list":         {byHand(jwt.SigningMethodHS256, secret, full(func(m jwt.MapClaims) { m["act"] = []string{"play"} })), ErrToken},
		"no vhost":           {byHand(jwt.SigningMethodHS256, secret, full(func(m jwt.MapClaims) { delete(m, "vhost") })), nil},
		"no app":             {byHand(jwt.SigningMethodHS256, secret, full(func(m jwt.MapClaims) { delete(m, "app") })), ErrToken},
		"no stream":          {byHand(jwt.SigningMethodHS256, secret, full(func(m jwt.MapClaims) { delete(m, "stream") })), ErrToken},
		"ip nonsense":        {byHand(jwt.SigningMethodHS256, secret, full(func(m jwt.MapClaims) { m["ip"] = "here" })), ErrToken},
		"max negative":       {byHand(jwt.SigningMethodHS256, secret, full(func(m jwt.MapClaims) { m["max"] = -1 })), ErrToken},
		"max huge":           {byHand(jwt.SigningMethodHS256, secret, full(func(m jwt.MapClaims) { m["max"] = int64(1) << 60 })), ErrToken},
		"once without id":    {byHand(jwt.SigningMethodHS256, secret, full(func(m jwt.MapClaims) { m["once"] = true })), ErrToken},
		"expired":            {sign(func(c *TokenClaims) { c.ExpiresAt = now.Add(-31 * time.Second) }), ErrTokenExpired},
		"expired, leeway":    {sign(func(c *TokenClaims) { c.ExpiresAt = now.Add(-28 * time.Second) }), nil},
		"not yet":            {sign(func(c *TokenClaims) { c.NotBefore = now.Add(5 * time.Minute) }), ErrTokenNotYet},
		"not yet, leeway":    {sign(func(c *TokenClaims) { c.NotBefore = now.Add(28 * time.Second) }), nil},
		"revoked":            {sign(func(c *TokenClaims) { c.ID = "tok_gone" }), ErrToken},
		"good":               {good, nil},
	} {
		_, err := VerifyToken(s, c.raw, now)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && len(c.raw) > 20 && strings.Contains(err.Error(), c.raw[:20]) {
			t.Errorf("%s: the error quotes the token: %v", name, err)
		}
	}
}

func TestMintRefusesNonsense(t *testing.T) {
	key := TokenKey{ID: "k", Secret: "s"}
	for name, change := range map[string]func(*TokenClaims){
		"no action": func(c *TokenClaims) { c.Action = "" },
		"no expiry": func(c *TokenClaims) { c.ExpiresAt = time.Time{} },
		"bad ip":    func(c *TokenClaims) { c.IP = "300.1.1.1" },
		"once":      func(c *TokenClaims) { c.ID = ""; c.SingleUse = true },
	} {
		c := claims(time.Now())
		change(&c)
		if _, err := MintToken(key, c); !errors.Is(err, ErrToken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := MintToken(TokenKey{}, claims(time.Now())); err == nil {
		t.Error("signed without a key")
	}
}

func TestTokenStream(t *testing.T) {
	for _, c := range []struct {
		claim, name string
		want        bool
	}{
		{"talk", "talk", true},
		{"talk", "talk2", false},
		{"talk*", "talk2", true},
		{"talk*", "tal", false},
		{"*", "anything", true},
		{"*talk", "xtalk", false},
		{"ta*lk", "ta*lk", true},
	} {
		got := TokenClaims{Vhost: "v", App: "a", Stream: c.claim}.MatchesStream("v", "a", c.name)
		if got != c.want {
			t.Errorf("%q for %q: %v", c.claim, c.name, got)
		}
	}
	all := TokenClaims{Vhost: "v", App: "a", Stream: "*"}
	if all.MatchesStream("w", "a", "x") || all.MatchesStream("v", "b", "x") {
		t.Error("the wildcard reaches into another vhost or app")
	}
}

func TestParsePrefix(t *testing.T) {
	for in, want := range map[string]string{
		"192.0.2.9":            "192.0.2.9/32",
		"192.0.2.9/24":         "192.0.2.0/24",
		"::ffff:192.0.2.9":     "192.0.2.9/32",
		"::ffff:192.0.2.9/120": "192.0.2.0/24",
		"2001:db8::1":          "2001:db8::1/128",
		"fe80::1%eth0":         "fe80::1/128",
		"here":                 "",
		"192.0.2.0/33":         "",
	} {
		got, err := ParsePrefix(in)
		if (err == nil) != (want != "") || (err == nil && got.String() != want) {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
}

// TestTamperedTokens changes one character anywhere in a good token.
func TestTamperedTokens(t *testing.T) {
	s := mustNew(t, NewVhost(DefaultVhost))
	now := time.Now()
	good, err := MintToken(s.TokenKeys[0], claims(now))
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		b := []byte(good)
		// The very last character carries unused bits; leave it alone.
		i := rapid.IntRange(0, len(b)-2).Draw(t, "at")
		b[i] = rapid.Byte().Filter(func(c byte) bool { return c != b[i] }).Draw(t, "byte")
		if _, err := VerifyToken(s, string(b), now); err == nil {
			t.Fatalf("a token changed at %d is taken", i)
		}
	})
}

func FuzzVerifyToken(f *testing.F) {
	s, err := New(1, nil, []TokenKey{{ID: "k1", Secret: "one"}})
	if err != nil {
		f.Fatal(err)
	}
	good, err := MintToken(s.TokenKeys[0], claims(time.Unix(2_000_000_000, 0)))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add("a.b.c")
	f.Add("")
	f.Fuzz(func(t *testing.T, raw string) {
		c, err := VerifyToken(s, raw, time.Unix(2_000_000_000, 0))
		if err == nil && c.check() != nil {
			t.Fatal("claims that are not complete are taken")
		}
	})
}

func BenchmarkVerifyToken(b *testing.B) {
	s, err := New(1, nil, []TokenKey{{ID: "k1", Secret: "one"}})
	if err != nil {
		b.Fatal(err)
	}
	now := time.Now()
	raw, err := MintToken(s.TokenKeys[0], claims(now))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := VerifyToken(s, raw, now); err != nil {
			b.Fatal(err)
		}
	}
}
