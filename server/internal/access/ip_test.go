package access

import (
	"net/netip"
	"testing"

	"github.com/penstock-media/penstock/server/config"
)

func TestIPRules(t *testing.T) { // S0-37
	rule := func(scope config.Scope, action config.RuleAction, cidr string) config.IPRule {
		return config.IPRule{ID: string(action) + " " + cidr, Scope: scope, Action: action, CIDR: netip.MustParsePrefix(cidr)}
	}
	denyNet := rule(config.ScopeAll, config.Deny, "192.0.2.0/24")
	denyOther := rule(config.ScopeAll, config.Deny, "198.51.100.0/24")
	allowNet := rule(config.ScopeAll, config.Allow, "192.0.2.0/24")
	allowOther := rule(config.ScopeAll, config.Allow, "198.51.100.0/24")
	publish := rule(config.ScopePublish, config.Deny, "0.0.0.0/0")
	play := rule(config.ScopePlay, config.Deny, "0.0.0.0/0")
	v6 := rule(config.ScopeAll, config.Deny, "2001:db8::/32")
	for name, c := range map[string]struct {
		rules         []config.IPRule
		peer          string
		standard, srs bool   // allowed under the preset
		rule          string // that decided in the standard preset
	}{
		"none":                {nil, "192.0.2.9", true, false, ""},
		"deny":                {[]config.IPRule{denyNet}, "192.0.2.9", false, false, denyNet.ID},
		"deny another":        {[]config.IPRule{denyOther}, "192.0.2.9", true, false, ""},
		"allow":               {[]config.IPRule{allowNet}, "192.0.2.9", true, true, allowNet.ID},
		"allow another":       {[]config.IPRule{allowOther}, "192.0.2.9", false, false, ""},
		"deny beats allow":    {[]config.IPRule{allowNet, denyNet}, "192.0.2.9", false, false, denyNet.ID},
		"allow and deny":      {[]config.IPRule{denyOther, allowNet}, "192.0.2.9", true, true, allowNet.ID},
		"publish rule":        {[]config.IPRule{publish}, "192.0.2.9", true, false, ""},
		"play rule":           {[]config.IPRule{play}, "192.0.2.9", false, false, play.ID},
		"IPv6":                {[]config.IPRule{v6}, "2001:db8::1", false, false, v6.ID},
		"IPv6 zone":           {[]config.IPRule{rule(config.ScopeAll, config.Deny, "fe80::/10")}, "fe80::1%eth0", false, false, "deny fe80::/10"},
		"IPv4 in IPv6":        {[]config.IPRule{denyNet}, "::ffff:192.0.2.9", false, false, denyNet.ID},
		"IPv6, IPv4 rules":    {[]config.IPRule{allowNet}, "2001:db8::1", false, false, ""},
		"the first one named": {[]config.IPRule{play, denyNet}, "192.0.2.9", false, false, play.ID},
	} {
		t.Run(name, func(t *testing.T) {
			for preset, want := range map[config.IPPreset]bool{config.IPPresetStandard: c.standard, config.IPPresetSRS2: c.srs} {
				w := newWorld()
				w.vhost.IPRules, w.vhost.IPPreset = c.rules, preset
				d := w.decide(t, Request{Action: Play, Name: "talk", Peer: netip.MustParseAddr(c.peer)})
				if d.Allow != want {
					t.Errorf("%s: %v, %s", preset, d.Allow, d.Checks[3].Detail)
				}
				if preset == config.IPPresetStandard && d.Checks[3].RuleID != c.rule {
					t.Errorf("the rule named is %q", d.Checks[3].RuleID)
				}
			}
		})
	}
}

// TestIPRefusalsDiffer: an operator can tell the three ways to be refused.
//
// S0-38.
func TestIPRefusalsDiffer(t *testing.T) {
	net := netip.MustParsePrefix("192.0.2.0/24")
	other := netip.MustParsePrefix("10.0.0.0/8")
	seen := map[string]bool{}
	for _, rules := range [][]config.IPRule{
		{},
		{{Scope: config.ScopeAll, Action: config.Allow, CIDR: other}},
		{{Scope: config.ScopeAll, Action: config.Deny, CIDR: net}},
	} {
		w := newWorld()
		w.vhost.IPRules, w.vhost.IPPreset = rules, config.IPPresetSRS2
		d := w.decide(t, Request{Action: Play, Name: "talk"})
		if d.Allow || d.Reason != config.ReasonRefusedIP {
			t.Fatalf("%v: %v", rules, d)
		}
		seen[d.Checks[3].Detail] = true
	}
	if len(seen) != 3 {
		t.Errorf("only %d different reasons: %v", len(seen), seen)
	}
}

// TestNoPeer: without an address, rules that need one refuse.
func TestNoPeer(t *testing.T) {
	w := newWorld()
	w.vhost.IPRules = []config.IPRule{{Scope: config.ScopeAll, Action: config.Allow, CIDR: netip.MustParsePrefix("0.0.0.0/0")}}
	d := Decide(t.Context(), w.snapshot(t), w.keys, Request{Action: Play, App: "live", Name: "talk"})
	if d.Allow {
		t.Error("a peer without an address passes an allow list")
	}
}
