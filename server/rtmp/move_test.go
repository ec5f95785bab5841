package rtmp

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server/rtmp/message"
)

func redirected(ex string) string {
	return `command@0 "_error" 1 null {"level": "error", "code": "NetConnection.Connect.Rejected", "description": "RTMP 302 Redirect", ` +
		`"ex": {"code": 302, ` + ex + `}}`
}

// A server that sends the client to another at connect: what it may say, and what
// the other then hears.
func TestRedirect(t *testing.T) {
	for name, test := range map[string]struct {
		url, ex string // HERE and THERE are the servers
		want    string // app, tcUrl, name
	}{
		"a tcUrl": {
			"rtmp://HERE/live/cam?k=v", `"redirect": "rtmp://THERE/edge/live"`, "edge/live rtmp://THERE/edge/live cam?k=v",
		},
		"a tcUrl and the whole (SRS)": {
			"rtmp://HERE/live/cam", `"redirect": "rtmp://THERE/live", "redirect2": "rtmp://THERE/live/cam"`, "live rtmp://THERE/live cam",
		},
		"the whole in redirect (old SRS)": {
			"rtmp://HERE/live/cam", `"redirect": "rtmp://THERE/live/cam"`, "live rtmp://THERE/live cam",
		},
		"the whole": {
			"rtmp://HERE/live/cam", `"redirect2": "rtmp://THERE/x/other?t=1"`, "x rtmp://THERE/x other?t=1",
		},
		"redirect2 without the stream": {
			"rtmp://HERE/a/b/cam", `"redirect2": "rtmp://THERE/a/b"`, "a/b rtmp://THERE/a/b cam",
		},
		"a server only":     {"rtmp://HERE/live/cam", `"redirect": "rtmp://THERE"`, "live rtmp://THERE/live cam"},
		"with a query":      {"rtmp://HERE/live/cam", `"redirect": "rtmp://THERE/live?t=a/b"`, "live?t=a/b rtmp://THERE/live?t=a/b cam"},
		"without a scheme":  {"rtmp://HERE/live/cam", `"redirect": "//THERE/live2/"`, "live2 rtmp://THERE/live2 cam"},
		"the stream's name": {"rtmp://HERE/a/cam", `"redirect2": "rtmp://THERE/a/b/cam"`, "a/b rtmp://THERE/a/b cam"},
	} {
		t.Run(name, func(t *testing.T) {
			here, there := listen(t), listen(t)
			addresses := strings.NewReplacer("HERE", here.Addr().String(), "THERE", there.Addr().String())
			connections(t, here, func(_ int, p *peer, _ Connect) { p.say(redirected(addresses.Replace(test.ex))) })
			heard := make(chan string, 1)
			connections(t, there, func(_ int, p *peer, says Connect) {
				heard <- says.App + " " + says.TCURL
				let(t, p)
			})
			// What was said for the first server is not said to the second.
			c, err := Dial(t.Context(), addresses.Replace(test.url), DialConfig{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close() }()
			if err := c.Publish(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(addresses.Replace(test.want), <-heard+" "+c.name); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRedirectBounds(t *testing.T) {
	for redirects, want := range map[int]int{0: 4, 1: 2, -1: 1} {
		l := listen(t)
		tries := 0
		connections(t, l, func(n int, p *peer, _ Connect) {
			tries = n
			p.say(redirected(`"redirect": "rtmp://` + l.Addr().String() + `/live?secret=7"`))
		})
		_, err := Dial(t.Context(), "rtmp://"+l.Addr().String()+"/live/cam", DialConfig{Redirects: redirects})
		to, ok := errors.AsType[*RedirectError](err)
		if !ok || to.URL != "rtmp://"+l.Addr().String()+"/live?secret=7/" || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v", err)
		}
		if se, ok := errors.AsType[*StatusError](err); !ok || se.Code != CodeConnectRejected {
			t.Errorf("%v", err)
		}
		_ = l.Close()
		if tries != want {
			t.Errorf("redirects %d: %d connects, want %d", redirects, tries, want)
		}
	}
	l := listen(t)
	connections(t, l, func(_ int, p *peer, _ Connect) { p.say(redirected(`"redirect": "http://somewhere/live"`)) })
	if _, err := Dial(t.Context(), "rtmp://"+l.Addr().String()+"/live/cam", DialConfig{}); !errors.Is(err, ErrURL) {
		t.Errorf("%v", err)
	}
}

// What goes along to another server, and what does not.
func TestFollow(t *testing.T) {
	mine, theirs := Login{"me", "mine"}, Login{"you", "yours"}
	for name, test := range map[string]struct {
		from, to string
		login    Login
		name     string // in the certificate
		bad      bool
	}{
		"another port":         {"rtmp://h/a/b", "rtmp://H:1936/c/", mine, "cert", false},
		"another host":         {"rtmp://h/a/b", "rtmp://i/c/", Login{}, "", false},
		"with its own login":   {"rtmp://h/a/b", "rtmp://you:yours@i/c/", theirs, "", false},
		"to encryption":        {"rtmp://h/a/b", "rtmps://h/c/", mine, "cert", false},
		"away from encryption": {"rtmps://h/a/b", "rtmp://h/c/", Login{}, "", true},
		"another protocol":     {"rtmp://h/a/b", "rtmpt://h/c/", Login{}, "", true},
	} {
		from, err := ParseAddress(test.from)
		if err != nil {
			t.Fatal(err)
		}
		cfg := DialConfig{
			Login: mine, TLS: &tls.Config{ServerName: "cert", MinVersion: tls.VersionTLS12},
			Connect: Connect{App: "old", TCURL: "old", PageURL: "page"},
		}
		to, next, err := cfg.follow(from, test.to)
		if test.bad != (err != nil) {
			t.Errorf("%s: %v", name, err)
		}
		if test.bad {
			continue
		}
		if to.App != "c" || to.Name != "b" || next.Connect.App+next.Connect.TCURL != "" || next.Connect.PageURL != "page" {
			t.Errorf("%s: %+v, %+v", name, to, next.Connect)
		}
		if next.Login != test.login || next.TLS.ServerName != test.name || cfg.TLS.ServerName != "cert" {
			t.Errorf("%s: login of %q, certificate of %q", name, next.Login.User, next.TLS.ServerName)
		}
	}
}

// The login is asked for anew where the client was sent to.
func TestRedirectThenLogin(t *testing.T) {
	here, there := listen(t), listen(t)
	connections(t, here, func(n int, p *peer, _ Connect) {
		if n == 1 {
			rejected(p, "code=403 need auth; authmod=adobe")
			return
		}
		p.say(redirected(`"redirect": "rtmp://` + there.Addr().String() + `/live"`))
	})
	adobeServer(t, there, "admin", "secret", "", "live")
	c, err := Dial(t.Context(), "rtmp://admin:secret@"+here.Addr().String()+"/live/cam", DialConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Publish(t.Context(), ""); err != nil {
		t.Error(err)
	}
	_ = c.Close()
}

// SRS lets a player in, and sends it elsewhere at play.
func TestRedirectAtPlay(t *testing.T) {
	here, there := listen(t), listen(t)
	moved := strings.Replace(redirected(`"redirect": "rtmp://`+there.Addr().String()+`/live"`), `"_error" 1`, `"onStatus" 0`, 1)
	scripted(t, here, false, [][]string{
		{`command@0 "connect"`, sayConnected},
		{`command@0 "createStream"`, `command@0 "_result" 2 null 1`},
		{`command@1 "play"`, moved},
	})
	scripted(t, there, false, [][]string{
		{`command@0 "connect"`, sayConnected},
		{`command@0 "createStream"`, `command@0 "_result" 2 null 1`},
		{`command@1 "play" 3 null "c/cam?k=v" -2000`, `video@1 1 17`},
	})
	c, err := Dial(t.Context(), "rtmp://"+here.Addr().String()+"/live", DialConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	err = c.Play(t.Context(), "c/cam?k=v")
	to, ok := errors.AsType[*RedirectError](err)
	if !ok {
		t.Fatal(err)
	}
	next, err := c.Redial(t.Context(), to.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = next.Close() }()
	if err := next.Play(t.Context(), ""); err != nil {
		t.Error(err)
	}
}

// PROTOCOL 13.8. The request comes while publishing, and the connection goes on.
func TestReconnectRequest(t *testing.T) {
	for _, caps := range []int{CapsReconnect | CapsMultitrack, CapsMultitrack} {
		t.Run(fmt.Sprintf("capsEx %d", caps), func(t *testing.T) {
			here, there := listen(t), listen(t)
			scripted(t, here, false, [][]string{
				{`command@0 "connect"`, sayConnected},
				{
					`command@0 "createStream"`, `command@0 "_result" 4 null 1`,
				},
				{
					`command@1 "publish"`,
					`command@0 "onStatus" 0 null {"level": "status", "code": "NetConnection.Connect.ReconnectRequest", "tcUrl": "//` +
						there.Addr().String() + `/live?t=1", "description": "Draining."}`,
					sayStarted,
				},
				{`audio@1 7 af01`, `video@1 0 17`},
			})
			heard := make(chan Connect, 1)
			connections(t, there, func(_ int, p *peer, says Connect) {
				heard <- says
				let(t, p)
			})
			cfg := DialConfig{Connect: Connect{CapsEx: caps, App: "live", PageURL: "page"}}
			c, err := Dial(t.Context(), "rtmp://"+here.Addr().String()+"/live/cam", cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close() }()
			if err := c.Publish(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			if err := c.WriteMedia(message.TypeAudio, 7, []byte{0xAF, 1}); err != nil {
				t.Fatal(err)
			}
			if caps&CapsReconnect != 0 {
				_, err := c.ReadMedia()
				e, ok := errors.AsType[*ReconnectError](err)
				if !ok || err.Error() != "asked to reconnect: Draining." {
					t.Fatal(err)
				}
				next, err := c.Redial(t.Context(), e.URL)
				if err != nil {
					t.Fatal(err)
				}
				if err := next.Publish(context.Background(), ""); err != nil {
					t.Error(err)
				}
				_ = next.Close()
				says := <-heard
				if says.App != "live?t=1" || says.PageURL != "page" || says.CapsEx != caps || next.name != "cam" {
					t.Errorf("%+v", says)
				}
			}
			if m, err := c.ReadMedia(); err != nil || m.Type != message.TypeVideo {
				t.Errorf("the old connection: %+v, %v", m, err)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	const base = "rtmp://h:77/a/b?q=1/2"
	for ref, want := range map[string]string{
		"":                    base,
		"rtmps://i/x?y":       "rtmps://i/x?y",
		"//i:5/x":             "rtmp://i:5/x",
		"/x/y?z=http://w":     "rtmp://h:77/x/y?z=http://w",
		"c":                   "rtmp://h:77/a/c",
		"c?url=rtmp://k/ %20": "rtmp://h:77/a/c?url=rtmp://k/ %20",
		"?q=3":                "rtmp://h:77/a/b?q=3",
	} {
		if got := resolve(base, ref); got != want {
			t.Errorf("%q is %s, want %s", ref, got, want)
		}
	}
	if got := resolve("rtmp://h", "x"); got != "rtmp://h/x" {
		t.Error(got)
	}
}
