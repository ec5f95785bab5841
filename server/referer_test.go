package server_test

import (
	"testing"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp"
)

// The page that a player or publisher is on decides before anything is answered but
// the refusal, and a publisher that is refused leaves the stream free.
//
// S0-49, S0-51, S0-69, S0-71.
func TestPagesThatMayNot(t *testing.T) {
	for _, scope := range []config.Scope{config.ScopePublish, config.ScopePlay} {
		t.Run(string(scope), func(t *testing.T) {
			l := newLab(t, vhost(func(v *config.Vhost) {
				v.RefererEmpty = config.Allow
				v.RefererRules = []config.RefererRule{{ID: "rr_1", Scope: scope, Action: config.Deny, Pattern: "bad.example"}}
			}))
			from := func(page string) (*rtmp.Client, *[]string) {
				said := &[]string{}
				c, err := rtmp.Dial(t.Context(), l.url("live/a"), rtmp.DialConfig{
					Timeout: patience, Connect: rtmp.Connect{PageURL: page},
					OnStatus: func(s rtmp.Status) { *said = append(*said, s.Code) },
				})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = c.Close() })
				return c, said
			}
			do := func(c *rtmp.Client) error { return c.Publish(t.Context(), "") }
			code := rtmp.CodePublishDenied
			if scope == config.ScopePlay {
				do = func(c *rtmp.Client) error { return c.Play(t.Context(), "") }
				code = rtmp.CodePlayFailed
			}
			bad, said := from("https://www.bad.example/x")
			refused(t, do(bad), code)
			if len(*said) != 0 {
				t.Errorf("before the refusal came %v", *said)
			}
			if r := l.engine.Refusals(); len(r) != 1 || r[0].Reason != string(config.ReasonRefusedReferer) {
				t.Errorf("refusals: %+v", r)
			}
			for _, e := range l.engine.Events(0) {
				if e.Type != "stream.refused" && e.Type != "session.play_refused" {
					t.Errorf("event: %+v", e)
				}
			}
			good, _ := from("https://good.example/x")
			if err := do(good); err != nil {
				t.Errorf("right after it: %v", err)
			}
		})
	}
}
