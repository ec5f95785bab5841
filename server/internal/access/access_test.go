package access

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/penstock-media/penstock/server/config"
)

// fakeKeys is a few keys, or an outage.
type fakeKeys struct {
	keys map[config.KeyHash]config.StreamKey
	used map[string]time.Time
	err  error
}

func (f *fakeKeys) Key(_ context.Context, h config.KeyHash) (config.StreamKey, error) {
	if f.err != nil {
		return config.StreamKey{}, f.err
	}
	k, ok := f.keys[h]
	if !ok {
		return config.StreamKey{}, fmt.Errorf("look up: %w", config.ErrNoKey)
	}
	return k, nil
}

func (f *fakeKeys) UseToken(_ context.Context, id string, expires time.Time) error {
	if f.err != nil {
		return f.err
	}
	if _, ok := f.used[id]; ok {
		return config.ErrUsed
	}
	f.used[id] = expires
	return nil
}

// world is one configuration with one stream key, as most tests need it.
type world struct {
	now    time.Time
	secret string
	key    config.StreamKey
	vhost  config.Vhost
	keys   *fakeKeys
	extra  []config.Vhost
}

func newWorld() *world {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	v := config.NewVhost("default")
	return &world{
		now: now, secret: config.NewStreamKeySecret().Reveal(), vhost: v,
		key: config.StreamKey{
			ID: "key_1", StreamID: "st_1", Vhost: "default", App: "live", Stream: "talk", Enabled: true, StreamEnabled: true,
		},
		keys: &fakeKeys{keys: map[config.KeyHash]config.StreamKey{}, used: map[string]time.Time{}},
	}
}

func (w *world) snapshot(tb testing.TB) *config.Snapshot {
	tb.Helper()
	s, err := config.New(1, append([]config.Vhost{w.vhost}, w.extra...), []config.TokenKey{{ID: "k1", Secret: "a secret that signs"}})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func (w *world) decide(tb testing.TB, req Request) Decision {
	tb.Helper()
	w.keys.keys[config.HashKey(w.secret)] = w.key
	if req.Now.IsZero() {
		req.Now = w.now
	}
	if !req.Peer.IsValid() {
		req.Peer = netip.MustParseAddr("192.0.2.9")
	}
	if req.App == "" {
		req.App = "live"
	}
	d := Decide(tb.Context(), w.snapshot(tb), w.keys, req)
	for _, text := range append([]string{d.Detail, d.Name, string(d.Reason)}, details(d)...) {
		if strings.Contains(text, w.secret) || (req.Token != "" && strings.Contains(text, req.Token.Reveal())) {
			tb.Errorf("a secret is in the decision: %q", text)
		}
	}
	return d
}

func (w *world) token(tb testing.TB, change func(*config.TokenClaims)) config.Secret {
	tb.Helper()
	c := config.TokenClaims{
		ID: "tok_1", Action: Play, Vhost: "default", App: "live", Stream: "talk", ExpiresAt: w.now.Add(time.Hour),
	}
	if change != nil {
		change(&c)
	}
	raw, err := config.MintToken(config.TokenKey{ID: "k1", Secret: "a secret that signs"}, c)
	if err != nil {
		tb.Fatal(err)
	}
	return config.Secret(raw)
}

func details(d Decision) []string {
	var out []string
	for _, c := range d.Checks {
		out = append(out, c.Detail, c.RuleID)
	}
	return out
}

// results is the checks in short: "vhost=pass name=fail …".
func results(d Decision) string {
	var out []string
	for _, c := range d.Checks {
		out = append(out, c.Name+"="+c.Result)
	}
	return strings.Join(out, " ")
}

func last(d Decision) Check { return d.Checks[len(d.Checks)-1] }

func TestChecksInOrder(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*world)
		req    Request
		reason config.Reason
		want   string
	}{
		"all pass": {
			want: "vhost=pass name=pass stream=pass ip=pass referer=pass credential=pass",
		},
		"vhost disabled": {
			change: func(w *world) { w.vhost.Enabled = false },
			reason: config.ReasonRefusedVhost,
			want:   "vhost=fail name=not_reached stream=not_reached ip=not_reached referer=not_reached credential=not_reached",
		},
		"no vhost": {
			change: func(w *world) { w.vhost.Name = "sport" },
			reason: config.ReasonRefusedVhost,
			want:   "vhost=fail name=not_reached stream=not_reached ip=not_reached referer=not_reached credential=not_reached",
		},
		"app": {
			req:    Request{App: "a/../b"},
			reason: config.ReasonRefusedName,
			want:   "vhost=pass name=fail stream=not_reached ip=not_reached referer=not_reached credential=not_reached",
		},
		"name": {
			req:    Request{Name: "a\x00b"},
			reason: config.ReasonRefusedName,
			want:   "vhost=pass name=fail stream=not_reached ip=not_reached referer=not_reached credential=not_reached",
		},
		"a stream key in the app": {
			req:    Request{App: "live/" + config.NewStreamKeySecret().Reveal()},
			reason: config.ReasonRefusedName,
			want:   "vhost=pass name=fail stream=not_reached ip=not_reached referer=not_reached credential=not_reached",
		},
		"stream disabled": {
			change: func(w *world) { w.vhost.DisabledStreams = []config.StreamName{{App: "live", Name: "talk"}} },
			reason: config.ReasonRefusedStream,
			want:   "vhost=pass name=pass stream=fail ip=not_reached referer=not_reached credential=not_reached",
		},
		"ip": {
			change: func(w *world) {
				w.vhost.IPRules = []config.IPRule{{ID: "ip_1", Scope: config.ScopeAll, Action: config.Deny, CIDR: netip.MustParsePrefix("192.0.2.0/24")}}
			},
			reason: config.ReasonRefusedIP,
			want:   "vhost=pass name=pass stream=pass ip=fail referer=not_reached credential=not_reached",
		},
		"referer": {
			change: func(w *world) {
				w.vhost.RefererRules = []config.RefererRule{{ID: "rr_1", Scope: config.ScopeAll, Action: config.Allow, Pattern: "example.com"}}
			},
			req:    Request{Referer: "https://evilexample.com/"},
			reason: config.ReasonRefusedReferer,
			want:   "vhost=pass name=pass stream=pass ip=pass referer=fail credential=not_reached",
		},
		"credential": {
			change: func(w *world) { w.vhost.PlayPolicy = config.PlayToken },
			reason: config.ReasonRefusedToken,
			want:   "vhost=pass name=pass stream=pass ip=pass referer=pass credential=fail",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			if c.change != nil {
				c.change(w)
			}
			c.req.Action = Play
			if c.req.Name == "" {
				c.req.Name = "talk"
			}
			d := w.decide(t, c.req)
			if results(d) != c.want || d.Reason != c.reason || d.Allow != (c.reason == "") {
				t.Errorf("%s (%s: %s)\nwant %s (%s)", results(d), d.Reason, d.Detail, c.want, c.reason)
			}
			if !d.Allow && d.Detail == "" {
				t.Error("refused without a word")
			}
		})
	}
}

