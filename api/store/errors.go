package store

import (
	"errors"
	"fmt"
	"strings"

	"github.com/penstock-media/penstock/server/config"
)

// The errors callers tell apart with errors.Is. ErrUsed is config.ErrUsed.
var (
	// ErrNotFound: there is no such row, or a row refers to one that is missing.
	ErrNotFound = errors.New("not found")
	// ErrConflict: another row has the same name, or the change would leave the
	// configuration without something it needs.
	ErrConflict = errors.New("conflict")
	// ErrRevision: the row has changed since the caller read it.
	ErrRevision = errors.New("changed since it was read")
	// ErrUnavailable: the database cannot be reached or did not answer in time.
	ErrUnavailable = errors.New("database not available")
	// ErrNewerSchema: the database was migrated by a newer Penstock.
	ErrNewerSchema = errors.New("database schema is newer than this program")
	// ErrOlderSchema: the database has to be migrated first.
	ErrOlderSchema = errors.New("database schema is older than this program")
	// ErrCursor: the cursor or sort order is not one this list gave or has.
	ErrCursor = errors.New("cursor or sort order not valid")
	// ErrExpired: the token was good once.
	ErrExpired = errors.New("expired")
	// ErrUsed: the token is for one use and has been used.
	ErrUsed = config.ErrUsed
)

// FieldError says what is wrong with one field of what was to be stored.
// Pointer is a JSON pointer as the API spells the field ("/media/queue_ms").
type FieldError struct{ Pointer, Message string }

// Error implements error.
func (e *FieldError) Error() string { return e.Pointer + ": " + e.Message }

// FieldErrors returns every FieldError in err.
func FieldErrors(err error) []*FieldError {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var all []*FieldError
		for _, e := range many.Unwrap() {
			all = append(all, FieldErrors(e)...)
		}
		return all
	}
	if one, ok := err.(*FieldError); ok { //nolint:errorlint // walks the tree itself
		return []*FieldError{one}
	}
	if err = errors.Unwrap(err); err != nil {
		return FieldErrors(err)
	}
	return nil
}

// fieldErrors turns a snapshot's problems into one error, nil for none.
func fieldErrors(ps config.Problems) error {
	errs := make([]error, len(ps))
	for i, p := range ps {
		path := strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(p.Field)
		errs[i] = &FieldError{Pointer: "/" + path, Message: p.Message}
	}
	return errors.Join(errs...)
}

func fieldError(pointer, format string, a ...any) error {
	return &FieldError{Pointer: pointer, Message: fmt.Sprintf(format, a...)}
}
