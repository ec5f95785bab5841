package api

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"github.com/penstock-media/penstock/api/auth"
)

// guard stands before every operation: other sites' requests, too many tries,
// missing credentials and missing scopes end here.
func (a *API) guard(ctx huma.Context, next func(huma.Context)) {
	op := ctx.Operation()
	r, _ := humachi.Unwrap(ctx)
	if flag(op, metaCookie) {
		if err := a.crossOrigin.Check(r); err != nil {
			a.refuse(ctx, newProblem("cross_origin", "This request comes from a page of another origin."))
			return
		}
	}
	if flag(op, metaLimited) {
		ip := requestOf(ctx.Context()).ip
		back, wait := a.logins.try(ip, time.Now())
		if wait > 0 {
			a.refuse(ctx, newProblem("rate_limited", "Too many failed attempts from this address.").
				with("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds())))))
			return
		}
		defer func() {
			switch ctx.Status() {
			case http.StatusUnauthorized, http.StatusGone: // this was a guess
			default:
				back()
			}
		}()
	}
	if flag(op, metaPublic) {
		next(ctx)
		return
	}
	p, err := a.authenticate(r)
	if err != nil {
		a.refuse(ctx, err)
		return
	}
	if scope, _ := op.Metadata[metaScope].(auth.Scope); !p.May(scope) {
		a.refuse(ctx, newProblem("forbidden", "This needs the scope %s, which this %s does not have.", scope, p.Kind))
		return
	}
	if p.Limited() && flag(op, metaWhole) {
		a.refuse(ctx, wholeServer(p, "This"))
		return
	}
	next(huma.WithContext(ctx, auth.With(ctx.Context(), p)))
}

// wholeServer refuses a caller who is limited to vhosts.
func wholeServer(p *auth.Principal, what string) *Problem {
	return newProblem("forbidden", "%s concerns the whole server, and this %s is limited to some vhosts.", what, p.Kind)
}

func flag(op *huma.Operation, name string) bool {
	on, _ := op.Metadata[name].(bool)
	return on
}

// authenticate finds out who sent the request.
func (a *API) authenticate(r *http.Request) (*auth.Principal, *Problem) {
	const challenge = `Bearer realm="penstock"`
	raw := auth.Bearer(r.Header.Get("Authorization"))
	if raw == "" {
		return nil, newProblem("unauthorized", "Send an API key or an access token as Authorization: Bearer.").
			with("WWW-Authenticate", challenge)
	}
	p, err := a.auth.Authenticate(r.Context(), raw, requestOf(r.Context()).ip)
	if errors.Is(err, auth.ErrUnknown) {
		return nil, newProblem("unauthorized", "The credential is not valid, or no longer.").
			with("WWW-Authenticate", challenge+`, error="invalid_token"`)
	}
	if err != nil {
		if known, ok := errors.AsType[*Problem](problemOf(err, "credential")); ok {
			return nil, known
		}
		a.log.Error("api: authenticate", "request", requestID(r.Context()), "err", err)
		return nil, newProblem("internal", "The credential could not be checked.")
	}
	return p, nil
}

// refuse answers an operation with a problem.
func (a *API) refuse(ctx huma.Context, p *Problem) {
	_, w := humachi.Unwrap(ctx)
	writeProblem(w, requestID(ctx.Context()), p)
}

// writeProblem answers any request with a problem.
func writeProblem(w http.ResponseWriter, id string, p *Problem) {
	q := *p
	q.RequestID = id
	maps.Copy(w.Header(), p.headers)
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(&q) //nolint:errchkjson // it can be encoded; the client may be gone
}
