package api

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
)

// reach is which vhosts somebody may see. What is outside does not exist for
// them: it is in no list, and by its id it is not found.
type reach struct {
	ids   []string // of vhosts; none: all
	names []string // of the same, as the engine knows them
}

// reachOf is the reach of whoever sent the request.
func (a *API) reachOf(ctx context.Context) reach {
	if p := auth.From(ctx); p != nil {
		return a.reach(p.Vhosts)
	}
	return reach{}
}

// reach is that of a list of vhost ids. A vhost that no longer exists has no name.
func (a *API) reach(ids []string) reach {
	r := reach{ids: ids}
	snap := a.applied.Snapshot()
	if !r.limited() || snap == nil {
		return r
	}
	for i := range snap.Vhosts {
		if v := &snap.Vhosts[i]; slices.Contains(ids, v.ID) {
			r.names = append(r.names, v.Name)
		}
	}
	return r
}

func (r reach) limited() bool { return len(r.ids) > 0 }

// id says whether the vhost with that id is inside.
func (r reach) id(vhostID string) bool { return !r.limited() || slices.Contains(r.ids, vhostID) }

// name says whether the vhost of that name is inside. Peers that have not said a
// vhost are seen by those only who see all.
func (r reach) name(vhost string) bool { return !r.limited() || slices.Contains(r.names, vhost) }

// audience names the reach for the feed, whose viewers of one audience share
// what they are sent.
func audience(p *auth.Principal) string { return strings.Join(p.Vhosts, ",") }

// reachOfAudience is the reach an audience has.
func (a *API) reachOfAudience(audience string) reach {
	if audience == "" {
		return reach{}
	}
	return a.reach(strings.Split(audience, ","))
}

// vhostIDs are the ids of vhosts somebody is going to be limited to, which were
// sent as ids or names. pointer is where they stand in the body.
func (a *API) vhostIDs(ctx context.Context, refs []string, pointer string) ([]string, error) {
	ids := make([]string, len(refs))
	for i, ref := range refs {
		v, err := a.vhost(ctx, ref)
		if p, ok := errors.AsType[*Problem](err); ok && p.Code == "not_found" {
			return nil, invalid(pointer+"/"+strconv.Itoa(i), "there is no vhost with this id or name")
		}
		if err != nil {
			return nil, err
		}
		ids[i] = v.ID
	}
	return ids, nil
}

// outside is the answer about a thing outside of the caller's reach: the same as
// when there is no such thing.
func outside(noun, id string) error { return missing(store.ErrNotFound, noun, id) }
