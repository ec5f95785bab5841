package store

import (
	"context"
	"sync"
	"time"
)

// State says how the database is, without asking it.
type State struct {
	Engine string    // "sqlite" or "postgres"
	OK     bool      // as of the last operation that found out
	Since  time.Time // when OK became what it is
	Error  string    // why not
}

// health remembers whether the database answered.
type health struct {
	mu    sync.Mutex
	since time.Time // guarded by mu
	err   error     // guarded by mu
}

func (h *health) set(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.since.IsZero() || (err == nil) != (h.err == nil) {
		h.since = now()
	}
	h.err = err
}

// away says whether the last operation that found out could not reach it.
func (h *health) away() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.err != nil
}

// State returns what the last operations found: an operation that cannot reach
// the database makes it bad, a Ping or a look of Changes that can makes it good.
func (s *Store) State() State {
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	st := State{Engine: s.engine.name(), OK: s.health.err == nil, Since: s.health.since}
	if s.health.err != nil {
		st.Error = s.health.err.Error()
	}
	return st
}

// Ping asks the database for an answer within two seconds. The error wraps
// ErrUnavailable.
func (s *Store) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	_, err := s.Revision(ctx)
	s.health.set(err)
	return err
}
