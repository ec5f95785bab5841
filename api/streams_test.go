package api_test

import (
	"fmt"
	"net"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/api"
	"github.com/penstock-media/penstock/server"
)

func (h *house) stream(token, name string) api.Stream {
	h.Helper()
	return read[api.Stream](h.do(call{method: "POST", path: "/api/v1/streams", token: token, body: map[string]any{"name": name}}).want(201))
}

func TestAStreamShowsWhatIsLive(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	l := read[api.List[api.Stream]](h.do(call{method: "GET", path: "/api/v1/streams", token: admin}).want(200))
	if len(l.Items) != 1 || l.Items[0].Configured || l.Items[0].Live == nil || l.Items[0].Name != "match-day" {
		t.Fatalf("a live stream without a row is listed as %+v", l.Items)
	}
	liveID := l.Items[0].ID
	h.do(call{method: "GET", path: "/api/v1/streams/" + liveID, token: admin}).want(200)
	h.do(call{method: "PATCH", path: "/api/v1/streams/" + liveID, token: admin, header: ifMatch("*"), body: map[string]any{"enabled": false}}).
		problem(409, "stream_not_configured")
	if n := len(read[api.StreamHistory](h.do(call{method: "GET", path: "/api/v1/streams/" + liveID + "/history", token: admin}).want(200)).Items); n != 2 {
		t.Errorf("the history has %d points", n)
	}

	s := h.stream(admin, "match-day")
	if s.Vhost != "default" || s.App != "live" || s.Live == nil || !s.Configured || s.URLs == nil {
		t.Fatalf("got %+v", s)
	}
	if want := "rtmp://127.0.0.1/live/match-day"; s.URLs.RTMPPlay != want {
		t.Errorf("the play address is %s", s.URLs.RTMPPlay)
	}
	if want := h.url + "/live/match-day.flv"; s.URLs.HTTPFLV != want {
		t.Errorf("the HTTP-FLV address is %s, want %s", s.URLs.HTTPFLV, want)
	}
	if s.Live.Video.Height != 1080 || s.Live.Publisher.Agent != "OBS Studio 32.0" || len(s.Live.Findings) != 1 {
		t.Errorf("live is %+v", s.Live)
	}
	if l := s.Live; l.AVOffsetMS != -20 || l.AVDriftMS != -250 || l.AudioDriftMS != -240 || l.VideoDriftMS != 10 || l.JitterMS != 6 || l.Jumps != 3 {
		t.Errorf("the publisher's clocks are %+v", l)
	}
	h.eventually("the live stream is listed under its row", func() bool {
		l := read[api.List[api.Stream]](h.do(call{method: "GET", path: "/api/v1/streams?count=true", token: admin}).want(200))
		return len(l.Items) == 1 && l.Items[0].ID == s.ID && *l.Total == 1
	})
	if id := read[api.Stream](h.do(call{method: "GET", path: "/api/v1/streams/" + liveID, token: admin}).want(200)).ID; id != s.ID {
		t.Error("the id a live stream had before it was created does not lead to it")
	}
}

func TestStreamLife(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	s := h.stream(admin, "press-room")
	path := "/api/v1/streams/" + s.ID
	r := h.do(call{method: "PATCH", path: path, token: admin, header: ifMatch(`"1"`), body: map[string]any{
		"metadata": map[string]string{"room": "2"}, "external_id": "42",
	}}).want(200)
	if s := read[api.Stream](r); s.Metadata["room"] != "2" || s.ExternalID != "42" || s.Live != nil || !s.Enabled {
		t.Errorf("got %+v", s)
	}
	h.do(call{method: "POST", path: "/api/v1/streams", token: admin, body: map[string]any{"name": "press-room"}}).problem(409, "conflict")
	h.do(call{method: "POST", path: "/api/v1/streams", token: admin, body: map[string]any{"name": "a/b"}}).problem(422, "validation_failed")
	h.do(call{method: "POST", path: "/api/v1/streams", token: admin, body: map[string]any{"name": "a", "vhost_id": "nowhere"}}).problem(404, "not_found")
	h.do(call{method: "DELETE", path: path, token: admin, header: ifMatch(r.header.Get("ETag"))}).want(204)
	h.do(call{method: "GET", path: path, token: admin}).problem(404, "not_found")
}

func TestStreamPagesHaveEachStreamOnce(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	h.engine.mu.Lock()
	h.engine.streams = nil
	for i := range 5 {
		h.engine.streams = append(h.engine.streams, server.StreamInfo{Vhost: "default", App: "live", Name: fmt.Sprintf("guest-%d", i), Live: true})
	}
	h.engine.mu.Unlock()
	for i := range 5 {
		h.stream(admin, fmt.Sprintf("created-%d", i))
	}
	h.engine.mu.Lock()
	h.engine.streams = append(h.engine.streams, server.StreamInfo{Vhost: "default", App: "live", Name: "created-3", Live: true})
	h.engine.mu.Unlock()
	for query, want := range map[string]int{
		"": 10, "&live=true": 6, "&live=false": 4, "&q=guest": 5, "&q=created": 5, "&app=other": 0, "&vhost=default&sort=name": 10,
	} {
		for _, limit := range []int{1, 2, 3, 5, 100} {
			seen := map[string]bool{}
			cursor := ""
			for pages := 0; ; pages++ {
				path := fmt.Sprintf("/api/v1/streams?count=true&limit=%d%s&cursor=%s", limit, query, cursor)
				l := read[api.List[api.Stream]](h.do(call{method: "GET", path: path, token: admin}).want(200))
				if *l.Total != int64(want) {
					t.Errorf("%s: the total is %d, not %d", path, *l.Total, want)
				}
				if len(l.Items) > limit || pages > 20 {
					t.Fatalf("%s: page %d has %d items", path, pages, len(l.Items))
				}
				for _, s := range l.Items {
					if seen[s.ID] {
						t.Errorf("%s: %s is there twice", path, s.Name)
					}
					seen[s.ID] = true
				}
				if cursor = l.NextCursor; cursor == "" {
					break
				}
			}
			if len(seen) != want {
				t.Errorf("limit %d %s: %d streams, want %d", limit, query, len(seen), want)
			}
		}
	}
}

