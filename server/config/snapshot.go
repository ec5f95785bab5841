package config

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// New validates vhosts and keys and makes a snapshot of copies of them. An empty
// RefererMatch or IPPreset becomes the default one, all else has to be said. The
// error is of type Problems and lists all that is wrong, not only the first.
func New(revision int64, vhosts []Vhost, keys []TokenKey) (*Snapshot, error) {
	s := &Snapshot{
		Revision:  revision,
		Vhosts:    make([]Vhost, len(vhosts)),
		TokenKeys: slices.Clone(keys),
		index:     index{byName: map[string]*Vhost{}, byHost: map[string]*Vhost{}, byTail: map[string]*Vhost{}},
	}
	var ps Problems
	for i := range vhosts {
		s.Vhosts[i] = vhosts[i].clone()
		v := &s.Vhosts[i]
		v.RefererMatch = cmp.Or(v.RefererMatch, RefererMatchLabel)
		v.IPPreset = cmp.Or(v.IPPreset, IPPresetStandard)
		where := "vhosts[" + v.Name + "]."
		for _, p := range v.Problems() {
			ps = append(ps, Problem{Field: where + p.Field, Message: p.Message})
		}
		ps = append(ps, s.index.add(v, where)...)
	}
	seen := map[string]bool{}
	for _, k := range keys {
		if k.ID == "" || k.Secret == "" || seen[k.ID] {
			ps = append(ps, Problem{"token_keys[" + k.ID + "]", "give each token key its own id and a secret"})
		}
		seen[k.ID] = true
	}
	if len(ps) > 0 {
		return nil, ps
	}
	return s, nil
}

// WithRevoked returns a copy of the snapshot that refuses the tokens with these
// ids as well.
func (s *Snapshot) WithRevoked(ids []string) *Snapshot {
	c := *s
	c.revoked = maps.Clone(s.revoked)
	if c.revoked == nil {
		c.revoked = make(map[string]struct{}, len(ids))
	}
	for _, id := range ids {
		c.revoked[id] = struct{}{}
	}
	return &c
}

// add puts a vhost under its name and hosts, and says which are taken already.
func (x *index) add(v *Vhost, where string) Problems {
	var ps Problems
	name := strings.ToLower(v.Name)
	if x.byName[name] != nil {
		ps = append(ps, Problem{where + "name", "another vhost has this name; choose a different one"})
	}
	x.byName[name] = v
	for _, h := range v.Hostnames {
		h, hosts := NormalHost(h), x.byHost
		if tail, ok := strings.CutPrefix(h, "*"); ok {
			h, hosts = tail, x.byTail
		}
		if o := hosts[h]; o != nil && o != v {
			ps = append(ps, Problem{where + "hostnames", "vhost " + o.Name + " has this hostname already; remove it from one of them"})
		}
		hosts[h] = v
	}
	return ps
}

// clone copies a vhost and everything its slices hold.
func (v *Vhost) clone() Vhost {
	c := *v
	c.Hostnames = slices.Clone(v.Hostnames)
	c.RefererRules = slices.Clone(v.RefererRules)
	c.IPRules = slices.Clone(v.IPRules)
	c.DisabledStreams = slices.Clone(v.DisabledStreams)
	c.Hooks = slices.Clone(v.Hooks)
	for i := range c.Hooks {
		c.Hooks[i].Events = slices.Clone(c.Hooks[i].Events)
	}
	return c
}
