package api

import (
	"context"
	"net/netip"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

type ipRuleCreateInput struct {
	VhostPath
	Body IPRuleCreate
}

type ipRuleUpdateInput struct {
	RulePath
	Precondition
	Body IPRuleUpdate
}

func (a *API) registerIPRules() {
	const base = "/vhosts/{vhost_id}/ip-rules"
	register(a, operation{
		id: "list-ip-rules", method: get, path: base, tag: "Access", scope: auth.StreamsRead,
		summary: "List IP rules in their order",
	}, a.listIPRules)
	register(a, operation{
		id: "create-ip-rule", method: post, path: base, tag: "Access", scope: auth.Admin, idempotent: true, status: 201,
		summary: "Create an IP rule",
	}, a.createIPRule)
	register(a, operation{
		id: "get-ip-rule", method: get, path: base + "/{rule_id}", tag: "Access", scope: auth.StreamsRead,
		summary: "Get an IP rule",
	}, a.getIPRule)
	register(a, operation{
		id: "update-ip-rule", method: patch, path: base + "/{rule_id}", tag: "Access", scope: auth.Admin,
		summary: "Change an IP rule",
	}, a.updateIPRule)
	register(a, operation{
		id: "delete-ip-rule", method: del, path: base + "/{rule_id}", tag: "Access", scope: auth.Admin,
		summary: "Delete an IP rule",
	}, a.deleteIPRule)
}

func (a *API) listIPRules(ctx context.Context, in *ruleListInput) (*listOutput[IPRule], error) {
	v, err := a.vhost(ctx, in.VhostID)
	if err != nil {
		return nil, err
	}
	l, err := a.store.IPRules(ctx, v.ID, store.ListOptions{Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, err
	}
	return pageOf(l, false, ipRuleOf), nil
}

func (a *API) createIPRule(ctx context.Context, in *ipRuleCreateInput) (*single[IPRule], error) {
	v, err := a.vhost(ctx, in.VhostID)
	if err != nil {
		return nil, err
	}
	b := &in.Body
	r := store.IPRule{VhostID: v.ID, Scope: config.ScopeAll, Action: config.RuleAction(b.Action), Note: b.Note}
	if r.CIDR, err = prefix(b.CIDR); err != nil {
		return nil, err
	}
	set(&r.Position, b.Position)
	setUnlessEmpty(&r.Scope, b.Scope)
	r, err = a.store.CreateIPRule(ctx, actor(ctx), r)
	return ipRuleReply(r), err
}

func (a *API) getIPRule(ctx context.Context, in *RulePath) (*single[IPRule], error) {
	r, err := a.ipRule(ctx, in)
	return ipRuleReply(r), err
}

func (a *API) updateIPRule(ctx context.Context, in *ipRuleUpdateInput) (*single[IPRule], error) {
	r, err := a.ipRule(ctx, &in.RulePath)
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
	if b.CIDR != nil {
		if r.CIDR, err = prefix(*b.CIDR); err != nil {
			return nil, err
		}
	}
	set(&r.Note, b.Note)
	r, err = a.store.UpdateIPRule(ctx, actor(ctx), r)
	return ipRuleReply(r), err
}

func (a *API) deleteIPRule(ctx context.Context, in *ruleDeleteInput) (*none, error) {
	r, err := a.ipRule(ctx, &in.RulePath)
	if err != nil {
		return nil, err
	}
	if r.Revision, err = in.Precondition.revision(r.Revision); err != nil {
		return nil, err
	}
	return nil, a.store.DeleteIPRule(ctx, actor(ctx), r.ID, r.Revision)
}

// ipRule returns a rule of the vhost in the path.
func (a *API) ipRule(ctx context.Context, in *RulePath) (store.IPRule, error) {
	v, err := a.vhost(ctx, in.VhostID)
	if err != nil {
		return store.IPRule{}, err
	}
	r, err := a.store.IPRule(ctx, in.RuleID)
	if err == nil && r.VhostID != v.ID {
		err = store.ErrNotFound
	}
	return r, missing(err, "IP rule", in.RuleID)
}

func ipRuleReply(r store.IPRule) *single[IPRule] {
	return &single[IPRule]{ETag: etag(r.Revision), Body: ipRuleOf(r)}
}

func ipRuleOf(r store.IPRule) IPRule {
	return IPRule{
		ID: r.ID, VhostID: r.VhostID, Position: r.Position, Scope: string(r.Scope), Action: string(r.Action),
		CIDR: r.CIDR.String(), Note: r.Note,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, Revision: r.Revision,
	}
}

func prefix(s string) (netip.Prefix, error) {
	p, err := config.ParsePrefix(s)
	if err != nil {
		return p, invalid("/cidr", "neither an address nor a range such as 198.51.100.0/24")
	}
	return p, nil
}
