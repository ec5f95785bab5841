package rtmp

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// server accepts connections on l and gives each to handle, after connect.
func server(t *testing.T, l net.Listener, handle func(*Conn)) {
	t.Helper()
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				c, err := Accept(context.Background(), nc, Config{})
				if err != nil {
					return
				}
				handle(c)
				_ = c.Close()
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		wg.Wait()
	})
}

// relay is a server of one stream that its caller can watch: what the publisher
// sends goes to the player.
func relay(t *testing.T, l net.Listener) *[]Connect {
	t.Helper()
	media := make(chan message.Media, 100)
	var mu sync.Mutex
	connects := &[]Connect{}
	server(t, l, func(c *Conn) {
		mu.Lock()
		*connects = append(*connects, c.Connect())
		mu.Unlock()
		if c.AcceptConnect() != nil {
			return
		}
		req, err := nextRequest(c)
		if err != nil {
			return
		}
		switch req := req.(type) {
		case *PublishRequest:
			if c.AcceptPublish(req) != nil {
				return
			}
			for {
				m, err := readMedia(c)
				if err != nil {
					close(media)
					return
				}
				media <- m
			}
		case *PlayRequest:
			if c.AcceptPlay(req, 60_000) != nil {
				return
			}
			for m := range media {
				h := parseLine(t, "video@1 0 00").header
				h.Type, h.Timestamp = m.Type, m.Timestamp
				if c.send(frame{h, m.Payload}) != nil {
					return
				}
			}
			_ = c.SendStatus(req.StreamID, Status{Level: LevelStatus, Code: CodePlayUnpublishNotify})
			_ = c.SendStatus(req.StreamID, Status{Level: LevelError, Code: CodePlayStreamNotFound, Description: "Over."})
			_, _ = c.Next()
		}
	})
	return connects
}

