package access

import (
	"testing"

	"github.com/penstock-media/penstock/server/config"
)

func refererRule(id string, action config.RuleAction, pattern string) config.RefererRule {
	return config.RefererRule{ID: id, Scope: config.ScopeAll, Action: action, Pattern: pattern}
}

// S0-12, S0-13: only the host counts, on whole labels, or by its end as SRS has it.
func TestRefererHosts(t *testing.T) {
	for _, c := range []struct {
		referer    string
		label, srs bool // does it match example.com
	}{
		{"https://example.com/watch?x=1", true, true},
		{"http://example.com:8080/", true, true},
		{"https://www.example.com", true, true},
		{"HTTPS://WWW.EXAMPLE.COM./x", true, true},
		{"example.com/page", true, true},
		{"//example.com/page", true, true},
		{"  https://example.com/ ", true, true},
		{"rtmp://example.com/live", true, true},
		{"https://evilexample.com/", false, true},
		{"https://example.com.evil.net/", false, false},
		{"https://good@evil.net/", false, false},
		{"https://example.com@evil.net/", false, false},
		{"https://evil.net/?x=example.com", false, false},
		{"https://evil.net/#example.com", false, false},
		{"https://evil.net/example.com", false, false},
		{`https://evil.net\@example.com/`, false, false},
		{`https://example.com\.evil.net/`, false, false},
		{"https://exämple.com/", false, false},
		{"https://example.com\x00.evil.net/", false, false},
		{"https://[::1]/", false, false},
		{"https:///path", false, false},
		{"file:///tmp/x.html", false, false},
		{"%%%", false, false},
		{"about:blank", false, false},
	} {
		for mode, want := range map[config.RefererMatch]bool{config.RefererMatchLabel: c.label, config.RefererMatchSuffix: c.srs} {
			w := newWorld()
			w.vhost.RefererMatch = mode
			w.vhost.RefererRules = []config.RefererRule{refererRule("rr_1", config.Allow, "Example.com")}
			if d := w.decide(t, Request{Action: Play, Name: "talk", Referer: c.referer}); d.Allow != want {
				t.Errorf("%q, %s: %v (%s)", c.referer, mode, d.Allow, d.Checks[4].Detail)
			}
		}
	}
}

func TestRefererRules(t *testing.T) {
	allow := refererRule("rr_allow", config.Allow, "example.com")
	deny := refererRule("rr_deny", config.Deny, "bad.example.com")
	report := deny
	report.ReportOnly = true
	reportAllow := allow
	reportAllow.ReportOnly = true
	publishOnly := allow
	publishOnly.Scope = config.ScopePublish
	below := refererRule("rr_below", config.Allow, "*.example.com")
	address := refererRule("rr_ip", config.Allow, "0.2.1")
	for name, c := range map[string]struct {
		rules   []config.RefererRule
		empty   config.RuleAction
		referer string
		want    string
		rule    string
	}{
		"none":                    {nil, config.Deny, "", Pass, ""},
		"other scope":             {[]config.RefererRule{publishOnly}, config.Deny, "", Pass, ""},
		"empty allowed":           {[]config.RefererRule{allow}, config.Allow, "", Pass, ""},
		"empty denied":            {[]config.RefererRule{allow}, config.Deny, " ", Fail, ""},
		"first wins: deny":        {[]config.RefererRule{deny, allow}, config.Allow, "http://bad.example.com", Fail, "rr_deny"},
		"first wins: allow":       {[]config.RefererRule{allow, deny}, config.Allow, "http://bad.example.com", Pass, "rr_allow"},
		"only deny, no match":     {[]config.RefererRule{deny}, config.Allow, "http://x.net", Pass, ""},
		"allow, no match":         {[]config.RefererRule{allow}, config.Allow, "http://x.net", Fail, ""},
		"unreadable":              {[]config.RefererRule{deny}, config.Allow, "http://[x", Fail, ""},
		"report only":             {[]config.RefererRule{report}, config.Allow, "http://bad.example.com", Report, "rr_deny"},
		"report only, passes":     {[]config.RefererRule{report}, config.Allow, "http://x.net", Pass, ""},
		"report only, empty":      {[]config.RefererRule{report}, config.Deny, "", Report, ""},
		"report an allow list":    {[]config.RefererRule{reportAllow}, config.Allow, "http://x.net", Report, ""},
		"enforced beats report":   {[]config.RefererRule{report, deny}, config.Allow, "http://bad.example.com", Fail, "rr_deny"},
		"report before allow":     {[]config.RefererRule{report, allow}, config.Allow, "http://bad.example.com", Report, "rr_deny"},
		"subdomains only: apex":   {[]config.RefererRule{below}, config.Allow, "http://example.com", Fail, ""},
		"subdomains only: below":  {[]config.RefererRule{below}, config.Allow, "http://a.b.example.com", Pass, "rr_below"},
		"addresses have no parts": {[]config.RefererRule{address}, config.Allow, "http://192.0.2.1/", Fail, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.vhost.RefererRules, w.vhost.RefererEmpty = c.rules, c.empty
			d := w.decide(t, Request{Action: Play, Name: "talk", Referer: c.referer})
			got := d.Checks[4]
			if got.Name != "referer" || got.Result != c.want || got.RuleID != c.rule || d.Allow != (c.want != Fail) {
				t.Errorf("%+v, allow %v", got, d.Allow)
			}
		})
	}
}
