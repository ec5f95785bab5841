package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/roster"
)

// reviewWithin bounds how long the keys of live publishers may take to be looked
// up again.
const reviewWithin = 10 * time.Second

// Apply makes s the configuration. It is live when Apply returns: a session that
// s would not let in (its vhost is gone or disabled, its stream is disabled, a
// rule now refuses it) has been told to end, and the media settings have reached
// the running streams. What s does not change is not disturbed.
func (e *Engine) Apply(s *config.Snapshot) error {
	if s == nil {
		return errors.New("server: apply: no configuration was given")
	}
	e.applying.Lock()
	defer e.applying.Unlock()
	prev := e.applied
	e.applied = s
	ctx, cancel := context.WithTimeout(e.sessions, reviewWithin)
	defer cancel()
	e.roster.Adopt(ctx, s)
	for i := range s.Vhosts {
		v := &s.Vhosts[i]
		if prev != nil {
			if was := prev.Named(v.Name); was != nil && was.Media == v.Media {
				continue
			}
		}
		e.hub.Settle(v.Name, roster.Settings(v.Media))
	}
	level := slog.LevelInfo
	if prev != nil && prev.Revision == s.Revision {
		level = slog.LevelDebug // somebody looked again
	}
	e.log.Log(ctx, level, "configuration applied", "revision", s.Revision, "vhosts", len(s.Vhosts))
	return nil
}

// ForgetKeys says that these stream keys (all, when none is named) may have
// changed: what is remembered of them is dropped, and the live publishers that
// came with them are ended if they would not be let in now.
func (e *Engine) ForgetKeys(ids ...string) {
	e.keys.forget(ids...)
	ctx, cancel := context.WithTimeout(e.sessions, reviewWithin)
	defer cancel()
	e.roster.ForgetKeys(ctx, ids...)
}

// Kick ends a session: its peer is told detail. With a ban the peer's address is
// kept out for that long, in memory only. The error is ErrNotFound when no such
// session is live.
func (e *Engine) Kick(id, detail string, ban time.Duration) error {
	entry := e.roster.Find(id)
	if entry == nil {
		return fmt.Errorf("%w: no session %q is live", ErrNotFound, id)
	}
	if ban > 0 {
		e.roster.Ban(entry.Peer().Addr(), ban)
	}
	if detail == "" {
		detail = "An operator ended this session."
	}
	entry.End(config.ReasonKicked, detail)
	return nil
}
