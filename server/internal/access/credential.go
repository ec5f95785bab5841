package access

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/penstock-media/penstock/server/config"
)

// What a peer is told about keys, whatever is wrong with the one it sent.
const (
	keyNotAccepted = "the stream key is not accepted"
	noKeyShown     = "a stream key is needed: use it as the stream name, or add ?key= to the name"
	noTokenShown   = "a token is needed: add ?token= to the stream name"
	noneShown      = "a stream key or a token is needed: use the key as the stream name, or add ?key= or ?token= to the name"
)

// credential checks what the vhost's policy asks for.
func (r *run) credential(ctx context.Context) verdict {
	if r.req.Action == Play {
		return r.playCredential(ctx)
	}
	key, inName := r.shownKey()
	policy := r.dec.Vhost.PublishPolicy
	takesKey := policy == config.PublishKey || policy == config.PublishKeyOrToken
	takesToken := policy == config.PublishToken || policy == config.PublishKeyOrToken
	switch {
	case policy == config.PublishOpen && (inName || config.LooksLikeKey(key)):
		return r.key(ctx, key, inName) // a key of ours is never ignored
	case policy == config.PublishOpen:
		return verdict{detail: "anybody may publish on this vhost"}
	case takesKey && key != "":
		return r.key(ctx, key, inName)
	case takesToken && r.req.Token != "" && !inName:
		return r.token(ctx)
	case takesKey && beginsAsKey(r.req.Name):
		r.dec.Name = "" // it may be part of a secret
		return r.key(ctx, r.req.Name, true)
	case takesKey && takesToken:
		return verdict{reason: config.ReasonRefusedKey, detail: noneShown}
	case takesKey:
		return verdict{reason: config.ReasonRefusedKey, detail: noKeyShown}
	case takesToken:
		return verdict{reason: config.ReasonRefusedToken, detail: noTokenShown}
	default:
		return verdict{reason: config.ReasonInternal, detail: fmt.Sprintf("publish policy %q is unknown", policy)}
	}
}

// shownKey returns the key the peer sent and whether it stood in the name's
// place.
func (r *run) shownKey() (string, bool) {
	if nameIsSecret(r.req.Name) {
		return r.req.Name, true
	}
	return r.req.Key.Reveal(), false
}

// beginsAsKey says whether a name that came without any other credential is meant
// as a stream key, however little of one it is: a key cut off while copying is a
// wrong key, not a missing one.
func beginsAsKey(name string) bool { return strings.HasPrefix(name, "sk_") }

// playCredential never takes a stream key: who may publish is not told to who
// may watch.
func (r *run) playCredential(ctx context.Context) verdict {
	if nameIsSecret(r.req.Name) || config.LooksLikeKey(r.req.Key.Reveal()) {
		return verdict{
			reason: config.ReasonRefusedKey,
			detail: "a stream key cannot be used to play: use the stream's name",
		}
	}
	switch {
	case r.dec.Vhost.PlayPolicy == config.PlayOpen:
		return verdict{detail: "anybody may play on this vhost"}
	case r.dec.Vhost.PlayPolicy != config.PlayToken:
		return verdict{reason: config.ReasonInternal, detail: fmt.Sprintf("play policy %q is unknown", r.dec.Vhost.PlayPolicy)}
	case r.req.Token == "":
		return verdict{reason: config.ReasonRefusedToken, detail: noTokenShown}
	default:
		return r.token(ctx)
	}
}

// key checks a stream key. It is looked up by its hash, so no comparison of
// secrets takes place here whose time could tell something, and an unknown key
// takes the same way as a revoked one.
func (r *run) key(ctx context.Context, secret string, inName bool) verdict {
	k, err := r.keys.Key(ctx, config.HashKey(secret))
	if err != nil && !errors.Is(err, config.ErrNoKey) {
		return verdict{
			reason: config.ReasonRefusedNotReady,
			detail: "stream keys cannot be looked up now: " + err.Error(),
			peer:   "stream keys cannot be checked now; try again in a moment",
		}
	}
	if why := r.keyProblem(k, err, secret, inName); why != "" {
		if err == nil {
			r.dec.KeyID = k.ID
		}
		return verdict{reason: config.ReasonRefusedKey, detail: why, peer: keyNotAccepted}
	}
	r.dec.KeyID, r.dec.StreamID = k.ID, k.StreamID
	r.dec.App, r.dec.Name = k.App, k.Stream
	r.dec.Until = k.ExpiresAt
	if !k.StreamEnabled || r.dec.Vhost.StreamDisabled(k.App, k.Stream) {
		return streamDisabled()
	}
	return verdict{rule: k.ID, detail: "the stream key is good"}
}

