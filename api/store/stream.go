package store

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/penstock-media/penstock/server/config"
)

// Stream is a stream somebody created: a name with keys. It may be live or not.
type Stream struct {
	Meta
	VhostID    string            `json:"vhost_id"`
	Vhost      string            `json:"vhost"` // name of the vhost; not written
	App        string            `json:"app"`
	Name       string            `json:"name"`
	Enabled    bool              `json:"enabled"`
	ExternalID string            `json:"external_id"`
	Metadata   map[string]string `json:"metadata"`
}

func streamTable() table[Stream] {
	return table[Stream]{
		name: "streams", noun: "stream", prefix: "st", taken: "another stream has this name in the app",
		columns: []string{"vhost_id", "app", "name", "enabled", "external_id", "metadata"},
		fields: func(v *Stream) []any {
			return []any{&v.VhostID, &v.App, &v.Name, &v.Enabled, &v.ExternalID, jsonText{&v.Metadata}}
		},
		meta:           func(v *Stream) *Meta { return &v.Meta },
		computed:       []string{"(SELECT vhosts.name FROM vhosts WHERE vhosts.id = streams.vhost_id) AS vhost"},
		computedFields: func(v *Stream) []any { return []any{&v.Vhost} },
		usual:          "-created_at", sorts: []string{"created_at", "updated_at", "name", "app"},
	}
}

// Stream returns the stream with that id.
func (s *Store) Stream(ctx context.Context, id string) (Stream, error) {
	return streamTable().get(ctx, s, s.read, id)
}

// StreamByName returns the stream with that name in the vhost with that name.
func (s *Store) StreamByName(ctx context.Context, vhost, app, name string) (Stream, error) {
	var w where
	w.add("vhost_id = (SELECT id FROM vhosts WHERE vhosts.name = ?) AND app = ? AND name = ?",
		storable(vhost), storable(app), storable(name))
	return streamTable().find(ctx, s, s.read, w)
}

// StreamFilter chooses streams. Empty fields choose all.
type StreamFilter struct {
	VhostIDs   []string
	App        string
	Name       string
	ExternalID string
	Search     string // part of name, app or external id
	Enabled    *bool
}

// Streams lists streams, the newest first unless told otherwise.
func (s *Store) Streams(ctx context.Context, f StreamFilter, o ListOptions) (List[Stream], error) {
	var w where
	w.in("vhost_id", f.VhostIDs)
	w.equal("app", f.App)
	w.equal("name", f.Name)
	w.equal("external_id", f.ExternalID)
	w.contains(f.Search, "name", "app", "external_id")
	if f.Enabled != nil {
		w.add("enabled = ?", *f.Enabled)
	}
	return streamTable().list(ctx, s, w, o)
}

// CreateStream stores a new stream.
func (s *Store) CreateStream(ctx context.Context, a Actor, v Stream) (Stream, error) {
	return streamTable().create(ctx, s, a, v, func(ctx context.Context, c *change, v *Stream) error {
		return c.checkStream(ctx, v)
	})
}

// CreateStreamWithKey stores a new stream and its first key together. The key's
// StreamID is filled in.
func (s *Store) CreateStreamWithKey(ctx context.Context, a Actor, v Stream, k Key, secret config.Secret) (Stream, Key, error) {
	err := s.change(ctx, a, func(ctx context.Context, c *change) error {
		if err := streamTable().createIn(ctx, c, &v, func(ctx context.Context, c *change, v *Stream) error {
			return c.checkStream(ctx, v)
		}); err != nil {
			return err
		}
		k.StreamID = v.ID
		return c.createKey(ctx, &k, secret)
	})
	return v, k, err
}

// UpdateStream replaces all fields of a stream but its vhost.
func (s *Store) UpdateStream(ctx context.Context, a Actor, v Stream) (Stream, error) {
	return streamTable().update(ctx, s, a, "update", v, func(ctx context.Context, c *change, before Stream, v *Stream) error {
		v.VhostID = before.VhostID
		return c.checkStream(ctx, v)
	})
}

// DeleteStream removes a stream and its keys.
func (s *Store) DeleteStream(ctx context.Context, a Actor, id string, revision int64) error {
	return streamTable().remove(ctx, s, a, id, revision, nil)
}

const (
	maxPairs      = 50
	maxPairBytes  = 1 << 10
	maxExternalID = 256
)

func (c *change) checkStream(ctx context.Context, v *Stream) error {
	vhost, err := vhostTable().get(ctx, c.s, c.q, v.VhostID)
	if err != nil {
		return err
	}
	v.Vhost = vhost.Name
	if v.Metadata == nil {
		v.Metadata = map[string]string{}
	}
	if err := config.ValidApp(v.App); err != nil {
		return fieldError("/app", "%v", err)
	}
	if err := config.ValidName(v.Name); err != nil {
		return fieldError("/name", "%v", err)
	}
	if config.LooksLikeKey(v.Name) || config.LooksLikeMistypedKey(v.Name) {
		return fieldError("/name", "this looks like a stream key; the name is what players use and everybody sees")
	}
	if len(v.ExternalID) > maxExternalID || !plain(v.ExternalID) {
		return fieldError("/external_id", "use at most %d bytes of text without control characters", maxExternalID)
	}
	if len(v.Metadata) > maxPairs {
		return fieldError("/metadata", "use at most %d pairs", maxPairs)
	}
	for k, val := range v.Metadata {
		if k == "" || len(k) > maxPairBytes || len(val) > maxPairBytes || !plain(k) || !plain(val) {
			return fieldError("/metadata", "use names and values of at most %d bytes without control characters", maxPairBytes)
		}
	}
	return nil
}

// plain says whether s is text without control characters.
func plain(s string) bool { return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl) }
