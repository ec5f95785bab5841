package auth

import (
	"context"
	"strings"

	"github.com/penstock-media/penstock/api/store"
)

// Kind is the kind of a credential.
type Kind string

// The kinds.
const (
	KindUser   Kind = "user"
	KindAPIKey Kind = "api_key"
)

// Principal is who is asking.
type Principal struct {
	Kind   Kind
	ID     string // of the user or the API key
	Name   string
	Role   Role    // of a user
	Family string  // of a user: the sign-in
	Scopes []Scope // what it may do
	// Vhosts are the ids of the vhosts it is limited to; none: all there are. One
	// that is deleted stays in the list, so that a limit never turns into none.
	Vhosts []string
}

// May says whether it may do what needs the scope.
func (p *Principal) May(s Scope) bool { return permits(p.Scopes, s) }

// Limited says whether it may see some vhosts only.
func (p *Principal) Limited() bool { return len(p.Vhosts) > 0 }

// Actor is how the audit names it.
func (p *Principal) Actor(ip, requestID string) store.Actor {
	return store.Actor{Kind: string(p.Kind), ID: p.ID, Name: p.Name, IP: ip, RequestID: requestID}
}

type principalKey struct{}

// With returns a context that knows who is asking.
func With(ctx context.Context, p *Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// From returns who is asking, nil for nobody.
func From(ctx context.Context) *Principal {
	p, _ := ctx.Value(principalKey{}).(*Principal)
	return p
}

// Bearer cuts the credential out of an Authorization header, "" without one.
func Bearer(header string) string {
	scheme, rest, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(rest)
}
