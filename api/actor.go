package api

import (
	"context"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
)

// actor is who is changing something, for the audit.
func actor(ctx context.Context) store.Actor {
	q := requestOf(ctx)
	ip := ""
	if q.ip.IsValid() {
		ip = q.ip.String()
	}
	if p := auth.From(ctx); p != nil {
		return p.Actor(ip, q.id)
	}
	return store.Actor{Kind: "system", Name: "penstock", IP: ip, RequestID: q.id}
}