func TestPublishCredentials(t *testing.T) {
	other := config.NewStreamKeySecret().Reveal()
	for name, c := range map[string]struct {
		policy config.PublishPolicy
		change func(*world)
		req    request
		reason config.Reason
		check  string // part of the operator's detail
		peer   string // the whole of the peer's, when it matters
	}{
		"key alone":          {config.PublishKey, nil, byKeyAlone, "", "is good", ""},
		"key beside name":    {config.PublishKey, nil, byKey, "", "is good", ""},
		"key of either":      {config.PublishKeyOrToken, nil, byKeyAlone, "", "is good", ""},
		"token":              {config.PublishToken, nil, byToken, "", "is good", ""},
		"either: token":      {config.PublishKeyOrToken, nil, byToken, "", "is good", ""},
		"open":               {config.PublishOpen, nil, byName, "", "anybody", ""},
		"open, other's args": {config.PublishOpen, nil, with(Request{Name: "talk", Key: "letmein", Token: "x.y.z"}), "", "anybody", ""},
		"open, good key":     {config.PublishOpen, nil, byKeyAlone, "", "is good", ""},
		"open, bad key":      {config.PublishOpen, nil, with(Request{Name: other}), config.ReasonRefusedKey, "unknown", keyNotAccepted},
		"open, mistyped":     {config.PublishOpen, nil, with(Request{Name: other[:38]}), config.ReasonRefusedKey, "mistyped", keyNotAccepted},
		"no key":             {config.PublishKey, nil, byName, config.ReasonRefusedKey, "a stream key is needed", noKeyShown},
		"token for a key":    {config.PublishKey, nil, byToken, config.ReasonRefusedKey, "a stream key is needed", noKeyShown},
		"key for a token":    {config.PublishToken, nil, byKeyAlone, config.ReasonRefusedToken, "a token is needed", noTokenShown},
		"neither":            {config.PublishKeyOrToken, nil, byName, config.ReasonRefusedKey, "key or a token", noneShown},
		"unknown":            {config.PublishKey, nil, with(Request{Name: other}), config.ReasonRefusedKey, "unknown", keyNotAccepted},
		"mistyped":           {config.PublishKey, nil, with(Request{Name: other[:38]}), config.ReasonRefusedKey, "mistyped", keyNotAccepted},
		"cut off":            {config.PublishKey, nil, with(Request{Name: "sk_abc"}), config.ReasonRefusedKey, "mistyped", keyNotAccepted},
		"either: cut off":    {config.PublishKeyOrToken, nil, with(Request{Name: "sk_"}), config.ReasonRefusedKey, "mistyped", keyNotAccepted},
		"not a key":          {config.PublishKey, nil, with(Request{Name: "talk", Key: "letmein"}), config.ReasonRefusedKey, "mistyped", keyNotAccepted},
		"revoked":            {config.PublishKey, func(w *world) { w.key.Enabled = false }, byKeyAlone, config.ReasonRefusedKey, "revoked", keyNotAccepted},
		"expired":            {config.PublishKey, func(w *world) { w.key.ExpiresAt = w.now }, byKeyAlone, config.ReasonRefusedKey, "expired at 2026-03-01", keyNotAccepted},
		"not yet":            {config.PublishKey, func(w *world) { w.key.NotBefore = w.now.Add(time.Second) }, byKeyAlone, config.ReasonRefusedKey, "not valid before", keyNotAccepted},
		"from now on":        {config.PublishKey, func(w *world) { w.key.NotBefore = w.now }, byKeyAlone, "", "is good", ""},
		"other stream":       {config.PublishKey, func(w *world) { w.key.Stream = "x" }, byKey, config.ReasonRefusedKey, `belongs to the stream "x"`, keyNotAccepted},
		"other app":          {config.PublishKey, func(w *world) { w.key.App = "x" }, byKeyAlone, config.ReasonRefusedKey, `belongs to the app "x"`, keyNotAccepted},
		"other vhost":        {config.PublishKey, func(w *world) { w.key.Vhost = "x" }, byKeyAlone, config.ReasonRefusedKey, `belongs to the vhost "x"`, keyNotAccepted},
		"elsewhere": {config.PublishKey, func(w *world) {
			w.key.CIDRs = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
		}, byKeyAlone, config.ReasonRefusedKey, "may not be used from the address", keyNotAccepted},
		"from there": {config.PublishKey, func(w *world) {
			w.key.CIDRs = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.9/32")}
		}, byKeyAlone, "", "is good", ""},
		"stream disabled by key": {config.PublishKey, func(w *world) { w.key.StreamEnabled = false }, byKeyAlone, config.ReasonRefusedStream, "disabled", ""},
		"stream disabled, fresh": {config.PublishKey, func(w *world) {
			w.vhost.DisabledStreams = []config.StreamName{{App: "live", Name: "talk"}}
		}, byKeyAlone, config.ReasonRefusedStream, "disabled", ""},
		"outage":       {config.PublishKey, func(w *world) { w.keys.err = errors.New("connection refused") }, byKeyAlone, config.ReasonRefusedNotReady, "connection refused", "stream keys cannot be checked now; try again in a moment"},
		"outage, open": {config.PublishOpen, func(w *world) { w.keys.err = errors.New("connection refused") }, byName, "", "anybody", ""},
		"play token": {config.PublishToken, nil, func(t *testing.T, w *world) Request {
			t.Helper()
			return Request{Name: "talk", Token: w.token(t, nil)}
		}, config.ReasonRefusedToken, "the token is for play, not for publish", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.vhost.PublishPolicy = c.policy
			if c.change != nil {
				c.change(w)
			}
			req := c.req(t, w)
			req.Action = Publish
			d := w.decide(t, req)
			if d.Allow != (c.reason == "") || d.Reason != c.reason || !strings.Contains(last(d).Detail, c.check) {
				t.Fatalf("%v %q: %s; checks: %s, %q", d.Allow, d.Reason, d.Detail, results(d), last(d).Detail)
			}
			if c.peer != "" && d.Detail != c.peer {
				t.Errorf("the peer is told %q", d.Detail)
			}
			if d.Allow && (d.App != "live" || d.Name != "talk") {
				t.Errorf("resolved to %s/%s", d.App, d.Name)
			}
			if strings.HasPrefix(d.Name, "sk_") {
				t.Errorf("the key is shown as the name")
			}
			if strings.HasPrefix(name, "key") && d.Allow && (d.KeyID != "key_1" || d.StreamID != "st_1") {
				t.Errorf("key %q, stream %q", d.KeyID, d.StreamID)
			}
		})
	}
}

