package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// The states of an idempotent request.
const (
	IdempotencyRunning = "running"
	IdempotencyDone    = "done"
)

// abandoned is how long a request may run before another may take its place: by
// then the process that ran it is gone.
const abandoned = 2 * time.Minute

// IdempotencyRecord is a request that is carried out once, however often it is
// sent. The response must not hold a secret that is shown only once: the
// database keeps no such thing.
type IdempotencyRecord struct {
	Scope       string // who sent it, so that nobody reads another's response
	Key         string // the Idempotency-Key
	RequestHash string // of method, path and body; keyed, since a body can hold a password
	State       string
	Status      int    // HTTP status, once done
	Response    string // body, once done
	CreatedAt   time.Time
	ExpiresAt   time.Time
}

func idempotencyTable() table[IdempotencyRecord] {
	return table[IdempotencyRecord]{
		name: "idempotency", noun: "idempotency record", taken: "it is there already",
		columns: []string{"scope", "key", "request_hash", "state", "status", "response", "created_at", "expires_at"},
		fields: func(v *IdempotencyRecord) []any {
			return []any{
				&v.Scope, &v.Key, &v.RequestHash, &v.State, &v.Status, &v.Response, stamp{&v.CreatedAt}, stamp{&v.ExpiresAt},
			}
		},
		usual: "created_at", sorts: []string{"created_at"},
	}
}

// BeginIdempotent starts a request of which Scope, Key, RequestHash and
// ExpiresAt are given. began says whether the caller carries it out, and then
// calls FinishIdempotent or AbandonIdempotent. Otherwise the record is that of
// the first request: compare its RequestHash and look at its State.
func (s *Store) BeginIdempotent(ctx context.Context, r IdempotencyRecord) (record IdempotencyRecord, began bool, err error) {
	r.State, r.CreatedAt = IdempotencyRunning, now()
	err = s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		const stale = `DELETE FROM idempotency WHERE scope = $1 AND key = $2
			AND (expires_at <= $3 OR (state = 'running' AND created_at <= $4))`
		_, err := tx.ExecContext(ctx, stale, storable(r.Scope), storable(r.Key), micros(r.CreatedAt), micros(r.CreatedAt.Add(-abandoned)))
		if err != nil {
			return s.wrap("drop old idempotency records", err)
		}
		const insert = `INSERT INTO idempotency (scope, key, request_hash, state, status, response, created_at, expires_at)
			VALUES ($1, $2, $3, $4, 0, '', $5, $6) ON CONFLICT (scope, key) DO NOTHING`
		res, err := tx.ExecContext(ctx, insert, storable(r.Scope), storable(r.Key), storable(r.RequestHash), r.State,
			micros(r.CreatedAt), micros(r.ExpiresAt))
		if err != nil {
			return s.wrap("begin an idempotent request", err)
		}
		n, err := res.RowsAffected()
		if err != nil {
			return s.wrap("begin an idempotent request", err)
		}
		if began = n == 1; began {
			record = r
			return nil
		}
		var w where
		w.add("scope = ? AND key = ?", storable(r.Scope), storable(r.Key))
		record, err = idempotencyTable().find(ctx, s, tx, w)
		if errors.Is(err, ErrNotFound) { // given back in this moment: as good as still running
			record, err = r, nil
		}
		return err
	})
	return record, began && err == nil, err
}

// FinishIdempotent keeps the response for those who ask again.
func (s *Store) FinishIdempotent(ctx context.Context, scope, key string, status int, response string) error {
	return s.exec(ctx, "finish an idempotent request",
		"UPDATE idempotency SET state = 'done', status = $1, response = $2 WHERE scope = $3 AND key = $4",
		int64(status), storable(response), storable(scope), storable(key))
}

// AbandonIdempotent forgets a request that failed, so that it may be sent again.
func (s *Store) AbandonIdempotent(ctx context.Context, scope, key string) error {
	return s.exec(ctx, "abandon an idempotent request",
		"DELETE FROM idempotency WHERE scope = $1 AND key = $2 AND state = 'running'", storable(scope), storable(key))
}
