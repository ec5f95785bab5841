package api

import (
	"context"
	"errors"
	"time"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
)

// KeyPath names a key of a stream in a path.
type KeyPath struct {
	StreamPath
	KeyID string `path:"key_id" maxLength:"64" doc:"Id of the key" example:"key_01jx3v2v9ke8ra4nqk2m3b7xwz"`
}

type keyListInput struct {
	StreamPath
	PageQuery
}

type keyCreateInput struct {
	StreamPath
	Body KeyCreate
}

type keyUpdateInput struct {
	KeyPath
	Precondition
	Body KeyUpdate
}

type keyDeleteInput struct {
	KeyPath
	Precondition
}

type keyRotateInput struct {
	KeyPath
	Body KeyRotate
}

func (a *API) registerKeys() {
	const base = "/streams/{stream_id}/keys"
	register(a, operation{
		id: "list-keys", method: get, path: base, tag: "Keys", scope: auth.StreamsRead,
		summary: "List the keys of a stream",
	}, a.listKeys)
	register(a, operation{
		id: "create-key", method: post, path: base, tag: "Keys", scope: auth.KeysWrite, idempotent: true, status: 201,
		summary: "Create a key",
		about:   "The reply has the secret, this once.",
	}, a.createKey)
	register(a, operation{
		id: "get-key", method: get, path: base + "/{key_id}", tag: "Keys", scope: auth.StreamsRead,
		summary: "Get a key",
	}, a.getKey)
	register(a, operation{
		id: "update-key", method: patch, path: base + "/{key_id}", tag: "Keys", scope: auth.KeysWrite,
		summary: "Change a key",
		about:   "A disabled or expired key ends what it publishes within a second.",
	}, a.updateKey)
	register(a, operation{
		id: "delete-key", method: del, path: base + "/{key_id}", tag: "Keys", scope: auth.KeysWrite,
		summary: "Delete a key",
		about:   "What it publishes ends within a second.",
	}, a.deleteKey)
	register(a, operation{
		id: "rotate-key", method: post, path: base + "/{key_id}:rotate", tag: "Keys", scope: auth.KeysWrite, idempotent: true, status: 201,
		summary: "Give a key a new secret",
		about:   "The reply has the new secret, this once. The old one works until grace_seconds have passed.",
	}, a.rotateKey)
}

