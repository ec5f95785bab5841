package api

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/penstock-media/penstock/api/auth"
)

// The keys of an operation's metadata that the middleware reads.
const (
	metaScope      = "scope"      // auth.Scope a caller needs
	metaPublic     = "public"     // true: no credential
	metaCookie     = "cookie"     // true: guarded against cross-site requests
	metaLimited    = "limited"    // true: few requests per address
	metaIdempotent = "idempotent" // true: honours Idempotency-Key
	metaWhole      = "whole"      // true: not for callers limited to vhosts
)

// operation describes an operation in the fewest words.
type operation struct {
	id, method, path string
	tag, summary     string
	about            string
	scope            auth.Scope // what the caller needs
	public           bool       // nobody has to be known
	cookie           bool       // reads or sets the refresh cookie
	limited          bool       // few requests per address
	idempotent       bool       // a creating POST
	whole            bool       // concerns the whole server: not for callers limited to vhosts
	status           int        // of success; 0: 200, or 204 without a body
}

// register adds an operation: its document, its guards and its handler, whose
// errors become problems.
func register[I, O any](a *API, o operation, handler func(context.Context, *I) (*O, error)) {
	op := huma.Operation{
		OperationID: o.id, Method: o.method, Path: "/api/v1" + o.path,
		Tags: []string{o.tag}, Summary: o.summary, Description: o.about, DefaultStatus: o.status,
		Metadata: map[string]any{
			metaScope: o.scope, metaPublic: o.public, metaCookie: o.cookie,
			metaLimited: o.limited, metaIdempotent: o.idempotent, metaWhole: o.whole,
		},
		Responses: map[string]*huma.Response{"default": {
			Description: "A problem",
			Content: map[string]*huma.MediaType{"application/problem+json": {
				Schema: a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Problem](), true, "Problem"),
			}},
		}},
		RejectUnknownQueryParameters: true,
		MaxBodyBytes:                 int64(a.limits.HTTPBodyBytes),
	}
	if !o.public {
		op.Security = []map[string][]string{{"access_token": {}}, {"api_key": {}}}
		if o.scope != auth.ScopeNone {
			op.Description = strings.TrimSpace(op.Description + "\n\nNeeds the scope `" + string(o.scope) + "`.")
		}
		if o.whole {
			op.Description += " Not for credentials that are limited to vhosts."
		}
	}
	if o.idempotent {
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: "Idempotency-Key", In: "header",
			Description: "16 to 255 characters that name this request, a UUID for instance. Sent again within 24 hours it gives the first reply instead of making a second object.",
			Schema:      &huma.Schema{Type: huma.TypeString},
		})
	}
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handler(ctx, in)
		if err != nil {
			return nil, problemOf(err, "such object")
		}
		return out, nil
	})
}

// The operation's method, in the order of a noun's file.
const (
	get   = http.MethodGet
	post  = http.MethodPost
	patch = http.MethodPatch
	del   = http.MethodDelete
)
