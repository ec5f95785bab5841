package server_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp"
)

func TestWrongKeyIsRefusedBeforeStart(t *testing.T) { // S0-70, S0-69
	l := newLab(t, vhost(func(v *config.Vhost) { v.PublishPolicy = config.PublishKey }))
	right := l.keys.add("key_a", "show")
	wrong := config.NewStreamKeySecret().Reveal()

	err := l.dial("live/"+wrong).Publish(t.Context(), "")
	refused(t, err, rtmp.CodePublishDenied)
	if len(l.engine.Streams()) != 0 {
		t.Error("a refused publisher left a stream")
	}
	r := l.engine.Refusals()
	if len(r) != 1 || r[0].Reason != string(config.ReasonRefusedKey) || r[0].Action != "publish" || len(r[0].Checks) == 0 {
		t.Fatalf("refusals: %+v", r)
	}
	if e := l.event("stream.refused"); e.Reason != string(config.ReasonRefusedKey) {
		t.Errorf("event: %+v", e)
	}
	if got := l.engine.Totals().RefusalsTotal["refused_key"]; got != 1 {
		t.Errorf("counted %d refusals", got)
	}

	l.publish("live/" + right)
	within(t, patience, "the stream is live under its own name", func() bool {
		s, ok := l.stream("show")
		return ok && s.Live
	})
	s := l.session("publisher")
	if s.Name != "show" || s.KeyID != "key_a" {
		t.Errorf("session: %+v", s)
	}
	for _, secret := range []string{right, wrong} {
		if strings.Contains(l.log.String(), secret) {
			t.Error("a stream key is in the log")
		}
	}
}

func TestKeyInAnyPlaceOpensTheStream(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) { v.PublishPolicy = config.PublishKey }))
	key := l.keys.add("key_a", "show")
	for _, path := range []string{"live/" + key, "live/show?key=" + key, "live/show?secret=" + key, "live?key=" + key + "/show"} {
		p := l.publish(path)
		_ = p.Close()
		within(t, patience, "the stream is free again", func() bool {
			s, ok := l.stream("show")
			return !ok || !s.Live
		})
	}
}

func TestBusyStreamIsRefused(t *testing.T) { // S0-42, S4-26
	l := newLab(t, vhost(func(v *config.Vhost) { v.DuplicatePolicy = config.DuplicateReject }))
	first := l.publish("live/a")
	first.configs(t)
	err := l.dial("live/a").Publish(t.Context(), "")
	refused(t, err, rtmp.CodePublishBadName)
	first.send(t, 0, 3)
	if r := l.engine.Refusals(); len(r) != 1 || r[0].Reason != string(config.ReasonStreamBusy) {
		t.Errorf("refusals: %+v", r)
	}
	x, err := l.engine.Explain(t.Context(), server.ExplainRequest{
		Action: "publish", URL: l.url("live/a"), IP: loopback,
	})
	if err != nil || x.Allow || x.Reason != string(config.ReasonStreamBusy) || !x.Live {
		t.Errorf("explain: %+v, %v", x, err)
	}
}

func TestManyPublishersOneWins(t *testing.T) { // S0-44
	l := newLab(t, vhost(func(v *config.Vhost) { v.DuplicatePolicy = config.DuplicateReject }))
	const n = 100
	clients := make([]*rtmp.Client, n)
	for i := range clients {
		clients[i] = l.dial("live/a")
	}
	results := make(chan error, n)
	for _, c := range clients {
		go func() { results <- c.Publish(t.Context(), "") }()
	}
	won := 0
	for range n {
		if receive(t, results, "an answer") == nil {
			won++
		}
	}
	if won != 1 {
		t.Errorf("%d publishers were let in", won)
	}
}

func TestTakeoverKeepsPlayers(t *testing.T) { // S4-24, C-54
	l := newLab(t, vhost(func(v *config.Vhost) { v.PublishPolicy = config.PublishKey }))
	key, other := l.keys.add("key_a", "show"), l.keys.add("key_b", "show")
	first := l.publish("live/" + key)
	first.configs(t)
	first.send(t, 0, 5)
	player := l.play("live/show")
	if n, isKey := picture(t, player); n != 0 || !isKey {
		t.Fatalf("the player begins with picture %d, key %v", n, isKey)
	}

	refused(t, l.dial("live/"+other).Publish(t.Context(), ""), rtmp.CodePublishBadName)

	second := l.publish("live/" + key)
	refused(t, receive(t, first.end, "the end of the first publisher"), rtmp.CodePublishBadName)
	second.configs(t)
	second.send(t, 100, 5)
	for {
		n, isKey := picture(t, player)
		if n >= 100 {
			if n != 100 || !isKey {
				t.Errorf("after the takeover the player goes on with picture %d, key %v", n, isKey)
			}
			break
		}
	}
	e := l.event("stream.taken_over")
	if e.Session == nil || e.Session.Reason != string(config.ReasonReplaced) || e.Session.EndedAt.IsZero() {
		t.Errorf("event: %+v", e)
	}
}

