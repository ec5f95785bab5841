package config

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

func mustNew(t *testing.T, vhosts ...Vhost) *Snapshot {
	t.Helper()
	s, err := New(7, vhosts, []TokenKey{{ID: "k1", Secret: "one"}, {ID: "k2", Secret: "two"}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestVhostOfHost(t *testing.T) {
	sport := NewVhost("sport")
	sport.Hostnames = []string{"live.example.com", "*.sport.example.com", "192.0.2.1", "2001:db8::1"}
	deep := NewVhost("deep")
	deep.Hostnames = []string{"*.a.sport.example.com"}
	s := mustNew(t, NewVhost(DefaultVhost), sport, deep)
	for host, want := range map[string]string{
		"live.example.com":       "sport",
		"LIVE.example.com.":      "sport",
		"live.example.com:1935":  "sport",
		"x.sport.example.com":    "sport",
		"y.x.sport.example.com":  "sport",
		"x.a.sport.example.com":  "deep",
		"sport.example.com":      "default", // the wildcard is for what is below
		"evilsport.example.com":  "default",
		"192.0.2.1":              "sport",
		"192.0.2.1:1935":         "sport",
		"[2001:db8::1]:1935":     "sport",
		"2001:db8::1":            "sport",
		"192.0.2.2":              "default",
		"sport":                  "sport", // ?vhost=sport
		"__defaultVhost__":       "default",
		"":                       "default",
		"unknown.example.com":    "default",
		".sport.example.com":     "default",
		"example.com":            "default",
		"a.sport.example.com":    "sport",
		"xn--bcher-kva.example.": "default",
	} {
		if got := s.Vhost(host); got == nil || got.Name != want {
			t.Errorf("%q goes to %v, not to %s", host, got, want)
		}
	}
	if got := mustNew(t, sport).Vhost("elsewhere.example"); got != nil {
		t.Errorf("without a default vhost a host goes to %q", got.Name)
	}
	if s.Named("nobody") != nil || s.Named("__DEFAULTVHOST__").Name != DefaultVhost {
		t.Error("Named finds the wrong vhost")
	}
}

func TestSnapshotIsACopy(t *testing.T) {
	v := NewVhost(DefaultVhost)
	v.Hostnames = []string{"a.example"}
	v.IPRules = []IPRule{{ID: "1", Scope: ScopeAll, Action: Deny, CIDR: netip.MustParsePrefix("10.0.0.0/8")}}
	v.DisabledStreams = []StreamName{{"live", "off"}}
	in := []Vhost{v}
	s, err := New(1, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	in[0].Name, v.Hostnames[0], v.IPRules[0].Action, v.DisabledStreams[0].Name = "x", "x", Allow, "x"
	got := s.Named(DefaultVhost)
	if got == nil || got.Hostnames[0] != "a.example" || got.IPRules[0].Action != Deny || !got.StreamDisabled("live", "off") {
		t.Fatalf("the snapshot changed with its input: %+v", got)
	}
}

func TestRevokedTokens(t *testing.T) {
	s := mustNew(t, NewVhost(DefaultVhost))
	s2 := s.WithRevoked([]string{"tok_1"})
	if s.TokenRevoked("tok_1") || !s2.TokenRevoked("tok_1") || s2.TokenRevoked("") {
		t.Error("WithRevoked changed the old snapshot or not the new one")
	}
	if !s2.WithRevoked([]string{"tok_2"}).TokenRevoked("tok_1") {
		t.Error("revoked tokens are forgotten")
	}
}

func TestNewSaysAllThatIsWrong(t *testing.T) {
	v := NewVhost("no spaces here")
	v.Hostnames = []string{"http://a.example", "ok.example", "bücher.example", "*"}
	v.PublishPolicy = "anybody"
	v.Media.QueueMS = -1
	v.Media.ChunkSize = 1 << 30
	v.RefererRules = []RefererRule{{Scope: ScopeAll, Action: Allow, Pattern: "https://x"}}
	v.IPRules = []IPRule{{Scope: "some", Action: Allow}}
	v.Hooks = []Hook{{Mode: "ask", Dialect: "srs", OnError: "deny", URL: "ftp://u:p@x", TimeoutMS: 1}}
	a, b := NewVhost("one"), NewVhost("One")
	a.Hostnames, b.Hostnames = []string{"same.example"}, []string{"SAME.example"}
	_, err := New(1, []Vhost{v, a, b}, []TokenKey{{ID: "k"}, {ID: "k", Secret: "s"}})
	var ps Problems
	if !errors.As(err, &ps) {
		t.Fatalf("error is %v", err)
	}
	var fields []string
	for _, p := range ps {
		if p.Message == "" {
			t.Errorf("%s: nothing says what to do", p.Field)
		}
		fields = append(fields, p.Field)
		if !strings.Contains(err.Error(), p.Field) {
			t.Errorf("the error's text leaves %s out", p.Field)
		}
	}
	const in = "vhosts[no spaces here]."
	for _, want := range []string{
		in + "name", in + "hostnames[0]", in + "hostnames[2]", in + "hostnames[3]", in + "publish_policy", in + "media.queue_ms",
		in + "media.chunk_size_bytes", in + "referer_rules[0].pattern", in + "ip_rules[0].scope", in + "ip_rules[0].cidr",
		in + "hooks[0].url", in + "hooks[0].timeout_ms", in + "hooks[0].events", "vhosts[One].name", "vhosts[One].hostnames",
		"token_keys[k]",
	} {
		if !slices.Contains(fields, want) {
			t.Errorf("%s is not among the problems", want)
		}
	}
	if slices.Contains(fields, in+"hostnames[1]") {
		t.Error("a good hostname is called wrong")
	}
}

func TestDefaultsAreValid(t *testing.T) {
	v := NewVhost("any")
	if ps := v.Problems(); ps != nil {
		t.Fatal(ps)
	}
	v.RefererMatch, v.IPPreset = "", ""
	if got := mustNew(t, v).Vhosts[0]; got.RefererMatch != RefererMatchLabel || got.IPPreset != IPPresetStandard {
		t.Errorf("empty choices became %q and %q", got.RefererMatch, got.IPPreset)
	}
}
