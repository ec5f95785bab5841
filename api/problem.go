package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server"
)

// problemBase is the path under which every problem type answers with a page.
const problemBase = "/docs/problems/"

// Problem is an RFC 9457 problem, the body of every reply that is an error.
type Problem struct { //nolint:errname // the word of the RFC, and the name of the schema
	Type      string         `json:"type" format:"uri-reference" doc:"Path of a page that explains this kind of problem" example:"/docs/problems/not_found"`
	Title     string         `json:"title" doc:"The kind of problem in a few words" example:"Not found"`
	Status    int            `json:"status" doc:"The HTTP status" example:"404"`
	Code      string         `json:"code" doc:"Stable name of the kind of problem, for programs" example:"not_found"`
	Detail    string         `json:"detail,omitempty" doc:"What went wrong here, and what to do" example:"There is no stream st_01jx3v2v9ke8ra4nqk2m3b7xwz."`
	Errors    []ProblemField `json:"errors,omitempty" doc:"Each thing that is wrong with the request"`
	RequestID string         `json:"request_id,omitempty" doc:"The X-Request-Id of the request, to find it in the log" example:"req_01jx3v2v9ke8ra4nqk2m3b7xwz"`

	headers http.Header
}

// ProblemField is one thing that is wrong with a request.
type ProblemField struct {
	Pointer string `json:"pointer" doc:"JSON pointer into the body (/name), or the parameter's place and name (query/limit)" example:"/hostnames/0"`
	Code    string `json:"code" doc:"Stable name of the mistake" example:"invalid"`
	Message string `json:"message" doc:"What is wrong and what to send instead" example:"expected length >= 1"`
}

// Error implements error.
func (p *Problem) Error() string { return p.Code + ": " + p.Detail }

// GetStatus implements huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// GetHeaders implements huma.HeadersError.
func (p *Problem) GetHeaders() http.Header { return p.headers }

// ContentType implements huma.ContentTypeFilter.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// with adds a reply header and returns p.
func (p *Problem) with(name, value string) *Problem {
	if p.headers == nil {
		p.headers = http.Header{}
	}
	p.headers.Set(name, value)
	return p
}

// kind is one row of the table of problems.
type kind struct {
	status int
	title  string
	about  string // the page's text
}

// kinds is every problem this API can answer with, by code.
func kinds() map[string]kind {
	return map[string]kind{
		"bad_request":             {400, "Bad request", "The request could not be read. The errors list says where."},
		"unauthorized":            {401, "Not signed in", "Send a credential: an API key or an access token, as Authorization: Bearer. An access token lives ten minutes; POST /api/v1/auth/refresh gives the next one."},
		"bad_credentials":         {401, "E-mail and password do not match", "The e-mail or the password is wrong. After some tries the server asks you to wait."},
		"session_ended":           {401, "The session has ended", "The refresh cookie is missing, expired, revoked or was used twice. Sign in again."},
		"forbidden":               {403, "Not allowed", "The credential is good, but its role or scopes do not cover this operation. The detail names what is missing."},
		"cross_origin":            {403, "Request from another site", "A browser sent this request from a page of another origin. Operations that use the cookie answer only pages of this server."},
		"not_found":               {404, "Not found", "There is nothing at this path, or no longer."},
		"method_not_allowed":      {405, "Method not allowed", "The path exists, but not with this method. The Allow header lists the methods."},
		"not_acceptable":          {406, "Not acceptable", "This API speaks JSON only."},
		"request_timeout":         {408, "Request took too long to arrive", "The body did not arrive in time."},
		"conflict":                {409, "Conflict", "The change contradicts what exists already; the detail says with what."},
		"default_vhost":           {409, "The default vhost stays", "The vhost called default takes every host no other vhost claims. It can be disabled and changed, but neither deleted nor renamed."},
		"stream_not_configured":   {409, "The stream has no row yet", "This stream is live because its vhost lets anybody publish. Create it with POST /api/v1/streams to configure it."},
		"idempotency_in_progress": {409, "The same request is still running", "A request with this Idempotency-Key has not finished. Wait a moment and send it again."},
		"setup_done":              {410, "Set-up is done", "A user exists, or the link was used or has ended. Sign in, or run penstock user create on the server."},
		"precondition_failed":     {412, "Changed by somebody else", "The object changed since it was read. Read it again, look at what changed, and send the change with the new ETag in If-Match."},
		"body_too_large":          {413, "Body too large", "A request body may have 1 MiB, or what the server's limit http_body_bytes says."},
		"uri_too_long":            {414, "URL too long", "A URL may have 4096 bytes."},
		"unsupported_media_type":  {415, "Unsupported media type", "Send the body as application/json."},
		"validation_failed":       {422, "The request is not valid", "The errors list names each field and what to send instead."},
		"idempotency_key_reused":  {422, "Idempotency-Key used for another request", "This Idempotency-Key came with a different body or operation before. Use a new key for a new request."},
		"precondition_required":   {428, "If-Match is needed", "Changes of configuration need the ETag of the version they are based on in If-Match, so that two people do not overwrite each other."},
		"rate_limited":            {429, "Too many requests", "Wait as long as Retry-After says."},
		"headers_too_large":       {431, "Header too large", "Request headers may have 16 KiB together."},
		"internal":                {500, "Something went wrong here", "This is a fault of the server. Its log has the details under the request id."},
		"shutting_down":           {503, "The server is stopping", "Come back in a moment."},
		"database_unavailable":    {503, "The database cannot be reached", "Streams go on, and known keys still publish, but nothing can be read or changed until the database is back."},
	}
}