func (a *API) listKeys(ctx context.Context, in *keyListInput) (*listOutput[Key], error) {
	row, err := a.created(ctx, in.StreamID)
	if err != nil {
		return nil, err
	}
	l, err := a.store.Keys(ctx, row.ID, store.ListOptions{Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, err
	}
	live := a.keySessions()
	return pageOf(l, false, func(k store.Key) Key { return keyOf(k, live) }), nil
}

func (a *API) createKey(ctx context.Context, in *keyCreateInput) (*secret[KeySecret], error) {
	row, err := a.created(ctx, in.StreamID)
	if err != nil {
		return nil, err
	}
	b := &in.Body
	k := store.Key{StreamID: row.ID, Label: b.Label, Enabled: true, NotBefore: timeOr(b.NotBefore), ExpiresAt: timeOr(b.ExpiresAt)}
	set(&k.Enabled, b.Enabled)
	if k.CIDRs, err = prefixes(b.CIDRs, "/cidrs"); err != nil {
		return nil, err
	}
	s := config.NewStreamKeySecret()
	if k, err = a.store.CreateKey(ctx, actor(ctx), k, s); err != nil {
		return nil, err
	}
	return a.keyShown(ctx, k, row, s), nil
}

func (a *API) getKey(ctx context.Context, in *KeyPath) (*single[Key], error) {
	k, _, err := a.key(ctx, in)
	if err != nil {
		return nil, err
	}
	return a.keyReply(k), nil
}

func (a *API) updateKey(ctx context.Context, in *keyUpdateInput) (*single[Key], error) {
	k, _, err := a.key(ctx, &in.KeyPath)
	if err != nil {
		return nil, err
	}
	if k.Revision, err = in.Precondition.revision(k.Revision); err != nil {
		return nil, err
	}
	b := &in.Body
	set(&k.Label, b.Label)
	set(&k.Enabled, b.Enabled)
	setTime(&k.NotBefore, b.NotBefore)
	setTime(&k.ExpiresAt, b.ExpiresAt)
	if b.CIDRs != nil {
		if k.CIDRs, err = prefixes(*b.CIDRs, "/cidrs"); err != nil {
			return nil, err
		}
	}
	if k, err = a.store.UpdateKey(ctx, actor(ctx), k); err != nil {
		return nil, err
	}
	return a.keyReply(k), nil
}

func (a *API) deleteKey(ctx context.Context, in *keyDeleteInput) (*none, error) {
	k, _, err := a.key(ctx, &in.KeyPath)
	if err != nil {
		return nil, err
	}
	if k.Revision, err = in.Precondition.revision(k.Revision); err != nil {
		return nil, err
	}
	return nil, a.store.DeleteKey(ctx, actor(ctx), k.ID, k.Revision)
}

func (a *API) rotateKey(ctx context.Context, in *keyRotateInput) (*secret[KeySecret], error) {
	k, row, err := a.key(ctx, &in.KeyPath)
	if err != nil {
		return nil, err
	}
	var oldUntil time.Time
	if in.Body.GraceSeconds > 0 {
		oldUntil = time.Now().Add(time.Duration(in.Body.GraceSeconds) * time.Second)
	}
	s := config.NewStreamKeySecret()
	if k, err = a.store.RotateKey(ctx, actor(ctx), k.ID, k.Revision, s, oldUntil); err != nil {
		return nil, err
	}
	if in.Body.LiveSession == "kick" {
		for _, id := range a.keySessions()[k.ID] {
			// Not there any more is as good as kicked.
			if err := a.engine.Kick(id, "The stream key has a new secret.", 0); err != nil && !errors.Is(err, server.ErrNotFound) {
				return nil, err
			}
		}
	}
	return a.keyShown(ctx, k, row, s), nil
}

// key returns a key and its stream.
func (a *API) key(ctx context.Context, in *KeyPath) (store.Key, *store.Stream, error) {
	row, err := a.created(ctx, in.StreamID)
	if err != nil {
		return store.Key{}, nil, err
	}
	k, err := a.store.Key(ctx, in.KeyID)
	if err == nil && k.StreamID != row.ID {
		err = store.ErrNotFound
	}
	return k, row, missing(err, "key", in.KeyID)
}

// keySessions are the sessions that publish now, by the key they showed.
func (a *API) keySessions() map[string][]string {
	ids := map[string][]string{}
	for _, s := range a.engine.Sessions() {
		if s.KeyID != "" && s.EndedAt.IsZero() {
			ids[s.KeyID] = append(ids[s.KeyID], s.ID)
		}
	}
	return ids
}

func (a *API) keyReply(k store.Key) *single[Key] {
	return &single[Key]{ETag: etag(k.Revision), Body: keyOf(k, a.keySessions())}
}

// keyShown is the reply with the secret.
func (a *API) keyShown(ctx context.Context, k store.Key, row *store.Stream, s config.Secret) *secret[KeySecret] {
	return &secret[KeySecret]{
		ETag: etag(k.Revision), CacheControl: "no-store",
		Body: KeySecret{
			Key: keyOf(k, a.keySessions()), Secret: s.Reveal(),
			URLs: *a.streamURLs(ctx, streamName{row.Vhost, row.App, row.Name}),
		},
	}
}

func keyOf(k store.Key, live map[string][]string) Key {
	out := Key{
		ID: k.ID, StreamID: k.StreamID, Label: k.Label, Last4: k.LastFour, Enabled: k.Enabled,
		NotBefore: timeOrNil(k.NotBefore), ExpiresAt: timeOrNil(k.ExpiresAt), CIDRs: prefixTexts(k.CIDRs),
		LastUsedAt: timeOrNil(k.LastUsedAt), LastUsedFrom: k.LastUsedFrom, LiveSessionIDs: list(live[k.ID]),
		CreatedAt: k.CreatedAt, Revision: k.Revision,
	}
	if k.PreviousExpiresAt.After(time.Now()) {
		out.PreviousLast4, out.PreviousUntil = k.PreviousLastFour, timeOrNil(k.PreviousExpiresAt)
	}
	return out
}