// request makes a request in a world.
type request func(*testing.T, *world) Request

func byKeyAlone(t *testing.T, w *world) Request {
	t.Helper()
	return Request{Name: w.secret}
}

func byName(t *testing.T, _ *world) Request {
	t.Helper()
	return Request{Name: "talk"}
}

func byKey(t *testing.T, w *world) Request {
	t.Helper()
	return Request{Name: "talk", Key: config.Secret(w.secret)}
}

func byToken(t *testing.T, w *world) Request {
	t.Helper()
	return Request{Name: "talk", Token: w.token(t, func(c *config.TokenClaims) { c.Action = Publish })}
}

func with(r Request) request {
	return func(t *testing.T, _ *world) Request {
		t.Helper()
		return r
	}
}

func TestPlayCredentials(t *testing.T) {
	token := func(change func(*config.TokenClaims)) request {
		return func(t *testing.T, w *world) Request {
			t.Helper()
			return Request{Name: "talk", Token: w.token(t, change), Referer: "https://www.example.com/watch"}
		}
	}
	for name, c := range map[string]struct {
		policy config.PlayPolicy
		req    request
		reason config.Reason
		detail string
	}{
		"open":                {config.PlayOpen, byName, "", "anybody"},
		"open, foreign token": {config.PlayOpen, with(Request{Name: "talk", Token: "cdn"}), "", "anybody"},
		"key alone":           {config.PlayOpen, byKeyAlone, config.ReasonRefusedKey, "cannot be used to play"},
		"key beside name":     {config.PlayOpen, byKey, config.ReasonRefusedKey, "cannot be used to play"},
		"key, token policy":   {config.PlayToken, byKeyAlone, config.ReasonRefusedKey, "cannot be used to play"},
		"none":                {config.PlayToken, byName, config.ReasonRefusedToken, "a token is needed"},
		"token":               {config.PlayToken, token(nil), "", "is good"},
		"wildcard":            {config.PlayToken, token(func(c *config.TokenClaims) { c.Stream = "t*" }), "", "is good"},
		"publish token":       {config.PlayToken, token(func(c *config.TokenClaims) { c.Action = Publish }), config.ReasonRefusedToken, "not for play"},
		"other stream":        {config.PlayToken, token(func(c *config.TokenClaims) { c.Stream = "x" }), config.ReasonRefusedToken, "another stream"},
		"other app":           {config.PlayToken, token(func(c *config.TokenClaims) { c.App = "x" }), config.ReasonRefusedToken, "another stream"},
		"other vhost":         {config.PlayToken, token(func(c *config.TokenClaims) { c.Vhost = "x" }), config.ReasonRefusedToken, "another stream"},
		"expired":             {config.PlayToken, token(func(c *config.TokenClaims) { c.ExpiresAt = c.ExpiresAt.Add(-2 * time.Hour) }), config.ReasonRefusedToken, "expired"},
		"not yet":             {config.PlayToken, token(func(c *config.TokenClaims) { c.NotBefore = c.ExpiresAt }), config.ReasonRefusedToken, "not valid yet"},
		"ip":                  {config.PlayToken, token(func(c *config.TokenClaims) { c.IP = "192.0.2.9" }), "", "is good"},
		"ip range":            {config.PlayToken, token(func(c *config.TokenClaims) { c.IP = "192.0.2.0/24" }), "", "is good"},
		"other ip":            {config.PlayToken, token(func(c *config.TokenClaims) { c.IP = "192.0.2.8" }), config.ReasonRefusedToken, "from the address"},
		"page":                {config.PlayToken, token(func(c *config.TokenClaims) { c.Referer = "example.com" }), "", "is good"},
		"other page":          {config.PlayToken, token(func(c *config.TokenClaims) { c.Referer = "le.com" }), config.ReasonRefusedToken, "from this page"},
		"forged":              {config.PlayToken, with(Request{Name: "talk", Token: "a.b.c"}), config.ReasonRefusedToken, "not a JWT"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.vhost.PlayPolicy = c.policy
			req := c.req(t, w)
			req.Action = Play
			d := w.decide(t, req)
			if d.Allow != (c.reason == "") || d.Reason != c.reason || !strings.Contains(last(d).Detail, c.detail) {
				t.Fatalf("%v %q: %s (%s)", d.Allow, d.Reason, last(d).Detail, results(d))
			}
		})
	}
}

