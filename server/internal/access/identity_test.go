package access

import (
	"testing"

	"github.com/penstock-media/penstock/server/config"
)

// S4-02: where the app is the stream, the name means nothing; a key is good for its app.
func TestStreamIdentityApp(t *testing.T) {
	w := newWorld()
	w.vhost.Media.StreamIdentity = config.IdentityApp
	w.vhost.PublishPolicy = config.PublishOpen
	for _, c := range []struct{ app, name, wantApp, wantName string }{
		{"room", "a", "room", "room"},
		{"room", "b?", "room", "room"},
		{"", "room", "room", "room"},
		{"hall/room", "a", "hall/room", "room"},
	} {
		req := Request{Action: Publish, App: c.app, Name: c.name}
		if c.app == "" {
			req.App, req.Alone = "live", true
		}
		d := w.decide(t, req)
		if !d.Allow || d.App != c.wantApp || d.Name != c.wantName {
			t.Errorf("%s/%s: %v %s/%s: %s", c.app, c.name, d.Allow, d.App, d.Name, d.Detail)
		}
	}
	w.vhost.PublishPolicy = config.PublishKey
	for name, req := range map[string]Request{
		"in the name's place": {Action: Publish, App: w.key.App, Name: w.secret},
		"beside a name":       {Action: Publish, App: w.key.App, Name: "whatever", Key: config.Secret(w.secret)},
	} {
		d := w.decide(t, req)
		if !d.Allow || d.App != w.key.App || d.Name != w.key.App || d.KeyID != w.key.ID {
			t.Errorf("key %s: %v %s/%s: %s", name, d.Allow, d.App, d.Name, d.Detail)
		}
	}
	if d := w.decide(t, Request{Action: Publish, App: "elsewhere", Name: "x", Key: config.Secret(w.secret)}); d.Allow {
		t.Error("the key is good for another app")
	}
}