func TestVhostHostnamesAppearInAddresses(t *testing.T) {
	h := newHouse(t, func(c *api.Config) { c.PublicURL, c.PublicRTMP = "https://live.example.com", "live.example.com:19350" })
	admin := h.admin()
	for name, hosts := range map[string][]string{"sport": {"*.x.example.com", "sport.example.com"}, "campus": {}} {
		h.do(call{method: "POST", path: "/api/v1/vhosts", token: admin, body: map[string]any{"name": name, "hostnames": hosts}}).want(201)
	}
	h.eventually("the vhosts are in force", func() bool {
		h.engine.mu.Lock()
		defer h.engine.mu.Unlock()
		return len(h.engine.applied.Vhosts) == 3
	})
	for vhost, want := range map[string]api.StreamURLs{
		"default": {
			RTMPServer: "rtmp://live.example.com:19350/a/b", RTMPPlay: "rtmp://live.example.com:19350/a/b/match%20day",
			RTMPSServer: "rtmps://live.example.com/a/b", RTMPSPlay: "rtmps://live.example.com/a/b/match%20day",
			HTTPFLV: "https://live.example.com/a/b/match%20day.flv", WSFLV: "wss://live.example.com/a/b/match%20day.flv",
		},
		"sport": {
			RTMPServer: "rtmp://sport.example.com:19350/a/b", RTMPPlay: "rtmp://sport.example.com:19350/a/b/match%20day",
			RTMPSServer: "rtmps://sport.example.com/a/b", RTMPSPlay: "rtmps://sport.example.com/a/b/match%20day",
			HTTPFLV: "https://sport.example.com/a/b/match%20day.flv", WSFLV: "wss://sport.example.com/a/b/match%20day.flv",
		},
		"campus": {
			RTMPServer: "rtmp://live.example.com:19350/a/b?vhost=campus", RTMPPlay: "rtmp://live.example.com:19350/a/b/match%20day?vhost=campus",
			RTMPSServer: "rtmps://live.example.com/a/b?vhost=campus", RTMPSPlay: "rtmps://live.example.com/a/b/match%20day?vhost=campus",
			HTTPFLV: "https://live.example.com/a/b/match%20day.flv?vhost=campus", WSFLV: "wss://live.example.com/a/b/match%20day.flv?vhost=campus",
		},
	} {
		r := h.do(call{method: "POST", path: "/api/v1/streams", token: admin, body: map[string]any{"vhost_id": vhost, "app": "a/b", "name": "match day"}}).want(201)
		if got := *read[api.Stream](r).URLs; got != want {
			t.Errorf("%s: got %+v", vhost, got)
		}
	}
}

// What people are told in place of the ports that listen, such as those of a balancer
// that ends TLS, is all they are told.
func TestPublicAddresses(t *testing.T) {
	const page, plain, secure = "https://live.example.com", "in.example.com:19350", "tls.example.com:443"
	for _, c := range []struct {
		rtmp, rtmps string
		want        []string
		server      string
	}{
		{"", "", []string{"rtmp://live.example.com", "rtmps://live.example.com", "rtmps://live.example.com:4430"}, "rtmps://live.example.com/live"},
		{plain, "", []string{"rtmp://in.example.com:19350", "rtmps://in.example.com", "rtmps://in.example.com:4430"}, "rtmps://in.example.com/live"},
		{plain, secure, []string{"rtmp://in.example.com:19350", "rtmps://tls.example.com"}, "rtmps://tls.example.com/live"},
	} {
		h := newHouse(t, func(k *api.Config) {
			k.PublicURL, k.PublicRTMP, k.PublicRTMPS = page, c.rtmp, c.rtmps
			k.HTTPSAddrs = []net.Addr{&net.TCPAddr{IP: net.IPv6loopback, Port: 8443}}
		})
		admin := h.admin()
		system := read[api.System](h.do(call{method: "GET", path: "/api/v1/system", token: admin}).want(200))
		if diff := cmp.Diff(c.want, system.URLs.RTMP); diff != "" {
			t.Errorf("%q %q: %s", c.rtmp, c.rtmps, diff)
		}
		want := []api.Listener{{"rtmp", "0.0.0.0:1935"}, {"rtmps", "0.0.0.0:443"}, {"rtmps", "0.0.0.0:4430"}, {"https", "[::1]:8443"}}
		if diff := cmp.Diff(want, system.Listeners); diff != "" {
			t.Error(diff)
		}
		made := read[api.Stream](h.do(call{method: "POST", path: "/api/v1/streams", token: admin, body: map[string]any{"name": "s"}}).want(201))
		if made.URLs.RTMPSServer != c.server || made.URLs.RTMPSPlay != c.server+"/s" {
			t.Errorf("%+v", made.URLs)
		}
	}
}
