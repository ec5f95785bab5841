package roster

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
)

// Decide says whether the session may do what it asks for. What was allowed is
// remembered with the session, so that a rule that changes can be applied to it.
// A guesser is made to wait for its answer.
func (r *Roster) Decide(ctx context.Context, e *Entry, req access.Request) access.Decision {
	for {
		generation := r.generation.Load()
		d := r.decide(ctx, e, req)
		if !d.Allow || r.generation.Load() == generation {
			return d
		}
		// The rules changed while they were read: a review that ran in between
		// has not seen this session, so it is decided again. What it came with for
		// one use has been used: it counts as a session that has begun.
		e.Idle()
		req.Started = req.Now
	}
}

func (r *Roster) decide(ctx context.Context, e *Entry, req access.Request) access.Decision {
	d := r.guessed(req, r.check(ctx, req))
	if d.Reason == config.ReasonRefusedGuessing {
		least := r.limits.KeyTarpit / 4
		tarpit := time.NewTimer(least + rand.N(3*least)) //nolint:gosec // a delay, not a secret
		defer tarpit.Stop()
		select {
		case <-ctx.Done():
		case <-tarpit.C:
		}
	}
	if d.Allow {
		e.admit(req, d)
	}
	return d
}

// guessed counts a wrong key, and takes the answer back that is one too many.
// Tries at once have all begun before the first of them failed: together they
// learn no more than if they had come one by one.
//
// Who sends no key at all is not guessing, and who plays with one learns nothing
// from it. Tokens are not counted either: a signature is beyond guessing, while a
// page left open in an office full of viewers sends expired ones by the dozen.
func (r *Roster) guessed(req access.Request, d access.Decision) access.Decision {
	if req.Action != access.Publish || (req.Key == "" && !secretName(req.Name)) {
		return d
	}
	var until time.Time
	var over bool
	switch {
	case d.Allow:
		until, over = r.guard.blocked(req.Peer)
	case d.Reason == config.ReasonRefusedKey:
		until, over = r.guard.failed(req.Peer)
	}
	if over {
		return guessing(until)
	}
	return d
}

// Rehearse is Decide for nobody: it changes nothing and waits for nothing but a
// key's look-up.
func (r *Roster) Rehearse(ctx context.Context, req access.Request) access.Decision {
	req.DryRun = true
	return r.check(ctx, req)
}

func (r *Roster) check(ctx context.Context, req access.Request) access.Decision {
	if until, ok := r.guard.banned(req.Peer); ok {
		return kept(config.ReasonRefusedBanned, "ban", fmt.Sprintf(
			"An operator has banned this address for another %s.", remaining(until)))
	}
	// Viewers behind one address with an encoder that has a wrong key guess nothing.
	if until, ok := r.guard.blocked(req.Peer); ok && req.Action == access.Publish {
		return guessing(until)
	}
	snap := r.Snapshot()
	if snap == nil {
		return kept(config.ReasonRefusedNotReady, "vhost", "The server has not read its configuration yet.")
	}
	if r.tooLong(WithoutKeys(req.App)) || !secretName(req.Name) && r.tooLong(req.Name) {
		return kept(config.ReasonRefusedName, "name", fmt.Sprintf(
			"The name of the app or of the stream is longer than %d characters.", r.limits.NameCharacters))
	}
	return access.Decide(ctx, snap, r.keys, req)
}

// tooLong reports whether a name is longer than this server's limit, but not longer
// than any may be: access says that.
func (r *Roster) tooLong(name string) bool {
	n := utf8.RuneCountInString(name)
	return n > r.limits.NameCharacters && n <= config.DefaultLimits().NameCharacters
}

// Banned says in a sentence that the session's address is banned, if it is.
func (r *Roster) Banned(ctx context.Context, e *Entry) (access.Decision, bool) {
	if _, ok := r.guard.banned(e.peer.Addr()); !ok {
		return access.Decision{}, false
	}
	d := r.Rehearse(ctx, access.Request{Peer: e.peer.Addr()})
	return d, d.Reason == config.ReasonRefusedBanned
}

