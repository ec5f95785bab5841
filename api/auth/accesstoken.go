package auth

import (
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// AccessTokenLife is how long an access token holds.
const AccessTokenLife = 10 * time.Minute

// maxAccessToken is how much of one is looked at before parsing.
const maxAccessToken = 1024

const (
	tokenIssuer   = "penstock"
	tokenAudience = "penstock-api"
)

// accessClaims is what an access token says: whose (sub) and of which sign-in.
// What the user may do is looked up, so that a change holds at once.
type accessClaims struct {
	jwt.RegisteredClaims

	Family string `json:"fam"`
}

// signAccess makes an access token of a user's sign-in.
func signAccess(key []byte, userID, family string, now time.Time) (string, error) {
	t := jwt.NewWithClaims(jwt.SigningMethodHS256, accessClaims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: tokenIssuer, Audience: jwt.ClaimStrings{tokenAudience}, Subject: userID,
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(AccessTokenLife)),
		},
		Family: family,
	})
	raw, err := t.SignedString(key)
	if err != nil {
		return "", fmt.Errorf("auth: sign an access token: %w", err)
	}
	return raw, nil
}

// readAccess checks an access token and returns what it says.
func readAccess(key []byte, raw string, now time.Time) (userID, family string, err error) {
	if len(raw) > maxAccessToken {
		return "", "", errors.New("auth: access token too long")
	}
	p := jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithIssuer(tokenIssuer), jwt.WithAudience(tokenAudience), jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(func() time.Time { return now }),
	)
	var c accessClaims
	if _, err := p.ParseWithClaims(raw, &c, func(*jwt.Token) (any, error) { return key, nil }); err != nil {
		return "", "", errors.New("auth: access token not valid") // the library's text could quote it
	}
	if c.Subject == "" || c.Family == "" {
		return "", "", errors.New("auth: access token without a user")
	}
	return c.Subject, c.Family, nil
}
