package api

import (
	"context"
	"errors"
	"slices"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

// VhostPath names a vhost in a path.
type VhostPath struct {
	VhostID string `path:"vhost_id" maxLength:"128" doc:"Id or name of the vhost" example:"default"`
}

type vhostListInput struct {
	PageQuery
	CountQuery
}

type vhostCreateInput struct{ Body VhostCreate }

type vhostUpdateInput struct {
	VhostPath
	Precondition
	Body VhostUpdate
}

type vhostDeleteInput struct {
	VhostPath
	Precondition
}

func (a *API) registerVhosts() {
	register(a, operation{
		id: "list-vhosts", method: get, path: "/vhosts", tag: "Vhosts", scope: auth.StreamsRead,
		summary: "List vhosts",
	}, a.listVhosts)
	register(a, operation{
		id: "create-vhost", method: post, path: "/vhosts", tag: "Vhosts", scope: auth.Admin, whole: true, idempotent: true, status: 201,
		summary: "Create a vhost",
	}, a.createVhost)
	register(a, operation{
		id: "get-vhost", method: get, path: "/vhosts/{vhost_id}", tag: "Vhosts", scope: auth.StreamsRead,
		summary: "Get a vhost",
	}, a.getVhost)
	register(a, operation{
		id: "update-vhost", method: patch, path: "/vhosts/{vhost_id}", tag: "Vhosts", scope: auth.Admin,
		summary: "Change a vhost",
		about:   "The change reaches live streams within a second.",
	}, a.updateVhost)
	register(a, operation{
		id: "delete-vhost", method: del, path: "/vhosts/{vhost_id}", tag: "Vhosts", scope: auth.Admin, whole: true,
		summary: "Delete a vhost",
		about:   "Its streams, keys and rules go with it, and what is live on it ends. The vhost called default stays.",
	}, a.deleteVhost)
}

func (a *API) listVhosts(ctx context.Context, in *vhostListInput) (*listOutput[Vhost], error) {
	l, err := a.store.Vhosts(ctx, store.VhostFilter{IDs: a.reachOf(ctx).ids}, store.ListOptions{Limit: in.Limit, Cursor: in.Cursor, Count: in.Count})
	if err != nil {
		return nil, err
	}
	return pageOf(l, in.Count, vhostOf), nil
}

func (a *API) createVhost(ctx context.Context, in *vhostCreateInput) (*single[Vhost], error) {
	b := &in.Body
	v := store.NewVhost(b.Name)
	if b.Hostnames != nil {
		v.Hostnames = b.Hostnames
	}
	set(&v.Enabled, b.Enabled)
	setUnlessEmpty(&v.PublishPolicy, b.PublishPolicy)
	setUnlessEmpty(&v.PlayPolicy, b.PlayPolicy)
	setUnlessEmpty(&v.DuplicatePolicy, b.DuplicatePolicy)
	setUnlessEmpty(&v.RefererEmpty, b.RefererEmpty)
	setUnlessEmpty(&v.RefererMatch, b.RefererMatch)
	setUnlessEmpty(&v.IPPreset, b.IPPreset)
	b.Media.apply(&v.Media)
	b.BandwidthCheck.apply(&v.BandwidthCheck)
	v, err := a.store.CreateVhost(ctx, actor(ctx), v)
	return vhostReply(v), err
}

func (a *API) getVhost(ctx context.Context, in *VhostPath) (*single[Vhost], error) {
	v, err := a.vhost(ctx, in.VhostID)
	return vhostReply(v), err
}

func (a *API) updateVhost(ctx context.Context, in *vhostUpdateInput) (*single[Vhost], error) {
	v, err := a.vhostAt(ctx, in.VhostID, in.Precondition)
	if err != nil {
		return nil, err
	}
	b := &in.Body
	if b.Name != nil && *b.Name != v.Name && v.Name == config.DefaultVhost {
		return nil, newProblem("default_vhost", "The default vhost keeps its name.")
	}
	renamed := b.Name != nil && *b.Name != v.Name
	moved := b.Hostnames != nil && !slices.Equal(*b.Hostnames, v.Hostnames)
	if p := auth.From(ctx); p.Limited() && (renamed || moved) {
		return nil, wholeServer(p, "Another name or another host name")
	}
	set(&v.Name, b.Name)
	set(&v.Hostnames, b.Hostnames)
	set(&v.Enabled, b.Enabled)
	setName(&v.PublishPolicy, b.PublishPolicy)
	setName(&v.PlayPolicy, b.PlayPolicy)
	setName(&v.DuplicatePolicy, b.DuplicatePolicy)
	setName(&v.RefererEmpty, b.RefererEmpty)
	setName(&v.RefererMatch, b.RefererMatch)
	setName(&v.IPPreset, b.IPPreset)
	b.Media.apply(&v.Media)
	b.BandwidthCheck.apply(&v.BandwidthCheck)
	v, err = a.store.UpdateVhost(ctx, actor(ctx), v)
	return vhostReply(v), err
}

func (a *API) deleteVhost(ctx context.Context, in *vhostDeleteInput) (*none, error) {
	v, err := a.vhostAt(ctx, in.VhostID, in.Precondition)
	if err != nil {
		return nil, err
	}
	if v.Name == config.DefaultVhost {
		return nil, newProblem("default_vhost", "Disable it instead.")
	}
	return nil, a.store.DeleteVhost(ctx, actor(ctx), v.ID, v.Revision)
}

// vhost returns the vhost with that id or name, if the caller may see it.
func (a *API) vhost(ctx context.Context, ref string) (store.Vhost, error) {
	v, err := a.store.VhostByName(ctx, ref)
	if errors.Is(err, store.ErrNotFound) {
		v, err = a.store.Vhost(ctx, ref)
	}
	if err == nil && !a.reachOf(ctx).id(v.ID) {
		return store.Vhost{}, outside("vhost", ref)
	}
	return v, missing(err, "vhost", ref)
}

// vhostAt returns it at the revision the caller has seen.
func (a *API) vhostAt(ctx context.Context, ref string, p Precondition) (store.Vhost, error) {
	v, err := a.vhost(ctx, ref)
	if err != nil {
		return v, err
	}
	v.Revision, err = p.revision(v.Revision)
	return v, err
}

func vhostReply(v store.Vhost) *single[Vhost] {
	return &single[Vhost]{ETag: etag(v.Revision), Body: vhostOf(v)}
}

func vhostOf(v store.Vhost) Vhost {
	return Vhost{
		ID: v.ID, Name: v.Name, Hostnames: list(v.Hostnames), Enabled: v.Enabled,
		PublishPolicy: string(v.PublishPolicy), PlayPolicy: string(v.PlayPolicy), DuplicatePolicy: string(v.DuplicatePolicy),
		RefererEmpty: string(v.RefererEmpty), RefererMatch: string(v.RefererMatch), IPPreset: string(v.IPPreset),
		Media:          mediaOf(v.Media),
		BandwidthCheck: bandwidthOf(v.BandwidthCheck),
		CreatedAt:      v.CreatedAt, UpdatedAt: v.UpdatedAt, Revision: v.Revision,
	}
}
