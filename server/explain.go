package server

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/internal/session"
	"github.com/penstock-media/penstock/server/internal/stream"
)

// ExplainRequest is a connection that might come.
type ExplainRequest struct {
	Action  string // "publish" or "play"
	URL     string // rtmp://host/app/name?token=…, or http://host/app/name.flv to play
	IP      netip.Addr
	Referer string
	At      time.Time // zero: now
}

// Explanation is what would happen to it, with every check in order.
type Explanation struct {
	Allow            bool
	Reason, Detail   string
	Vhost, App, Name string // Name is empty when a key in its place is not accepted
	KeyID, TokenID   string
	Until            time.Time // when the session would have to end; zero: no end
	Live             bool      // the stream has a publisher now
	Checks           []Check
}

// Explain says what would happen to a connection, by the same decision that
// connections get. It changes nothing. The error says that the request itself
// cannot be understood.
func (e *Engine) Explain(ctx context.Context, req ExplainRequest) (Explanation, error) {
	action := access.Action(req.Action)
	if action != access.Publish && action != access.Play {
		return Explanation{}, fmt.Errorf("server: explain: action %q is neither publish nor play", req.Action)
	}
	if !req.IP.IsValid() {
		return Explanation{}, fmt.Errorf("server: explain: an IP address is needed")
	}
	ask, err := session.RequestOf(req.URL)
	if err != nil {
		return Explanation{}, fmt.Errorf("server: explain: %w", err)
	}
	ask.Action, ask.Peer, ask.Referer, ask.Now = action, req.IP, req.Referer, req.At
	if ask.Now.IsZero() {
		ask.Now = time.Now()
	}
	d := e.roster.Rehearse(ctx, ask)
	x := Explanation{
		Allow: d.Allow, Reason: string(d.Reason), Detail: d.Detail, App: d.App, Name: d.Name,
		KeyID: d.KeyID, TokenID: d.TokenID, Until: d.Until, Checks: checks(roster.Checks(d.Checks)),
	}
	if d.Vhost != nil {
		x.Vhost = d.Vhost.Name
	}
	id := stream.ID{Vhost: x.Vhost, App: d.App, Name: d.Name}
	for _, s := range e.hub.Streams() {
		x.Live = x.Live || s.ID == id && s.Live
	}
	if d.Allow && action == access.Publish {
		e.explainDuplicate(&x, id, d)
	}
	return x, nil
}

// explainDuplicate adds the check that only the hub makes: whether a publisher
// that is on already keeps the place.
func (e *Engine) explainDuplicate(x *Explanation, id stream.ID, d access.Decision) {
	check := Check{Name: "duplicate", Result: access.Pass, Detail: "nobody publishes this stream now"}
	var owner string
	for _, s := range e.roster.Sessions() {
		if s.Role == roster.Publisher && s.Vhost == id.Vhost && s.App == id.App && s.Name == id.Name {
			owner = cmp.Or(s.KeyID, s.TokenID)
		}
	}
	if x.Live {
		switch policy := d.Vhost.DuplicatePolicy; {
		case policy == config.DuplicateTakeover,
			policy == config.DuplicateTakeoverSameKey && owner != "" && owner == cmp.Or(d.KeyID, d.TokenID):
			check.Detail = "the publisher that is on now would be replaced, and its players kept"
		default:
			check.Result = access.Fail
			check.Detail = "another publisher is on, and this one may not take over"
			x.Allow, x.Reason, x.Detail = false, string(config.ReasonStreamBusy), check.Detail
		}
	}
	x.Checks = append(x.Checks, check)
}
