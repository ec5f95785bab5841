package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/penstock-media/penstock/server/config"
)

// Snapshot reads the whole configuration as it is at one moment. What the store
// let in always makes a valid one.
func (s *Store) Snapshot(ctx context.Context) (*config.Snapshot, error) {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	tx, err := s.read.BeginTx(ctx, s.engine.snapshotOptions())
	if err != nil {
		return nil, s.wrap("read the configuration", err)
	}
	snap, err := s.snapshot(ctx, tx)
	if err != nil {
		_ = tx.Rollback()
		return nil, err
	}
	return snap, s.wrap("read the configuration", tx.Commit())
}

// snapshot builds it from what q sees.
func (s *Store) snapshot(ctx context.Context, q querier) (*config.Snapshot, error) {
	revision, err := s.number(ctx, q, "SELECT value FROM revision WHERE id = 1")
	if err != nil {
		return nil, err
	}
	rows, err := vhostTable().all(ctx, s, q, where{})
	if err != nil {
		return nil, err
	}
	vhosts := make([]config.Vhost, len(rows))
	byID := make(map[string]*config.Vhost, len(rows))
	for i := range rows {
		vhosts[i] = rows[i].config()
		byID[rows[i].ID] = &vhosts[i]
	}
	if err := s.addRules(ctx, q, byID); err != nil {
		return nil, err
	}
	if err := s.addHooks(ctx, q, vhosts, byID); err != nil {
		return nil, err
	}
	if err := s.addDisabled(ctx, q, byID); err != nil {
		return nil, err
	}
	var w where
	w.add("enabled = ?", true)
	keyRows, err := tokenKeyTable().all(ctx, s, q, w)
	if err != nil {
		return nil, err
	}
	keys := make([]config.TokenKey, len(keyRows))
	for i, k := range keyRows {
		keys[i] = config.TokenKey{ID: k.ID, Secret: k.Secret}
	}
	snap, err := config.New(revision, vhosts, keys)
	if err != nil {
		if ps, ok := errors.AsType[config.Problems](err); ok {
			return nil, fieldErrors(shorten(ps))
		}
		return nil, fmt.Errorf("read the configuration: %w", err)
	}
	revoked, err := s.texts(ctx, q, "SELECT id FROM revoked_tokens WHERE expires_at > $1", micros(now()))
	if err != nil {
		return nil, err
	}
	return snap.WithRevoked(revoked), nil
}

// shorten turns "vhosts[name].hostnames" into "hostnames", which is the field of
// the row that was changed.
func shorten(ps config.Problems) config.Problems {
	for i, p := range ps {
		if _, field, ok := strings.Cut(p.Field, "]."); ok && strings.HasPrefix(p.Field, "vhosts[") {
			ps[i].Field = field
		}
	}
	return ps
}

func (s *Store) addRules(ctx context.Context, q querier, byID map[string]*config.Vhost) error {
	referer, err := refererRuleTable().all(ctx, s, q, where{})
	if err != nil {
		return err
	}
	for i := range referer {
		if v := byID[referer[i].VhostID]; v != nil {
			v.RefererRules = append(v.RefererRules, referer[i].config())
		}
	}
	ip, err := ipRuleTable().all(ctx, s, q, where{})
	if err != nil {
		return err
	}
	for i := range ip {
		if v := byID[ip[i].VhostID]; v != nil {
			v.IPRules = append(v.IPRules, ip[i].config())
		}
	}
	return nil
}

// addHooks gives every vhost its own hooks and those for all.
func (s *Store) addHooks(ctx context.Context, q querier, vhosts []config.Vhost, byID map[string]*config.Vhost) error {
	hooks, err := hookTable().all(ctx, s, q, where{})
	if err != nil {
		return err
	}
	for i := range hooks {
		if v := byID[hooks[i].VhostID]; v != nil {
			v.Hooks = append(v.Hooks, hooks[i].config())
		}
		if hooks[i].VhostID != "" {
			continue
		}
		for j := range vhosts {
			vhosts[j].Hooks = append(vhosts[j].Hooks, hooks[i].config())
		}
	}
	return nil
}

func (s *Store) addDisabled(ctx context.Context, q querier, byID map[string]*config.Vhost) error {
	rows, err := q.QueryContext(ctx, "SELECT vhost_id, app, name FROM streams WHERE NOT enabled ORDER BY app, name")
	if err != nil {
		return s.wrap("list disabled streams", err)
	}
	defer rows.Close()
	for rows.Next() {
		var vhost string
		var n config.StreamName
		if err := rows.Scan(&vhost, &n.App, &n.Name); err != nil {
			return s.wrap("list disabled streams", err)
		}
		if v := byID[vhost]; v != nil {
			v.DisabledStreams = append(v.DisabledStreams, n)
		}
	}
	return s.wrap("list disabled streams", rows.Err())
}

// texts runs a query for one column of text.
func (s *Store) texts(ctx context.Context, q querier, query string, args ...any) ([]string, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, s.wrap("read a list", err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, s.wrap("read a list", err)
		}
		out = append(out, text)
	}
	return out, s.wrap("read a list", rows.Err())
}
