package api

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

type tokenCreateInput struct{ Body TokenCreate }

type tokenVerifyInput struct{ Body TokenQuestion }

type tokenDeleteInput struct {
	TokenID string `path:"token_id" maxLength:"64" doc:"The token's jti" example:"tok_01jx3v2v9ke8ra4nqk2m3b7xwz"`
}

func (a *API) registerTokens() {
	register(a, operation{
		id: "create-token", method: post, path: "/tokens", tag: "Tokens", scope: auth.TokensMint, idempotent: true, status: 201,
		summary: "Mint a token",
		about:   "A JWT under 300 characters, with addresses ready to use. It is not kept: revoke it by its id.",
	}, a.createToken)
	register(a, operation{
		id: "verify-token", method: post, path: "/tokens:verify", tag: "Tokens", scope: auth.StreamsRead,
		summary: "Read a token and check it",
	}, a.verifyToken)
	register(a, operation{
		id: "revoke-token", method: del, path: "/tokens/{token_id}", tag: "Tokens", scope: auth.TokensMint, whole: true,
		summary: "Revoke a token",
		about:   "No session begins with it any more, and sessions that began with it end within a second. Revoking twice is no mistake.",
	}, a.revokeToken)
}

// revokedFor is how long a revoked id is remembered: longer than any token of
// ours holds.
const revokedFor = 366 * 24 * time.Hour

func (a *API) createToken(ctx context.Context, in *tokenCreateInput) (*uncached[Token], error) {
	b := &in.Body
	snap := a.applied.Snapshot()
	if snap == nil || len(snap.TokenKeys) == 0 {
		return nil, newProblem("database_unavailable", "The server has no key to sign with yet.").with("Retry-After", "1")
	}
	c := config.TokenClaims{
		Action: config.Action(b.Action), Vhost: cmp.Or(b.Vhost, config.DefaultVhost), App: cmp.Or(b.App, "live"), Stream: b.Stream,
		ExpiresAt: time.Now().Add(time.Duration(cmp.Or(b.ExpiresInSeconds, 3600)) * time.Second),
		IP:        b.IP, Referer: b.Referer, Max: time.Duration(b.MaxSessionSeconds) * time.Second, SingleUse: b.SingleUse,
	}
	if err := checkToken(snap, a.reachOf(ctx), &c); err != nil {
		return nil, err
	}
	var err error
	if c.ID, err = store.NewID("tok"); err != nil {
		return nil, err
	}
	raw, err := config.MintToken(snap.TokenKeys[0], c)
	if errors.Is(err, config.ErrTokenTooLong) {
		return nil, invalid("/stream", "with names this long the token has more than 300 characters; shorten the stream to a prefix with *, or leave out limits")
	}
	if err != nil {
		return nil, err
	}
	t := Token{ID: c.ID, Token: raw, Action: b.Action, ExpiresAt: c.ExpiresAt.UTC().Truncate(time.Second), URLs: a.tokenURLs(ctx, c, raw)}
	return &uncached[Token]{CacheControl: "no-store", Body: t}, nil
}

// checkToken says what no stream could match.
func checkToken(snap *config.Snapshot, r reach, c *config.TokenClaims) error {
	v := snap.Named(c.Vhost)
	if v == nil || !r.id(v.ID) {
		return invalid("/vhost", "there is no vhost of this name")
	}
	c.Vhost = v.Name
	if err := config.ValidApp(c.App); err != nil {
		return invalid("/app", err.Error())
	}
	if name := strings.TrimSuffix(c.Stream, "*"); name != "" {
		if err := config.ValidName(name); err != nil {
			return invalid("/stream", err.Error())
		}
	}
	if _, err := config.ParsePrefix(c.IP); c.IP != "" && err != nil {
		return invalid("/ip", "neither an address nor a range such as 198.51.100.0/24")
	}
	if c.Referer == "" {
		return nil
	}
	for host := range strings.SplitSeq(c.Referer, ",") {
		rule := config.RefererRule{Scope: config.ScopeAll, Action: config.Allow, Pattern: strings.TrimSpace(host)}
		if wrong := rule.Problems(); len(wrong) > 0 {
			return invalid("/referer", wrong[0].Message)
		}
	}
	return nil
}

// tokenURLs are addresses with the token in them. A token for many streams has
// the * where the name goes.
func (a *API) tokenURLs(ctx context.Context, c config.TokenClaims, raw string) TokenURLs {
	u := a.streamURLs(ctx, streamName{c.Vhost, c.App, c.Stream})
	with := func(address string) string {
		if address == "" {
			return ""
		}
		if strings.Contains(address, "?") {
			return address + "&token=" + raw
		}
		return address + "?token=" + raw
	}
	if c.Action == config.ActionPublish {
		return TokenURLs{
			RTMPServer: u.RTMPServer, RTMPSServer: u.RTMPSServer, RTMPStreamKey: url.PathEscape(c.Stream) + "?token=" + raw,
			RTMP: with(u.RTMPPlay), RTMPS: with(u.RTMPSPlay),
		}
	}
	return TokenURLs{RTMP: with(u.RTMPPlay), RTMPS: with(u.RTMPSPlay), HTTPFLV: with(u.HTTPFLV), WSFLV: with(u.WSFLV)}
}

func (a *API) verifyToken(ctx context.Context, in *tokenVerifyInput) (*plain[TokenAnswer], error) {
	snap := a.applied.Snapshot()
	if snap == nil {
		return nil, newProblem("database_unavailable", "The server has no configuration yet.").with("Retry-After", "1")
	}
	c, err := config.VerifyToken(snap, in.Body.Token, time.Now())
	if c.Vhost != "" && !a.reachOf(ctx).name(c.Vhost) {
		return &plain[TokenAnswer]{Body: TokenAnswer{Detail: "It is for a vhost that you cannot see."}}, nil
	}
	out := TokenAnswer{Valid: err == nil, Detail: "It would be accepted now."}
	if err != nil {
		out.Detail = sentence(err.Error())
	}
	if c.ID != "" || err == nil {
		out.ID, out.Action, out.Vhost, out.App, out.Stream = c.ID, string(c.Action), c.Vhost, c.App, c.Stream
		out.NotBefore, out.ExpiresAt = timeOrNil(c.NotBefore), timeOrNil(c.ExpiresAt)
		out.MaxSessionSeconds, out.IP, out.Referer, out.SingleUse = int(c.Max/time.Second), c.IP, c.Referer, c.SingleUse
		out.Revoked = snap.TokenRevoked(c.ID)
	}
	return &plain[TokenAnswer]{Body: out}, nil
}

func (a *API) revokeToken(ctx context.Context, in *tokenDeleteInput) (*none, error) {
	return nil, a.store.RevokeToken(ctx, actor(ctx), in.TokenID, time.Now().Add(revokedFor))
}
