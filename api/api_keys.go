package api

import (
	"context"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
)

// APIKeyPath names an API key in a path.
type APIKeyPath struct { //nolint:revive // KeyPath is a stream key's
	APIKeyID string `path:"api_key_id" maxLength:"64" doc:"Id of the API key" example:"ak_01jx3v2v9ke8ra4nqk2m3b7xwz"`
}

type apiKeyListInput struct{ PageQuery }

type apiKeyCreateInput struct{ Body APIKeyCreate }

type apiKeyDeleteInput struct {
	APIKeyPath
	Precondition
}

func (a *API) registerAPIKeys() {
	register(a, operation{
		id: "list-api-keys", method: get, path: "/api-keys", tag: "Users", scope: auth.Admin, whole: true,
		summary: "List API keys",
	}, a.listAPIKeys)
	register(a, operation{
		id: "create-api-key", method: post, path: "/api-keys", tag: "Users", scope: auth.Admin, whole: true, idempotent: true, status: 201,
		summary: "Create an API key",
		about:   "The reply has the secret, this once.",
	}, a.createAPIKey)
	register(a, operation{
		id: "revoke-api-key", method: del, path: "/api-keys/{api_key_id}", tag: "Users", scope: auth.Admin, whole: true,
		summary: "Revoke an API key",
		about:   "It is refused from now on, and stays in the list with the time it was revoked.",
	}, a.revokeAPIKey)
}

func (a *API) listAPIKeys(ctx context.Context, in *apiKeyListInput) (*listOutput[APIKey], error) {
	l, err := a.store.APIKeys(ctx, store.ListOptions{Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, err
	}
	return pageOf(l, false, apiKeyOf), nil
}

func (a *API) createAPIKey(ctx context.Context, in *apiKeyCreateInput) (*secret[APIKeySecret], error) {
	b := &in.Body
	cidrs, err := prefixes(b.CIDRs, "/cidrs")
	if err != nil {
		return nil, err
	}
	vhosts, err := a.vhostIDs(ctx, b.VhostIDs, "/vhost_ids")
	if err != nil {
		return nil, err
	}
	s := auth.NewAPIKeySecret()
	k, err := a.store.CreateAPIKey(ctx, actor(ctx), store.APIKey{
		Name: b.Name, Scopes: b.Scopes, Vhosts: vhosts, CIDRs: cidrs, ExpiresAt: timeOr(b.ExpiresAt),
	}, s)
	if err != nil {
		return nil, err
	}
	return &secret[APIKeySecret]{
		ETag: etag(k.Revision), CacheControl: "no-store",
		Body: APIKeySecret{APIKey: apiKeyOf(k), Secret: s.Reveal()},
	}, nil
}

func (a *API) revokeAPIKey(ctx context.Context, in *apiKeyDeleteInput) (*none, error) {
	k, err := a.store.APIKey(ctx, in.APIKeyID)
	if err != nil {
		return nil, missing(err, "API key", in.APIKeyID)
	}
	if k.Revision, err = in.Precondition.revision(k.Revision); err != nil {
		return nil, err
	}
	if _, err = a.store.RevokeAPIKey(ctx, actor(ctx), k.ID, k.Revision); err != nil {
		return nil, err
	}
	a.signedOut()
	return &none{}, nil
}

func apiKeyOf(k store.APIKey) APIKey {
	return APIKey{
		ID: k.ID, Name: k.Name, Scopes: list(k.Scopes), VhostIDs: list(k.Vhosts), CIDRs: prefixTexts(k.CIDRs), Last4: k.LastFour,
		ExpiresAt: timeOrNil(k.ExpiresAt), LastUsedAt: timeOrNil(k.LastUsedAt), RevokedAt: timeOrNil(k.RevokedAt),
		LastUsedIP: k.LastUsedFrom, CreatedAt: k.CreatedAt, Revision: k.Revision,
	}
}
