package access

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/penstock-media/penstock/server/config"
)

// referer runs the vhost's referer rules. It runs them twice: without the rules
// that only report, which decides, and with them, which is reported.
func (r *run) referer(context.Context) verdict {
	rules := slices.DeleteFunc(slices.Clone(r.dec.Vhost.RefererRules), func(rule config.RefererRule) bool {
		return !inScope(rule.Scope, r.req.Action)
	})
	enforced := slices.DeleteFunc(slices.Clone(rules), func(rule config.RefererRule) bool { return rule.ReportOnly })
	decided := refererVerdict(r.dec.Vhost, enforced, r.req.Referer)
	if decided.reason != "" || len(enforced) == len(rules) {
		return decided
	}
	would := refererVerdict(r.dec.Vhost, rules, r.req.Referer)
	if would.reason == "" {
		return decided
	}
	return verdict{report: true, rule: would.rule, detail: "would be refused if all rules were enforced: " + would.detail}
}

// refererVerdict tries the rules in order. Without rules anything passes;
// without a match it passes unless there are allow rules.
func refererVerdict(v *config.Vhost, rules []config.RefererRule, referer string) verdict {
	if len(rules) == 0 {
		return verdict{detail: "no referer rules for this action"}
	}
	if strings.TrimSpace(referer) == "" {
		if v.RefererEmpty == config.Deny {
			return refuseReferer("", "the peer names no page, and this vhost refuses that")
		}
		return verdict{detail: "the peer names no page, and this vhost allows that"}
	}
	host, ok := refererHost(referer)
	if !ok {
		return refuseReferer("", "the page's address cannot be read")
	}
	allows := false
	for _, rule := range rules {
		if !refererMatches(v.RefererMatch, rule.Pattern, host) {
			allows = allows || rule.Action == config.Allow
			continue
		}
		if rule.Action == config.Allow {
			return verdict{rule: rule.ID, detail: fmt.Sprintf("the page's host %q matches an allow rule", clip(host))}
		}
		return refuseReferer(rule.ID, fmt.Sprintf("the page's host %q matches a deny rule", clip(host)))
	}
	if allows {
		return refuseReferer("", fmt.Sprintf("no allow rule matches the page's host %q", clip(host)))
	}
	return verdict{detail: "no deny rule matches"}
}

func refuseReferer(rule, detail string) verdict {
	return verdict{
		reason: config.ReasonRefusedReferer, rule: rule, detail: detail,
		peer: "this page may not do that here",
	}
}

// refererHost returns the host of a page's address, which a peer may also give
// without a scheme. What stands in front of an "@" is not the host.
func refererHost(referer string) (string, bool) {
	referer = strings.TrimSpace(referer)
	if !strings.Contains(referer, "://") {
		referer = "//" + strings.TrimLeft(referer, "/")
	}
	u, err := url.Parse(referer)
	if err != nil || u.Hostname() == "" {
		return "", false
	}
	return config.NormalHost(u.Hostname()), true
}

// refererMatches says whether a pattern stands for a host. Addresses have no
// subdomains.
func refererMatches(mode config.RefererMatch, pattern, host string) bool {
	pattern = strings.ToLower(pattern)
	if mode == config.RefererMatchSuffix {
		return strings.HasSuffix(host, strings.TrimPrefix(pattern, "*."))
	}
	base, wild := strings.CutPrefix(pattern, "*.")
	if host == base {
		return !wild
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return false
	}
	return strings.HasSuffix(host, "."+base)
}
