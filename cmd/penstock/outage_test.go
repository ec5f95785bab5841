package main

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/api/store/storetest"
)

// TestDatabaseAway takes the database away, once as a server that hangs and once
// as one that is not there: streams run on, known keys publish, the API says why
// it cannot do what it is asked, and all is well soon after it is back.
func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	server := os.Getenv(storetest.Env)
	if server == "" {
		t.Skip("set " + storetest.Env + " to a postgres:// address to take it away")
	}
	files := samples(t, "gen/h264_baseline_aac.flv")
	tags := readFLV(t, files[0])
	proxy, database := storetest.NewProxy(t, newDatabase(t, server))
	p := prepareOn(t, []string{"--data-dir", t.TempDir(), "--database", database})
	p.withAdmin()
	key := p.plant(p.tool("key", "create", "live/known"))
	p.tool("vhost", "set", "default", "queue_ms=60000")
	p.start()
	a := p.signIn(t)
	ctx := within(t, time.Minute)
	publish(ctx, t, p.url(key), tags, 8) // known from now on

	for i, outage := range []struct {
		name string
		set  func(on bool)
	}{{"hangs", proxy.Stall}, {"is down", proxy.Down}} {
		outage.set(true)
		player := p.playHTTP(ctx, t, p.flv("known"))
		publish(ctx, t, p.url(key), tags, 4)
		if n := len(frames(player.collect())); n < len(frames(tags))-lateJoin(frames(tags)) {
			t.Errorf("%s: %d frames of %d", outage.name, n, len(frames(tags)))
		}
		began := time.Now()
		status, header, body := a.ask(http.MethodPost, "/streams", "", map[string]any{"name": "made " + outage.name})
		if status != http.StatusServiceUnavailable || header.Get("Retry-After") == "" || !strings.Contains(string(body), "database_unavailable") {
			t.Errorf("%s: got %d %s", outage.name, status, body)
		}
		if took := time.Since(began); took > 6*time.Second {
			t.Errorf("%s: that was said after %v", outage.name, took)
		}
		ready := admin{t: t, base: "http://" + p.http}
		if status, _, body := ready.ask(http.MethodGet, "/readyz", "", nil); status != http.StatusOK || !strings.Contains(string(body), "database cannot be reached") {
			t.Errorf("%s: readyz says %d %s", outage.name, status, body)
		}
		outage.set(false)
		eventually(t, 10*time.Second, "the database is back", func() bool {
			status, _, _ := a.ask(http.MethodPost, "/streams", "", map[string]any{"name": "back " + outage.name})
			return status == http.StatusCreated
		})
		eventually(t, 10*time.Second, "readyz knows", func() bool {
			_, _, body := ready.ask(http.MethodGet, "/readyz", "", nil)
			return strings.Contains(string(body), `"ready"`)
		})
		eventually(t, 20*time.Second, "what happened meanwhile is kept", func() bool {
			return len(a.sessions("ended", "known")) == 1+2*(i+1) // the first publisher, and a publisher and a player each time
		})
	}
}
