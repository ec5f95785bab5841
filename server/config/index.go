package config

import (
	"net"
	"slices"
	"strings"
)

// index finds a vhost by name or host without a walk over all of them.
type index struct {
	byName map[string]*Vhost
	byHost map[string]*Vhost // exact hostnames
	byTail map[string]*Vhost // wildcards, "*.example.com" as ".example.com"
}

// Vhost returns the vhost that takes the host of a tcUrl or a ?vhost= argument,
// with or without port: by exact hostname or name first, then by the longest
// wildcard, then the default vhost. It is nil when there is none, and may be
// disabled. The vhost must not be changed.
func (s *Snapshot) Vhost(host string) *Vhost {
	h := NormalHost(host)
	if v := s.index.byHost[h]; v != nil {
		return v
	}
	if v := s.Named(h); v != nil {
		return v
	}
	for rest := h; ; {
		i := strings.IndexByte(rest, '.')
		if i < 0 {
			return s.index.byName[DefaultVhost]
		}
		if v := s.index.byTail[rest[i:]]; v != nil && i > 0 {
			return v
		}
		rest = rest[i+1:]
	}
}

// Named returns the vhost of that name, or nil. SRS's "__defaultVhost__" is
// taken for the default vhost.
func (s *Snapshot) Named(name string) *Vhost {
	if strings.EqualFold(name, "__defaultVhost__") {
		name = DefaultVhost
	}
	return s.index.byName[strings.ToLower(name)]
}

// NormalHost returns a host in the form in which hosts are compared: without
// port, brackets and closing dot, in lower case.
func NormalHost(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// TokenKey returns the key with that id (a token's kid).
func (s *Snapshot) TokenKey(id string) (TokenKey, bool) {
	i := slices.IndexFunc(s.TokenKeys, func(k TokenKey) bool { return k.ID == id })
	if i < 0 || id == "" {
		return TokenKey{}, false
	}
	return s.TokenKeys[i], true
}

// TokenRevoked says whether the token with that id has been revoked.
func (s *Snapshot) TokenRevoked(id string) bool {
	_, ok := s.revoked[id]
	return ok
}

// StreamDisabled says whether a stream of the vhost is switched off.
func (v *Vhost) StreamDisabled(app, name string) bool {
	return slices.Contains(v.DisabledStreams, StreamName{App: app, Name: name})
}
