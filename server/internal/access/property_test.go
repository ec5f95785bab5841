package access

import (
	"errors"
	"net/netip"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/penstock-media/penstock/server/config"
)

// TestDecisionProperties draws whole worlds and requests and holds the decision
// against a few rules that have no exception, and an outcome found another way.
func TestDecisionProperties(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := drawWorld(r)
		req := drawRequest(r, w)
		w.keys.keys[config.HashKey(w.secret)] = w.key
		snap, err := config.New(1, []config.Vhost{w.vhost}, []config.TokenKey{{ID: "k1", Secret: "a secret that signs"}})
		if err != nil {
			r.Fatal(err)
		}
		d := Decide(t.Context(), snap, w.keys, req)

		failed := false
		for i, c := range d.Checks {
			if c.Name != steps()[i].name {
				r.Fatalf("check %d is %s", i, c.Name)
			}
			if failed != (c.Result == NotReached) {
				r.Fatalf("%s after a failure %v: %s", c.Name, failed, results(d))
			}
			failed = failed || c.Result == Fail
		}
		switch {
		case len(d.Checks) != len(steps()):
			r.Fatalf("%d checks", len(d.Checks))
		case d.Allow == failed:
			r.Fatalf("allowed %v: %s", d.Allow, results(d))
		case d.Allow != (d.Reason == ""):
			r.Fatalf("allowed %v for %q", d.Allow, d.Reason)
		case d.Allow && !w.vhost.Enabled:
			r.Fatal("allowed on a disabled vhost")
		case d.Allow && slices.Contains(w.vhost.DisabledStreams, config.StreamName{App: d.App, Name: d.Name}):
			r.Fatal("allowed on a disabled stream")
		case d.Allow && config.LooksLikeKey(d.Name):
			r.Fatal("the key became a stream's name")
		case d.Allow && req.Action == Play && (nameIsSecret(req.Name) || d.KeyID != ""):
			r.Fatal("played with a stream key")
		case d.Allow && req.Action == Publish && w.vhost.PublishPolicy == config.PublishKey && d.KeyID == "":
			r.Fatal("published without a key")
		case d.Allow && d.KeyID != "" && (!w.key.Enabled || w.key.App != req.App || !w.key.StreamEnabled):
			r.Fatalf("let in by a key that is no good: %+v", w.key)
		case d.Allow && req.Action == Play && w.vhost.PlayPolicy == config.PlayToken && d.TokenID == "":
			r.Fatal("played without a token")
		}
		if d.Allow {
			for _, rule := range w.vhost.IPRules {
				if rule.Action == config.Deny && inScope(rule.Scope, req.Action) && rule.CIDR.Contains(req.Peer) {
					r.Fatal("allowed against a deny rule")
				}
			}
		}
		again := req
		again.DryRun = true
		if d2 := Decide(t.Context(), snap, w.keys, again); d.Allow && d2.Allow != d.Allow {
			r.Fatalf("a dry run says otherwise: %s", d2.Detail)
		}
	})
}

