// Package outbox carries what happened in the engine to the store: sessions that
// ended, and when stream keys were used. While the database is away it waits, in
// bounded memory.
package outbox

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync/atomic"
	"time"

	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server"
)

const (
	maxWaiting   = 20_000
	retryFirst   = time.Second
	retryLongest = 5 * time.Second
	flushFor     = 5 * time.Second // at the end
	pruneEvery   = time.Hour
	// defaultKeep is how long ended sessions are kept.
	defaultKeep = 30 * 24 * time.Hour
)

// engine is what the recorder needs of *server.Engine.
type engine interface {
	Watch() (<-chan server.Event, func())
	Events(after uint64) []server.Event
	Sessions() []server.SessionInfo
}

// keeper is what it needs of *store.Store.
type keeper interface {
	SaveSession(ctx context.Context, v store.Session) error
	TouchKey(ctx context.Context, id string, at time.Time, from string) error
	Prune(ctx context.Context, sessionsBefore time.Time) error
}

// Config configures a Recorder.
type Config struct {
	Engine engine
	Store  keeper
	// Node is the name ended sessions are kept under.
	Node string
	// KeepSessions is how long they are kept. Zero is 30 days.
	KeepSessions time.Duration
	// Logger takes the log. Nil is silence.
	Logger *slog.Logger
}

// Recorder writes down what happens. Make one with New and let it live with Run.
type Recorder struct {
	cfg     Config
	log     *slog.Logger
	seen    uint64  // the last event looked at
	waiting []entry // oldest first
	lost    atomic.Uint64
	pending atomic.Int64
}

// entry is one thing to write: an ended session, or the use of a key.
type entry struct {
	session *store.Session
	keyID   string
	at      time.Time
	from    string
}

// New returns a Recorder.
func New(cfg Config) *Recorder {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.KeepSessions == 0 {
		cfg.KeepSessions = defaultKeep
	}
	return &Recorder{cfg: cfg, log: cfg.Logger}
}

// Waiting returns how many entries wait to be written, and how many were given
// up because too many did.
func (r *Recorder) Waiting() (waiting int, lost uint64) {
	return int(r.pending.Load()), r.lost.Load()
}

// Run writes until ctx ends, and then what is left, for five seconds at most. End
// it after the engine.
func (r *Recorder) Run(ctx context.Context) error {
	events, stop := r.cfg.Engine.Watch()
	defer stop()
	r.catchUp()
	prune := time.NewTicker(pruneEvery)
	defer prune.Stop()
	retry, wait := time.NewTimer(0), retryFirst
	defer retry.Stop()
	for {
		select {
		case <-ctx.Done():
			r.flush(ctx)
			return nil
		case ev, open := <-events:
			if !open {
				events = nil // the end is near
				continue
			}
			r.take(ev)
			if wait > retryFirst {
				continue // the database is away; the timer tries again
			}
		case <-retry.C:
		case <-prune.C:
			if err := r.cfg.Store.Prune(ctx, time.Now().Add(-r.cfg.KeepSessions)); err != nil {
				r.log.Warn("forget what is old", "err", err)
			}
			continue
		}
		if r.write(ctx) {
			wait = retryFirst
			continue
		}
		retry.Reset(wait)
		wait = min(2*wait, retryLongest)
	}
}

// take looks at an event, and first at those that were missed before it.
func (r *Recorder) take(ev server.Event) {
	if ev.Seq > r.seen+1 {
		r.catchUp()
	}
	if ev.Seq > r.seen {
		r.note(ev)
	}
}

// catchUp looks at all events that have not been looked at.
func (r *Recorder) catchUp() {
	for _, ev := range r.cfg.Engine.Events(r.seen) {
		if ev.Seq > r.seen {
			r.note(ev)
		}
	}
}

// note makes entries of an event. The engine keeps its last events only: those it
// let go before they were looked at are lost, and counted.
func (r *Recorder) note(ev server.Event) {
	if missed := ev.Seq - r.seen - 1; missed > 0 {
		r.lost.Add(missed)
		r.log.Error("events came faster than they could be kept", "lost", missed)
	}
	r.seen = ev.Seq
	switch {
	case ev.Session != nil && !ev.Session.EndedAt.IsZero():
		s := r.ended(ev.Session)
		r.add(entry{session: &s})
		if s.KeyID != "" {
			r.add(entry{keyID: s.KeyID, at: s.EndedAt, from: host(s.Peer)})
		}
	case ev.Type == "stream.published" || ev.Type == "stream.taken_over":
		for _, s := range r.cfg.Engine.Sessions() {
			if s.ID == ev.SessionID && s.KeyID != "" {
				r.add(entry{keyID: s.KeyID, at: ev.Time, from: host(s.Peer)})
			}
		}
	}
}

// host is the address of a peer, without the port.
func host(peer string) string {
	if h, _, err := net.SplitHostPort(peer); err == nil {
		return h
	}
	return peer
}

func (r *Recorder) add(e entry) {
	if len(r.waiting) >= maxWaiting {
		r.waiting = append([]entry(nil), r.waiting[1:]...)
		if r.lost.Add(1) == 1 {
			r.log.Error("the database has been away too long: the oldest ended sessions are given up", "kept", maxWaiting)
		}
	}
	r.waiting = append(r.waiting, e)
	r.pending.Store(int64(len(r.waiting)))
}

// write writes what waits, in order, and says whether all of it is done. What
// the store will never take is given up, so that it does not hold up the rest.
func (r *Recorder) write(ctx context.Context) bool {
	for len(r.waiting) > 0 {
		err := r.save(ctx, r.waiting[0])
		if err != nil && (errors.Is(err, store.ErrUnavailable) || ctx.Err() != nil) {
			return false
		}
		if err != nil {
			r.lost.Add(1)
			r.log.Error("an ended session could not be kept", "err", err)
		}
		r.waiting = r.waiting[1:]
		r.pending.Store(int64(len(r.waiting)))
	}
	r.waiting = nil
	return true
}

func (r *Recorder) save(ctx context.Context, e entry) error {
	if e.session != nil {
		return r.cfg.Store.SaveSession(ctx, *e.session)
	}
	return r.cfg.Store.TouchKey(ctx, e.keyID, e.at, e.from)
}

// flush writes what is left at the end.
func (r *Recorder) flush(ctx context.Context) {
	r.catchUp()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushFor)
	defer cancel()
	if !r.write(last) {
		r.log.Error("stopping with ended sessions that could not be kept", "count", len(r.waiting))
	}
}

// ended is a session as the store keeps it.
func (r *Recorder) ended(s *server.SessionInfo) store.Session {
	return store.Session{
		ID: s.ID, Node: r.cfg.Node, Role: s.Role, Protocol: s.Protocol, Peer: s.Peer, Agent: s.Agent, PageURL: s.PageURL,
		Vhost: s.Vhost, App: s.App, Stream: s.Name, KeyID: s.KeyID, TokenID: s.TokenID,
		BytesIn: s.BytesIn, BytesOut: s.BytesOut, Dropped: s.Dropped, Video: s.Video, Audio: s.Audio,
		StartedAt: s.StartedAt, EndedAt: s.EndedAt, Reason: s.Reason, Detail: s.Detail,
	}
}
