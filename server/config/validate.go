package config

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with a configuration: where, and what to
// do about it. Field is a path as the API spells it ("media.queue_ms").
type Problem struct{ Field, Message string }

// Problems is everything that is wrong with a configuration. It is an error.
type Problems []Problem //nolint:errname // a list first, an error by the way

// Error lists the problems in one line.
func (ps Problems) Error() string {
	var b strings.Builder
	b.WriteString("configuration not valid: ")
	for i, p := range ps {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(p.Field + ": " + p.Message)
	}
	return b.String()
}

var (
	hostLabels = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$`)
	vhostName  = regexp.MustCompile(`^[a-zA-Z0-9_]([a-zA-Z0-9_.-]{0,126}[a-zA-Z0-9_])?$`)
)

// Problems says all that is wrong with a vhost by itself. None: nil.
func (v *Vhost) Problems() Problems {
	var ps Problems
	bad := func(field, format string, a ...any) { ps = append(ps, Problem{field, fmt.Sprintf(format, a...)}) }

	if !vhostName.MatchString(v.Name) || strings.Contains(v.Name, "..") {
		bad("name", "use 1 to 128 letters, digits, dots, dashes and underscores, as in a host name")
	}
	for i, h := range v.Hostnames {
		if !validHostname(h) {
			bad(fmt.Sprintf("hostnames[%d]", i), `write a host name like "live.example.com", a wildcard like "*.example.com" or an IP address; no scheme, port or path, other scripts as xn--…`)
		}
	}
	oneOf(&ps, "publish_policy", v.PublishPolicy, PublishOpen, PublishKey, PublishToken, PublishKeyOrToken)
	oneOf(&ps, "play_policy", v.PlayPolicy, PlayOpen, PlayToken)
	oneOf(&ps, "duplicate_policy", v.DuplicatePolicy, DuplicateReject, DuplicateTakeoverSameKey, DuplicateTakeover)
	oneOf(&ps, "referer_empty", v.RefererEmpty, Allow, Deny)
	oneOf(&ps, "referer_match", v.RefererMatch, RefererMatchLabel, RefererMatchSuffix)
	oneOf(&ps, "ip_preset", v.IPPreset, IPPresetStandard, IPPresetSRS2)
	ps = append(ps, v.Media.problems()...)
	ps = append(ps, v.BandwidthCheck.problems()...)
	for i, r := range v.RefererRules {
		ps = append(ps, r.Problems().under(fmt.Sprintf("referer_rules[%d].", i))...)
	}
	for i, r := range v.IPRules {
		ps = append(ps, r.Problems().under(fmt.Sprintf("ip_rules[%d].", i))...)
	}
	for i, h := range v.Hooks {
		ps = append(ps, h.Problems().under(fmt.Sprintf("hooks[%d].", i))...)
	}
	return ps
}

// Problems says what is wrong with a referer rule.
func (r RefererRule) Problems() Problems {
	var ps Problems
	oneOf(&ps, "scope", r.Scope, ScopeAll, ScopePublish, ScopePlay)
	oneOf(&ps, "action", r.Action, Allow, Deny)
	if !validHostname(r.Pattern) {
		ps = append(ps, Problem{"pattern", `write a host like "example.com", which stands for its subdomains too; no scheme, port or path`})
	}
	return ps
}

// Problems says what is wrong with an IP rule.
func (r IPRule) Problems() Problems {
	var ps Problems
	oneOf(&ps, "scope", r.Scope, ScopeAll, ScopePublish, ScopePlay)
	oneOf(&ps, "action", r.Action, Allow, Deny)
	if !r.CIDR.IsValid() {
		ps = append(ps, Problem{"cidr", `write an address range like "192.0.2.0/24" or "2001:db8::/32"`})
	}
	return ps
}

// Problems says what is wrong with a hook.
func (h Hook) Problems() Problems {
	var ps Problems
	oneOf(&ps, "mode", h.Mode, "ask", "tell")
	oneOf(&ps, "dialect", h.Dialect, "penstock", "srs", "srs2", "nginx_rtmp")
	oneOf(&ps, "on_error", h.OnError, "deny", "allow", "use_cache")
	u, err := url.Parse(h.URL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.User != nil {
		ps = append(ps, Problem{"url", "write an http or https address without user and password"})
	}
	if h.TimeoutMS < 100 || h.TimeoutMS > 30_000 {
		ps = append(ps, Problem{"timeout_ms", "use a value from 100 to 30000"})
	}
	if len(h.Events) == 0 {
		ps = append(ps, Problem{"events", "name at least one event"})
	}
	return ps
}

// under puts a path in front of each field.
func (ps Problems) under(path string) Problems {
	out := slices.Clone(ps)
	for i := range out {
		out[i].Field = path + out[i].Field
	}
	return out
}

// oneOf adds a problem unless v is in the list.
func oneOf[T ~string](ps *Problems, field string, v T, list ...T) {
	if slices.Contains(list, v) {
		return
	}
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = string(w)
	}
	*ps = append(*ps, Problem{field, "use one of " + strings.Join(words, ", ")})
}

// validHostname accepts a host name, "*." in front of one, or an IP address.
func validHostname(h string) bool {
	if a, err := netip.ParseAddr(h); err == nil {
		return a.Zone() == ""
	}
	h = strings.TrimPrefix(strings.ToLower(h), "*.")
	const longest = 253
	return len(h) <= longest && hostLabels.MatchString(h)
}