func TestRepublishOnTheSameConnection(t *testing.T) { // S0-74, S0-77
	l := newLab(t)
	c := l.dial("live/a")
	for i, name := range []string{"a", "a", "b"} {
		if err := c.Publish(t.Context(), name); err != nil {
			t.Fatalf("publish %d: %v", i, err)
		}
		p := &publisher{Client: c}
		p.configs(t)
		p.send(t, 0, 3)
		within(t, patience, name+" is live", func() bool {
			s, ok := l.stream(name)
			return ok && s.Live && s.BytesIn > 0
		})
		if err := c.Unpublish(); err != nil {
			t.Fatalf("unpublish: %v", err)
		}
		within(t, patience, name+" is over", func() bool {
			s, ok := l.stream(name)
			return !ok || !s.Live
		})
	}
	if got := l.engine.Totals().SessionsTotal; got != 1 {
		t.Errorf("%d sessions, want 1", got)
	}
	e := l.event("stream.unpublished")
	if e.Reason != string(config.ReasonUnpublished) || e.Session.BytesIn == 0 || e.Session.Video != "H.264" {
		t.Errorf("event: %+v", e.Session)
	}
}

func TestPublisherThatSendsNothingIsClosed(t *testing.T) { // S0-72
	l := newLab(t, vhost(func(v *config.Vhost) { v.Media.PublisherIdleMS, v.Media.FirstMediaMS = 1000, 1000 }))
	mute := l.publish("live/mute")
	refused(t, receive(t, mute.end, "the end of a publisher without media"), rtmp.CodePublishDenied)

	stalled := l.publish("live/stalled")
	stalled.configs(t)
	stalled.send(t, 0, 2)
	refused(t, receive(t, stalled.end, "the end of a stalled publisher"), rtmp.CodePublishDenied)
	for _, e := range l.engine.Events(0) {
		if e.Type == "stream.unpublished" && e.Reason != string(config.ReasonIdle) {
			t.Errorf("event: %+v", e)
		}
	}
}

func TestGuessingIsBlocked(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) { v.PublishPolicy = config.PublishKey }))
	right := l.keys.add("key_a", "show")
	for range 10 {
		refused(t, l.dial("live/"+config.NewStreamKeySecret().Reveal()).Publish(t.Context(), ""), rtmp.CodePublishDenied)
	}
	begin := time.Now()
	refused(t, l.dial("live/"+right).Publish(t.Context(), ""), rtmp.CodePublishDenied)
	if took := time.Since(begin); took < time.Second {
		t.Errorf("a guesser was answered after %v", took)
	}
	if r := l.engine.Refusals()[0]; r.Reason != string(config.ReasonRefusedGuessing) {
		t.Errorf("refusal: %+v", r)
	}
}

// Viewers with expired tokens, and encoders without a key, are not guessing.
func TestWhatIsNotGuessing(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) {
		v.PublishPolicy, v.PlayPolicy = config.PublishKey, config.PlayToken
	}))
	key := l.keys.add("key_a", "show")
	for range 15 {
		resp := l.get("live/show.flv?token=a.b.c")
		if resp.StatusCode != http.StatusForbidden {
			t.Fatalf("status %v", resp.Status)
		}
	}
	for range 6 {
		for _, path := range []string{"live/show", "live/show?token=x"} {
			c := l.dial(path)
			refused(t, c.Publish(t.Context(), ""), rtmp.CodePublishDenied)
			_ = c.Close()
		}
	}
	l.publish("live/" + key)
}

func TestKnownKeysWorkWhileKeysCannotBeLookedUp(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) { v.PublishPolicy = config.PublishKey }))
	known, unknown := l.keys.add("key_a", "a"), l.keys.add("key_b", "b")
	p := l.publish("live/" + known)
	l.keys.mu.Lock()
	l.keys.err = errors.New("database away")
	l.keys.mu.Unlock()
	_ = p.Close()
	l.publish("live/" + known)
	refused(t, l.dial("live/"+unknown).Publish(t.Context(), ""), rtmp.CodePublishDenied)
	if r := l.engine.Refusals()[0]; r.Reason != string(config.ReasonRefusedNotReady) {
		t.Errorf("refusal: %+v", r)
	}
}

func TestOtherProtocolsOnThePortAreClosed(t *testing.T) {
	l := newLab(t)
	for _, hello := range []string{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\x16\x03\x01\x02\x00"} {
		nc := l.plain()
		if _, err := io.WriteString(nc, hello); err != nil {
			t.Fatal(err)
		}
		_ = nc.SetReadDeadline(time.Now().Add(patience))
		if _, err := nc.Read(make([]byte, 1)); err == nil {
			t.Errorf("the server answered to %q", hello)
		}
	}
	within(t, patience, "all sessions are over", func() bool { return len(l.engine.Sessions()) == 0 })
	within(t, patience, "a closed line for each connection", func() bool {
		return strings.Count(l.log.String(), `"msg":"closed"`) == 2
	})
	if got := l.engine.Totals().EndingsTotal["handshake"]; got != 2 {
		t.Errorf("counted %d failed handshakes", got)
	}
}

func TestLimits(t *testing.T) {
	l := newLab(t, func(_ *lab, c *server.Config) { c.Limits.MaxSessions = 2 })
	l.publish("live/a")
	l.publish("live/b")
	if _, err := rtmp.Dial(t.Context(), l.url("live/c"), rtmp.DialConfig{}); err == nil {
		t.Error("a third connection was let in")
	}
	resp, err := http.Get(l.web.URL + "/live/a.flv")
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("status %d", resp.StatusCode)
	}
	if got := l.engine.Totals().RefusalsTotal["limit"]; got != 2 {
		t.Errorf("counted %d", got)
	}
}
