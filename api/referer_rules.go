package api

import (
	"context"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

type refererRuleCreateInput struct {
	VhostPath
	Body RefererRuleCreate
}

type refererRuleUpdateInput struct {
	RulePath
	Precondition
	Body RefererRuleUpdate
}

func (a *API) registerRefererRules() {
	const base = "/vhosts/{vhost_id}/referer-rules"
	register(a, operation{
		id: "list-referer-rules", method: get, path: base, tag: "Access", scope: auth.StreamsRead,
		summary: "List referer rules in their order",
	}, a.listRefererRules)
	register(a, operation{
		id: "create-referer-rule", method: post, path: base, tag: "Access", scope: auth.Admin, idempotent: true, status: 201,
		summary: "Create a referer rule",
		about:   "A referer can be made up by the peer. It keeps honest sites out; it does not keep secrets.",
	}, a.createRefererRule)
	register(a, operation{
		id: "get-referer-rule", method: get, path: base + "/{rule_id}", tag: "Access", scope: auth.StreamsRead,
		summary: "Get a referer rule",
	}, a.getRefererRule)
	register(a, operation{
		id: "update-referer-rule", method: patch, path: base + "/{rule_id}", tag: "Access", scope: auth.Admin,
		summary: "Change a referer rule",
	}, a.updateRefererRule)
	register(a, operation{
		id: "delete-referer-rule", method: del, path: base + "/{rule_id}", tag: "Access", scope: auth.Admin,
		summary: "Delete a referer rule",
	}, a.deleteRefererRule)
}

func (a *API) listRefererRules(ctx context.Context, in *ruleListInput) (*listOutput[RefererRule], error) {
	v, err := a.vhost(ctx, in.VhostID)
	if err != nil {
		return nil, err
	}
	l, err := a.store.RefererRules(ctx, v.ID, store.ListOptions{Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, err
	}
	return pageOf(l, false, refererRuleOf), nil
}

func (a *API) createRefererRule(ctx context.Context, in *refererRuleCreateInput) (*single[RefererRule], error) {
	v, err := a.vhost(ctx, in.VhostID)
	if err != nil {
		return nil, err
	}
	b := &in.Body
	r := store.RefererRule{
		VhostID: v.ID, Scope: config.ScopeAll, Action: config.RuleAction(b.Action), Pattern: b.Pattern,
		ReportOnly: b.ReportOnly, Note: b.Note,
	}
	set(&r.Position, b.Position)
	setUnlessEmpty(&r.Scope, b.Scope)
	r, err = a.store.CreateRefererRule(ctx, actor(ctx), r)
	return refererRuleReply(r), err
}

func (a *API) getRefererRule(ctx context.Context, in *RulePath) (*single[RefererRule], error) {
	r, err := a.refererRule(ctx, in)
	return refererRuleReply(r), err
}

func (a *API) updateRefererRule(ctx context.Context, in *refererRuleUpdateInput) (*single[RefererRule], error) {
	r, err := a.refererRule(ctx, &in.RulePath)
	if err != nil {
		return nil, err
	}
	if r.Revision, err = in.Precondition.revision(r.Revision); err != nil {
		return nil, err
	}
	b := &in.Body
	set(&r.Position, b.Position)
	setName(&r.Scope, b.Scope)
	setName(&r.Action, b.Action)
	set(&r.Pattern, b.Pattern)
	set(&r.ReportOnly, b.ReportOnly)
	set(&r.Note, b.Note)
	r, err = a.store.UpdateRefererRule(ctx, actor(ctx), r)
	return refererRuleReply(r), err
}

func (a *API) deleteRefererRule(ctx context.Context, in *ruleDeleteInput) (*none, error) {
	r, err := a.refererRule(ctx, &in.RulePath)
	if err != nil {
		return nil, err
	}
	if r.Revision, err = in.Precondition.revision(r.Revision); err != nil {
		return nil, err
	}
	return nil, a.store.DeleteRefererRule(ctx, actor(ctx), r.ID, r.Revision)
}

// refererRule returns a rule of the vhost in the path.
func (a *API) refererRule(ctx context.Context, in *RulePath) (store.RefererRule, error) {
	v, err := a.vhost(ctx, in.VhostID)
	if err != nil {
		return store.RefererRule{}, err
	}
	r, err := a.store.RefererRule(ctx, in.RuleID)
	if err == nil && r.VhostID != v.ID {
		err = store.ErrNotFound
	}
	return r, missing(err, "referer rule", in.RuleID)
}

func refererRuleReply(r store.RefererRule) *single[RefererRule] {
	return &single[RefererRule]{ETag: etag(r.Revision), Body: refererRuleOf(r)}
}

func refererRuleOf(r store.RefererRule) RefererRule {
	return RefererRule{
		ID: r.ID, VhostID: r.VhostID, Position: r.Position, Scope: string(r.Scope), Action: string(r.Action),
		Pattern: r.Pattern, ReportOnly: r.ReportOnly, Note: r.Note,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, Revision: r.Revision,
	}
}
