// Package apply carries the configuration from the store to the engine: when
// something may have changed it reads one whole snapshot and applies it.
package apply

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

// retryEvery is how often a snapshot that could not be applied is tried again.
const retryEvery = time.Second

// engine is what the loop needs of *server.Engine.
type engine interface {
	Apply(s *config.Snapshot) error
	ForgetKeys(ids ...string)
}

// snapshots is what the loop needs of *store.Store.
type snapshots interface {
	Changes(ctx context.Context) <-chan store.Change
	Snapshot(ctx context.Context) (*config.Snapshot, error)
}

// Config configures a Loop.
type Config struct {
	Store  snapshots
	Engine engine
	// Keys are told to look again with each change. Nil: there are none.
	Keys *Keys
	// Changed is called after each change, whether or not it could be applied.
	// It must not wait. Nil is nothing.
	Changed func()
	// Logger takes the loop's log. Nil is silence.
	Logger *slog.Logger
}

// Loop applies the configuration. Its methods may be called from any goroutine.
type Loop struct {
	cfg Config
	log *slog.Logger

	mu       sync.Mutex
	snapshot *config.Snapshot // guarded by mu: the one in force
	at       time.Time        // guarded by mu
	err      error            // guarded by mu: why the newest is not in force
}

// Status is which configuration is in force.
type Status struct {
	Revision  int64
	AppliedAt time.Time // zero: none is
	Err       error     // why a newer one is not
}

// New returns a Loop. Call First before the engine listens, and then Run.
func New(cfg Config) *Loop {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Loop{cfg: cfg, log: cfg.Logger}
}

// First applies the configuration once, so that the engine has one when it
// begins to listen.
func (l *Loop) First(ctx context.Context) error { return l.apply(ctx) }

// Run applies each change until ctx ends. What cannot be applied leaves the last
// good configuration in force, and is tried again every second.
func (l *Loop) Run(ctx context.Context) error {
	changes := l.cfg.Store.Changes(ctx)
	var retry <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case _, open := <-changes:
			if !open {
				if ctx.Err() == nil {
					return errors.New("apply: the store has been closed")
				}
				return nil
			}
		case <-retry:
		}
		retry = nil
		if err := l.apply(ctx); err != nil {
			retry = time.After(retryEvery)
		}
		if l.cfg.Changed != nil {
			l.cfg.Changed()
		}
	}
}

// apply reads one snapshot and makes it the configuration.
func (l *Loop) apply(ctx context.Context) error {
	if l.cfg.Keys != nil {
		l.cfg.Keys.Forget()
	}
	s, err := l.cfg.Store.Snapshot(ctx)
	if err == nil {
		if err = l.cfg.Engine.Apply(s); err != nil {
			err = fmt.Errorf("apply revision %d: %w", s.Revision, err)
		}
	}
	l.mu.Lock()
	fresh := err != nil && (l.err == nil || l.err.Error() != err.Error())
	if l.err = err; err == nil {
		l.snapshot, l.at = s, time.Now().UTC()
	}
	l.mu.Unlock()
	if fresh && ctx.Err() == nil {
		l.log.Error("the configuration in the database is not in force; the last good one is", "err", err)
	}
	// Keys are not in the snapshot: whoever publishes with one that changed is
	// looked at again, also when the rest could not be applied.
	l.cfg.Engine.ForgetKeys()
	return err
}

// Status says which configuration is in force.
func (l *Loop) Status() Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := Status{AppliedAt: l.at, Err: l.err}
	if l.snapshot != nil {
		s.Revision = l.snapshot.Revision
	}
	return s
}

// Snapshot returns the configuration in force, nil before the first.
func (l *Loop) Snapshot() *config.Snapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.snapshot
}
