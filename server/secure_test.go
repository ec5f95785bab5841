package server_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// secured is a setUp with one RTMPS address.
func secured(l *lab, cfg *server.Config) {
	web := httptest.NewTLSServer(http.NotFoundHandler())
	defer web.Close()
	cfg.RTMPS, cfg.TLS = []string{"127.0.0.1:0"}, &tls.Config{Certificates: web.TLS.Certificates} // of any version
	l.trust = x509.NewCertPool()
	l.trust.AddCert(web.Certificate())
}

// underTLS is a connection to the RTMPS address that has said nothing of RTMP yet.
func (l *lab) underTLS() net.Conn {
	l.t.Helper()
	nc, err := tls.Dial("tcp", l.engine.SecureAddrs()[0].String(), &tls.Config{RootCAs: l.trust, MinVersion: tls.VersionTLS12})
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { _ = nc.Close() })
	return nc
}

// secureDial opens an RTMP connection under TLS.
func (l *lab) secureDial(path string) *rtmp.Client {
	l.t.Helper()
	c, err := rtmp.Dial(l.t.Context(), "rtmps://"+l.engine.SecureAddrs()[0].String()+"/"+path, rtmp.DialConfig{
		Timeout: patience, TLS: &tls.Config{RootCAs: l.trust, MinVersion: tls.VersionTLS12},
	})
	if err != nil {
		l.t.Fatalf("dial: %v", err)
	}
	l.t.Cleanup(func() { _ = c.Close() })
	return c
}

func (l *lab) securePlay(path string) *rtmp.Client {
	l.t.Helper()
	c := l.secureDial(path)
	if err := c.Play(l.t.Context(), ""); err != nil {
		l.t.Fatalf("play: %v", err)
	}
	c.Conn().SetIdleTimeout(patience)
	return c
}

// Publisher and players meet whether there is TLS between them and the engine or not.
func TestPublishAndPlayOverTLS(t *testing.T) {
	l := newLab(t, secured)
	c := l.secureDial("live/a")
	if err := c.Publish(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	pub := l.listen(c)
	pub.configs(t)
	pub.send(t, 0, 3)
	players := map[string]*rtmp.Client{"rtmp": l.play("live/a"), "rtmps": l.securePlay("live/a")}
	for i := range 20 {
		pub.write(t, message.TypeVideo, uint32(120+i*40), frame(false, 3+i, 60_000))
	}
	for name, player := range players {
		for want := range 23 {
			if got, _ := picture(t, player); got != want {
				t.Fatalf("over %s: picture %d, want %d", name, got, want)
			}
		}
	}
	_ = pub.Close()
	if e := l.event("stream.unpublished"); e.Session == nil || e.Session.BytesIn < 1_000_000 {
		t.Errorf("event: %+v", e)
	}
	_ = players["rtmps"].Close()
	within(t, patience, "the player has left", func() bool { return l.engine.Totals().Players == 1 })
}

// What is said to a player at its end comes through TLS too, and then the end.
func TestGoodbyeOverTLS(t *testing.T) {
	l := newLab(t, secured)
	pub := l.publish("live/a")
	pub.configs(t)
	pub.send(t, 0, 3)
	player := l.securePlay("live/a")
	picture(t, player)
	if err := l.engine.Kick(l.session("player").ID, "Enough.", 0); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := player.ReadMedia(); err != nil {
			if said := refused(t, err, rtmp.CodePlayFailed); said != "Enough." {
				t.Errorf("was told %q", said)
			}
			return
		}
	}
}

// A player that does not read under TLS can be ended as fast as any.
func TestStalledPlayerOverTLSIsEnded(t *testing.T) {
	l := newLab(t, secured)
	pub := l.publish("live/a")
	pub.configs(t)
	pub.write(t, message.TypeVideo, 0, frame(true, 0, 0))
	l.securePlay("live/a") // never reads again
	for i := range 200 {
		pub.write(t, message.TypeVideo, uint32(40+i*10), frame(false, 1+i, 100_000))
	}
	time.Sleep(300 * time.Millisecond)
	if err := l.engine.Kick(l.session("player").ID, "Enough.", 0); err != nil {
		t.Fatal(err)
	}
	within(t, patience, "the player is gone", func() bool { return l.engine.Totals().Players == 0 })
	within(t, patience, "its session is over", func() bool { return len(l.engine.Sessions()) == 1 })
}

