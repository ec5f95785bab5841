package rtmp

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bluenviron/gortmplib"
)

// Salt, challenge and opaque are base64 that a form decoder would spoil.
const (
	salt      = "a+b/cd=="
	challenge = "x+/Yz0=="
	opaque    = "o/p+Q1=="
)

func b64md5(s string) string {
	b := md5.Sum([]byte(s))
	return base64.StdEncoding.EncodeToString(b[:])
}

func hexmd5(s string) string {
	b := md5.Sum([]byte(s))
	return hex.EncodeToString(b[:])
}

// adobeServer lets user and password in after the three connects of PROTOCOL 14.5.
func adobeServer(t *testing.T, l net.Listener, user, password, opaque string, path string) {
	t.Helper()
	third := regexp.MustCompile(`^\?authmod=adobe&user=` + regexp.QuoteMeta(user) +
		`&challenge=([0-9a-f]{8})&response=([A-Za-z0-9+/]{22}==)` +
		regexp.QuoteMeta(map[bool]string{true: "&opaque=" + opaque}[opaque != ""]) + `$`)
	connections(t, l, func(n int, p *peer, says Connect) {
		appPath, appArgs := cutArgs(says.App)
		tcPath, tcArgs := cutArgs(says.TCURL)
		if want := "rtmp://" + l.Addr().String() + "/" + path; appPath != path || tcPath != want || appArgs != tcArgs {
			t.Errorf("connect %d: app %q, tcUrl %q", n, says.App, says.TCURL)
		}
		if says.SwfURL != tcPath {
			t.Errorf("connect %d: swfUrl %q", n, says.SwfURL)
		}
		switch n {
		case 1:
			if appArgs != "" {
				t.Errorf("the first connect has %q", appArgs)
			}
			rejected(p, "[ AccessManager.Reject ] : [ code=403 need auth; authmod=adobe ] : ")
		case 2:
			if appArgs != "?authmod=adobe&user="+user {
				t.Errorf("the second connect has %q", appArgs)
			}
			description := "[ AccessManager.Reject ] : [ authmod=adobe ] : ?reason=needauth&user=" + user +
				"&salt=" + salt + "&challenge=" + challenge
			if opaque != "" {
				description += "&opaque=" + opaque
			}
			rejected(p, description)
		case 3:
			m := third.FindStringSubmatch(appArgs)
			if m == nil {
				t.Errorf("the third connect has %q", appArgs)
				rejected(p, "no")
				return
			}
			theirs := challenge
			if opaque != "" {
				theirs = opaque
			}
			if want := b64md5(b64md5(user+salt+password) + theirs + m[1]); m[2] != want {
				rejected(p, "[ AccessManager.Reject ] : [ authmod=adobe ] : ?reason=authfailed&opaque=-")
				return
			}
			let(t, p)
		default:
			t.Error("a fourth connect")
		}
	})
}

func cutArgs(s string) (path, args string) {
	if i := strings.IndexByte(s, '?'); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// INTEROP C-34, PROTOCOL 14.5.
func TestAdobeLogin(t *testing.T) {
	for _, opaque := range []string{opaque, ""} {
		for _, play := range []bool{false, true} {
			t.Run(fmt.Sprintf("opaque %q, play %v", opaque, play), func(t *testing.T) {
				l := listen(t)
				adobeServer(t, l, "admin", "p@ss:w/d", opaque, "live")
				c, err := Dial(t.Context(), "rtmp://admin:p%40ss:w%2Fd@"+l.Addr().String()+"/live/cam", DialConfig{})
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = c.Close() }()
				if play {
					err = c.Play(t.Context(), "")
				} else {
					err = c.Publish(t.Context(), "")
				}
				if err != nil {
					t.Fatal(err)
				}
				if says := c.Conn().Connect(); says.App != "live" || strings.Contains(fmt.Sprint(says), "admin") {
					t.Errorf("%+v", says)
				}
			})
		}
	}
	t.Run("an app that is nothing but the query, a login of the configuration", func(t *testing.T) {
		l := listen(t)
		adobeServer(t, l, "admin", "secret", opaque, "")
		c, err := Dial(t.Context(), "rtmp://a:b@"+l.Addr().String()+"/", DialConfig{Login: Login{"admin", "secret"}})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Publish(t.Context(), "cam"); err != nil {
			t.Error(err)
		}
		_ = c.Close()
	})
}