func TestUntil(t *testing.T) {
	w := newWorld()
	w.key.ExpiresAt = w.now.Add(time.Hour)
	if d := w.decide(t, Request{Action: Publish, Name: w.secret}); !d.Until.Equal(w.key.ExpiresAt) {
		t.Errorf("a session with a key ends at %v", d.Until)
	}
	w.vhost.PlayPolicy = config.PlayToken
	tok := w.token(t, func(c *config.TokenClaims) { c.Max = time.Minute })
	if d := w.decide(t, Request{Action: Play, Name: "talk", Token: tok}); !d.Until.Equal(w.now.Add(time.Minute)) || d.TokenID != "tok_1" {
		t.Errorf("a session with a token ends at %v", d.Until)
	}
	if d := w.decide(t, Request{Action: Play, Name: "talk", Token: w.token(t, nil)}); !d.Until.IsZero() {
		t.Errorf("the end of a token ends the session, at %v", d.Until)
	}
	// A live session is judged at its beginning, and its end does not move.
	later := Request{Action: Play, Name: "talk", Token: tok, Started: w.now, Now: w.now.Add(3 * time.Hour)}
	if d := w.decide(t, later); !d.Allow || !d.Until.Equal(w.now.Add(time.Minute)) {
		t.Errorf("checked again: %v %s, until %v", d.Allow, d.Detail, d.Until)
	}
}