// newProblem makes the problem of that code.
func newProblem(code, format string, args ...any) *Problem {
	k, ok := kinds()[code]
	if !ok {
		k, code = kinds()["internal"], "internal"
	}
	return &Problem{Type: problemBase + code, Title: k.title, Status: k.status, Code: code, Detail: fmt.Sprintf(format, args...)}
}

// invalid makes a validation_failed problem about one field.
func invalid(pointer, message string) *Problem {
	p := newProblem("validation_failed", "%s: %s", pointer, message)
	p.Errors = []ProblemField{{Pointer: pointer, Code: "invalid", Message: message}}
	return p
}

// invalidFields makes a validation_failed problem of what the store refused.
func invalidFields(fields []*store.FieldError) *Problem {
	p := newProblem("validation_failed", "%s: %s", fields[0].Pointer, fields[0].Message)
	for _, f := range fields {
		p.Errors = append(p.Errors, ProblemField{Pointer: f.Pointer, Code: "invalid", Message: f.Message})
	}
	return p
}

// after is what follows mark in s, or all of s.
func after(s, mark string) string {
	if _, rest, ok := strings.Cut(s, mark); ok {
		return rest
	}
	return s
}

// sentence makes a sentence of an error's text.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// problemOf turns an error of the rooms below into a problem. What names the
// thing the request was about ("stream st_…").
func problemOf(err error, what string) error {
	var p *Problem
	switch {
	case err == nil:
		return nil
	case errors.As(err, &p):
		return p
	case errors.Is(err, store.ErrNotFound), errors.Is(err, server.ErrNotFound):
		return newProblem("not_found", "There is no %s.", what)
	case len(store.FieldErrors(err)) > 0:
		return invalidFields(store.FieldErrors(err))
	case errors.Is(err, store.ErrConflict):
		return newProblem("conflict", "%s", sentence(after(err.Error(), store.ErrConflict.Error()+": ")))
	case errors.Is(err, store.ErrCursor):
		return invalid("query/cursor", "not a cursor of this list and order; leave it out to begin again")
	case errors.Is(err, store.ErrRevision):
		return newProblem("precondition_failed", "The %s changed since it was read.", what)
	case errors.Is(err, auth.ErrBusy):
		return newProblem("rate_limited", "Too many passwords are being checked at once. Try again in a moment.").with("Retry-After", "1")
	case errors.Is(err, context.Canceled):
		return newProblem("request_timeout", "The request was given up before it was done.")
	case errors.Is(err, store.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		return newProblem("database_unavailable", "The database cannot be reached now.").with("Retry-After", "5")
	}
	return err
}

// missing names what was not found. Other errors stay as they are.
func missing(err error, noun, id string) error {
	if errors.Is(err, store.ErrNotFound) {
		return newProblem("not_found", "There is no %s %s.", noun, id)
	}
	return err
}

// codeOf gives the code of a status huma answers with on its own.
func codeOf(status int) string {
	switch status {
	case http.StatusBadRequest:
		return "bad_request"
	case http.StatusNotFound:
		return "not_found"
	case http.StatusMethodNotAllowed:
		return "method_not_allowed"
	case http.StatusNotAcceptable:
		return "not_acceptable"
	case http.StatusRequestTimeout:
		return "request_timeout"
	case http.StatusRequestEntityTooLarge:
		return "body_too_large"
	case http.StatusUnsupportedMediaType:
		return "unsupported_media_type"
	case http.StatusUnprocessableEntity:
		return "validation_failed"
	}
	return "internal"
}

// transform makes huma's own errors into problems and puts the request id into
// every problem. Huma's value echo is dropped: it could be a secret.
func (a *API) transform(ctx huma.Context, _ string, v any) (any, error) {
	if m, ok := v.(*huma.ErrorModel); ok {
		p := newProblem(codeOf(m.Status), "%s", m.Detail)
		if p.Status == http.StatusInternalServerError {
			a.log.Error("api: unexpected error", "operation", ctx.Operation().OperationID, "request", requestID(ctx.Context()), "err", joined(m))
			p.Detail = "The server's log has the details under this request id."
		} else {
			for _, e := range m.Errors {
				p.Errors = append(p.Errors, ProblemField{Pointer: pointer(e.Location), Code: "invalid", Message: e.Message})
			}
		}
		v = p
	}
	if p, ok := v.(*Problem); ok && p.RequestID == "" {
		q := *p
		q.RequestID = requestID(ctx.Context())
		return &q, nil
	}
	return v, nil
}

// joined is the text of the errors inside m, for the log.
func joined(m *huma.ErrorModel) string {
	var texts []string
	for _, e := range m.Errors {
		texts = append(texts, e.Message)
	}
	return strings.Join(texts, "; ")
}

// pointer turns huma's "body.hostnames[0]" into "/hostnames/0" and leaves
// places outside the body as "query/limit".
func pointer(location string) string {
	s := strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(location)
	if rest, ok := strings.CutPrefix(s, "body"); ok {
		if rest == "" {
			return "/"
		}
		return rest
	}
	return s
}
