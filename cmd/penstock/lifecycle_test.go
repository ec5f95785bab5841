package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestFirstStart: a start without any set-up gives a set-up link that works once,
// and keeps its data for nobody else to read.
func TestFirstStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "fresh")
	p := prepareOn(t, []string{"--data-dir", dir})
	p.start()
	_, token, found := strings.Cut(p.setup, "/setup#token=")
	if !found || token == "" {
		t.Fatalf("no set-up link: %q", p.setup)
	}
	if _, line, _ := strings.Cut(p.logged(), `"msg":"started"`); strings.Contains(line, token) || strings.Count(p.logged(), token) != 1 {
		t.Error("the set-up link has no log line of its own")
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the data directory is %v, %v; want mode 0700", info.Mode(), err)
	}
	a := &admin{t: t, base: "http://" + p.http + "/api/v1"}
	first := map[string]any{"token": token, "email": adminName, "password": adminPassword}
	a.call(http.MethodPost, "/setup", "", first, nil)
	if status, _, _ := a.ask(http.MethodPost, "/setup", "", first); status/100 == 2 {
		t.Error("the set-up link works twice")
	}
	p.signIn(t)
	if err := p.stop(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	p.start()
	if p.setup != "" {
		t.Errorf("a set-up link although there is a user")
	}
	p.signIn(t)
}

// TestPages: the dashboard, the documentation, health and metrics answer.
func TestPages(t *testing.T) {
	p := prepare(t)
	p.start()
	for path, want := range map[string]string{
		"/": "<!doctype html>", "/streams": "<!doctype html>", "/docs": "", "/healthz": "", "/readyz": "",
		"/metrics": "penstock_", "/api/v1/openapi.json": `"openapi"`,
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+p.http+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", "text/html,*/*")
		response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK || !strings.Contains(strings.ToLower(string(body)), want) {
			t.Errorf("%s: %s, %.200s", path, response.Status, body)
		}
	}
}

// TestStopWhileBusy: SIGTERM ends the program well while somebody publishes and
// others play.
func TestStopWhileBusy(t *testing.T) {
	for place, database := range places(t) {
		t.Run(place, func(t *testing.T) {
			p := prepareOn(t, database(t))
			p.tool("migrate")
			p.tool("vhost", "set", "default", "publish_policy=open")
			p.start()
			publisher := publishEndless(t, p.url("stage"))
			ctx := within(t, time.Minute)
			players := []*player{p.playRTMP(ctx, t, p.url("stage")), p.playHTTP(ctx, t, p.flv("stage")), p.playRTMP(ctx, t, p.url("nobody"))}
			eventually(t, 10*time.Second, "players play", func() bool { return len(players[0].got()) > 5 && len(players[1].got()) > 5 })
			began := time.Now()
			if err := p.stop(15 * time.Second); err != nil {
				t.Fatalf("SIGTERM: %v, want exit code 0", err)
			}
			t.Logf("stopped after %v", time.Since(began).Round(time.Millisecond))
			<-publisher
			for _, player := range players {
				<-player.gone
			}
		})
	}
}

// TestPortInUse: the program says what to do about a port that is taken.
func TestPortInUse(t *testing.T) {
	p := prepare(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, flag := range []string{"--rtmp", "--http"} {
		args := []string{"serve", "--rtmp", "127.0.0.1:0", "--http", "127.0.0.1:0", flag, taken.Addr().String()}
		_, err := p.try("", args...)
		if err == nil || !strings.Contains(err.Error(), "is in use") || !strings.Contains(err.Error(), flag) {
			t.Errorf("%s on a port that is taken: %v", flag, err)
		}
	}
}

// TestCommands walks the commands that need no running program.
func TestCommands(t *testing.T) {
	for place, database := range places(t) {
		t.Run(place, func(t *testing.T) {
			p := prepareOn(t, database(t)).withAdmin()
			if said := p.tool("migrate"); !strings.Contains(said, "nothing changed") {
				t.Errorf("migrate says: %s", said)
			}
			if _, err := p.try(adminPassword+"\n", "user", "create", adminName); err == nil {
				t.Error("a second user of the same name is created")
			}
			secret := p.newKey("live/stage")
			list := p.tool("key", "list", "live/stage")
			if !strings.Contains(list, secret[len(secret)-4:]) || strings.Contains(list, secret) {
				t.Errorf("key list says:\n%s", list)
			}
			if _, err := p.try("", "key", "create", "no good name"); err == nil {
				t.Error("a key for a stream without app is created")
			}
			if _, err := p.try("", "vhost", "set", "default", "publish_policy=maybe"); err == nil || !strings.Contains(err.Error(), "publish_policy") {
				t.Errorf("a policy that does not exist: %v", err)
			}
			if _, err := p.try("", "vhost", "set", "default", "colour=red"); err == nil || !strings.Contains(err.Error(), "colour") {
				t.Errorf("a setting that does not exist: %v", err)
			}
			p.tool("vhost", "set", "sport", "hostnames=live.example.com,*.sport.example.com", "gop=false")
			if list := p.tool("vhost", "list"); !strings.Contains(list, "sport") || !strings.Contains(list, "default") {
				t.Errorf("vhost list says:\n%s", list)
			}
			if said := p.tool("doctor", "--rtmp", "127.0.0.1:0", "--http", "127.0.0.1:0"); !strings.Contains(said, "database") {
				t.Errorf("doctor says:\n%s", said)
			}
			if document := p.tool("openapi"); !strings.HasPrefix(document, "openapi: 3.1") && !strings.Contains(document, "\nopenapi: 3.1") {
				t.Errorf("openapi prints %.60s", document)
			}
		})
	}
}