// roundTrip publishes and plays through a relay.
func roundTrip(t *testing.T, base string, cfg DialConfig) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	pub, err := Dial(ctx, base+"/live/cam?key=sk_x", cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pub.Close() }()
	if err := pub.Publish(ctx, ""); err != nil {
		t.Fatal(err)
	}
	play, err := Dial(ctx, base+"/live", cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = play.Close() }()
	if err := play.Play(ctx, "cam"); err != nil {
		t.Fatal(err)
	}
	var want []message.Media
	for i := range uint32(20) {
		m := message.Media{Type: message.TypeVideo, Timestamp: 1<<24 - 10 + i, Payload: make([]byte, 10_000*i)}
		switch i % 3 {
		case 1:
			m.Type = message.TypeAudio
		case 2:
			m.Type, m.Payload = message.TypeData, amf.Append(nil, "onTextData", float64(i))
		}
		if i%3 != 2 && i > 0 {
			m.Payload[0] = byte(i)
		}
		want = append(want, m)
		if err := pub.WriteMedia(m.Type, m.Timestamp, m.Payload); err != nil {
			t.Fatal(err)
		}
	}
	want = want[1:] // S2-27: an empty message is not sent
	if err := pub.Unpublish(); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		got, err := play.ReadMedia()
		if err != nil {
			t.Fatal(err)
		}
		if got.Type != want[i].Type || got.Timestamp != want[i].Timestamp || !bytes.Equal(got.Payload, want[i].Payload) {
			t.Fatalf("message %d: type %d, time %d, %d bytes", i, got.Type, got.Timestamp, len(got.Payload))
		}
	}
	if _, err := play.ReadMedia(); !errors.Is(err, ErrUnpublished) {
		t.Errorf("%v", err)
	}
	_, err = play.ReadMedia()
	if se, ok := errors.AsType[*StatusError](err); !ok || se.Code != CodePlayStreamNotFound {
		t.Errorf("%v", err)
	}
	if pub.Conn().BytesWritten() < 1_000_000 {
		t.Errorf("%d bytes written", pub.Conn().BytesWritten())
	}
	for _, c := range []*Client{pub, play} {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// S2-20, S2-16, S2-17.
func TestRoundTrip(t *testing.T) {
	for _, which := range []Handshake{HandshakeSimple, HandshakeDigest, HandshakeDigestOnly} {
		l := listen(t)
		connects := relay(t, l)
		base := "rtmp://user:pass@" + l.Addr().String()
		roundTrip(t, base, DialConfig{Handshake: which, ChunkSize: 5000, ReadTimeout: 10 * time.Second})
		for _, c := range *connects {
			want := Connect{
				App: "live", TCURL: "rtmp://" + l.Addr().String() + "/live", SwfURL: "rtmp://" + l.Addr().String() + "/live",
				FlashVer: "FMLE/3.0 (compatible; Penstock)",
			}
			if c.App == "" { // the player's URL had one element, which is the app
				t.Errorf("%+v", c)
			}
			keys := make([]string, 0, len(c.Object))
			for _, p := range c.Object {
				keys = append(keys, p.Key)
			}
			if got := strings.Join(keys, " "); got != "app type flashVer swfUrl tcUrl" {
				t.Errorf("connect with %s", got)
			}
			c.Object = nil
			if diff := cmp.Diff(want, c); diff != "" {
				t.Error(diff)
			}
		}
	}
}

func TestRoundTripTLS(t *testing.T) {
	web := httptest.NewUnstartedServer(nil)
	web.StartTLS()
	cert := web.TLS.Certificates
	roots := x509.NewCertPool()
	roots.AddCert(web.Certificate())
	web.Close()
	l := tls.NewListener(listen(t), &tls.Config{Certificates: cert, MinVersion: tls.VersionTLS12})
	relay(t, l)
	cfg := DialConfig{TLS: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}
	roundTrip(t, "rtmps://"+l.Addr().String(), cfg)
	if _, err := Dial(t.Context(), "rtmps://"+l.Addr().String()+"/live", DialConfig{}); err == nil {
		t.Error("took a certificate of nobody")
	}
	// rtmp to an rtmps port
	if _, err := Dial(t.Context(), "rtmp://"+l.Addr().String()+"/live", DialConfig{}); !errors.Is(err, ErrHandshake) {
		t.Errorf("%v", err)
	}
}

// All that a client can say of itself arrives.
//
// S2-21.
func TestDialConnectFields(t *testing.T) {
	l := listen(t)
	connects := make(chan Connect, 1)
	server(t, l, func(c *Conn) {
		connects <- c.Connect()
		_ = c.AcceptConnect()
		_, _ = nextRequest(c)
	})
	want := Connect{
		App: "a/b?x=1", TCURL: "rtmp://elsewhere/a/b", PageURL: "http://page", SwfURL: "http://swf", FlashVer: "LNX 9",
		ObjectEncoding: 3, FourCCList: []string{"hvc1"}, VideoFourCC: map[string]int{"*": 4, "av01": 1},
		AudioFourCC: map[string]int{"Opus": 1}, CapsEx: 2, Args: []amf.Value{"more", 5.0},
		AudioCodecs: 3575, VideoCodecs: 252, VideoFunction: 1,
	}
	say := want
	say.Object = amf.Object{
		{Key: "tcUrl", Value: "rtmp://of/another"},
		{Key: "type", Value: "private"},
		{Key: "fpad", Value: true},
		{Key: "srs_pid", Value: 7.0},
	}
	c, err := Dial(t.Context(), "rtmp://"+l.Addr().String()+"/ignored", DialConfig{Connect: say})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	got := <-connects
	var keys []string
	for _, p := range got.Object {
		keys = append(keys, p.Key)
	}
	order := "app type flashVer swfUrl tcUrl audioCodecs videoCodecs videoFunction pageUrl objectEncoding " +
		"fourCcList videoFourCcInfoMap audioFourCcInfoMap capsEx fpad srs_pid"
	if diff := cmp.Diff(order, strings.Join(keys, " ")); diff != "" {
		t.Error(diff)
	}
	if got.Object.Get("srs_pid") != 7.0 || got.Object.Get("type") != "private" {
		t.Errorf("%+v", got.Object)
	}
	got.Object = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDialRefused(t *testing.T) {
	l := listen(t)
	server(t, l, func(c *Conn) {
		if c.Connect().App == "no" {
			_ = c.RejectConnect(&StatusError{Code: CodeConnectInvalid, Description: "No such app."})
			return
		}
		_ = c.AcceptConnect()
		req, err := nextRequest(c)
		switch req := req.(type) {
		case *PublishRequest:
			err = c.RejectPublish(req, &StatusError{Description: "Wrong key."})
		case *PlayRequest:
			err = c.RejectPlay(req, &StatusError{Code: CodePlayStreamNotFound})
		}
		if err != nil {
			t.Error(err)
		}
	})
	base := "rtmp://" + l.Addr().String()
	_, err := Dial(t.Context(), base+"/no/x", DialConfig{})
	if se, ok := errors.AsType[*StatusError](err); !ok || *se != (StatusError{LevelError, CodeConnectInvalid, "No such app."}) {
		t.Errorf("%v", err)
	}
	for want, try := range map[string]func(*Client) error{
		CodePublishDenied:      func(c *Client) error { return c.Publish(t.Context(), "secret") },
		CodePlayStreamNotFound: func(c *Client) error { return c.Play(t.Context(), "secret") },
	} {
		c, err := Dial(t.Context(), base+"/yes/x", DialConfig{})
		if err != nil {
			t.Fatal(err)
		}
		err = try(c)
		if se, ok := errors.AsType[*StatusError](err); !ok || se.Code != want {
			t.Errorf("%v, want %s", err, want)
		}
		_ = c.Close()
	}
}

// S2-23.
func TestParseAddress(t *testing.T) {
	for raw, want := range map[string]Address{
		"rtmp://h/live/cam":             {Host: "h:1935", TCURL: "rtmp://h/live", App: "live", Name: "cam"},
		"rtmps://h/live/cam":            {TLS: true, Host: "h:443", TCURL: "rtmps://h/live", App: "live", Name: "cam"},
		"rtmp://u:p@h:77/live/cam":      {Host: "h:77", TCURL: "rtmp://h:77/live", App: "live", Name: "cam", Login: Login{"u", "p"}},
		"rtmp://u%40x@h/live/cam":       {Host: "h:1935", TCURL: "rtmp://h/live", App: "live", Name: "cam", Login: Login{User: "u@x"}},
		"rtmp://h/live?a=1/cam?b=2/3":   {Host: "h:1935", TCURL: "rtmp://h/live", App: "live", Name: "cam?b=2/3", Query: "a=1"},
		"rtmp://h?a=1":                  {Host: "h:1935", TCURL: "rtmp://h/", Query: "a=1"},
		"rtmp://[::1]/a/b/c?k=v/w":      {Host: "[::1]:1935", TCURL: "rtmp://[::1]/a/b", App: "a/b", Name: "c?k=v/w"},
		"rtmp://h/live?token=a/b/cam":   {Host: "h:1935", TCURL: "rtmp://h/live", App: "live", Name: "cam", Query: "token=a/b"},
		"rtmp://h/live":                 {Host: "h:1935", TCURL: "rtmp://h/live", App: "live"},
		"rtmp://h/live/":                {Host: "h:1935", TCURL: "rtmp://h/live", App: "live"},
		"rtmp://h/live?vhost=v":         {Host: "h:1935", TCURL: "rtmp://h/live", App: "live", Query: "vhost=v"},
		"rtmp://h":                      {Host: "h:1935", TCURL: "rtmp://h/"},
		"rtmp://h/live/cam?key=sk_a%20": {Host: "h:1935", TCURL: "rtmp://h/live", App: "live", Name: "cam?key=sk_a%20"},
	} {
		got, err := ParseAddress(raw)
		if err != nil {
			t.Errorf("%s: %v", raw, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", raw, diff)
		}
	}
	for _, raw := range []string{"", "h/live", "http://h/live", "rtmp://", "rtmp:///live", "rtmp://h:x/live", "rtmp://[::1/live"} {
		if _, err := ParseAddress(raw); !errors.Is(err, ErrURL) {
			t.Errorf("%q: %v", raw, err)
		}
	}
}
