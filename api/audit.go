package api

import (
	"context"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
)

type auditListInput struct {
	PageQuery
	ActorID  string `query:"actor_id" maxLength:"64" doc:"Only by this user or API key"`
	TargetID string `query:"target_id" maxLength:"64" doc:"Only about this object"`
}

func (a *API) registerAudit() {
	register(a, operation{
		id: "list-audit", method: get, path: "/audit", tag: "Users", scope: auth.Admin, whole: true,
		summary: "List who changed what, newest first",
	}, a.listAudit)
}

func (a *API) listAudit(ctx context.Context, in *auditListInput) (*listOutput[AuditEntry], error) {
	l, err := a.store.AuditRows(ctx, store.AuditFilter{ActorID: in.ActorID, Resource: in.TargetID},
		store.ListOptions{Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, err
	}
	return pageOf(l, false, auditOf), nil
}

func auditOf(r store.Audit) AuditEntry {
	return AuditEntry{
		ID: r.ID, OccurredAt: r.CreatedAt, ActorKind: r.ActorKind, ActorID: r.ActorID, ActorName: r.ActorName,
		Revision: r.ConfigRevision, Action: r.Action, TargetID: r.Resource, Before: r.Before, After: r.After,
		IP: r.IP, RequestID: r.RequestID,
	}
}
