package server_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp"
)

var loopback = netip.MustParseAddr("127.0.0.1")

func TestKickTellsThePublisher(t *testing.T) {
	l := newLab(t)
	p := l.publish("live/a")
	p.configs(t)
	id := l.session("publisher").ID
	if !strings.HasPrefix(id, "ses_") {
		t.Errorf("session id %q", id)
	}
	if err := l.engine.Kick(id, "The show is over.", time.Minute); err != nil {
		t.Fatal(err)
	}
	if got := refused(t, receive(t, p.end, "the end"), rtmp.CodePublishDenied); got != "The show is over." {
		t.Errorf("the publisher was told %q", got)
	}
	e := l.event("stream.unpublished")
	if e.Reason != string(config.ReasonKicked) || e.Session.Detail != "The show is over." {
		t.Errorf("event: %+v", e)
	}
	within(t, patience, "the session has left", func() bool { return len(l.engine.Sessions()) == 0 })
	within(t, patience, "a closed line", func() bool { return strings.Count(l.log.String(), `"msg":"closed"`) == 1 })

	_, err := rtmp.Dial(t.Context(), l.url("live/a"), rtmp.DialConfig{})
	refused(t, err, rtmp.CodeConnectRejected)
	if err := l.engine.Kick(id, "", 0); !errors.Is(err, server.ErrNotFound) {
		t.Errorf("kick of the dead: %v", err)
	}
}

func TestKickTellsThePlayer(t *testing.T) {
	l := newLab(t)
	p := l.publish("live/a")
	p.configs(t)
	p.send(t, 0, 3)
	player := l.play("live/a")
	picture(t, player)
	if err := l.engine.Kick(l.session("player").ID, "", 0); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := player.ReadMedia(); err != nil {
			refused(t, err, rtmp.CodePlayFailed)
			break
		}
	}
	if e := l.event("session.play_ended"); e.Reason != string(config.ReasonKicked) || e.Session.BytesOut == 0 {
		t.Errorf("event: %+v", e.Session)
	}
	p.send(t, 3, 3)
}

// Every rule reaches those who are live within a second, and nobody else.
//
// S0-37, S0-87.
func TestChangedRulesReachLiveSessions(t *testing.T) {
	tests := []struct {
		name   string
		change func(l *lab, key string)
		reason config.Reason
	}{
		{"vhost disabled", func(l *lab, _ string) { l.vhosts[0].Enabled = false; l.apply() }, config.ReasonVhostRemoved},
		{"vhost removed", func(l *lab, _ string) { l.vhosts = l.vhosts[1:]; l.apply() }, config.ReasonVhostRemoved},
		{"stream disabled", func(l *lab, _ string) {
			l.vhosts[0].DisabledStreams = []config.StreamName{{App: "live", Name: "show"}}
			l.apply()
		}, config.ReasonStreamDisabled},
		{"address denied", func(l *lab, _ string) {
			l.vhosts[0].IPRules = []config.IPRule{{
				ID: "ip_1", Scope: config.ScopePublish, Action: config.Deny, CIDR: netip.MustParsePrefix("127.0.0.0/8"),
			}}
			l.apply()
		}, config.ReasonRefusedIP},
		{"key revoked", func(l *lab, key string) {
			l.keys.change(key, func(k *config.StreamKey) { k.Enabled = false })
			l.engine.ForgetKeys("key_a")
		}, config.ReasonKeyRevoked},
		{"every key looked up again", func(l *lab, key string) {
			l.keys.change(key, func(k *config.StreamKey) { k.ExpiresAt = time.Now().Add(-time.Second) })
			l.engine.ForgetKeys()
		}, config.ReasonKeyRevoked},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, vhost(func(v *config.Vhost) {
				v.PublishPolicy, v.Hostnames = config.PublishKey, []string{"127.0.0.1"}
			}), func(l *lab, _ *server.Config) {
				other := config.NewVhost("other")
				other.PublishPolicy = config.PublishOpen
				l.vhosts = append(l.vhosts, other)
			})
			key := l.keys.add("key_a", "show")
			p := l.publish("live/" + key)
			bystander := l.publish("live/b?vhost=other")
			begin := time.Now()
			tt.change(l, key)
			err := receive(t, p.end, "the end")
			refused(t, err, rtmp.CodePublishDenied)
			if took := time.Since(begin); took > time.Second {
				t.Errorf("took %v", took)
			}
			if e := l.event("stream.unpublished"); e.Reason != string(tt.reason) {
				t.Errorf("reason %q, want %q", e.Reason, tt.reason)
			}
			within(t, patience, "a line in the log that says why", func() bool {
				return strings.Count(l.log.String(), `"msg":"closed"`) == 1 &&
					strings.Contains(l.log.String(), `"reason":"`+string(tt.reason)+`"`)
			})
			bystander.configs(t)
			bystander.send(t, 0, 3)
			select {
			case err := <-bystander.end:
				t.Errorf("the bystander was ended: %v", err)
			case <-time.After(100 * time.Millisecond):
			}
		})
	}
}