// The app's own query follows the login's arguments.
//
// C-34.
func TestLoginKeepsQuery(t *testing.T) {
	l := listen(t)
	apps := make(chan string, 3)
	connections(t, l, func(n int, p *peer, says Connect) {
		apps <- says.App
		if n == 1 {
			rejected(p, "code=403 need auth; authmod=adobe")
			return
		}
		rejected(p, "authmod=adobe ?reason=nosuchuser")
	})
	_, err := Dial(t.Context(), "rtmp://u:p@"+l.Addr().String()+"/live?token=a/b+c=/cam", DialConfig{})
	if !errors.Is(err, ErrLogin) {
		t.Error(err)
	}
	for _, want := range []string{"live?token=a/b+c=", "live?authmod=adobe&user=u&token=a/b+c="} {
		if got := <-apps; got != want {
			t.Errorf("app %q, want %q", got, want)
		}
	}
}

func TestLimelightLogin(t *testing.T) {
	third := regexp.MustCompile(`^\?authmod=llnw&user=admin&nonce=n0\+nce==&cnonce=([0-9a-f]{8})&nc=00000001&response=([0-9a-f]{32})$`)
	for app, digested := range map[string]string{"live": "live/_definst_", "live/inst": "live/inst"} {
		t.Run(app, func(t *testing.T) {
			l := listen(t)
			connections(t, l, func(n int, p *peer, says Connect) {
				path, args := cutArgs(says.App)
				switch n {
				case 1:
					rejected(p, "[ AccessManager.Reject ] : [ code=403 need auth; authmod=llnw ] : ")
				case 2:
					if args != "?authmod=llnw&user=admin" {
						t.Errorf("the second connect has %q", args)
					}
					rejected(p, "[ AccessManager.Reject ] : [ authmod=llnw ] : ?reason=needauth&user=admin&nonce=n0+nce==")
				default:
					m := third.FindStringSubmatch(args)
					if m == nil || path != app {
						t.Errorf("the third connect has %q", says.App)
						return
					}
					want := hexmd5(hexmd5("admin:live:secret") + ":n0+nce==:00000001:" + m[1] + ":auth:" +
						hexmd5("publish:/"+digested))
					if m[2] != want {
						t.Errorf("response %s, want %s", m[2], want)
					}
					let(t, p)
				}
			})
			c, err := Dial(t.Context(), "rtmp://admin:secret@"+l.Addr().String()+"/"+app+"/cam", DialConfig{})
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Publish(t.Context(), ""); err != nil {
				t.Error(err)
			}
			_ = c.Close()
		})
	}
}

// What goes wrong is said, and said without user and password, whatever the
// server repeats.
func TestLoginRefused(t *testing.T) {
	need := "[ AccessManager.Reject ] : [ code=403 need auth; authmod=adobe ] : "
	ask := "[ AccessManager.Reject ] : [ authmod=adobe ] : ?reason=needauth&user=boris&salt=s&challenge=c"
	for name, test := range map[string]struct {
		login Login
		says  []string
		want  string
		other bool // not ErrLogin
	}{
		"none given":       {Login{}, []string{need}, "wants a user and a password", false},
		"wrong":            {Login{"boris", "hunter2"}, []string{need, ask, "[ authmod=adobe ] : ?reason=authfailed"}, "refuses the user or the password", false},
		"unknown":          {Login{"boris", "hunter2"}, []string{need, "[ authmod=adobe ] : ?reason=nosuchuser&user=boris"}, "no such user", false},
		"asks on and on":   {Login{"boris", "hunter2"}, []string{need, ask, ask}, "asks again", false},
		"starts over":      {Login{"boris", "hunter2"}, []string{need, need}, "asks again", false},
		"something else":   {Login{"boris", "hunter2"}, []string{"authmod=adobe : ?reason=moon"}, "something unknown", false},
		"no nonce":         {Login{"boris", "hunter2"}, []string{"authmod=llnw : ?reason=needauth&user=boris"}, "without a nonce", false},
		"another matter":   {Login{"boris", "hunter2"}, []string{need, ask, "boris has no app live?authm=1&user=boris&challenge=0"}, "*** has no app live", true},
		"never asked":      {Login{"boris", "hunter2"}, []string{"No such app."}, "No such app.", true},
		"password is said": {Login{"boris", "hunter2"}, []string{need, "hunter2 is weak: authmod=adobe ?reason=authfailed"}, "*** is weak", false},
	} {
		t.Run(name, func(t *testing.T) {
			l := listen(t)
			tries := 0
			connections(t, l, func(n int, p *peer, _ Connect) {
				tries = n
				if n <= len(test.says) {
					rejected(p, test.says[n-1])
				}
			})
			var log strings.Builder
			_, err := Dial(t.Context(), "rtmp://"+l.Addr().String()+"/live/cam", DialConfig{
				Login: test.login, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
			})
			if err == nil || !strings.Contains(err.Error(), test.want) || errors.Is(err, ErrLogin) == test.other {
				t.Errorf("%v, want %q", err, test.want)
			}
			if se, ok := errors.AsType[*StatusError](err); !ok || se.Code != CodeConnectRejected {
				t.Errorf("%v is no refusal", err)
			}
			for _, secret := range []string{"boris", "hunter2"} {
				if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err)+log.String(), secret) {
					t.Errorf("%q shows in %v", secret, err)
				}
			}
			_ = l.Close()
			if tries != len(test.says) {
				t.Errorf("%d connects", tries)
			}
		})
	}
}