// Who comes to the wrong door is told apart in one line of the log, is gone at once and
// is counted.
func TestWrongDoor(t *testing.T) {
	for _, c := range []struct {
		secure bool
		hello  string
		says   string
	}{
		{true, "\x03" + strings.Repeat("\x00", 1536), "plain RTMP on a port for RTMPS"},
		{true, "GET / HTTP/1.1\r\n\r\n", "plain HTTP on a port for RTMPS"},
		{true, "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n", "PROXY protocol"},
		{true, "\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c", "PROXY protocol"},
		{true, "SSH-2.0-x\r\n", "does not speak TLS"},
		{false, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "TLS on a port for plain RTMP"},
		{false, "GET / HTTP/1.1\r\n\r\n", "HTTP on a port for RTMP"},
		{false, "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n", "PROXY protocol"},
		{false, "\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c", "PROXY protocol"},
		{false, "\x06", "RTMPE"},
		{false, "SSH-2.0-x\r\n", "does not speak RTMP"},
	} {
		l := newLab(t, secured)
		addr := l.addr
		if c.secure {
			addr = l.engine.SecureAddrs()[0].String()
		}
		nc := l.plainTo(addr, "127.0.0.1")
		if _, err := nc.Write([]byte(c.hello)); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		_ = nc.SetReadDeadline(time.Now().Add(patience))
		if _, err := io.Copy(io.Discard, nc); err == nil && time.Since(begin) > time.Second {
			t.Errorf("%q: closed after %v", c.hello, time.Since(begin))
		}
		within(t, patience, "the line of the log", func() bool { return strings.Contains(l.log.String(), `"closed"`) })
		log := l.log.String()
		if n := strings.Count(log, c.says); n != 1 || !strings.Contains(log, `"reason":"handshake"`) {
			t.Errorf("%q: said %d times %q:\n%s", c.hello, n, c.says, log)
		}
		if strings.Contains(log, "1.2.3.4") {
			t.Errorf("%q: a spoofed address was taken:\n%s", c.hello, log)
		}
		if n := l.engine.Totals().EndingsTotal[string(config.ReasonHandshake)]; n != 1 {
			t.Errorf("%q: counted %d times", c.hello, n)
		}
	}
}

// Handshakes that do not end, end.
func TestTLSHandshakeLimits(t *testing.T) {
	l := newLab(t, secured, func(_ *lab, cfg *server.Config) { cfg.Limits.HandshakeTimeout = 400 * time.Millisecond })
	addr := l.engine.SecureAddrs()[0].String()
	conns := []net.Conn{l.plainTo(addr, "127.0.0.1"), l.plainTo(addr, "127.0.0.1"), l.plainTo(addr, "127.0.0.1")}
	_, _ = conns[1].Write([]byte("\x16\x03\x01")) // half a head
	secure := tls.Client(conns[2], &tls.Config{RootCAs: l.trust, ServerName: "example.com", MinVersion: tls.VersionTLS12})
	if err := secure.Handshake(); err != nil { // and no RTMP in it
		t.Fatal(err)
	}
	if _, err := secure.Write([]byte{3, 0, 0}); err != nil {
		t.Fatal(err)
	}
	for i, nc := range conns {
		_ = nc.SetReadDeadline(time.Now().Add(3 * time.Second))
		begin := time.Now()
		if _, err := io.Copy(io.Discard, nc); err != nil && time.Since(begin) >= 3*time.Second {
			t.Errorf("connection %d is still there", i)
		}
	}
	within(t, patience, "they are counted", func() bool {
		return l.engine.Totals().EndingsTotal[string(config.ReasonHandshake)] == 3
	})
}

func TestOldTLSIsRefused(t *testing.T) {
	l := newLab(t, secured)
	addr := l.engine.SecureAddrs()[0].String()
	old := tls.Client(l.plainTo(addr, "127.0.0.1"), &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11})
	if err := old.Handshake(); err == nil {
		t.Error("TLS 1.1 is spoken")
	}
	nameless := tls.Client(l.plainTo(addr, "127.0.0.1"), &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12, MaxVersion: tls.VersionTLS12})
	if err := nameless.Handshake(); err != nil {
		t.Errorf("TLS 1.2 without a server name: %v", err)
	}
	within(t, patience, "it is counted", func() bool {
		return l.engine.Totals().EndingsTotal[string(config.ReasonHandshake)] == 1
	})
}

func TestSecureAddressNeedsTLS(t *testing.T) {
	if _, err := server.New(server.Config{RTMPS: []string{":0"}}); err == nil {
		t.Error("RTMPS without a certificate")
	}
	if _, err := server.New(server.Config{RTMPS: []string{"443"}, TLS: &tls.Config{MinVersion: tls.VersionTLS12}}); err == nil {
		t.Error("an address without a colon")
	}
}
