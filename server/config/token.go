package config

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const (
	// MaxTokenChars is how long a token of ours may be: some encoders cut off
	// the stream key field not far above it.
	MaxTokenChars = 300
	// maxTokenInput is how much is looked at before parsing.
	maxTokenInput = 2 << 10
	// maxTokenSeconds is the longest session a token may ask for, 100 years.
	maxTokenSeconds = 100 * 365 * 24 * 3600
	// tokenLeeway is how far two clocks may be apart.
	tokenLeeway = 30 * time.Second
)

// Errors of tokens. ErrTokenExpired and ErrTokenNotYet wrap ErrToken too, and
// are only given for a token whose signature is right.
var (
	ErrToken        = errors.New("token not valid")
	ErrTokenExpired = fmt.Errorf("%w: it has expired", ErrToken)
	ErrTokenNotYet  = fmt.Errorf("%w: it is not valid yet", ErrToken)
	ErrTokenTooLong = fmt.Errorf("%w: it is too long", ErrToken)
)

// TokenClaims is what a token permits. Vhost, App and Stream are names; Stream
// may end in "*", which stands for any rest.
type TokenClaims struct {
	ID        string // jti; needed to revoke the token and for single use
	Action    Action
	Vhost     string
	App       string
	Stream    string
	NotBefore time.Time     // zero: from now on
	ExpiresAt time.Time     // until when a session may begin; needed
	IP        string        // address or CIDR the peer has to come from; empty: any
	Referer   string        // host the page has to be on; empty: any
	Max       time.Duration // how long the session may last, whole seconds; 0: no limit
	SingleUse bool
}

// wireClaims is TokenClaims as JSON. The names are short and the default vhost
// is left out: see MaxTokenChars.
type wireClaims struct {
	Action    Action           `json:"act"`
	Vhost     string           `json:"vhost,omitempty"`
	App       string           `json:"app"`
	Stream    string           `json:"stream"`
	Expires   *jwt.NumericDate `json:"exp,omitempty"`
	NotBefore *jwt.NumericDate `json:"nbf,omitempty"`
	ID        string           `json:"jti,omitempty"`
	IP        string           `json:"ip,omitempty"`
	Referer   string           `json:"ref,omitempty"`
	Max       int64            `json:"max,omitempty"`
	Once      bool             `json:"once,omitempty"`
}

// The methods of jwt.Claims. A token has no issuer, subject or audience: the
// key that signed it says all of that.
func (c *wireClaims) GetExpirationTime() (*jwt.NumericDate, error) { return c.Expires, nil }
func (c *wireClaims) GetNotBefore() (*jwt.NumericDate, error)      { return c.NotBefore, nil }
func (c *wireClaims) GetIssuedAt() (*jwt.NumericDate, error)       { return nil, nil } //nolint:nilnil // jwt: not there
func (c *wireClaims) GetIssuer() (string, error)                   { return "", nil }
func (c *wireClaims) GetSubject() (string, error)                  { return "", nil }
func (c *wireClaims) GetAudience() (jwt.ClaimStrings, error)       { return nil, nil }

// MintToken signs a token with HS256. It fails with ErrTokenTooLong above 300
// characters: names that long need a "*" instead.
func MintToken(key TokenKey, c TokenClaims) (string, error) {
	if err := c.check(); err != nil {
		return "", err
	}
	if key.ID == "" || key.Secret == "" {
		return "", errors.New("mint token: the signing key has no id or no secret")
	}
	w := &wireClaims{
		Action: c.Action, Vhost: c.Vhost, App: c.App, Stream: c.Stream,
		Expires: jwt.NewNumericDate(c.ExpiresAt), ID: c.ID, IP: c.IP, Referer: c.Referer,
		Max: int64(c.Max / time.Second), Once: c.SingleUse,
	}
	if c.Vhost == DefaultVhost {
		w.Vhost = ""
	}
	if !c.NotBefore.IsZero() {
		w.NotBefore = jwt.NewNumericDate(c.NotBefore)
	}
	t := jwt.NewWithClaims(jwt.SigningMethodHS256, w)
	t.Header = map[string]any{"alg": "HS256", "kid": key.ID}
	raw, err := t.SignedString([]byte(key.Secret.Reveal()))
	if err != nil {
		return "", fmt.Errorf("mint token: %w", err)
	}
	if len(raw) > MaxTokenChars {
		return "", fmt.Errorf("%w: %d characters, at most %d; shorten the stream name to a prefix with * or leave out limits",
			ErrTokenTooLong, len(raw), MaxTokenChars)
	}
	return raw, nil
}

