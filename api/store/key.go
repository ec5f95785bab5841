package store

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/penstock-media/penstock/server/config"
)

// Key is a stream key. The secret itself is nowhere: only its hash is kept.
type Key struct {
	Meta
	StreamID     string         `json:"stream_id"`
	Label        string         `json:"label"`
	LastFour     string         `json:"secret_last4"`
	Enabled      bool           `json:"enabled"`
	NotBefore    time.Time      `json:"not_before,omitzero"` // zero: from ever
	ExpiresAt    time.Time      `json:"expires_at,omitzero"` // zero: never
	CIDRs        []netip.Prefix `json:"cidrs"`               // none: from anywhere
	LastUsedAt   time.Time      `json:"last_used_at,omitzero"`
	LastUsedFrom string         `json:"last_used_from,omitempty"`

	// The secret before the last rotation, which works until the time given.
	PreviousLastFour  string    `json:"previous_secret_last4,omitempty"`
	PreviousExpiresAt time.Time `json:"previous_expires_at,omitzero"`

	hash, previousHash string
}

func keyTable() table[Key] {
	return table[Key]{
		name: "stream_keys", noun: "key", prefix: "key", taken: "this secret is in use already",
		columns: []string{
			"stream_id", "label", "hash", "last_four", "previous_hash", "previous_last_four", "previous_expires_at",
			"enabled", "not_before", "expires_at", "cidrs", "last_used_at", "last_used_from",
		},
		fields: func(v *Key) []any {
			return []any{
				&v.StreamID, &v.Label, &v.hash, &v.LastFour,
				orNull{&v.previousHash},
				&v.PreviousLastFour,
				stamp{&v.PreviousExpiresAt},
				&v.Enabled,
				stamp{&v.NotBefore},
				stamp{&v.ExpiresAt},
				jsonText{&v.CIDRs},
				stamp{&v.LastUsedAt},
				&v.LastUsedFrom,
			}
		},
		meta:  func(v *Key) *Meta { return &v.Meta },
		usual: "created_at", sorts: []string{"created_at", "label", "last_used_at"},
	}
}

// Key returns the stream key with that id.
func (s *Store) Key(ctx context.Context, id string) (Key, error) {
	return keyTable().get(ctx, s, s.read, id)
}

// Keys lists the keys of a stream ("": of all), the oldest first.
func (s *Store) Keys(ctx context.Context, streamID string, o ListOptions) (List[Key], error) {
	var w where
	w.equal("stream_id", streamID)
	return keyTable().list(ctx, s, w, o)
}

// CreateKey stores a new key for k.StreamID. The secret is config.NewStreamKeySecret's.
func (s *Store) CreateKey(ctx context.Context, a Actor, k Key, secret config.Secret) (Key, error) {
	err := s.change(ctx, a, func(ctx context.Context, c *change) error { return c.createKey(ctx, &k, secret) })
	return k, err
}

func (c *change) createKey(ctx context.Context, k *Key, secret config.Secret) error {
	return keyTable().createIn(ctx, c, k, func(ctx context.Context, c *change, k *Key) error {
		if _, err := streamTable().get(ctx, c.s, c.q, k.StreamID); err != nil {
			return err
		}
		k.previousHash, k.PreviousLastFour, k.PreviousExpiresAt = "", "", time.Time{}
		if err := c.secretFree(ctx, secret); err != nil {
			return err
		}
		k.hash, k.LastFour = config.HashKey(secret.Reveal()).String(), secret.LastFour()
		return k.check()
	})
}

// UpdateKey replaces label, enabled, times and CIDRs of a key.
func (s *Store) UpdateKey(ctx context.Context, a Actor, k Key) (Key, error) {
	return keyTable().update(ctx, s, a, "update", k, func(_ context.Context, _ *change, before Key, k *Key) error {
		k.keepFrom(before)
		return k.check()
	})
}

// RotateKey gives a key a new secret. The old one works until the time given;
// the zero time ends it at once. One before the old one ends at once too.
func (s *Store) RotateKey(ctx context.Context, a Actor, id string, revision int64, secret config.Secret, oldUntil time.Time) (Key, error) {
	k := Key{Meta: Meta{ID: id, Revision: revision}}
	return keyTable().update(ctx, s, a, "rotate", k, func(ctx context.Context, c *change, before Key, k *Key) error {
		if err := c.secretFree(ctx, secret); err != nil {
			return err
		}
		m := k.Meta
		*k = before
		k.Meta = m
		k.previousHash, k.PreviousLastFour, k.PreviousExpiresAt = "", "", time.Time{}
		if oldUntil.After(c.now) {
			k.previousHash, k.PreviousLastFour, k.PreviousExpiresAt = before.hash, before.LastFour, oldUntil.UTC()
		}
		k.hash, k.LastFour = config.HashKey(secret.Reveal()).String(), secret.LastFour()
		return nil
	})
}

