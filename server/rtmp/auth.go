package rtmp

import (
	"crypto/md5" //nolint:gosec // it is what these servers compute
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// auth is the login that Adobe's servers and Limelight's want: three connects,
// each on a new connection, with arguments behind app and tcUrl.
//
//	connect app                                    -> code=403 need auth; authmod=adobe
//	connect app?authmod=adobe&user=U               -> ?reason=needauth&user=U&salt=S&challenge=C&opaque=O
//	connect app?authmod=adobe&user=U&challenge=... -> in, or ?reason=authfailed
//
// Everything is in the description of a refusal, with no more form than the words
// above. Values are base64 and not escaped.
type auth struct {
	login Login
	// nonce makes the client's part of the challenge: eight characters that
	// need no escaping.
	nonce func() string

	app      string // of the last connect
	args     string // for the next connect, without "?"
	answered bool   // args answer a challenge
}

func newAuth(login Login) *auth {
	return &auth{login: login, nonce: func() string {
		var b [4]byte
		_, _ = rand.Read(b[:]) // never fails
		return hex.EncodeToString(b[:])
	}}
}

// again makes args for the next try after a refusal. An error says that there is
// no use in one.
func (a *auth) again(refused error) error {
	s, ok := errors.AsType[*StatusError](refused)
	if !ok {
		return refused
	}
	var mod string
	switch {
	case strings.Contains(s.Description, "authmod=adobe"):
		mod = "adobe"
	case strings.Contains(s.Description, "authmod=llnw"):
		mod = "llnw"
	case a.args == "":
		return refused
	default:
		return fmt.Errorf("rtmp: connect: %w", a.tidy(s))
	}
	fail := func(why string) error {
		return fmt.Errorf("rtmp: connect: %w: %s: %w", ErrLogin, why, a.tidy(s))
	}
	_, challenge, needed := strings.Cut(s.Description, "?reason=needauth")
	switch {
	case strings.Contains(s.Description, "?reason=authfailed"):
		return fail("the server refuses the user or the password")
	case strings.Contains(s.Description, "?reason=nosuchuser"):
		return fail("the server knows no such user")
	case a.login.User == "":
		return fail("the server wants a user and a password")
	case a.answered, a.args != "" && !needed:
		return fail("the server asks again for a user and a password")
	}
	a.args = "authmod=" + mod + "&user=" + a.login.User
	if !needed {
		if !strings.Contains(s.Description, "code=403 need auth") {
			return fail("the server wants something unknown")
		}
		return nil
	}
	a.answered = true
	with := challengeArgs(challenge)
	if mod == "adobe" {
		a.args += a.adobe(with)
		return nil
	}
	if with["nonce"] == "" {
		return fail("the server sends a challenge without a nonce")
	}
	a.args += a.limelight(with["nonce"])
	return nil
}

// tidy is a refusal without what it repeats of the login.
func (a *auth) tidy(s *StatusError) *StatusError {
	t := *s
	t.Description = a.login.hide(t.Description)
	return &t
}

// challengeArgs reads &a=b&c=d up to the first blank. Values stay as they are,
// and may contain "=".
func challengeArgs(s string) map[string]string {
	s, _, _ = strings.Cut(s, " ")
	args := map[string]string{}
	for part := range strings.SplitSeq(s, "&") {
		if key, value, ok := strings.Cut(part, "="); ok {
			args[key] = value
		}
	}
	return args
}

// adobe answers a challenge the way of Flash Media Server's access manager.
func (a *auth) adobe(with map[string]string) string {
	sum := func(parts ...string) string {
		b := md5.Sum([]byte(strings.Join(parts, "")))
		return base64.StdEncoding.EncodeToString(b[:])
	}
	theirs := with["opaque"]
	if theirs == "" {
		theirs = with["challenge"]
	}
	ours := a.nonce()
	answer := sum(sum(a.login.User, with["salt"], a.login.Password), theirs, ours)
	args := "&challenge=" + ours + "&response=" + answer
	if with["opaque"] != "" {
		args += "&opaque=" + with["opaque"]
	}
	return args
}

// limelight answers a nonce the way of HTTP digest authentication. The method is
// "publish" and the realm "live" for whatever is asked.
func (a *auth) limelight(nonce string) string {
	sum := func(parts ...string) string {
		b := md5.Sum([]byte(strings.Join(parts, ":")))
		return hex.EncodeToString(b[:])
	}
	const count = "00000001"
	path, _, _ := strings.Cut(a.app, "?")
	if !strings.Contains(path, "/") {
		path += "/_definst_"
	}
	ours := a.nonce()
	answer := sum(
		sum(a.login.User, "live", a.login.Password), nonce, count, ours, "auth", sum("publish", "/"+path),
	)
	return "&nonce=" + nonce + "&cnonce=" + ours + "&nc=" + count + "&response=" + answer
}

// withArgs puts args behind the path of app or tcUrl, before a query that is
// there already, as FMLE does.
func withArgs(s, args string) string {
	if args == "" {
		return s
	}
	path, query, found := strings.Cut(s, "?")
	if found {
		args += "&" + query
	}
	return path + "?" + args
}
