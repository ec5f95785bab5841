package store

import (
	"context"
	"encoding/json"
	"time"
)

// Audit is one change: who, what, how it was and how it is, from where.
type Audit struct {
	ID             string
	CreatedAt      time.Time
	ConfigRevision int64 // of the whole configuration, after the change
	ActorKind      string
	ActorID        string
	ActorName      string
	IP             string
	RequestID      string
	Action         string          // "vhost.update"
	Resource       string          // id of what was changed
	Before, After  json.RawMessage // nil where there was or is nothing; never with secrets
}

func auditTable() table[Audit] {
	return table[Audit]{
		name: "audit", noun: "audit row",
		columns: []string{
			"id", "created_at", "config_revision", "actor_kind", "actor_id", "actor_name", "ip", "request_id",
			"action", "resource", "before", "after",
		},
		fields: func(v *Audit) []any {
			return []any{
				&v.ID,
				stamp{&v.CreatedAt},
				&v.ConfigRevision, &v.ActorKind, &v.ActorID, &v.ActorName, &v.IP, &v.RequestID,
				&v.Action, &v.Resource,
				rawText{&v.Before},
				rawText{&v.After},
			}
		},
		usual: "-created_at", sorts: []string{"created_at"},
	}
}

// AuditFilter chooses audit rows. Empty fields choose all.
type AuditFilter struct {
	ActorID, Resource, Action string
	From, To                  time.Time // created_at from, and before
}

// AuditRows lists audit rows, the newest first.
func (s *Store) AuditRows(ctx context.Context, f AuditFilter, o ListOptions) (List[Audit], error) {
	var w where
	w.equal("actor_id", f.ActorID)
	w.equal("resource", f.Resource)
	w.equal("action", f.Action)
	w.between("created_at", f.From, f.To)
	return auditTable().list(ctx, s, w, o)
}

// RecordAudit writes an audit row for what is no change of configuration: a
// kick, a login. before and after may be nil; their JSON must hold no secrets.
func (s *Store) RecordAudit(ctx context.Context, a Actor, action, resource string, before, after any) error {
	revision, err := s.Revision(ctx)
	if err != nil {
		return err
	}
	c := &change{s: s, q: s.write, actor: a, now: now(), revision: revision}
	return c.audit(ctx, action, resource, before, after)
}
