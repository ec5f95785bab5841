package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"net/netip"

	"github.com/penstock-media/penstock/server/config"
)

// IPRule is an IP rule of a vhost.
type IPRule struct {
	Meta
	VhostID  string            `json:"vhost_id"`
	Position int               `json:"position"` // shown from the lowest; 0: after all others
	Scope    config.Scope      `json:"scope"`
	Action   config.RuleAction `json:"action"`
	CIDR     netip.Prefix      `json:"cidr"` // see config.ParsePrefix
	Note     string            `json:"note"`
}

func (r *IPRule) config() config.IPRule {
	return config.IPRule{ID: r.ID, Scope: r.Scope, Action: r.Action, CIDR: r.CIDR}
}

// prefixText keeps an address range as text.
type prefixText struct{ p *netip.Prefix }

func (t prefixText) Scan(src any) error {
	text, ok := src.(string)
	if !ok {
		return fmt.Errorf("an address range is kept as %T, not as text", src)
	}
	p, err := netip.ParsePrefix(text)
	if err != nil {
		return fmt.Errorf("read address range: %w", err)
	}
	*t.p = p
	return nil
}

func (t prefixText) Value() (driver.Value, error) { return t.p.String(), nil }

func ipRuleTable() table[IPRule] {
	return table[IPRule]{
		name: "ip_rules", noun: "ip_rule", prefix: "ip",
		columns: []string{"vhost_id", "position", "scope", "action", "cidr", "note"},
		fields: func(v *IPRule) []any {
			return []any{
				&v.VhostID, &v.Position, (*string)(&v.Scope), (*string)(&v.Action), prefixText{&v.CIDR}, &v.Note,
			}
		},
		meta:  func(v *IPRule) *Meta { return &v.Meta },
		usual: "position", sorts: []string{"position", "created_at"},
	}
}

// IPRule returns the rule with that id.
func (s *Store) IPRule(ctx context.Context, id string) (IPRule, error) {
	return ipRuleTable().get(ctx, s, s.read, id)
}

// IPRules lists the rules of a vhost ("": of all) in their order.
func (s *Store) IPRules(ctx context.Context, vhostID string, o ListOptions) (List[IPRule], error) {
	var w where
	w.equal("vhost_id", vhostID)
	return ipRuleTable().list(ctx, s, w, o)
}

// CreateIPRule stores a new rule for r.VhostID.
func (s *Store) CreateIPRule(ctx context.Context, a Actor, r IPRule) (IPRule, error) {
	return ipRuleTable().create(ctx, s, a, r, func(ctx context.Context, c *change, r *IPRule) error {
		return c.checkIPRule(ctx, r)
	})
}

// UpdateIPRule replaces all fields of a rule but its vhost.
func (s *Store) UpdateIPRule(ctx context.Context, a Actor, r IPRule) (IPRule, error) {
	return ipRuleTable().update(ctx, s, a, "update", r, func(ctx context.Context, c *change, before IPRule, r *IPRule) error {
		r.VhostID = before.VhostID
		return c.checkIPRule(ctx, r)
	})
}

// DeleteIPRule removes a rule.
func (s *Store) DeleteIPRule(ctx context.Context, a Actor, id string, revision int64) error {
	return ipRuleTable().remove(ctx, s, a, id, revision, nil)
}

func (c *change) checkIPRule(ctx context.Context, r *IPRule) error {
	if err := fieldErrors(r.config().Problems()); err != nil {
		return err
	}
	return c.place(ctx, "ip_rules", r.VhostID, &r.Position)
}

// place checks that the vhost of a rule exists and gives a rule at position 0
// the one after all others.
func (c *change) place(ctx context.Context, table, vhostID string, position *int) error {
	if _, err := vhostTable().get(ctx, c.s, c.q, vhostID); err != nil {
		return err
	}
	c.whole = true
	if *position != 0 {
		return nil
	}
	last, err := c.s.number(ctx, c.q, "SELECT coalesce(max(position), 0) FROM "+table+" WHERE vhost_id = $1", vhostID)
	*position = int(last) + 1
	return err
}
