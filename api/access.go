package api

import (
	"context"
	"hash/fnv"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/server"
)

type explainInput struct{ Body AccessQuestion }

type refusalListInput struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"100" doc:"How many at most"`
	Action string `query:"action" enum:"publish,play" doc:"Only of this kind"`
	Vhost  string `query:"vhost" maxLength:"128" doc:"Only of this vhost, by name"`
	Query  string `query:"q" maxLength:"128" doc:"Only those whose stream, peer, agent, reason or detail contains this"`
}

func (a *API) registerAccess() {
	register(a, operation{
		id: "explain-access", method: post, path: "/access:explain", tag: "Access", scope: auth.StreamsRead,
		summary: "Ask whether somebody would be let in, and why",
		about:   "Asks the same code that decides for real. Nothing is opened.",
	}, a.explain)
	register(a, operation{
		id: "list-refusals", method: get, path: "/refusals", tag: "Access", scope: auth.StreamsRead,
		summary: "List recent refusals",
		about:   "The last 500 of this node since its start, newest first.",
	}, a.listRefusals)
}

func (a *API) explain(ctx context.Context, in *explainInput) (*plain[AccessAnswer], error) {
	b := &in.Body
	req := server.ExplainRequest{Action: b.Action, URL: b.URL, IP: requestOf(ctx).ip, Referer: b.Referer, At: timeOr(b.At)}
	if b.IP != "" {
		ip, err := netip.ParseAddr(b.IP)
		if err != nil {
			return nil, invalid("/ip", "not an address such as 198.51.100.7")
		}
		req.IP = ip.Unmap()
	}
	x, err := a.engine.Explain(ctx, req)
	if err != nil {
		return nil, invalid("/url", "cannot be understood: "+after(err.Error(), "explain: "))
	}
	if x.Vhost != "" && !a.reachOf(ctx).name(x.Vhost) {
		return nil, newProblem("not_found", "This address leads to no vhost that you can see.")
	}
	out := AccessAnswer{
		Allow: x.Allow, Reason: x.Reason, Detail: x.Detail, Vhost: x.Vhost, App: x.App, Name: x.Name,
		KeyID: x.KeyID, TokenID: x.TokenID, Live: x.Live, Checks: checksOf(x.Checks), ExpiresAt: timeOrNil(x.Until),
	}
	return &plain[AccessAnswer]{Body: out}, nil
}

func (a *API) listRefusals(ctx context.Context, in *refusalListInput) (*listOutput[Refusal], error) {
	out := &listOutput[Refusal]{Body: List[Refusal]{Items: []Refusal{}}}
	for _, r := range a.refusals(a.reachOf(ctx)) {
		if len(out.Body.Items) == in.Limit {
			break
		}
		if (in.Action != "" && r.Action != in.Action) || (in.Vhost != "" && r.Vhost != in.Vhost) || !refusalContains(&r, in.Query) {
			continue
		}
		out.Body.Items = append(out.Body.Items, refusalOf(r))
	}
	return out, nil
}

// refusals are the recent ones within reach, newest first.
func (a *API) refusals(r reach) []server.Refusal {
	return slices.DeleteFunc(a.engine.Refusals(), func(f server.Refusal) bool { return !r.name(f.Vhost) })
}

func refusalContains(r *server.Refusal, text string) bool {
	text = strings.ToLower(text)
	for _, field := range []string{r.Name, r.App, r.Peer, r.Agent, r.Reason, r.Detail} {
		if strings.Contains(strings.ToLower(field), text) {
			return true
		}
	}
	return false
}

func refusalOf(r server.Refusal) Refusal {
	h := fnv.New32a()
	_, _ = h.Write([]byte(r.Peer + r.Action + r.Name)) // never fails
	return Refusal{
		ID:         "ref_" + strconv.FormatInt(r.Time.UnixNano(), 36) + strconv.FormatUint(uint64(h.Sum32()), 36),
		OccurredAt: r.Time.UTC(), Action: r.Action, Protocol: r.Protocol, Vhost: r.Vhost, App: r.App, Name: r.Name,
		Peer: r.Peer, Agent: r.Agent, Reason: r.Reason, Detail: r.Detail, Checks: checksOf(r.Checks),
	}
}

func checksOf(checks []server.Check) []AccessCheck {
	out := make([]AccessCheck, len(checks))
	for i, c := range checks {
		out[i] = AccessCheck(c)
	}
	return out
}
