package rtmp

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrLogin says that a server wants a user and a password, and that none were
// given or that it refuses them. It is wrapped with which of these.
var ErrLogin = errors.New("login")

// Login is a user and a password. Neither shows when a Login, or what it is in,
// is printed, logged or encoded: that takes the fields themselves.
type Login struct {
	User, Password string
}

const hidden = "***"

// Format prints "***", whatever the verb.
func (Login) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// MarshalText gives "***", also to encoding/json and log/slog.
func (Login) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// parseLogin reads user:password as it stands in a URL.
func parseLogin(s string) Login {
	user, password, _ := strings.Cut(s, ":")
	return Login{User: unescape(user), Password: unescape(password)}
}

// hide takes a Login, and the arguments made of it, out of what a server says:
// servers repeat what they were sent.
func (l Login) hide(text string) string {
	if l == (Login{}) {
		return text
	}
	for _, mark := range []string{"?authmod=", "?reason=", "&user=", "&challenge="} {
		text, _, _ = strings.Cut(text, mark)
	}
	for _, word := range []string{l.Password, l.User} {
		if word != "" {
			text = strings.ReplaceAll(text, word, hidden)
		}
	}
	return strings.TrimRight(text, " :")
}
