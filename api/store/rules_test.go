package store

import (
	"net/netip"
	"testing"

	"github.com/penstock-media/penstock/server/config"
)

func TestRules(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		v := defaultVhost(t, s)
		rule := func(pattern string, position int) RefererRule {
			return get(s.CreateRefererRule(ctx, operator(), RefererRule{
				VhostID: v.ID, Scope: config.ScopeAll, Action: config.Allow, Pattern: pattern, Position: position,
			}))(t)
		}
		a, b := rule("a.example", 0), rule("b.example", 0)
		if a.Position != 1 || b.Position != 2 {
			t.Fatalf("positions %d and %d", a.Position, b.Position)
		}
		b.Position, b.ReportOnly, b.VhostID = -5, true, "vh_x"
		b = get(s.UpdateRefererRule(ctx, operator(), b))(t)
		if b.VhostID != v.ID || get(s.RefererRule(ctx, b.ID))(t).Position != -5 {
			t.Fatalf("after the update: %+v", b)
		}
		ip := get(s.CreateIPRule(ctx, operator(), IPRule{
			VhostID: v.ID, Scope: config.ScopePlay, Action: config.Deny, CIDR: netip.MustParsePrefix("2001:db8::/32"),
		}))(t)
		got := get(s.Snapshot(ctx))(t).Named("default")
		if len(got.RefererRules) != 2 || got.RefererRules[0].ID != b.ID || !got.RefererRules[0].ReportOnly {
			t.Errorf("referer rules in the snapshot: %+v", got.RefererRules)
		}
		if len(got.IPRules) != 1 || got.IPRules[0].ID != ip.ID || got.IPRules[0].CIDR != ip.CIDR {
			t.Errorf("IP rules in the snapshot: %+v", got.IPRules)
		}
		ip.Action = config.Allow
		ip = get(s.UpdateIPRule(ctx, operator(), ip))(t)
		if list := get(s.IPRules(ctx, v.ID, ListOptions{}))(t).Items; len(list) != 1 || list[0] != ip {
			t.Errorf("IP rules: %+v", list)
		}
		if list := get(s.RefererRules(ctx, "vh_x", ListOptions{}))(t).Items; len(list) != 0 {
			t.Errorf("another vhost's rules: %+v", list)
		}
		must(t, s.DeleteRefererRule(ctx, operator(), a.ID, 1))
		must(t, s.DeleteIPRule(ctx, operator(), ip.ID, 2))
		got = get(s.Snapshot(ctx))(t).Named("default")
		if len(got.RefererRules) != 1 || len(got.IPRules) != 0 {
			t.Errorf("after removals: %+v", got)
		}
	})
}

func TestHooks(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		sport := get(s.CreateVhost(ctx, operator(), NewVhost("sport")))(t)
		h := Hook{
			Mode: "ask", Events: []string{"on_publish"}, URL: "https://hooks.example/x", Dialect: "srs", Secret: "whsec_1",
			TimeoutMS: 2500, OnError: "deny", Enabled: true,
		}
		all := get(s.CreateHook(ctx, operator(), h))(t)
		h.VhostID = sport.ID
		one := get(s.CreateHook(ctx, operator(), h))(t)
		snap := get(s.Snapshot(ctx))(t)
		if d, sp := snap.Named("default").Hooks, snap.Named("sport").Hooks; len(d) != 1 || d[0].ID != all.ID || len(sp) != 2 {
			t.Fatalf("default has %v, sport has %v", d, sp)
		}
		one.Secret, one.Enabled = "", false
		get(s.UpdateHook(ctx, operator(), one))(t)
		if got := get(s.Hook(ctx, one.ID))(t); got.Secret != "whsec_1" || got.Enabled || got.VhostID != sport.ID {
			t.Errorf("after the update: %+v", got)
		}
		if list := get(s.Hooks(ctx, sport.ID, ListOptions{}))(t).Items; len(list) != 1 {
			t.Errorf("%d hooks of the vhost", len(list))
		}
		must(t, s.DeleteVhost(ctx, operator(), sport.ID, 0))
		_, err := s.Hook(ctx, one.ID)
		refused(t, ErrNotFound, err)
		must(t, s.DeleteHook(ctx, operator(), all.ID, 1))
	})
}
