package roster

import (
	"context"
	"errors"

	"github.com/penstock-media/penstock/server/config"
)

// Ending is the cause a session's context ends with: the reason, and the same in
// a sentence that a person can act on.
//
//nolint:errname // it is asked for as a value far more often than returned as an error
type Ending struct {
	Reason config.Reason
	Detail string
}

// Error implements error.
func (e *Ending) Error() string {
	if e.Detail == "" {
		return string(e.Reason)
	}
	return string(e.Reason) + ": " + e.Detail
}

// Unwrap makes errors.Is(err, config.ReasonKicked) work.
func (e *Ending) Unwrap() error { return e.Reason }

// EndingOf says why ctx ended. A context that ended without a cause of ours, such
// as the engine's, is a shutdown.
func EndingOf(ctx context.Context) (Ending, bool) {
	cause := context.Cause(ctx)
	if cause == nil {
		return Ending{}, false
	}
	if e, ok := errors.AsType[*Ending](cause); ok {
		return *e, true
	}
	if reason, ok := errors.AsType[config.Reason](cause); ok {
		return Ending{Reason: reason}, true
	}
	return Ending{Reason: config.ReasonShutdown, Detail: "The server is shutting down."}, true
}