// VerifyToken checks form, signature, times and revocation of a token at the
// time now, 30 s of clock difference allowed, and returns what it permits. To
// compare that with what the peer wants is the caller's part. The error wraps
// ErrToken and never contains the token.
func VerifyToken(snap *Snapshot, raw string, now time.Time) (TokenClaims, error) {
	if len(raw) > maxTokenInput {
		return TokenClaims{}, ErrTokenTooLong
	}
	p := jwt.NewParser(
		jwt.WithValidMethods([]string{"HS256"}),
		jwt.WithLeeway(tokenLeeway),
		jwt.WithTimeFunc(func() time.Time { return now }),
		jwt.WithExpirationRequired(),
	)
	var w wireClaims
	_, err := p.ParseWithClaims(raw, &w, func(t *jwt.Token) (any, error) {
		kid, _ := t.Header["kid"].(string)
		key, ok := snap.TokenKey(kid)
		if !ok {
			return nil, errors.New("unknown signing key")
		}
		return []byte(key.Secret.Reveal()), nil
	})
	if err != nil {
		return TokenClaims{}, tokenError(err)
	}
	if w.Max < 0 || w.Max > maxTokenSeconds { // before it is multiplied
		return TokenClaims{}, fmt.Errorf("%w: max is out of range", ErrToken)
	}
	c := TokenClaims{
		ID: w.ID, Action: w.Action, Vhost: cmp.Or(w.Vhost, DefaultVhost), App: w.App, Stream: w.Stream,
		ExpiresAt: w.Expires.Time, IP: w.IP, Referer: w.Referer,
		Max: time.Duration(w.Max) * time.Second, SingleUse: w.Once,
	}
	if w.NotBefore != nil {
		c.NotBefore = w.NotBefore.Time
	}
	if err := c.check(); err != nil {
		return TokenClaims{}, err
	}
	if snap.TokenRevoked(c.ID) {
		return c, fmt.Errorf("%w: it has been revoked", ErrToken)
	}
	return c, nil
}

// tokenError names the cause without what the library quotes.
func tokenError(err error) error {
	switch {
	case errors.Is(err, jwt.ErrTokenSignatureInvalid):
		return fmt.Errorf("%w: its signature is wrong or of another kind than HS256", ErrToken)
	case errors.Is(err, jwt.ErrTokenUnverifiable):
		return fmt.Errorf("%w: it is signed with a key that is not known here", ErrToken)
	case errors.Is(err, jwt.ErrTokenRequiredClaimMissing):
		return fmt.Errorf("%w: it has no expiry (exp)", ErrToken)
	case errors.Is(err, jwt.ErrTokenExpired):
		return ErrTokenExpired
	case errors.Is(err, jwt.ErrTokenNotValidYet):
		return ErrTokenNotYet
	default:
		return fmt.Errorf("%w: it is not a JWT", ErrToken)
	}
}

// check says which claim is missing or wrong.
func (c TokenClaims) check() error {
	bad := func(what string) error { return fmt.Errorf("%w: %s", ErrToken, what) }
	switch {
	case c.Action != ActionPublish && c.Action != ActionPlay:
		return bad(`act has to be "publish" or "play"`)
	case c.Vhost == "":
		return bad("vhost is missing")
	case c.App == "":
		return bad("app is missing")
	case c.Stream == "":
		return bad("stream is missing")
	case c.ExpiresAt.IsZero():
		return bad("exp is missing")
	case c.Max < 0 || c.Max > maxTokenSeconds*time.Second:
		return bad("max is out of range")
	case c.SingleUse && c.ID == "":
		return bad("a single-use token needs a jti")
	}
	if _, err := ParsePrefix(c.IP); c.IP != "" && err != nil {
		return bad("ip is neither an address nor a CIDR")
	}
	return nil
}

// MatchesStream says whether the token is for this stream of this vhost.
func (c TokenClaims) MatchesStream(vhost, app, name string) bool {
	if c.Vhost != vhost || c.App != app {
		return false
	}
	if prefix, ok := strings.CutSuffix(c.Stream, "*"); ok {
		return strings.HasPrefix(name, prefix)
	}
	return c.Stream == name
}

// ParsePrefix reads a CIDR or a single address. IPv4 in IPv6 form is taken as
// IPv4, and the bits behind the prefix are cleared.
func ParsePrefix(s string) (netip.Prefix, error) {
	if !strings.Contains(s, "/") {
		a, err := netip.ParseAddr(s)
		if err != nil {
			return netip.Prefix{}, fmt.Errorf("parse address: %w", err)
		}
		a = a.WithZone("").Unmap()
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	p, err := netip.ParsePrefix(s)
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("parse CIDR: %w", err)
	}
	const mapped = 96 // bits of ::ffff:0:0/96
	if p.Addr().Is4In6() && p.Bits() >= mapped {
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-mapped)
	}
	return p.Masked(), nil
}
