package api_test

import (
	"context"
	"errors"
	"maps"
	"net"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
)

// fakeEngine is an engine with one live stream, two players and a refusal.
type fakeEngine struct {
	mu       sync.Mutex
	streams  []server.StreamInfo
	sessions []server.SessionInfo
	events   []server.Event
	refusals []server.Refusal
	applied  *config.Snapshot
	forgets  int
	kicked   map[string]time.Duration
	detail   string
	endings  map[string]uint64
	asked    server.ExplainRequest
}

func newFakeEngine() *fakeEngine {
	since := time.Now().Add(-time.Minute).UTC()
	e := &fakeEngine{kicked: map[string]time.Duration{}, endings: map[string]uint64{"handshake": 5}}
	e.streams = []server.StreamInfo{{
		Vhost: "default", App: "live", Name: "match-day", Live: true, Since: since,
		PublisherID: "ses_publisher", Publisher: "203.0.113.40:51612", Agent: "OBS Studio 32.0",
		Video:  &server.VideoInfo{Codec: "H.264", Profile: "High", Level: "4.1", Width: 1920, Height: 1080},
		Audio:  &server.AudioInfo{Codec: "AAC", Profile: "LC", SampleRate: 48000, Channels: 2},
		InKbps: 4500, OutKbps: 9000, FPS: 29.97, KeyIntervalMS: 2000, BytesIn: 1 << 24, BytesOut: 1 << 25, Players: 2, Health: "fair",
		Clocks:   server.Clocks{AVOffset: -20, AVDrift: -250, AudioDrift: -240, VideoDrift: 10, Jitter: 6, Jumps: 3},
		Findings: []server.Finding{{Code: "b_frames", Severity: "fair", Text: "B-frames add about 80 ms."}},
	}}
	player := server.SessionInfo{
		Role: "player", Protocol: "http-flv", Peer: "198.51.100.23:40000", Agent: "Chrome 145", Vhost: "default", App: "live",
		Name: "match-day", StartedAt: since, OutKbps: 4500, BytesOut: 1 << 24, LagMS: 400, Video: "H.264", Audio: "AAC",
	}
	one, two := player, player
	one.ID, two.ID = "ses_player1", "ses_player2"
	e.sessions = []server.SessionInfo{one, two, {
		ID: "ses_publisher", Role: "publisher", Protocol: "rtmp", Peer: "203.0.113.40:51612", Agent: "OBS Studio 32.0",
		Vhost: "default", App: "live", Name: "match-day", KeyID: "key_1", StartedAt: since, InKbps: 4500, BytesIn: 1 << 24,
	}}
	e.events = []server.Event{{
		Seq: 1, Type: "stream.published", Time: since, Vhost: "default", App: "live", Name: "match-day",
		SessionID: "ses_publisher", Peer: "203.0.113.40:51612",
	}}
	e.refusals = []server.Refusal{{
		Time: since, Action: "publish", Protocol: "rtmp", Vhost: "default", App: "live", Peer: "198.51.100.61:40112",
		Agent: "FMLE/3.0", Reason: "refused_key", Detail: "The key is not known.",
		Checks: []server.Check{{Name: "vhost", Result: "pass", Detail: "default"}, {Name: "credential", Result: "fail", Detail: "The key is not known."}},
	}}
	return e
}

func (e *fakeEngine) Streams() []server.StreamInfo {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.streams)
}

func (e *fakeEngine) History(vhost, app, name string) []server.Point {
	if vhost+app+name != "defaultlivematch-day" {
		return nil
	}
	at := time.Unix(1_773_497_824, 0)
	return []server.Point{{Time: at, InKbps: 4500, FPS: 30}, {Time: at.Add(time.Second), InKbps: 4400, FPS: 29}}
}

func (e *fakeEngine) Sessions() []server.SessionInfo {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.sessions)
}

func (e *fakeEngine) Kick(id, detail string, ban time.Duration) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	i := slices.IndexFunc(e.sessions, func(s server.SessionInfo) bool { return s.ID == id })
	if i < 0 {
		return server.ErrNotFound
	}
	e.kicked[id], e.detail = ban, detail
	e.endings["kicked"]++
	ended := e.sessions[i]
	ended.EndedAt, ended.Reason = time.Now(), "kicked"
	e.sessions = slices.Delete(e.sessions, i, i+1)
	e.events = append(e.events, server.Event{
		Seq: uint64(len(e.events) + 1), Type: "session.play_ended", Time: ended.EndedAt, SessionID: id, Reason: "kicked", Session: &ended,
	})
	return nil
}

func (e *fakeEngine) Refusals() []server.Refusal {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.refusals)
}

func (e *fakeEngine) Events(after uint64) []server.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.events[min(int(after), len(e.events)):])
}

func (e *fakeEngine) Explain(_ context.Context, req server.ExplainRequest) (server.Explanation, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked = req
	if req.URL == "nonsense" {
		return server.Explanation{}, errors.New("server: explain: no host in it")
	}
	vhost := "default"
	for _, s := range e.streams {
		if strings.HasPrefix(req.URL, "rtmp://"+s.Vhost+"/") {
			vhost = s.Vhost
		}
	}
	return server.Explanation{
		Reason: "refused_referer", Detail: "The page is on copycat.example.", Vhost: vhost, App: "live", Name: path.Base(req.URL),
		Checks: []server.Check{{Name: "referer", Result: "fail", RuleID: "rr_1", Detail: "Host copycat.example equals the pattern."}},
	}, nil
}

func (e *fakeEngine) Totals() server.Totals {
	e.mu.Lock()
	defer e.mu.Unlock()
	return server.Totals{
		Streams: len(e.streams), Live: 1, Publishers: 1, Players: len(e.sessions) - 1, Sessions: len(e.sessions),
		InKbps: 4500, OutKbps: 9000, BytesIn: 1 << 24, BytesOut: 1 << 25, SessionsTotal: 12, JumpsTotal: 3,
		RefusalsTotal: map[string]uint64{"refused_key": 3}, EndingsTotal: maps.Clone(e.endings),
	}
}

func (e *fakeEngine) Addrs() []net.Addr {
	return []net.Addr{&net.TCPAddr{IP: net.IPv4zero, Port: 1935}}
}

func (e *fakeEngine) SecureAddrs() []net.Addr {
	return []net.Addr{&net.TCPAddr{IP: net.IPv4zero, Port: 443}, &net.TCPAddr{IP: net.IPv4zero, Port: 4430}}
}

func (e *fakeEngine) Apply(s *config.Snapshot) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.applied = s
	return nil
}

func (e *fakeEngine) ForgetKeys(...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.forgets++
}