func TestSingleUse(t *testing.T) {
	w := newWorld()
	w.vhost.PlayPolicy = config.PlayToken
	req := Request{Action: Play, Name: "talk", Token: w.token(t, func(c *config.TokenClaims) { c.SingleUse = true })}
	dry := req
	dry.DryRun = true
	wrong := req
	wrong.Name = "x"
	live := req
	live.Started = w.now
	for i, step := range []struct {
		req  Request
		want bool
	}{{dry, true}, {wrong, false}, {req, true}, {req, false}, {live, true}} {
		if d := w.decide(t, step.req); d.Allow != step.want {
			t.Errorf("step %d: %v %s", i, d.Allow, d.Detail)
		}
	}
	if !w.keys.used["tok_1"].After(w.now.Add(time.Hour)) {
		t.Errorf("the use is forgotten at %v, while the token is still good", w.keys.used["tok_1"])
	}
	w.keys.err = errors.New("down")
	if d := w.decide(t, req); d.Allow || d.Reason != config.ReasonRefusedNotReady {
		t.Errorf("while uses cannot be remembered: %v %s", d.Allow, d.Reason)
	}
	// Without UseToken the token is refused rather than good for many uses.
	d := Decide(t.Context(), w.snapshot(t), onlyKeys{}, Request{
		Action: Play, App: "live", Name: "talk", Token: req.Token, Now: w.now,
	})
	if d.Allow || d.Reason != config.ReasonRefusedToken {
		t.Errorf("without UseToken: %v %s", d.Allow, d.Detail)
	}
}

type onlyKeys struct{}

func (onlyKeys) Key(context.Context, config.KeyHash) (config.StreamKey, error) {
	return config.StreamKey{}, config.ErrNoKey
}

// TestKeysLookAlike: what the peer sees of an unknown, revoked, expired and
// foreign key is the same in every part.
func TestKeysLookAlike(t *testing.T) {
	var first *Decision
	for _, change := range []func(*world){
		func(w *world) { w.key.Enabled = false },
		func(w *world) { w.key.ExpiresAt = w.now.Add(-time.Hour) },
		func(w *world) { w.key.Vhost = "elsewhere" },
		func(w *world) { w.secret = config.NewStreamKeySecret().Reveal(); w.keys.err = config.ErrNoKey },
	} {
		w := newWorld()
		change(w)
		d := w.decide(t, Request{Action: Publish, Name: w.secret})
		if first == nil {
			first = &d
		}
		if diff := cmp.Diff(*first, d, cmpopts.IgnoreFields(Decision{}, "Checks", "Vhost", "KeyID")); diff != "" {
			t.Errorf("the peer can tell (-first +this):\n%s", diff)
		}
	}
}
