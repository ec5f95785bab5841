package api_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/penstock-media/penstock/api"
	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server"
)

func TestErrorsBecomeProblems(t *testing.T) {
	strange := errors.New("strange")
	for err, want := range map[error]string{
		store.ErrNotFound: "not_found", server.ErrNotFound: "not_found", store.ErrConflict: "conflict", store.ErrRevision: "precondition_failed",
		store.ErrCursor: "validation_failed", &store.FieldError{Pointer: "/name", Message: "too long"}: "validation_failed",
		auth.ErrBusy: "rate_limited", store.ErrUnavailable: "database_unavailable", context.DeadlineExceeded: "database_unavailable",
		context.Canceled: "request_timeout", // the client has gone: nobody has to look into that
		strange:          "",
	} {
		got := api.ProblemOf(fmt.Errorf("list vhosts: %w", err))
		p, ok := errors.AsType[*api.Problem](got)
		if want == "" {
			if ok || !errors.Is(got, strange) {
				t.Errorf("%v became %v", err, got)
			}
			continue
		}
		if !ok || p.Code != want {
			t.Errorf("%v became %v, want %s", err, got, want)
		}
	}
}
