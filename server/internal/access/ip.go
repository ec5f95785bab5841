package access

import (
	"context"

	"github.com/penstock-media/penstock/server/config"
)

// ip runs the vhost's IP rules.
func (r *run) ip(context.Context) verdict {
	var allow, deny *config.IPRule // the first of each kind that matches
	rules, allows := 0, 0
	for i := range r.dec.Vhost.IPRules {
		rule := &r.dec.Vhost.IPRules[i]
		if !inScope(rule.Scope, r.req.Action) {
			continue
		}
		rules++
		match := rule.CIDR.Contains(r.req.Peer)
		if rule.Action == config.Allow {
			allows++
			if match && allow == nil {
				allow = rule
			}
		} else if match && deny == nil {
			deny = rule
		}
	}
	needAllow := allows > 0
	if r.dec.Vhost.IPPreset == config.IPPresetSRS2 {
		if rules == 0 {
			return refuseIP("", "the vhost asks for IP rules (preset srs2) and has none for this action")
		}
		needAllow = true
	}
	switch {
	case deny != nil:
		return refuseIP(deny.ID, "a deny rule matches the address "+r.req.Peer.String())
	case needAllow && allow == nil:
		return refuseIP("", "no allow rule matches the address "+r.req.Peer.String())
	case allow != nil:
		return verdict{rule: allow.ID, detail: "an allow rule matches"}
	case rules == 0:
		return verdict{detail: "no IP rules for this action"}
	default:
		return verdict{detail: "no deny rule matches"}
	}
}

func refuseIP(rule, detail string) verdict {
	return verdict{
		reason: config.ReasonRefusedIP, rule: rule, detail: detail,
		peer: "this address may not do that here",
	}
}

// inScope says whether a rule applies to the action.
func inScope(s config.Scope, a Action) bool {
	return s == config.ScopeAll || string(s) == string(a)
}