func guessing(until time.Time) access.Decision {
	return kept(config.ReasonRefusedGuessing, "guessing", fmt.Sprintf(
		"Too many wrong stream keys came from this address. It is let in again in %s.", remaining(until)))
}

func kept(reason config.Reason, check, detail string) access.Decision {
	return access.Decision{Reason: reason, Detail: detail, Checks: []access.Check{
		{Name: check, Result: access.Fail, Detail: detail},
	}}
}

func remaining(until time.Time) time.Duration {
	return max(time.Until(until).Round(time.Second), time.Second)
}

// admit remembers what let the session in.
func (e *Entry) admit(req access.Request, d access.Decision) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.request, e.decision, e.admitted, e.until = req, d, true, d.Until
	e.info.Vhost, e.info.App, e.info.Name = d.Vhost.Name, d.App, d.Name
	e.info.KeyID, e.info.TokenID = d.KeyID, d.TokenID
}

// Refuse writes a refusal down: into the list, the events, the counters and the
// log. A stream key that came in the name's place appears in none of them.
func (r *Roster) Refuse(e *Entry, req access.Request, d access.Decision) {
	s := e.Session()
	vhost, app, name := req.VhostHost, req.App, req.Name
	if d.Vhost != nil {
		vhost = d.Vhost.Name
	}
	if d.App != "" {
		app = d.App
	}
	switch {
	case d.Name != "" && !secretName(d.Name):
		name = d.Name
	case secretName(name):
		name = ""
	}
	app = WithoutKeys(app)
	ref := Refusal{
		Time: time.Now(), Action: string(req.Action), Protocol: s.Protocol,
		Vhost: vhost, App: app, Name: name, Peer: s.Peer, Agent: s.Agent,
		Reason: string(d.Reason), Detail: d.Detail, Checks: Checks(d.Checks),
	}
	r.refused.add(ref)
	r.Events.Add(Event{
		Type: StreamRefused, Time: ref.Time, Vhost: vhost, App: app, Name: name,
		SessionID: s.ID, Peer: s.Peer, Reason: ref.Reason, Detail: ref.Detail,
	})
	r.log.Info("refused", slog.String("session", s.ID), slog.String("peer", s.Peer),
		slog.String("action", ref.Action), slog.String("vhost", vhost), slog.String("app", app),
		slog.String("stream", name), slog.String("reason", ref.Reason), slog.String("detail", ref.Detail))
}

// secretName reports whether a name may be a stream key, right or mistyped.
func secretName(name string) bool { return strings.HasPrefix(name, "sk_") }

// WithoutKeys is what a peer said without what may be stream keys, right or
// mistyped: people put theirs into every field there is.
func WithoutKeys(s string) string {
	const mark = "sk_"
	var b strings.Builder
	for from := 0; ; {
		i := strings.Index(s[from:], mark)
		if i < 0 {
			if from == 0 {
				return s
			}
			b.WriteString(s[from:])
			return b.String()
		}
		i += from
		if i > 0 && keyCharacter(s[i-1]) { // desk_one is no key
			b.WriteString(s[from : i+len(mark)])
			from = i + len(mark)
			continue
		}
		b.WriteString(s[from:i] + "***")
		for from = i + len(mark); from < len(s) && keyCharacter(s[from]); from++ {
		}
	}
}

func keyCharacter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// Checks copies the checks of a decision.
func Checks(checks []access.Check) []Check {
	out := make([]Check, 0, len(checks))
	for _, c := range checks {
		out = append(out, Check{
			Name: c.Name, Result: c.Result, RuleID: c.RuleID, Detail: c.Detail,
			TookUS: c.Took.Microseconds(),
		})
	}
	return out
}
