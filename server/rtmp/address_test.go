package rtmp

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The forms of a URL, and the stream that servers make of each.
//
// S2-23.
func TestAddressTarget(t *testing.T) {
	for raw, want := range map[string]struct {
		host, vhost, app, name, flv string
	}{
		"rtmp://h/live/cam":                    {"h:1935", "h", "live", "cam", "/live/cam.flv"},
		"rtmp://h:19350/live/cam?k=v":          {"h:19350", "h", "live", "cam", "/live/cam.flv?k=v"},
		"rtmp://192.0.2.1/live?vhost=v/cam":    {"192.0.2.1:1935", "v", "live", "cam", "/live/cam.flv?vhost=v"},
		"rtmp://h/live...vhost...v/cam":        {"h:1935", "v", "live", "cam", "/live/cam.flv?vhost=v"},
		"rtmp://h/live/cam?vhost=v&token=a/b":  {"h:1935", "v", "live", "cam", "/live/cam.flv?token=a%2Fb&vhost=v"},
		"rtmp://h/live?domain=v/cam":           {"h:1935", "v", "live", "cam", "/live/cam.flv?domain=v"},
		"rtmp://[2001:db8::1]/a/b/c":           {"[2001:db8::1]:1935", "2001:db8::1", "a/b", "c", "/a/b/c.flv"},
		"rtmps://[2001:db8::1]:4443/live/_x-1": {"[2001:db8::1]:4443", "2001:db8::1", "live", "_x-1", "/live/_x-1.flv"},
		"rtmps://u:p@h/live/_definst_/cam":     {"h:443", "h", "live", "cam", "/live/cam.flv"},
	} {
		a, err := ParseAddress(raw)
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Target()
		if err != nil {
			t.Errorf("%s: %v", raw, err)
		}
		if a.Host != want.host || got.Vhost != want.vhost || got.App != want.app || got.Name != want.name {
			t.Errorf("%s: %s, %+v", raw, a.Host, got)
		}
		if flv, err := a.FLV("http://h:8080/"); err != nil || flv != "http://h:8080"+want.flv {
			t.Errorf("%s: %s, %v", raw, flv, err)
		}
	}
	if _, err := (Address{}).FLV("http://h"); !errors.Is(err, ErrTarget) {
		t.Error(err)
	}
}

// An address can be copied, written, and given a new token for the next connect.
//
// S2-30.
func TestAddressURL(t *testing.T) {
	for _, raw := range []string{
		"rtmp://h/live/cam", "rtmp://h/live/", "rtmp://h/live?a=1/cam?b=2/3", "rtmp://h/", "rtmp://h/?a=1", "rtmp://h//cam",
		"rtmps://[::1]:7/a/b/c?k=v", "rtmp://h/live?token=a/b/cam", "rtmp://h/live/cam?key=sk_a%20&c=d=",
	} {
		a, err := ParseAddress(raw)
		if err != nil {
			t.Fatal(err)
		}
		if a.URL() != raw {
			t.Errorf("%s became %s", raw, a.URL())
		}
		again, err := ParseAddress(a.URL())
		if diff := cmp.Diff(a, again); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", raw, err, diff)
		}
	}
	for raw, want := range map[string]string{
		"rtmp://h/live/cam":                   "rtmp://h/live/cam?token=n%2Fw",
		"rtmp://h/live/cam?token=old":         "rtmp://h/live/cam?token=n%2Fw",
		"rtmp://h/live/cam?a=%20&token=old&b": "rtmp://h/live/cam?a=%20&token=n%2Fw&b",
		"rtmp://h/live/cam?tokens=1":          "rtmp://h/live/cam?tokens=1&token=n%2Fw",
		"rtmp://h/live/cam?":                  "rtmp://h/live/cam?token=n%2Fw",
		"rtmp://h/live?x=1&token=old/cam?b=2": "rtmp://h/live?x=1&token=n%2Fw/cam?b=2",
	} {
		a, err := ParseAddress(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.With("token", "n/w").URL(); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
		if a.URL() != raw {
			t.Errorf("%s itself changed to %s", raw, a.URL())
		}
	}
}

// A client connects again with a new token, as what it was.
//
// S2-30.
func TestRedialWithANewToken(t *testing.T) {
	l := listen(t)
	said := make(chan string, 4)
	connections(t, l, func(_ int, p *peer, says Connect) {
		said <- says.App + " " + says.FlashVer
		p.say(sayConnected)
		for heard := p.hear(); heard != "close"; heard = p.hear() {
			if f := parseWords(heard); f != "" {
				said <- f
				return
			}
		}
	})
	c, err := Dial(t.Context(), "rtmp://"+l.Addr().String()+"/live?x=1/cam?token=old", DialConfig{Connect: Connect{FlashVer: "me"}})
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Publish(t.Context(), "other?token=old") // the server hangs up
	_ = c.Close()
	again, err := c.Redial(t.Context(), c.Address().With("token", "new").URL())
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Publish(t.Context(), "")
	_ = again.Close()
	if _, err := c.Redial(t.Context(), "http://elsewhere/live"); !errors.Is(err, ErrURL) {
		t.Error(err)
	}
	for _, want := range []string{"live?x=1 me", "other?token=old", "live?x=1 me", "other?token=new"} {
		if got := <-said; got != want {
			t.Errorf("heard %s, want %s", got, want)
		}
	}
}

// parseWords is the name in a releaseStream.
func parseWords(heard string) string {
	p := &valueParser{s: heard}
	if !p.accept(`command@0 "releaseStream" 2 null `) {
		return ""
	}
	return p.text()
}
