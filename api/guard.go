package api

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"github.com/penstock-media/penstock/api/auth"
)

const jsonMedia = "application/json"

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
		if wrong := wrongMedia(r, op); wrong != nil {
			a.refuse(ctx, wrong)
			return
		}
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
	if wrong := wrongMedia(r, op); wrong != nil {
		a.refuse(ctx, wrong)
		return
	}
	next(huma.WithContext(ctx, auth.With(ctx.Context(), p)))
}

// wrongMedia refuses a body that does not say that it is JSON: curl -d calls it a
// form, and then its sender should hear of the header, not of the fields.
func wrongMedia(r *http.Request, op *huma.Operation) *Problem {
	if op.RequestBody == nil || r.ContentLength == 0 {
		return nil
	}
	sent := r.Header.Get("Content-Type")
	kind, _, err := mime.ParseMediaType(sent)
	switch {
	case err == nil && (kind == jsonMedia || strings.HasSuffix(kind, "+json")):
		r.Header.Set("Content-Type", kind) // in lower case, as huma looks for it
		return nil
	case sent == "":
		return newProblem("unsupported_media_type", "The body came without a Content-Type. Send it as JSON, with the header Content-Type: %s.", jsonMedia)
	case err != nil:
		return newProblem("unsupported_media_type", "The Content-Type cannot be read. Send the body as JSON, with the header Content-Type: %s.", jsonMedia)
	}
	const longest = 100
	return newProblem("unsupported_media_type", "The body came as %s. Send it as JSON, with the header Content-Type: %s.",
		kind[:min(len(kind), longest)], jsonMedia)
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
