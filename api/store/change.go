package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"go.jetify.com/typeid"
)

// Actor is who changes something. It goes into the audit row of the change.
type Actor struct {
	Kind      string // "user", "api_key", "setup", "cli" or "system"
	ID        string
	Name      string
	IP        string
	RequestID string
}

// System is the actor of what Penstock does by itself.
func System() Actor { return Actor{Kind: "system", Name: "penstock"} }

// change is one configuration write under way: its rows, the new revision and
// the audit rows are one transaction.
type change struct {
	s        *Store
	q        querier // the transaction
	actor    Actor
	now      time.Time
	revision int64
	whole    bool // check the whole configuration before the commit
}

// change runs f in a transaction that also counts the revision up and rings the
// doorbell. The revision's row is taken first, so that changes follow one
// another and a check made in f still holds when it commits.
func (s *Store) change(ctx context.Context, a Actor, f func(context.Context, *change) error) error {
	err := s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		c := &change{s: s, q: tx, actor: a, now: now()}
		const count = "UPDATE revision SET value = value + 1 WHERE id = 1 RETURNING value"
		if err := tx.QueryRowContext(ctx, count).Scan(&c.revision); err != nil {
			return s.wrap("count the revision up", err)
		}
		if err := f(ctx, c); err != nil {
			return err
		}
		if c.whole {
			if _, err := s.snapshot(ctx, tx); err != nil {
				return err
			}
		}
		return s.wrap("ring the doorbell", s.engine.notify(ctx, tx))
	})
	if err == nil {
		s.bell.ring()
	}
	return err
}

// transact runs f in a transaction, bounded in time.
func (s *Store) transact(ctx context.Context, f func(context.Context, *sql.Tx) error) error {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return s.wrap("begin", err)
	}
	if err := f(ctx, tx); err != nil {
		if e := tx.Rollback(); e != nil && !errors.Is(e, sql.ErrTxDone) {
			s.log.Warn("roll back", "err", e)
		}
		return err
	}
	return s.wrap("commit", tx.Commit())
}

// now is the present time as precise as it is kept.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// newID makes an id: a prefix, and a body that grows with time.
func newID(prefix string) (string, error) {
	id, err := typeid.WithPrefix(prefix)
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return id.String(), nil
}

// NewID makes an id with one of the API's prefixes ("tok", "ses" …).
func NewID(prefix string) (string, error) { return newID(prefix) }

// create makes a row. prepare may complete and check it.
func (t table[T]) create(ctx context.Context, s *Store, a Actor, v T, prepare func(context.Context, *change, *T) error) (T, error) {
	err := s.change(ctx, a, func(ctx context.Context, c *change) error {
		return t.createIn(ctx, c, &v, prepare)
	})
	return v, err
}

func (t table[T]) createIn(ctx context.Context, c *change, v *T, prepare func(context.Context, *change, *T) error) error {
	m := t.meta(v)
	if m.ID == "" {
		id, err := newID(t.prefix)
		if err != nil {
			return err
		}
		m.ID = id
	}
	m.Revision, m.CreatedAt, m.UpdatedAt = 1, c.now, c.now
	if prepare != nil {
		if err := prepare(ctx, c, v); err != nil {
			return err
		}
	}
	if err := t.insert(ctx, c.s, c.q, v); err != nil {
		return err
	}
	return c.audit(ctx, t.noun+".create", m.ID, nil, v)
}

// update changes a row. The revision in v has to be that of the stored row, or
// 0 to overwrite whatever is there. verb is what the audit row calls it.
func (t table[T]) update(
	ctx context.Context, s *Store, a Actor, verb string, v T,
	prepare func(ctx context.Context, c *change, before T, v *T) error,
) (T, error) {
	err := s.change(ctx, a, func(ctx context.Context, c *change) error {
		m := t.meta(&v)
		before, err := t.expect(ctx, c, m.ID, m.Revision)
		if err != nil {
			return err
		}
		old := t.meta(&before)
		m.Revision, m.CreatedAt, m.UpdatedAt = old.Revision+1, old.CreatedAt, c.now
		if prepare != nil {
			if err := prepare(ctx, c, before, &v); err != nil {
				return err
			}
		}
		if err := t.overwrite(ctx, s, c.q, &v); err != nil {
			return err
		}
		return c.audit(ctx, t.noun+"."+verb, m.ID, &before, &v)
	})
	return v, err
}

// remove deletes a row. check may refuse.
func (t table[T]) remove(
	ctx context.Context, s *Store, a Actor, id string, revision int64,
	check func(ctx context.Context, c *change, before T) error,
) error {
	return s.change(ctx, a, func(ctx context.Context, c *change) error {
		before, err := t.expect(ctx, c, id, revision)
		if err != nil {
			return err
		}
		if check != nil {
			if err := check(ctx, c, before); err != nil {
				return err
			}
		}
		if _, err := c.q.ExecContext(ctx, "DELETE FROM "+t.name+" WHERE id = $1", id); err != nil {
			return t.broken(s, "delete", err)
		}
		return c.audit(ctx, t.noun+".delete", id, &before, nil)
	})
}

// expect returns the row as it is, if it is as the caller knows it.
func (t table[T]) expect(ctx context.Context, c *change, id string, revision int64) (T, error) {
	v, err := t.get(ctx, c.s, c.q, id)
	if err == nil && revision != 0 && t.meta(&v).Revision != revision {
		err = fmt.Errorf("%s %w", t.noun, ErrRevision)
	}
	return v, err
}

// audit writes who did what. before and after are nil or pointers to rows,
// whose JSON holds no secrets.
func (c *change) audit(ctx context.Context, action, resource string, before, after any) error {
	id, err := newID("aud")
	if err != nil {
		return err
	}
	row := Audit{
		ID: id, CreatedAt: c.now, ConfigRevision: c.revision, ActorKind: c.actor.Kind, ActorID: c.actor.ID,
		ActorName: c.actor.Name, IP: c.actor.IP, RequestID: c.actor.RequestID, Action: action, Resource: resource,
	}
	for _, part := range []struct {
		from any
		to   *json.RawMessage
	}{{before, &row.Before}, {after, &row.After}} {
		if part.from == nil {
			continue
		}
		if *part.to, err = json.Marshal(part.from); err != nil {
			return fmt.Errorf("write audit: %w", err)
		}
	}
	return auditTable().insert(ctx, c.s, c.q, &row)
}
