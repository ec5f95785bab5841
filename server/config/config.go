// Package config holds everything an operator can configure, as one immutable
// Snapshot, and says what is wrong with a configuration before it is used.
package config

import (
	"net/netip"
	"time"
)

// DefaultVhost is the name of the vhost that takes every host no other vhost
// claims. SRS's spelling "__defaultVhost__" is accepted for it.
const DefaultVhost = "default"

// Snapshot is the whole configuration at one revision. It is never changed
// after New returned it, so any number of goroutines may read it.
type Snapshot struct {
	Revision int64
	Vhosts   []Vhost
	// TokenKeys verify (and the first one signs) tokens.
	TokenKeys []TokenKey

	index index
	// revoked holds the ids of tokens that are refused before they expire.
	revoked map[string]struct{}
}

// Vhost is a named set of rules, chosen by the host of tcUrl or by ?vhost=.
type Vhost struct {
	ID              string
	Name            string
	Hostnames       []string // exact ("live.example.com") or wildcard ("*.example.com")
	Enabled         bool
	PublishPolicy   PublishPolicy
	PlayPolicy      PlayPolicy
	DuplicatePolicy DuplicatePolicy
	Media           Media
	// RefererRules are tried in order; the first that matches decides.
	RefererRules []RefererRule
	// RefererEmpty decides for peers that send no pageUrl and no Referer.
	RefererEmpty   RuleAction
	RefererMatch   RefererMatch
	IPRules        []IPRule
	IPPreset       IPPreset
	Hooks          []Hook
	BandwidthCheck BandwidthCheck
	// DisabledStreams may neither be published nor played.
	DisabledStreams []StreamName
}

// StreamName names a stream within its vhost.
type StreamName struct{ App, Name string }

// PublishPolicy says what a publisher has to show.
type PublishPolicy string

// PlayPolicy says what a player has to show.
type PlayPolicy string

// DuplicatePolicy says what happens to a second publisher of one stream.
type DuplicatePolicy string

// RuleAction is what a matching rule does.
type RuleAction string

// Scope says to whom a rule applies.
type Scope string

// RefererMatch says how a referer rule's pattern meets a host.
type RefererMatch string

// IPPreset says how the IP rules of a vhost make one answer.
type IPPreset string

// Action is what a peer wants to do with a stream.
type Action string

// The closed lists of the types above.
const (
	PublishOpen       PublishPolicy = "open"
	PublishKey        PublishPolicy = "key"
	PublishToken      PublishPolicy = "token"
	PublishKeyOrToken PublishPolicy = "key_or_token"

	PlayOpen  PlayPolicy = "open"
	PlayToken PlayPolicy = "token"

	DuplicateReject          DuplicatePolicy = "reject"
	DuplicateTakeoverSameKey DuplicatePolicy = "takeover_same_key"
	DuplicateTakeover        DuplicatePolicy = "takeover"

	Allow RuleAction = "allow"
	Deny  RuleAction = "deny"

	ScopeAll     Scope = "all"
	ScopePublish Scope = "publish"
	ScopePlay    Scope = "play"

	// RefererMatchLabel matches whole labels: example.com is not a part of
	// evilexample.com. RefererMatchSuffix is what SRS does, for migrants.
	RefererMatchLabel  RefererMatch = "label"
	RefererMatchSuffix RefererMatch = "srs_suffix"

	// IPPresetStandard: a matching deny rule refuses; then, if there are allow
	// rules, one of them has to match. IPPresetSRS2 is what SRS 2.0 does:
	// without rules nobody gets in, an allow rule has to match, and a matching
	// deny rule overrides it.
	IPPresetStandard IPPreset = "standard"
	IPPresetSRS2     IPPreset = "srs2"

	ActionPublish Action = "publish"
	ActionPlay    Action = "play"
)

// RefererRule allows or denies by the host of pageUrl or Referer. Pattern is a
// host; it also matches its subdomains, on label boundaries. "*.example.com"
// matches the subdomains only. A rule that only reports never refuses.
type RefererRule struct {
	ID         string
	Scope      Scope
	Action     RuleAction
	Pattern    string
	ReportOnly bool
}

// IPRule allows or denies by address.
type IPRule struct {
	ID     string
	Scope  Scope
	Action RuleAction
	CIDR   netip.Prefix
}

// Hook is a configured HTTP callback.
type Hook struct {
	ID        string
	Mode      string // "ask" or "tell"
	Events    []string
	URL       string
	Dialect   string // "penstock", "srs", "srs2" or "nginx_rtmp"
	Secret    Secret
	TimeoutMS int
	OnError   string // "deny", "allow" or "use_cache"
	Enabled   bool
}

// TokenKey signs and verifies tokens (HS256).
type TokenKey struct {
	ID     string // the JWT's kid
	Secret Secret
}

// StreamKey is a stream key as the store knows it: everything but the secret.
type StreamKey struct {
	ID            string
	StreamID      string
	Vhost         string // name of the vhost the stream belongs to
	App           string
	Stream        string // playback name
	Enabled       bool
	StreamEnabled bool
	NotBefore     time.Time // zero: from ever
	ExpiresAt     time.Time // zero: never
	CIDRs         []netip.Prefix
}
