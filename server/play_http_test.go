package server_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// get starts playing over HTTP.
func (l *lab) get(path string) *http.Response {
	l.t.Helper()
	req, err := http.NewRequestWithContext(l.t.Context(), http.MethodGet, l.web.URL+"/"+path, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// tagReader reads media tags from a flow of FLV bytes.
func tagReader(r io.Reader) func() (message.Media, error) {
	fr := flv.NewReader(bufio.NewReader(r))
	return func() (message.Media, error) {
		tag, err := fr.Next()
		return message.Media{Type: tag.Type, Timestamp: tag.Timestamp, Payload: bytes.Clone(tag.Body)}, err
	}
}

func (l *lab) webSocket(path string) io.Reader {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), 30*time.Second)
	ws, _, err := websocket.Dial(ctx, l.web.URL+"/"+path, nil)
	if err != nil {
		l.t.Fatalf("websocket: %v", err)
	}
	ws.SetReadLimit(64 << 20)
	l.t.Cleanup(func() { _ = ws.CloseNow(); cancel() })
	return websocket.NetConn(ctx, ws, websocket.MessageBinary)
}

func TestRefusedOverHTTP(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) {
		v.PlayPolicy = config.PlayToken
		v.Media.PlayWaitMS = 0
	}))
	resp := l.get("live/a.flv")
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusForbidden || !strings.Contains(string(body), "token") ||
		resp.Header.Get("X-Penstock-Reason") != string(config.ReasonRefusedToken) {
		t.Errorf("answer: %v %q %v", resp.Status, body, resp.Header)
	}
	if r := l.engine.Refusals(); len(r) != 1 || r[0].Protocol != "http-flv" || r[0].Name != "a" {
		t.Errorf("refusals: %+v", r)
	}
	for path, want := range map[string]int{
		"live/a.mp4": http.StatusNotFound, "a.flv": http.StatusNotFound, "": http.StatusNotFound,
	} {
		if resp := l.get(path); resp.StatusCode != want {
			t.Errorf("%q: %v", path, resp.Status)
		}
	}
}

func TestTokenAndVhostOverHTTP(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) { v.Media.PlayWaitMS = 0 }), func(l *lab, _ *server.Config) {
		other := config.NewVhost("other")
		other.PublishPolicy, other.PlayPolicy = config.PublishOpen, config.PlayToken
		other.Hostnames = []string{"tv.example.com"}
		other.RefererRules = []config.RefererRule{{
			ID: "rr_1", Scope: config.ScopePlay, Action: config.Deny, Pattern: "evil.example",
		}}
		l.vhosts = append(l.vhosts, other)
		l.tokens = []config.TokenKey{{ID: "tk1", Secret: "0123456789abcdef0123456789abcdef"}}
	})
	pub := l.publish("live/a?vhost=other")
	pub.configs(t)
	pub.send(t, 0, 3)
	token, err := config.MintToken(l.tokens[0], config.TokenClaims{
		ID: "tok_1", Action: config.ActionPlay, Vhost: "other", App: "live", Stream: "a", ExpiresAt: time.Now().Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(host, query, origin string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, l.web.URL+"/live/a.flv"+query, nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			req.Host = host
		}
		if origin != "" {
			req.Header.Set("Origin", origin)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	tests := []struct {
		host, query, origin string
		want                int
	}{
		{"", "", "", http.StatusNotFound}, // another vhost
		{"", "?vhost=other", "", http.StatusForbidden},
		{"", "?vhost=other&token=" + token, "", http.StatusOK},
		{"tv.example.com", "?token=" + token, "", http.StatusOK},
		{"tv.example.com:8080", "?jwt=" + token, "https://good.example", http.StatusOK},
		{"tv.example.com", "?token=" + token, "https://www.evil.example", http.StatusForbidden},
	}
	for _, tt := range tests {
		if got := ask(tt.host, tt.query, tt.origin); got != tt.want {
			t.Errorf("host %q origin %q: status %d, want %d", tt.host, tt.origin, got, tt.want)
		}
	}
	if strings.Contains(l.log.String(), token) {
		t.Error("a token is in the log")
	}
}

// Under TLS there is no descriptor to share, and under HTTP/2 not even a
// connection of one's own.
func TestPlayOverTLSAndHTTP2(t *testing.T) {
	for _, h2 := range []bool{false, true} {
		l := newLab(t)
		web := httptest.NewUnstartedServer(l.engine.PlayHandler())
		web.EnableHTTP2 = h2
		web.StartTLS()
		t.Cleanup(web.Close)
		pub := l.publish("live/a")
		pub.configs(t)
		pub.send(t, 0, 3)
		ctx, cancel := context.WithCancel(t.Context())
		t.Cleanup(cancel)
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, web.URL+"/live/a.flv", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := web.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if h2 != (resp.ProtoMajor == 2) {
			t.Errorf("protocol %s", resp.Proto)
		}
		next := tagReader(resp.Body)
		for range 4 {
			nextMedia(t, resp.Proto, next)
		}
		if got := l.session("player"); got.Protocol != "http-flv" || got.Name != "a" {
			t.Errorf("session: %+v", got)
		}
		cancel()
		_ = resp.Body.Close()
		within(t, patience, "the player has left", func() bool { return l.engine.Totals().Players == 0 })
	}
}

func TestCORS(t *testing.T) {
	l := newLab(t)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, l.web.URL+"/live/a.flv", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent || resp.Header.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.Contains(resp.Header.Get("Access-Control-Allow-Methods"), "GET") {
		t.Errorf("preflight: %v %v", resp.Status, resp.Header)
	}
}

// TestHowPlayersLeave: a player that says it stops has stopped; without a word the
// connection is closed, over each protocol alike.
func TestHowPlayersLeave(t *testing.T) {
	const stopped, closed = "The player stopped.", "The peer closed the connection."
	socket := func(leave func(*websocket.Conn)) func(*lab) func() {
		return func(l *lab) func() {
			ws, _, err := websocket.Dial(l.t.Context(), l.web.URL+"/live/a.flv", nil)
			if err != nil {
				l.t.Fatal(err)
			}
			return func() { leave(ws) }
		}
	}
	for name, c := range map[string]struct {
		play func(*lab) (leave func())
		want string
	}{
		"rtmp, in words": {func(l *lab) func() { c := l.play("live/a"); return func() { _ = c.Close() } }, stopped},
		"rtmp, at once":  {func(l *lab) func() { c := l.play("live/a"); return func() { _ = c.Conn().NetConn().Close() } }, closed},
		"http-flv":       {func(l *lab) func() { r := l.get("live/a.flv"); return func() { _ = r.Body.Close() } }, closed},
		"ws-flv, in words": {socket(func(ws *websocket.Conn) {
			_ = ws.Close(websocket.StatusNormalClosure, "")
		}), stopped},
		"ws-flv, at once": {socket(func(ws *websocket.Conn) { _ = ws.CloseNow() }), closed},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.publish("live/a")
			leave := c.play(l)
			within(t, patience, "the player is on", func() bool { return l.engine.Totals().Players == 1 })
			leave()
			if e := l.event("session.play_ended"); e.Reason != string(config.ReasonPeerClosed) || e.Detail != c.want {
				t.Errorf("ended with %s, %q, want %q", e.Reason, e.Detail, c.want)
			}
		})
	}
}
