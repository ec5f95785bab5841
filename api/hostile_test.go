package api_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/penstock-media/penstock/api"
)

// hostile are texts that broke other servers.
func hostile() []string {
	return []string{
		`' OR 1=1 --`, `"; DROP TABLE streams; --`, `%27%20OR%20sleep(5)`, `../../etc/passwd`, `%2e%2e%2f`, `<img src=x onerror=alert(1)>`,
		"a\x00b", "\r\nSet-Cookie: x=1", `{{7*7}}`, `${jndi:ldap://x}`, "\xff\xfe", strings.Repeat("9", 40), `__proto__`, "\u202emoc", "-1", "%s%n",
	}
}

func TestHostileParametersNeverBreakAnOperation(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	parameter := regexp.MustCompile(`\{[a-z_]+\}`)
	for _, o := range h.api.Operations() {
		if o.Public {
			continue
		}
		for _, text := range hostile() {
			c := request(o, admin)
			c.path = parameter.ReplaceAllString(o.Path, url.PathEscape(text))
			queries := []string{""}
			if o.Method == http.MethodGet {
				for _, name := range []string{"cursor", "sort", "vhost", "target_id"} {
					queries = append(queries, "?"+name+"="+url.QueryEscape(text))
				}
			}
			for _, query := range queries {
				one := c
				one.path += query
				if r := h.do(one); r.status >= 500 {
					t.Errorf("%s %s: %d %s", one.method, one.path, r.status, r.body)
				}
			}
		}
	}
	h.do(call{method: "GET", path: "/api/v1/vhosts/default", token: admin}).want(200)
}

func TestHostileTextsAreStoredVerbatimOrRefused(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	stored := 0
	for _, text := range hostile() {
		r := h.do(call{method: "POST", path: "/api/v1/streams", token: admin, body: map[string]any{
			"name": text, "external_id": text, "metadata": map[string]string{"note": text},
		}})
		if r.status == 422 {
			continue
		}
		s := read[api.Stream](r.want(201))
		stored++
		again := read[api.Stream](h.do(call{method: "GET", path: "/api/v1/streams/" + s.ID, token: admin}).want(200))
		text = string([]rune(text)) // as far as JSON can say it
		if again.Name != text || again.ExternalID != text || again.Metadata["note"] != text {
			t.Errorf("%q came back as %q, %q", text, again.Name, again.Metadata["note"])
		}
	}
	if stored == 0 {
		t.Error("nothing was stored")
	}
}
