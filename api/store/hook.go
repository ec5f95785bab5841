package store

import (
	"context"

	"github.com/penstock-media/penstock/server/config"
)

// Hook is a configured HTTP callback.
type Hook struct {
	Meta
	VhostID   string        `json:"vhost_id,omitempty"` // empty: for all vhosts
	Mode      string        `json:"mode"`               // "ask" or "tell"
	Events    []string      `json:"events"`
	URL       string        `json:"url"`
	Dialect   string        `json:"dialect"`
	Secret    config.Secret `json:"secret"`
	TimeoutMS int           `json:"timeout_ms"`
	OnError   string        `json:"on_error"`
	Enabled   bool          `json:"enabled"`
}

func (h *Hook) config() config.Hook {
	return config.Hook{
		ID: h.ID, Mode: h.Mode, Events: h.Events, URL: h.URL, Dialect: h.Dialect, Secret: h.Secret,
		TimeoutMS: h.TimeoutMS, OnError: h.OnError, Enabled: h.Enabled,
	}
}

func hookTable() table[Hook] {
	return table[Hook]{
		name: "hooks", noun: "hook", prefix: "hk",
		columns: []string{"vhost_id", "mode", "events", "url", "dialect", "secret", "timeout_ms", "on_error", "enabled"},
		fields: func(v *Hook) []any {
			return []any{
				orNull{&v.VhostID},
				&v.Mode,
				jsonText{&v.Events},
				&v.URL, &v.Dialect, (*string)(&v.Secret),
				&v.TimeoutMS, &v.OnError, &v.Enabled,
			}
		},
		meta:  func(v *Hook) *Meta { return &v.Meta },
		usual: "created_at", sorts: []string{"created_at", "updated_at"},
	}
}

// Hook returns the hook with that id, its secret included.
func (s *Store) Hook(ctx context.Context, id string) (Hook, error) {
	return hookTable().get(ctx, s, s.read, id)
}

// Hooks lists the hooks of a vhost ("": of all), the oldest first.
func (s *Store) Hooks(ctx context.Context, vhostID string, o ListOptions) (List[Hook], error) {
	var w where
	w.equal("vhost_id", vhostID)
	return hookTable().list(ctx, s, w, o)
}

// CreateHook stores a new hook.
func (s *Store) CreateHook(ctx context.Context, a Actor, h Hook) (Hook, error) {
	return hookTable().create(ctx, s, a, h, func(ctx context.Context, c *change, h *Hook) error {
		return c.checkHook(ctx, h)
	})
}

// UpdateHook replaces all fields of a hook. An empty secret keeps the old one.
func (s *Store) UpdateHook(ctx context.Context, a Actor, h Hook) (Hook, error) {
	return hookTable().update(ctx, s, a, "update", h, func(ctx context.Context, c *change, before Hook, h *Hook) error {
		if h.Secret == "" {
			h.Secret = before.Secret
		}
		return c.checkHook(ctx, h)
	})
}

// DeleteHook removes a hook.
func (s *Store) DeleteHook(ctx context.Context, a Actor, id string, revision int64) error {
	return hookTable().remove(ctx, s, a, id, revision, nil)
}

func (c *change) checkHook(ctx context.Context, h *Hook) error {
	c.whole = true
	if h.VhostID != "" {
		if _, err := vhostTable().get(ctx, c.s, c.q, h.VhostID); err != nil {
			return err
		}
	}
	return fieldErrors(h.config().Problems())
}
