package api

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Operation is an operation as tests walk over them.
type Operation struct {
	Method, Path, ID string
	Public           bool
	Scope            string
	Body             bool
	Whole            bool
}

// Operations lists every operation of the document.
func (a *API) Operations() []Operation {
	var out []Operation
	for path, item := range a.huma.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Patch, item.Delete, item.Put} {
			if op != nil {
				out = append(out, Operation{
					op.Method, path, op.OperationID, flag(op, metaPublic), fmt.Sprint(op.Metadata[metaScope]), op.RequestBody != nil,
					flag(op, metaWhole),
				})
			}
		}
	}
	return out
}

// CheckReply says what in a reply is not as the document says.
func (a *API) CheckReply(method, path string, status int, contentType string, body []byte) error {
	op := a.match(method, path)
	if op == nil {
		return nil
	}
	r := op.Responses[strconv.Itoa(status)]
	if r == nil {
		r = op.Responses["default"]
		if status < 400 {
			return fmt.Errorf("%s answers %d, which the document does not have", op.OperationID, status)
		}
	}
	if len(r.Content) == 0 {
		if len(body) > 0 {
			return fmt.Errorf("%s answers %d with a body, which the document does not have", op.OperationID, status)
		}
		return nil
	}
	m := r.Content[contentType]
	if m == nil {
		return fmt.Errorf("%s answers %d as %q, which the document does not have", op.OperationID, status, contentType)
	}
	return a.CheckSchema(m.Schema, body)
}

// CheckSchema says what in a JSON text is not as a schema says.
func (a *API) CheckSchema(s *huma.Schema, body []byte) error {
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		return err
	}
	var res huma.ValidateResult
	huma.Validate(a.huma.OpenAPI().Components.Schemas, s, huma.NewPathBuffer([]byte{}, 0), huma.ModeReadFromServer, v, &res)
	if len(res.Errors) > 0 {
		return fmt.Errorf("not as the document says: %v in %s", res.Errors, body)
	}
	return nil
}

// CheckNamed is CheckSchema with a schema by its name.
func (a *API) CheckNamed(name string, body []byte) error {
	return a.CheckSchema(&huma.Schema{Ref: "#/components/schemas/" + name}, body)
}

func (a *API) match(method, path string) *huma.Operation {
	path, _, _ = strings.Cut(path, "?")
	for template, item := range a.huma.OpenAPI().Paths {
		pattern := regexp.MustCompile(`\\\{[a-z_]+\\\}`).ReplaceAllString(regexp.QuoteMeta(template), "[^/:]+")
		if !regexp.MustCompile("^" + pattern + "$").MatchString(path) {
			continue
		}
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Patch, item.Delete} {
			if op != nil && op.Method == method {
				return op
			}
		}
	}
	return nil
}

// ProblemOf is problemOf.
func ProblemOf(err error) error { return problemOf(err, "such thing") }