// The refusal of a stream on a connection with a login shows nothing of it either.
func TestLoginHiddenLater(t *testing.T) {
	l := listen(t)
	connections(t, l, func(n int, p *peer, says Connect) {
		if n == 1 {
			rejected(p, "code=403 need auth; authmod=adobe")
			return
		}
		p.say(sayConnected)
		p.say(fmt.Sprintf(
			`command@0 "onStatus" 0 null {"level": "error", "code": "NetStream.Publish.BadName", "description": "boris may not: %s"}`,
			says.TCURL,
		))
	})
	c, err := Dial(t.Context(), "rtmp://boris:hunter2@"+l.Addr().String()+"/live/cam", DialConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	err = c.Publish(t.Context(), "")
	if se, ok := errors.AsType[*StatusError](err); !ok || se.Code != CodePublishBadName || strings.Contains(err.Error(), "boris") {
		t.Error(err)
	}
}

func TestLoginHidden(t *testing.T) {
	cfg := DialConfig{Login: Login{"boris", "hunter2"}}
	addr, err := ParseAddress("rtmp://boris:hunter2@h/live/cam")
	if err != nil || addr.Login != cfg.Login || addr.TCURL != "rtmp://h/live" {
		t.Error(err, addr.TCURL)
	}
	text, err := json.Marshal(map[string]any{"l": cfg.Login})
	if err != nil {
		t.Error(err)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "login", cfg.Login, "addr", addr)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "login", cfg.Login, "addr", addr)
	all := fmt.Sprintf("%v %+v %#v %s %q %x %d %v %+v", cfg.Login, cfg.Login, cfg.Login, cfg.Login, cfg.Login, cfg.Login, cfg.Login, addr, cfg) +
		string(text) + log.String()
	for _, secret := range []string{"boris", "hunter2", hex.EncodeToString([]byte("hunter2"))} {
		if strings.Contains(all, secret) {
			t.Errorf("%q shows in %s", secret, all)
		}
	}
	for _, raw := range []string{"rtmp://boris:hunter2@/live", "rtmp://boris:hunter2@h:x/live", "http://boris:hunter2@h/"} {
		if _, err := ParseAddress(raw); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Error(err)
		}
	}
	nobody := listen(t)
	_ = nobody.Close()
	_, err = Dial(t.Context(), "rtmp://boris:hunter2@"+nobody.Addr().String()+"/live", DialConfig{})
	if err == nil || strings.Contains(err.Error(), "boris") || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
}

// A server that is not ours checks what the client computes.
func TestLoginGortmplib(t *testing.T) {
	for password, allowed := range map[string]bool{"mypass": true, "wrong": false} {
		l := listen(t)
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				nc, err := l.Accept()
				if err != nil {
					return
				}
				_ = nc.SetDeadline(time.Now().Add(10 * time.Second))
				sc := &gortmplib.ServerConn{RW: nc}
				err = sc.Initialize()
				if err == nil && sc.AcceptConnIfCredentialsMatch("myuser", "mypass") == nil {
					err = sc.AcceptAction()
					if err != nil || !sc.Publish || sc.URL.Path != "/live/cam" {
						t.Errorf("%v, %v", err, sc.URL)
					}
				}
				_ = nc.Close()
			}
		})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		c, err := Dial(ctx, "rtmp://myuser:"+password+"@"+l.Addr().String()+"/live/cam", DialConfig{})
		if err == nil {
			err = c.Publish(ctx, "")
			_ = c.Close()
		}
		if allowed && err != nil || !allowed && !errors.Is(err, ErrLogin) {
			t.Errorf("%s: %v", password, err)
		}
		cancel()
		_ = l.Close()
		wg.Wait()
	}
}
