package api

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
)

// about opens the OpenAPI document.
const about = `Everything the dashboard does goes through this API.

**Credentials.** Send an API key (` + "`ak_…`" + `, for machines, with scopes) or an access token (for people, ten minutes, from
` + "`POST /auth/login`" + ` and ` + "`POST /auth/refresh`" + `) as ` + "`Authorization: Bearer`" + `. The refresh token is an HttpOnly,
SameSite=Strict cookie: ` + "`__Host-penstock_refresh`" + ` over TLS, ` + "`penstock_refresh`" + ` over plain HTTP.

**Errors** are RFC 9457 problems with a stable ` + "`code`" + `. **Lists** are pages: pass ` + "`next_cursor`" + ` as ` + "`cursor`" + `.
**Changes** of configuration need ` + "`If-Match`" + ` with the ETag they are based on. **Creating** requests take an ` + "`Idempotency-Key`" + `.
Every reply has an ` + "`X-Request-Id`" + `. Times are RFC 3339 in UTC; numbers carry their unit in the name.

**Live feed.** ` + "`POST /feed-tickets`" + ` gives a ticket for one websocket at ` + "`GET /api/v1/feed?ticket=…`" + `. The server says FeedHello;
the client sends FeedSub; the server answers with FeedSnap and then, once a second at most, FeedDelta. FeedTopics says which type the
items of a topic have.`

// documentVersion is the version of the API, not of the program.
const documentVersion = "1.0.0"

// config is huma's set-up: no outside schema links, no documentation page from a CDN.
func (a *API) config() huma.Config {
	c := huma.DefaultConfig("Penstock", documentVersion)
	c.Info.Description = about
	c.Info.License = &huma.License{Name: "MIT", Identifier: "MIT"}
	c.Servers = []*huma.Server{{URL: "/", Description: "This server"}}
	c.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"api_key":      {Type: "http", Scheme: "bearer", Description: "An API key, ak_…, from POST /api-keys"},
		"access_token": {Type: "http", Scheme: "bearer", BearerFormat: "JWT", Description: "An access token from POST /auth/login or /auth/refresh"},
	}
	c.Tags = tags()
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.CreateHooks = nil
	c.Transformers = []huma.Transformer{a.transform}
	return c
}

// tags are the nouns, in the order the documentation shows them.
func tags() []*huma.Tag {
	return []*huma.Tag{
		{Name: "Set-up", Description: "The first user of a fresh server"},
		{Name: "Auth", Description: "Signing in and out"},
		{Name: "Vhosts", Description: "Named sets of rules"},
		{Name: "Streams", Description: "Places to publish to, and what is live there"},
		{Name: "Keys", Description: "Stream keys: the secrets publishers send"},
		{Name: "Tokens", Description: "Signed, expiring permissions to publish or play"},
		{Name: "Access", Description: "Referer and IP rules, the tester, recent refusals"},
		{Name: "Sessions", Description: "Connections, live and ended, and what happened"},
		{Name: "Users", Description: "Users, API keys and who changed what"},
		{Name: "System", Description: "How the server is doing"},
		{Name: "Feed", Description: "Live changes over a websocket"},
	}
}

// schemaName names the components: Stream, StreamList, FeedHello.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	if strings.HasSuffix(t.PkgPath(), "/api/feed") {
		return "Feed" + name
	}
	if rest, ok := strings.CutPrefix(name, "List"); ok && rest != "" {
		return rest + "List"
	}
	return name
}

// OpenAPI returns the document as YAML, as it stands in openapi.yaml.
func OpenAPI() ([]byte, error) {
	a := &API{}
	a.operations(chi.NewMux())
	b, err := a.huma.OpenAPI().YAML()
	if err != nil {
		return nil, fmt.Errorf("api: write the OpenAPI document: %w", err)
	}
	return append([]byte("# Made by `penstock openapi`. Change the Go structs in api/ instead.\n"), b...), nil
}

// tidySchemas removes huma's own error model, which transform never lets out,
// and says that lists are never null.
func tidySchemas(schemas map[string]*huma.Schema) {
	delete(schemas, "ErrorModel")
	delete(schemas, "ErrorDetail")
	for _, s := range schemas {
		tidySchema(s)
	}
}

func tidySchema(s *huma.Schema) {
	if s.Type == huma.TypeArray {
		s.Nullable = false
	}
	if s.Items != nil {
		tidySchema(s.Items)
	}
	for _, p := range s.Properties {
		tidySchema(p)
	}
}
