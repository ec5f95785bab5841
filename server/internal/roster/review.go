package roster

import (
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
)

// Adopt makes a configuration the one that decides, and decides again for every
// live session of a vhost that changed. A session that would not be let in now
// is ended; all others are not disturbed. A token's
// times say when a session may begin, so one that has expired since ends nobody
// who is inside.
func (r *Roster) Adopt(ctx context.Context, next *config.Snapshot) {
	prev := r.snapshot.Swap(next)
	r.generation.Add(1)
	if prev == nil {
		return
	}
	same := make(map[string]bool, len(next.Vhosts))
	for i := range next.Vhosts {
		v := &next.Vhosts[i]
		same[v.Name] = sameRules(prev.Named(v.Name), v)
	}
	r.review(ctx, func(d access.Decision) bool {
		// A token may have been revoked, or its signing key removed.
		return !same[d.Vhost.Name] || d.TokenID != ""
	})
}

// sameRules compares vhosts but for their media settings, which decide nothing.
func sameRules(was, is *config.Vhost) bool {
	if was == nil {
		return false
	}
	a, b := *was, *is
	a.Media, b.Media = config.Media{}, config.Media{}
	return reflect.DeepEqual(a, b)
}

// ForgetKeys decides again for the live publishers that came with one of the
// keys, or for all that came with a key when none is named.
func (r *Roster) ForgetKeys(ctx context.Context, ids ...string) {
	r.generation.Add(1)
	r.review(ctx, func(d access.Decision) bool {
		return d.KeyID != "" && (len(ids) == 0 || slices.Contains(ids, d.KeyID))
	})
}

func (r *Roster) review(ctx context.Context, concerns func(access.Decision) bool) {
	snap := r.Snapshot()
	for _, e := range r.entries() {
		e.mu.Lock()
		req, d, admitted := e.request, e.decision, e.admitted
		e.mu.Unlock()
		if !admitted || !concerns(d) {
			continue
		}
		r.reviewOne(ctx, snap, e, req, d)
	}
}

// reviewOne ends the session if it would be refused now, and remembers the new
// decision if not. Being unable to look a key up ends nobody.
func (r *Roster) reviewOne(
	ctx context.Context, snap *config.Snapshot, e *Entry, req access.Request, was access.Decision,
) {
	v := snap.Named(was.Vhost.Name)
	switch {
	case v == nil:
		e.End(config.ReasonVhostRemoved, "The vhost of this stream has been removed.")
		return
	case !v.Enabled:
		e.End(config.ReasonVhostRemoved, "The vhost of this stream has been disabled.")
		return
	case v.StreamDisabled(was.App, was.Name):
		e.End(config.ReasonStreamDisabled, "This stream has been disabled.")
		return
	}
	req.Started, req.Now = req.Now, time.Now()
	d := access.Decide(ctx, snap, r.keys, req)
	switch {
	case d.Allow && d.Vhost.Name == was.Vhost.Name && d.App == was.App && d.Name == was.Name:
		e.mu.Lock()
		e.decision, e.until = d, d.Until
		e.mu.Unlock()
	case d.Allow:
		e.End(config.ReasonVhostRemoved, "The host name or key this session came with now stands for another stream.")
	case d.Reason == config.ReasonRefusedNotReady:
		r.log.Warn("keep a session whose key cannot be looked up now", "session", e.ID(), "err", d.Detail)
	case d.Reason == config.ReasonRefusedKey:
		e.End(config.ReasonKeyRevoked, d.Detail)
	case d.Reason == config.ReasonRefusedStream:
		e.End(config.ReasonStreamDisabled, d.Detail)
	default:
		e.End(d.Reason, d.Detail)
	}
}