// DeleteKey removes a key: it is unknown from then on.
func (s *Store) DeleteKey(ctx context.Context, a Actor, id string, revision int64) error {
	return keyTable().remove(ctx, s, a, id, revision, nil)
}

// KeyByHash returns what belongs to the secret with that hash, current or within
// the grace time of a rotation. The error is config.ErrNoKey for an unknown one.
func (s *Store) KeyByHash(ctx context.Context, h config.KeyHash) (config.StreamKey, error) {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	const query = `SELECT k.id, k.stream_id, v.name, st.app, st.name, k.enabled, st.enabled, k.not_before,
			k.expires_at, k.cidrs, k.hash, k.previous_expires_at
		FROM stream_keys k JOIN streams st ON st.id = k.stream_id JOIN vhosts v ON v.id = st.vhost_id
		WHERE k.hash = $1 OR k.previous_hash = $1`
	var (
		k             config.StreamKey
		hash          string
		previousUntil time.Time
	)
	err := s.read.QueryRowContext(ctx, query, h.String()).Scan(&k.ID, &k.StreamID, &k.Vhost, &k.App, &k.Stream,
		&k.Enabled, &k.StreamEnabled, stamp{&k.NotBefore}, stamp{&k.ExpiresAt}, jsonText{&k.CIDRs}, &hash, stamp{&previousUntil})
	if isNoRows(err) {
		return config.StreamKey{}, config.ErrNoKey
	}
	if err != nil {
		return config.StreamKey{}, s.wrap("look up a stream key", err)
	}
	if hash != h.String() && (k.ExpiresAt.IsZero() || previousUntil.Before(k.ExpiresAt)) {
		k.ExpiresAt = previousUntil
	}
	return k, nil
}

// TouchKey notes that a key was used. It is no configuration change.
func (s *Store) TouchKey(ctx context.Context, id string, at time.Time, from string) error {
	return s.exec(ctx, "note the use of a key",
		"UPDATE stream_keys SET last_used_at = $1, last_used_from = $2 WHERE id = $3 AND last_used_at < $1",
		micros(at), storable(from), storable(id))
}

// secretFree makes sure that no key, not even by its old secret, has this one.
func (c *change) secretFree(ctx context.Context, secret config.Secret) error {
	_, err := c.s.keyOf(ctx, c.q, config.HashKey(secret.Reveal()))
	switch {
	case err == nil:
		return fmt.Errorf("key: %w: this secret is in use already", ErrConflict)
	case errors.Is(err, ErrNotFound):
		return nil
	default:
		return err
	}
}

func (s *Store) keyOf(ctx context.Context, q querier, h config.KeyHash) (Key, error) {
	var w where
	w.add("(hash = ? OR previous_hash = ?)", h.String(), h.String())
	return keyTable().find(ctx, s, q, w)
}

// keepFrom takes over what an update does not change.
func (k *Key) keepFrom(before Key) {
	k.StreamID = before.StreamID
	k.hash, k.LastFour = before.hash, before.LastFour
	k.previousHash, k.PreviousLastFour = before.previousHash, before.PreviousLastFour
	k.PreviousExpiresAt = before.PreviousExpiresAt
	k.LastUsedAt, k.LastUsedFrom = before.LastUsedAt, before.LastUsedFrom
}

func (k *Key) check() error {
	const maxLabel = 128
	if k.CIDRs == nil {
		k.CIDRs = []netip.Prefix{}
	}
	if len(k.Label) > maxLabel*4 || !plain(k.Label) {
		return fieldError("/label", "use at most %d characters without control characters", maxLabel)
	}
	if !k.ExpiresAt.IsZero() && !k.ExpiresAt.After(k.NotBefore) {
		return fieldError("/expires_at", "it has to be later than not_before")
	}
	k.NotBefore, k.ExpiresAt = kept(k.NotBefore), kept(k.ExpiresAt)
	return nil
}

// kept is a time as it will be read back.
func kept(t time.Time) time.Time { return fromMicros(micros(t)) }
