package api_test

import (
	"strings"
	"testing"

	"github.com/penstock-media/penstock/api"
	"github.com/penstock-media/penstock/api/store"
)

// TestWhatTheStoreTakesTheAPIShows: a vhost made on the command line, at the ends
// of what is allowed, is as good as one made here.
func TestWhatTheStoreTakesTheAPIShows(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	v := store.NewVhost("Very-" + strings.Repeat("long", 30))
	v.Media.PublisherIdleMS, v.Media.PublisherGapMS, v.Media.PlayWaitMS, v.Media.MaxMessageBytes = 3_600_000, 3_600_000, 3_600_000, 16<<10
	v, err := h.store.CreateVhost(t.Context(), store.System(), v)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/vhosts/" + v.Name, "/streams?vhost=" + v.Name, "/sessions?vhost=" + v.Name, "/refusals?vhost=" + v.Name} {
		h.do(call{method: "GET", path: "/api/v1" + path, token: admin}).want(200)
	}
	media := map[string]any{"publisher_idle_ms": 3_600_000, "max_message_bytes": 16 << 10}
	r := h.do(call{method: "PATCH", path: "/api/v1/vhosts/" + v.ID, token: admin, header: ifMatch("*"), body: map[string]any{"media": media}}).want(200)
	if m := read[api.Vhost](r).Media; m.PublisherIdleMS != 3_600_000 || m.MaxMessageBytes != 16<<10 {
		t.Errorf("got %+v", m)
	}
}
