package store

import (
	"context"

	"github.com/penstock-media/penstock/server/config"
)

// RefererRule is a referer rule of a vhost.
type RefererRule struct {
	Meta
	VhostID    string            `json:"vhost_id"`
	Position   int               `json:"position"` // tried from the lowest; 0: after all others
	Scope      config.Scope      `json:"scope"`
	Action     config.RuleAction `json:"action"`
	Pattern    string            `json:"pattern"`
	ReportOnly bool              `json:"report_only"`
	Note       string            `json:"note"`
}

func (r *RefererRule) config() config.RefererRule {
	return config.RefererRule{ID: r.ID, Scope: r.Scope, Action: r.Action, Pattern: r.Pattern, ReportOnly: r.ReportOnly}
}

func refererRuleTable() table[RefererRule] {
	return table[RefererRule]{
		name: "referer_rules", noun: "referer_rule", prefix: "rr",
		columns: []string{"vhost_id", "position", "scope", "action", "pattern", "report_only", "note"},
		fields: func(v *RefererRule) []any {
			return []any{
				&v.VhostID, &v.Position, (*string)(&v.Scope), (*string)(&v.Action), &v.Pattern,
				&v.ReportOnly, &v.Note,
			}
		},
		meta:  func(v *RefererRule) *Meta { return &v.Meta },
		usual: "position", sorts: []string{"position", "created_at"},
	}
}

// RefererRule returns the rule with that id.
func (s *Store) RefererRule(ctx context.Context, id string) (RefererRule, error) {
	return refererRuleTable().get(ctx, s, s.read, id)
}

// RefererRules lists the rules of a vhost ("": of all) in their order.
func (s *Store) RefererRules(ctx context.Context, vhostID string, o ListOptions) (List[RefererRule], error) {
	var w where
	w.equal("vhost_id", vhostID)
	return refererRuleTable().list(ctx, s, w, o)
}

// CreateRefererRule stores a new rule for r.VhostID.
func (s *Store) CreateRefererRule(ctx context.Context, a Actor, r RefererRule) (RefererRule, error) {
	return refererRuleTable().create(ctx, s, a, r, func(ctx context.Context, c *change, r *RefererRule) error {
		return c.checkRefererRule(ctx, r)
	})
}

// UpdateRefererRule replaces all fields of a rule but its vhost.
func (s *Store) UpdateRefererRule(ctx context.Context, a Actor, r RefererRule) (RefererRule, error) {
	return refererRuleTable().update(ctx, s, a, "update", r,
		func(ctx context.Context, c *change, before RefererRule, r *RefererRule) error {
			r.VhostID = before.VhostID
			return c.checkRefererRule(ctx, r)
		})
}

// DeleteRefererRule removes a rule.
func (s *Store) DeleteRefererRule(ctx context.Context, a Actor, id string, revision int64) error {
	return refererRuleTable().remove(ctx, s, a, id, revision, nil)
}

func (c *change) checkRefererRule(ctx context.Context, r *RefererRule) error {
	if err := fieldErrors(r.config().Problems()); err != nil {
		return err
	}
	return c.place(ctx, "referer_rules", r.VhostID, &r.Position)
}
