package store

import (
	"context"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/penstock-media/penstock/server/config"
)

// Vhost is a vhost with its settings. Its rules and hooks are rows of their own.
type Vhost struct {
	Meta
	Name            string                 `json:"name"`
	Hostnames       []string               `json:"hostnames"`
	Enabled         bool                   `json:"enabled"`
	PublishPolicy   config.PublishPolicy   `json:"publish_policy"`
	PlayPolicy      config.PlayPolicy      `json:"play_policy"`
	DuplicatePolicy config.DuplicatePolicy `json:"duplicate_policy"`
	Media           config.Media           `json:"media"`
	RefererEmpty    config.RuleAction      `json:"referer_empty"`
	RefererMatch    config.RefererMatch    `json:"referer_match"`
	IPPreset        config.IPPreset        `json:"ip_preset"`
	BandwidthCheck  config.BandwidthCheck  `json:"bandwidth_check"`
}

// NewVhost returns a vhost with every default, not stored yet.
func NewVhost(name string) Vhost {
	c := config.NewVhost(name)
	return Vhost{
		Name: c.Name, Hostnames: []string{}, Enabled: c.Enabled, PublishPolicy: c.PublishPolicy, PlayPolicy: c.PlayPolicy,
		DuplicatePolicy: c.DuplicatePolicy, Media: c.Media, RefererEmpty: c.RefererEmpty,
		RefererMatch: c.RefererMatch, IPPreset: c.IPPreset, BandwidthCheck: c.BandwidthCheck,
	}
}

// config returns the vhost as the snapshot has it, without rules and hooks.
func (v *Vhost) config() config.Vhost {
	return config.Vhost{
		ID: v.ID, Name: v.Name, Hostnames: v.Hostnames, Enabled: v.Enabled, PublishPolicy: v.PublishPolicy,
		PlayPolicy: v.PlayPolicy, DuplicatePolicy: v.DuplicatePolicy, Media: v.Media,
		RefererEmpty: v.RefererEmpty, RefererMatch: v.RefererMatch, IPPreset: v.IPPreset,
		BandwidthCheck: v.BandwidthCheck,
	}
}

func vhostTable() table[Vhost] {
	return table[Vhost]{
		name: "vhosts", noun: "vhost", prefix: "vh", taken: "another vhost has this name",
		columns: []string{
			"name", "hostnames", "enabled", "publish_policy", "play_policy", "duplicate_policy", "media",
			"referer_empty", "referer_match", "ip_preset", "bandwidth_check", "bandwidth_key",
		},
		fields: func(v *Vhost) []any {
			return []any{
				&v.Name,
				jsonText{&v.Hostnames},
				&v.Enabled, (*string)(&v.PublishPolicy), (*string)(&v.PlayPolicy),
				(*string)(&v.DuplicatePolicy),
				mediaText{&v.Media},
				(*string)(&v.RefererEmpty),
				(*string)(&v.RefererMatch), (*string)(&v.IPPreset),
				bandwidthText{&v.BandwidthCheck},
				hashText{&v.BandwidthCheck.Key},
			}
		},
		meta:  func(v *Vhost) *Meta { return &v.Meta },
		usual: "name", sorts: []string{"name", "created_at", "updated_at"},
	}
}

// mediaText keeps media settings as JSON; one that is not in it has its default.
type mediaText struct{ m *config.Media }

func (t mediaText) Scan(src any) error {
	*t.m = config.DefaultMedia()
	return jsonText{t.m}.Scan(src)
}

func (t mediaText) Value() (driver.Value, error) { return jsonText{t.m}.Value() }

// bandwidthText keeps the settings of a bandwidth check as JSON, without its key; one
// that is not in it has its default.
type bandwidthText struct{ b *config.BandwidthCheck }

func (t bandwidthText) Scan(src any) error {
	key := t.b.Key
	*t.b = config.DefaultBandwidthCheck()
	t.b.Key = key
	return jsonText{t.b}.Scan(src)
}

func (t bandwidthText) Value() (driver.Value, error) { return jsonText{t.b}.Value() }

// hashText keeps a hash in hexadecimal; none is empty.
type hashText struct{ h *config.KeyHash }

func (t hashText) Scan(src any) error {
	var s string
	switch src := src.(type) {
	case string:
		s = src
	case []byte:
		s = string(src)
	default:
		return fmt.Errorf("a hash is text, not %T", src)
	}
	*t.h = config.KeyHash{}
	if s == "" {
		return nil
	}
	if b, err := hex.DecodeString(s); err != nil || copy(t.h[:], b) != len(t.h) {
		return errors.New("a hash is 64 hexadecimal digits")
	}
	return nil
}

func (t hashText) Value() (driver.Value, error) {
	if *t.h == (config.KeyHash{}) {
		return "", nil
	}
	return t.h.String(), nil
}

// Vhost returns the vhost with that id.
func (s *Store) Vhost(ctx context.Context, id string) (Vhost, error) {
	return vhostTable().get(ctx, s, s.read, id)
}

// VhostByName returns the vhost with that name.
func (s *Store) VhostByName(ctx context.Context, name string) (Vhost, error) {
	var w where
	w.add("name = ?", storable(name))
	return vhostTable().find(ctx, s, s.read, w)
}

// VhostFilter chooses vhosts. Empty fields choose all.
type VhostFilter struct {
	IDs    []string
	Search string // part of the name
}

// Vhosts lists vhosts, by name unless told otherwise.
func (s *Store) Vhosts(ctx context.Context, f VhostFilter, o ListOptions) (List[Vhost], error) {
	var w where
	w.in("id", f.IDs)
	w.contains(f.Search, "name")
	return vhostTable().list(ctx, s, w, o)
}

// CreateVhost stores a new vhost.
func (s *Store) CreateVhost(ctx context.Context, a Actor, v Vhost) (Vhost, error) {
	return vhostTable().create(ctx, s, a, v, func(_ context.Context, c *change, v *Vhost) error {
		return c.checkVhost(v)
	})
}

// UpdateVhost replaces all settings of a vhost. The default vhost keeps its
// name.
func (s *Store) UpdateVhost(ctx context.Context, a Actor, v Vhost) (Vhost, error) {
	return vhostTable().update(ctx, s, a, "update", v, func(_ context.Context, c *change, before Vhost, v *Vhost) error {
		if before.Name == config.DefaultVhost && v.Name != before.Name {
			return fieldError("/name", "the default vhost keeps its name")
		}
		return c.checkVhost(v)
	})
}

// DeleteVhost removes a vhost with its streams, keys, rules and hooks. The
// default vhost stays: disable it instead.
func (s *Store) DeleteVhost(ctx context.Context, a Actor, id string, revision int64) error {
	return vhostTable().remove(ctx, s, a, id, revision, func(_ context.Context, _ *change, before Vhost) error {
		if before.Name == config.DefaultVhost {
			return fmt.Errorf("delete vhost: %w: the default vhost cannot be deleted; disable it instead", ErrConflict)
		}
		return nil
	})
}

// checkVhost checks a vhost by itself, and asks for the check of the whole.
func (c *change) checkVhost(v *Vhost) error {
	if v.Hostnames == nil {
		v.Hostnames = []string{}
	}
	for i, h := range v.Hostnames {
		v.Hostnames[i] = config.NormalHost(h)
	}
	cv := v.config()
	c.whole = true
	return fieldErrors(cv.Problems())
}