// keyProblem says, for the operator, why a key is not accepted; empty if it is.
func (r *run) keyProblem(k config.StreamKey, err error, secret string, inName bool) string {
	now := r.req.Now
	switch {
	case err != nil && !config.LooksLikeKey(secret):
		return "the stream key is unknown and mistyped: it does not have the form of a key"
	case err != nil:
		return "the stream key is unknown"
	case !k.Enabled:
		return "the stream key is revoked"
	case !k.NotBefore.IsZero() && now.Before(k.NotBefore):
		return "the stream key is not valid before " + k.NotBefore.UTC().Format(time.RFC3339)
	case !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt):
		return "the stream key expired at " + k.ExpiresAt.UTC().Format(time.RFC3339)
	case k.Vhost != r.dec.Vhost.Name:
		return fmt.Sprintf("the stream key belongs to the vhost %q", k.Vhost)
	case k.App != r.req.App:
		return fmt.Sprintf("the stream key belongs to the app %q", k.App)
	case !inName && k.Stream != r.req.Name && r.dec.Vhost.Media.StreamIdentity != config.IdentityApp:
		return fmt.Sprintf("the stream key belongs to the stream %q", k.Stream)
	case len(k.CIDRs) > 0 && !containsAddr(k, r):
		return "the stream key may not be used from the address " + r.req.Peer.String()
	default:
		return ""
	}
}

func containsAddr(k config.StreamKey, r *run) bool {
	for _, p := range k.CIDRs {
		if p.Contains(r.req.Peer) {
			return true
		}
	}
	return false
}

// token checks a token against the request, and uses it up if it is for one
// use.
func (r *run) token(ctx context.Context) verdict {
	at := r.req.Now
	if !r.req.Started.IsZero() {
		at = r.req.Started
	}
	c, err := config.VerifyToken(r.snap, r.req.Token.Reveal(), at)
	if err != nil {
		r.dec.TokenID = c.ID
		return refuseToken(err.Error())
	}
	r.dec.TokenID = c.ID
	switch {
	case c.Action != r.req.Action:
		return refuseToken(fmt.Sprintf("the token is for %s, not for %s", c.Action, r.req.Action))
	case !c.MatchesStream(r.dec.Vhost.Name, r.req.App, r.req.Name):
		return refuseToken("the token is for another stream, app or vhost")
	case c.IP != "" && !tokenIP(c.IP, r):
		return refuseToken("the token may not be used from the address " + r.req.Peer.String())
	case c.Referer != "" && !tokenReferer(c.Referer, r.req.Referer):
		return refuseToken("the token may not be used from this page")
	}
	if v := r.useToken(ctx, c); v.reason != "" {
		return v
	}
	if c.Max > 0 {
		r.dec.Until = at.Add(c.Max)
	}
	return verdict{rule: c.ID, detail: "the token is good"}
}

// useToken remembers a single-use token. It is the last check made, so that a
// refusal costs nobody their token.
func (r *run) useToken(ctx context.Context, c config.TokenClaims) verdict {
	if !c.SingleUse || r.req.DryRun || !r.req.Started.IsZero() {
		return verdict{}
	}
	u, ok := r.keys.(tokenUser)
	if !ok {
		return refuseToken("single-use tokens cannot be checked by this server")
	}
	const clocks = time.Minute // VerifyToken's leeway, and some
	err := u.UseToken(ctx, c.ID, c.ExpiresAt.Add(clocks))
	switch {
	case errors.Is(err, config.ErrUsed):
		return refuseToken("the token was for one use and has been used")
	case err != nil:
		return verdict{
			reason: config.ReasonRefusedNotReady,
			detail: "single-use tokens cannot be checked now: " + err.Error(),
			peer:   "tokens cannot be checked now; try again in a moment",
		}
	}
	return verdict{}
}

func refuseToken(detail string) verdict {
	return verdict{reason: config.ReasonRefusedToken, detail: detail}
}

func tokenIP(ip string, r *run) bool {
	p, err := config.ParsePrefix(ip)
	return err == nil && p.Contains(r.req.Peer)
}

func tokenReferer(pattern, referer string) bool {
	host, ok := refererHost(referer)
	return ok && slices.ContainsFunc(strings.Split(pattern, ","), func(p string) bool {
		return refererMatches(config.RefererMatchLabel, strings.TrimSpace(p), host)
	})
}
