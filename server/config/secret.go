package config

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"log/slog"
	"strings"
)

// Secret is a value that never leaves the process by accident: printed, logged
// or marshalled it reads "***".
type Secret string

const masked = "***"

// Reveal returns the secret itself.
func (s Secret) Reveal() string { return string(s) }

// String implements fmt.Stringer.
func (Secret) String() string { return masked }

// Format implements fmt.Formatter, so that no verb prints the secret.
func (Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(masked)) }

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue(masked) }

// MarshalText implements encoding.TextMarshaler, which encoding/json uses too.
func (Secret) MarshalText() ([]byte, error) { return []byte(masked), nil }

// LastFour returns the last four characters, which lists may show.
func (s Secret) LastFour() string {
	if len(s) < 16 {
		return ""
	}
	return string(s[len(s)-4:])
}

const (
	secretBytes = 20 // 160 bits of chance: 32 characters
	checkChars  = 4  // 20 bits that tell a mistyped secret from an unknown one
	keyPrefix   = "sk"
	bodyChars   = secretBytes * 8 / 5
)

// NewSecret returns "prefix_", 160 bits from the system's random source and
// four check characters, all in the lower-case base32 alphabet.
func NewSecret(prefix string) Secret {
	var b [secretBytes]byte
	_, _ = rand.Read(b[:]) // never fails; it ends the process instead
	body := base32Lower(b[:])
	return Secret(prefix + "_" + body + checkOf(prefix, body))
}

// LooksLikeSecret says whether s has the form NewSecret(prefix) gives, check
// characters included. It says nothing about whether the secret is known.
func LooksLikeSecret(prefix, s string) bool {
	body, ok := strings.CutPrefix(s, prefix+"_")
	if !ok || len(body) != bodyChars+checkChars {
		return false
	}
	return checkOf(prefix, body[:bodyChars]) == body[bodyChars:]
}

// NewStreamKeySecret returns a new stream key.
func NewStreamKeySecret() Secret { return NewSecret(keyPrefix) }

// LooksLikeKey says whether a name is a stream key with the right check
// characters, as opposed to the name of a stream.
func LooksLikeKey(name string) bool { return LooksLikeSecret(keyPrefix, name) }

// LooksLikeMistypedKey says whether a name is nearly a stream key: too long to
// be a stream's name by chance, and wrong. Such a name is treated as a secret.
func LooksLikeMistypedKey(name string) bool {
	const short = 24
	return len(name) >= short && strings.HasPrefix(name, keyPrefix+"_") && !LooksLikeKey(name)
}

func base32Lower(b []byte) string {
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b))
}

func checkOf(prefix, body string) string {
	sum := sha256.Sum256([]byte(prefix + "_" + body))
	return base32Lower(sum[:])[:checkChars]
}

// KeyHash is the SHA-256 of a secret: what is stored and looked up instead.
type KeyHash [sha256.Size]byte

// HashKey hashes a secret of at least 160 bits. It is no password hash.
func HashKey(secret string) KeyHash { return sha256.Sum256([]byte(secret)) }

// String returns the hash in hexadecimal, as the store keeps it.
func (h KeyHash) String() string { return hex.EncodeToString(h[:]) }
