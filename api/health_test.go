package api_test

import (
	"net/http"
	"net/netip"
	"testing"

	"github.com/penstock-media/penstock/api"
)

// TestMetricsAreNotForTheWorld: who is not near has to show who they are.
func TestMetricsAreNotForTheWorld(t *testing.T) {
	h := newHouse(t, func(c *api.Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	admin := h.admin()
	from := func(ip, token string) reply {
		return h.do(call{method: "GET", path: "/metrics", token: token, header: http.Header{"X-Forwarded-For": {ip}}})
	}
	for _, near := range []string{"127.0.0.1", "10.1.2.3", "192.168.0.9", "::1", "fd00::7"} {
		from(near, "").want(200)
	}
	for _, far := range []string{"203.0.113.9", "2001:db8::1"} {
		from(far, "").problem(401, "unauthorized")
		from(far, "nonsense").problem(401, "unauthorized")
		from(far, admin).want(200)
	}
	v, err := h.store.VhostByName(t.Context(), "default")
	h.ok(err)
	from("203.0.113.9", h.limited("viewer", v.ID, admin)).problem(403, "forbidden")
}