func drawWorld(r *rapid.T) *world {
	w := newWorld()
	w.vhost.Enabled = rapid.IntRange(0, 9).Draw(r, "enabled") > 0
	w.vhost.PublishPolicy = rapid.SampledFrom([]config.PublishPolicy{
		config.PublishOpen, config.PublishKey, config.PublishToken, config.PublishKeyOrToken,
	}).Draw(r, "publish policy")
	w.vhost.PlayPolicy = rapid.SampledFrom([]config.PlayPolicy{config.PlayOpen, config.PlayToken}).Draw(r, "play policy")
	w.vhost.RefererEmpty = drawAction(r)
	if rapid.Bool().Draw(r, "disabled stream") {
		w.vhost.DisabledStreams = []config.StreamName{{App: "live", Name: rapid.SampledFrom([]string{"talk", "other"}).Draw(r, "which")}}
	}
	for range rapid.IntRange(0, 3).Draw(r, "ip rules") {
		w.vhost.IPRules = append(w.vhost.IPRules, config.IPRule{
			Scope: drawScope(r), Action: drawAction(r),
			CIDR: netip.MustParsePrefix(rapid.SampledFrom([]string{"0.0.0.0/0", "192.0.2.0/24", "198.51.100.0/24", "::/0"}).Draw(r, "cidr")),
		})
	}
	for range rapid.IntRange(0, 3).Draw(r, "referer rules") {
		w.vhost.RefererRules = append(w.vhost.RefererRules, config.RefererRule{
			Scope: drawScope(r), Action: drawAction(r), ReportOnly: rapid.Bool().Draw(r, "report only"),
			Pattern: rapid.SampledFrom([]string{"example.com", "bad.example.com", "x.net"}).Draw(r, "pattern"),
		})
	}
	w.key.Enabled = rapid.IntRange(0, 3).Draw(r, "key enabled") > 0
	w.key.StreamEnabled = rapid.IntRange(0, 3).Draw(r, "stream enabled") > 0
	w.key.App = rapid.SampledFrom([]string{"live", "live", "x"}).Draw(r, "key's app")
	if rapid.IntRange(0, 9).Draw(r, "outage") == 0 {
		w.keys.err = errors.New("down")
	}
	return w
}

func drawRequest(r *rapid.T, w *world) Request {
	req := Request{
		Action:  rapid.SampledFrom([]Action{Publish, Play}).Draw(r, "action"),
		App:     "live",
		Peer:    netip.MustParseAddr(rapid.SampledFrom([]string{"192.0.2.9", "198.51.100.1", "2001:db8::1"}).Draw(r, "peer")),
		Referer: rapid.SampledFrom([]string{"", "http://example.com", "http://bad.example.com/x", "::", "http://x.net"}).Draw(r, "referer"),
		Now:     w.now,
	}
	req.Name = rapid.OneOf(
		rapid.Just("talk"), rapid.Just("other"), rapid.Just(w.secret), rapid.Just(w.secret[:30]), rapid.String(),
	).Draw(r, "name")
	req.Key = config.Secret(rapid.SampledFrom([]string{"", "", w.secret, "letmein"}).Draw(r, "key"))
	if rapid.Bool().Draw(r, "token") {
		raw, err := config.MintToken(config.TokenKey{ID: "k1", Secret: "a secret that signs"}, config.TokenClaims{
			ID: "tok_1", Action: rapid.SampledFrom([]Action{Publish, Play}).Draw(r, "token's action"), Vhost: "default",
			App: "live", Stream: rapid.SampledFrom([]string{"talk", "*", "x"}).Draw(r, "token's stream"),
			ExpiresAt: w.now.Add(time.Duration(rapid.IntRange(-1, 1).Draw(r, "token's end")) * time.Hour),
			SingleUse: rapid.Bool().Draw(r, "single use"),
		})
		if err != nil {
			r.Fatal(err)
		}
		req.Token = config.Secret(raw)
	}
	return req
}

func drawScope(r *rapid.T) config.Scope {
	return rapid.SampledFrom([]config.Scope{config.ScopeAll, config.ScopePublish, config.ScopePlay}).Draw(r, "scope")
}

func drawAction(r *rapid.T) config.RuleAction {
	return rapid.SampledFrom([]config.RuleAction{config.Allow, config.Deny}).Draw(r, "rule action")
}

func BenchmarkDecideKey(b *testing.B) {
	w := newWorld()
	w.keys.keys[config.HashKey(w.secret)] = w.key
	snap := w.snapshot(b)
	req := Request{Action: Publish, App: "live", Name: w.secret, Peer: netip.MustParseAddr("192.0.2.9"), Now: w.now}
	for b.Loop() {
		if d := Decide(b.Context(), snap, w.keys, req); !d.Allow {
			b.Fatal(d.Detail)
		}
	}
}
