package api

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
)

//go:embed docs.gohtml
var docsPage string

//go:embed docs.css
var docsStyle []byte

// docsOperation is an operation as the page shows it.
type docsOperation struct {
	*huma.Operation

	Request, Response string // names of schemas
	Public            bool
}

// docsGroup is a noun with its operations.
type docsGroup struct {
	Tag        *huma.Tag
	Operations []docsOperation
}

// docsSchema is a schema as the page shows it.
type docsSchema struct {
	Name   string
	Fields []docsField
}

type docsField struct {
	Name, Type, About, Link string
	Required                bool
}

type docsProblem struct {
	Code   string
	Status int
	Title  string
	About  string
}

// mountDocs serves the documentation: the OpenAPI document, a page that shows it
// without asking anybody else, and a page for each kind of problem.
func (a *API) mountDocs(r chi.Router) {
	asJSON := sync.OnceValues(func() ([]byte, error) { return json.MarshalIndent(a.huma.OpenAPI(), "", "  ") })
	r.Get("/api/v1/openapi.json", a.document("application/json", asJSON))
	r.Get("/api/v1/openapi.yaml", a.document("application/yaml", sync.OnceValues(a.huma.OpenAPI().YAML)))
	r.Get("/docs/style.css", a.document("text/css; charset=utf-8", func() ([]byte, error) { return docsStyle, nil }))
	page := template.Must(template.New("docs").Parse(docsPage))
	r.Get("/docs", a.document("text/html; charset=utf-8", sync.OnceValues(func() ([]byte, error) {
		var b bytes.Buffer
		err := page.ExecuteTemplate(&b, "docs", map[string]any{
			"About": paragraphs(about), "Groups": a.docsGroups(), "Schemas": a.docsSchemas(), "Problems": problems(),
		})
		return b.Bytes(), err
	})))
	r.Get(problemBase+"{code}", func(w http.ResponseWriter, r *http.Request) {
		code := chi.URLParam(r, "code")
		i := slices.IndexFunc(problems(), func(p docsProblem) bool { return p.Code == code })
		if i < 0 {
			a.notFound(w, r)
			return
		}
		htmlHead(w, "text/html; charset=utf-8")
		if err := page.ExecuteTemplate(w, "problem", problems()[i]); err != nil {
			a.log.Debug("api: write a page", "err", err)
		}
	})
}

// document serves bytes that are made once.
func (a *API) document(contentType string, produce func() ([]byte, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b, err := produce()
		if err != nil {
			a.log.Error("api: make a document", "err", err)
			writeProblem(w, requestID(r.Context()), newProblem("internal", "The document could not be made."))
			return
		}
		htmlHead(w, contentType)
		_, _ = w.Write(b) // the client may be gone
	}
}

func htmlHead(w http.ResponseWriter, contentType string) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
}

func problems() []docsProblem {
	var out []docsProblem
	for code, k := range kinds() {
		out = append(out, docsProblem{code, k.status, k.title, k.about})
	}
	slices.SortFunc(out, func(a, b docsProblem) int {
		if a.Status != b.Status {
			return a.Status - b.Status
		}
		return strings.Compare(a.Code, b.Code)
	})
	return out
}

// paragraphs cuts the document's opening words for a page without markdown.
func paragraphs(s string) []string {
	return strings.Split(strings.NewReplacer("**", "", "`", "").Replace(s), "\n\n")
}

func (a *API) docsGroups() []docsGroup {
	api := a.huma.OpenAPI()
	groups := make([]docsGroup, 0, len(api.Tags))
	for _, tag := range api.Tags {
		g := docsGroup{Tag: tag}
		for _, item := range api.Paths {
			for _, op := range []*huma.Operation{item.Get, item.Post, item.Patch, item.Delete} {
				if op != nil && slices.Contains(op.Tags, tag.Name) {
					g.Operations = append(g.Operations, docsOperation{op, requestOfOperation(op), responseOf(op), op.Security == nil})
				}
			}
		}
		order := []string{get, post, patch, del}
		slices.SortFunc(g.Operations, func(a, b docsOperation) int {
			if a.Path != b.Path {
				return strings.Compare(a.Path, b.Path)
			}
			return slices.Index(order, a.Method) - slices.Index(order, b.Method)
		})
		groups = append(groups, g)
	}
	return groups
}

func requestOfOperation(op *huma.Operation) string {
	if op.RequestBody == nil {
		return ""
	}
	return schemaOf(op.RequestBody.Content)
}

func responseOf(op *huma.Operation) string {
	for status, r := range op.Responses {
		if strings.HasPrefix(status, "2") {
			return schemaOf(r.Content)
		}
	}
	return ""
}

func schemaOf(content map[string]*huma.MediaType) string {
	if m := content["application/json"]; m != nil && m.Schema != nil {
		return refName(m.Schema)
	}
	return ""
}

func refName(s *huma.Schema) string { return strings.TrimPrefix(s.Ref, "#/components/schemas/") }

func (a *API) docsSchemas() []docsSchema {
	var out []docsSchema
	for name, s := range a.huma.OpenAPI().Components.Schemas.Map() {
		d := docsSchema{Name: name}
		for field, f := range s.Properties {
			kind, link := typeName(f)
			d.Fields = append(d.Fields, docsField{
				Name: field, Type: kind, Link: link, About: f.Description, Required: slices.Contains(s.Required, field),
			})
		}
		slices.SortFunc(d.Fields, func(a, b docsField) int { return strings.Compare(a.Name, b.Name) })
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b docsSchema) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// typeName says in words what a field holds, and which schema it leads to.
func typeName(s *huma.Schema) (words, link string) {
	switch {
	case s.Ref != "":
		return refName(s), refName(s)
	case s.Type == huma.TypeArray && s.Items != nil:
		words, link = typeName(s.Items)
		return "list of " + words, link
	case len(s.Enum) > 0:
		texts := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			texts[i] = fmt.Sprint(v)
		}
		return strings.Join(texts, " | "), ""
	case s.Format == "date-time":
		return "time", ""
	case s.Type == "":
		return "any", ""
	}
	return s.Type, ""
}
