// Package access decides whether a connection may publish or play, and explains
// the decision check by check.
package access

import (
	"context"
	"net/netip"
	"time"

	"github.com/penstock-media/penstock/server/config"
)

// Action is what a peer wants to do with a stream.
type Action = config.Action

// The two actions.
const (
	Publish = config.ActionPublish
	Play    = config.ActionPlay
)

// ErrNoKey is what Keys returns for a hash that belongs to no stream key.
var ErrNoKey = config.ErrNoKey

// Keys looks stream keys up. The error is ErrNoKey for an unknown key; any
// other error means that keys cannot be looked up now.
//
// If the value also has UseToken, single-use tokens work: UseToken remembers
// the id of a token until it expires and returns config.ErrUsed the second
// time. Without it single-use tokens are refused.
type Keys interface {
	Key(ctx context.Context, h config.KeyHash) (config.StreamKey, error)
}

// tokenUser is the optional part of Keys.
type tokenUser interface {
	UseToken(ctx context.Context, id string, expires time.Time) error
}

// Request is who asks, from where and for what.
type Request struct {
	Action    Action
	VhostHost string // host of the URL, or its ?vhost= argument
	App       string
	Name      string        // stream name, or a stream key in its place
	Alone     bool          // the peer named one thing only: Name may be meant as the app
	Key       config.Secret // ?key= or ?secret=
	Token     config.Secret // ?token= or ?jwt=
	Peer      netip.Addr
	Referer   string // pageUrl or Referer header
	Now       time.Time
	Protocol  string // "rtmp", "rtmps", "http-flv" or "ws-flv"

	// Started is when the session began, for one that is live and checked
	// again; zero for a new one. A token's times limit when a session may
	// begin, so they are held against Started, and its single use is over.
	Started time.Time
	// DryRun leaves a single-use token unused.
	DryRun bool
}

// The results of a check.
const (
	Pass       = "pass"
	Fail       = "fail"
	Report     = "report" // a rule that only reports would have refused
	NotReached = "not_reached"
)

// Check is one step of a decision. Detail is for the operator: it may tell
// more than the peer may know, but never a secret.
type Check struct {
	Name   string // "vhost", "name", "stream", "ip", "referer" or "credential"
	Result string
	RuleID string
	Detail string
	Took   time.Duration
}

// Decision is the answer. Detail may be shown to the peer: unknown, revoked and
// expired stream keys read the same in it, and only Checks tells them apart.
type Decision struct {
	Allow  bool
	Reason config.Reason // empty when allowed
	Detail string
	Vhost  *config.Vhost // nil when the host belongs to none

	// App and Name are those asked for, or those a stream key stands for. Name
	// stays empty when a key in its place was not accepted.
	App, Name string

	KeyID, StreamID, TokenID string

	Until  time.Time // when the session has to end; zero: no end
	Checks []Check
}

// step is one check of the list below.
type step struct {
	name string
	run  func(*run, context.Context) verdict
}

// verdict is how a check went. The zero value passes.
type verdict struct {
	reason config.Reason // empty: passed
	peer   string        // what the peer is told; empty: detail
	detail string
	rule   string
	report bool
}

// run is one decision under way.
type run struct {
	snap *config.Snapshot
	keys Keys
	req  Request
	dec  Decision
}

// steps returns the checks in their order: the cheap ones that need no look-up
// come first, the credential last, so that who may not be here at all learns
// nothing about keys.
func steps() []step {
	return []step{
		{"vhost", (*run).vhost},
		{"name", (*run).name},
		{"stream", (*run).stream},
		{"ip", (*run).ip},
		{"referer", (*run).referer},
		{"credential", (*run).credential},
	}
}

// Decide answers whether the request is allowed. It changes nothing, except
// that it uses up a single-use token (see Request.DryRun), and blocks for as
// long as keys does.
func Decide(ctx context.Context, snap *config.Snapshot, keys Keys, req Request) Decision {
	return decide(ctx, snap, keys, req, steps())
}

// decide runs the checks up to the first that fails.
func decide(ctx context.Context, snap *config.Snapshot, keys Keys, req Request, all []step) Decision {
	if req.Now.IsZero() {
		req.Now = time.Now()
	}
	req.Peer = req.Peer.WithZone("").Unmap()
	r := &run{snap: snap, keys: keys, req: req}
	r.dec.App = req.App
	if !nameIsSecret(req.Name) {
		r.dec.Name = req.Name
	}
	r.dec.Checks = make([]Check, 0, len(all))
	r.dec.Allow = true
	for _, s := range all {
		if !r.dec.Allow {
			r.dec.Checks = append(r.dec.Checks, Check{Name: s.name, Result: NotReached})
			continue
		}
		began := time.Now()
		v := s.run(r, ctx)
		c := Check{Name: s.name, Result: Pass, RuleID: v.rule, Detail: v.detail, Took: time.Since(began)}
		switch {
		case v.reason != "":
			c.Result = Fail
			r.dec.Allow = false
			r.dec.Reason = v.reason
			r.dec.Detail = v.peer
			if v.peer == "" {
				r.dec.Detail = v.detail
			}
		case v.report:
			c.Result = Report
		}
		r.dec.Checks = append(r.dec.Checks, c)
	}
	r.oneStream()
	return r.dec
}

// nameIsSecret says whether the name is a stream key, or nearly one.
func nameIsSecret(name string) bool {
	return config.LooksLikeKey(name) || config.LooksLikeMistypedKey(name)
}
