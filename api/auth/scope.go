// Package auth knows who is asking: passwords, API keys, access and refresh
// tokens, and what each may do.
package auth

import "slices"

// Scope is one permission. API keys have a list of them; a user's role gives
// the rest.
type Scope string

// The scopes. Admin includes all others.
const (
	// ScopeNone is what any known caller may do.
	ScopeNone Scope = ""

	StreamsRead  Scope = "streams:read"
	StreamsWrite Scope = "streams:write"
	KeysWrite    Scope = "keys:write"
	TokensMint   Scope = "tokens:mint"
	SessionsKick Scope = "sessions:kick"
	Admin        Scope = "admin"
)

// Scopes lists every scope there is.
func Scopes() []Scope {
	return []Scope{StreamsRead, StreamsWrite, KeysWrite, TokensMint, SessionsKick, Admin}
}

// Role is what a user may do.
type Role string

// The roles.
const (
	RoleAdmin    Role = "admin"    // everything
	RoleOperator Role = "operator" // streams, keys, tokens, kicks
	RoleViewer   Role = "viewer"   // looks
)

// Scopes lists what the role may do; none for a role that does not exist.
func (r Role) Scopes() []Scope {
	switch r {
	case RoleAdmin:
		return Scopes()
	case RoleOperator:
		return []Scope{StreamsRead, StreamsWrite, KeysWrite, TokensMint, SessionsKick}
	case RoleViewer:
		return []Scope{StreamsRead}
	}
	return nil
}

// permits says whether have covers want.
func permits(have []Scope, want Scope) bool {
	return want == ScopeNone || slices.Contains(have, want) || slices.Contains(have, Admin)
}