func TestUnchangedConfigurationDisturbsNobody(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) { v.PublishPolicy = config.PublishKey }))
	p := l.publish("live/" + l.keys.add("key_a", "show"))
	p.configs(t)
	player := l.play("live/show")
	for range 20 {
		l.vhosts[0].Media.QueueMS++
		l.apply()
		l.engine.ForgetKeys()
	}
	p.send(t, 0, 3)
	picture(t, player)
}

func TestExplainAgreesWithReality(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) {
		v.PublishPolicy, v.PlayPolicy = config.PublishKeyOrToken, config.PlayToken
		v.DisabledStreams = []config.StreamName{{App: "live", Name: "off"}}
		v.Media.PlayWaitMS = 0
	}), func(l *lab, _ *server.Config) {
		l.tokens = []config.TokenKey{{ID: "tk1", Secret: "0123456789abcdef0123456789abcdef"}}
	})
	key := l.keys.add("key_a", "show")
	mint := func(action config.Action, name string) string {
		tok, err := config.MintToken(l.tokens[0], config.TokenClaims{
			ID: "tok_" + name + string(action), Action: action, Vhost: config.DefaultVhost, App: "live", Stream: name,
			ExpiresAt: time.Now().Add(time.Hour),
		})
		if err != nil {
			t.Fatal(err)
		}
		return tok
	}
	tests := []struct{ action, path string }{
		{"publish", "live/" + key},
		{"publish", "live/show?key=" + key},
		{"publish", "live/other?key=" + key},
		{"publish", "app2/" + key},
		{"publish", "live/" + config.NewStreamKeySecret().Reveal()},
		{"publish", "live/show"},
		{"publish", "live/show?token=" + mint(config.ActionPublish, "show")},
		{"publish", "live/show?token=" + mint(config.ActionPlay, "show")},
		{"publish", "live/off?token=" + mint(config.ActionPublish, "off")},
		{"publish", "live/a%5Cb"},
		{"play", "live/show"},
		{"play", "live/show?token=" + mint(config.ActionPlay, "show")},
		{"play", "live/show?jwt=" + mint(config.ActionPlay, "show")},
		{"play", "live/show2?token=" + mint(config.ActionPlay, "show")},
		{"play", "live/" + key},
		{"play", "live/show?token=a.b.c"},
	}
	for _, tt := range tests {
		x, err := l.engine.Explain(t.Context(), server.ExplainRequest{Action: tt.action, URL: l.url(tt.path), IP: loopback})
		if err != nil {
			x.Reason = string(config.ReasonRefusedName)
		}
		before := len(l.engine.Refusals())
		c := l.dial(tt.path)
		if tt.action == "publish" {
			err = c.Publish(t.Context(), "")
		} else {
			err = c.Play(t.Context(), "")
		}
		_ = c.Close()
		if (err == nil) != x.Allow {
			t.Errorf("%s %.30s: explain says %v %s, reality says %v", tt.action, tt.path, x.Allow, x.Detail, err)
		}
		if err != nil {
			if r := l.engine.Refusals(); len(r) != before+1 || r[0].Reason != x.Reason {
				t.Errorf("%s %.30s: explain says %q, the refusal %q", tt.action, tt.path, x.Reason, r[0].Reason)
			}
		}
		within(t, patience, "the session has left", func() bool { return len(l.engine.Sessions()) == 0 })
	}
	for line := range strings.SplitSeq(l.log.String(), "\n") {
		if strings.Contains(line, key) || strings.Contains(line, "token=ey") {
			t.Errorf("a secret is in the log: %s", line)
		}
	}
}

func TestDrainTellsEverybody(t *testing.T) {
	l := newLab(t)
	p := l.publish("live/a")
	p.configs(t)
	p.send(t, 0, 3)
	player := l.play("live/a")
	picture(t, player)
	left := make(chan error, 1)
	go func() { // a player that goes when it is told
		for {
			if _, err := player.ReadMedia(); err != nil {
				left <- err
				return
			}
		}
	}()
	if err := l.engine.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	refused(t, receive(t, p.end, "the publisher's end"), rtmp.CodePublishDenied)
	if err := receive(t, left, "the player's end"); !errors.Is(err, rtmp.ErrUnpublished) {
		t.Errorf("the player was told %v", err)
	}
	if _, err := rtmp.Dial(t.Context(), l.url("live/a"), rtmp.DialConfig{}); err == nil {
		t.Error("somebody was let in while draining")
	}
	for _, e := range l.engine.Events(0) {
		if e.Session != nil && e.Reason != string(config.ReasonShutdown) {
			t.Errorf("event: %+v", e)
		}
	}
}

func TestWatchSeesWhatEventsKeep(t *testing.T) {
	l := newLab(t)
	events, stop := l.engine.Watch()
	l.publish("live/a")
	if e := receive(t, events, "an event"); e.Type != "stream.published" || e.Seq != 1 || e.Name != "a" {
		t.Errorf("event: %+v", e)
	}
	stop()
	stop()
	if _, ok := <-events; ok {
		t.Error("the channel is open")
	}
	if got := l.engine.Events(1); len(got) != 0 {
		t.Errorf("events after the last: %+v", got)
	}
}
