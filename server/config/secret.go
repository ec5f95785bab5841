package config

import (
	"fmt"
	"log/slog"
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
