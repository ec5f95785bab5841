package api

import (
	"context"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/penstock-media/penstock/api/auth"
)

// outermost is around every request: it names it, bounds it, and answers 500
// when a handler panics.
func (a *API) outermost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := a.identifier.identify(r)
		h := w.Header()
		h.Set("X-Request-ID", q.id)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		if strings.HasPrefix(r.URL.Path, "/api/") {
			h.Set("Cache-Control", "no-store")
		}
		if most := a.limits.HTTPURLBytes; len(r.RequestURI) > most {
			writeProblem(w, q.id, newProblem("uri_too_long", "The URL has %d bytes; %d are the most.", len(r.RequestURI), most))
			return
		}
		if r.Body != nil {
			r.Body = http.MaxBytesReader(w, r.Body, int64(a.limits.HTTPBodyBytes))
		}
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if cause == http.ErrAbortHandler { //nolint:errorlint // it is passed as it is
				panic(cause)
			}
			a.log.Error("api: panic", "request", q.id, "method", r.Method, "cause", cause, "stack", string(debug.Stack()))
			writeProblem(w, q.id, newProblem("internal", "The server's log has the details under this request id."))
		}()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestKey{}, q)))
	})
}

func (a *API) notFound(w http.ResponseWriter, r *http.Request) {
	writeProblem(w, requestID(r.Context()), newProblem("not_found", "There is nothing at this path. /docs lists all operations."))
}

func (a *API) methodNotAllowed(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, m := range []string{get, post, patch, del} {
		if routes := chi.RouteContext(r.Context()); routes != nil && routes.Routes.Match(chi.NewRouteContext(), m, r.URL.Path) {
			allowed = append(allowed, m)
		}
	}
	p := newProblem("method_not_allowed", "This path does not have the method %s.", r.Method)
	writeProblem(w, requestID(r.Context()), p.with("Allow", strings.Join(allowed, ", ")))
}

// client is where a request comes from, as auth wants to know it.
func client(ctx context.Context, agent string) auth.Client {
	q := requestOf(ctx)
	return auth.Client{IP: q.ip, Agent: agent, RequestID: q.id}
}
