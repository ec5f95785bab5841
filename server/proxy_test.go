package server_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/pires/go-proxyproto"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp"
)

// Addresses of the tests: a proxy's, and one that is none.
const (
	proxyAddress    = "127.0.0.9"
	strangerAddress = "127.0.0.8"
)

// proxies is a setUp in which proxyAddress is a proxy.
func proxies(_ *lab, cfg *server.Config) {
	cfg.ProxyProtocolFrom = []netip.Prefix{netip.MustParsePrefix(proxyAddress + "/32")}
}

// plainTo opens a TCP connection from one of this machine's addresses.
func (l *lab) plainTo(addr, from string) net.Conn {
	l.t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	nc, err := d.DialContext(l.t.Context(), "tcp", addr)
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { _ = nc.Close() })
	return nc
}

// header is what a proxy says of a client.
func header(t *testing.T, version byte, client string) []byte {
	t.Helper()
	ours := net.TCPAddrFromAddrPort(netip.MustParseAddrPort("192.0.2.1:1935"))
	if strings.HasPrefix(client, "[") {
		ours = net.TCPAddrFromAddrPort(netip.MustParseAddrPort("[2001:db8::1]:1935"))
	}
	h := proxyproto.HeaderProxyFromAddrs(version, net.TCPAddrFromAddrPort(netip.MustParseAddrPort(client)), ours)
	b, err := h.Format()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// through dials a stream as a proxy would: with a header in front.
func (l *lab) through(path string, head []byte, secure bool) (*rtmp.Client, error) {
	l.t.Helper()
	url, cfg := l.url(path), rtmp.DialConfig{Timeout: patience}
	if secure {
		url = "rtmps://" + l.engine.SecureAddrs()[0].String() + "/" + path
		cfg.TLS = &tls.Config{RootCAs: l.trust, MinVersion: tls.VersionTLS12}
	}
	var nc net.Conn
	cfg.DialContext = func(_ context.Context, _, addr string) (net.Conn, error) {
		nc = l.plainTo(addr, proxyAddress)
		_, err := nc.Write(head)
		return nc, err
	}
	c, err := rtmp.Dial(l.t.Context(), url, cfg)
	if err == nil {
		l.t.Cleanup(func() { _ = c.Close() })
	}
	return c, err
}

// The address a proxy names is the session's, and media flows as without a proxy.
func TestClientBehindAProxy(t *testing.T) {
	for _, c := range []struct {
		version byte
		client  string
		secure  bool
	}{
		{1, "203.0.113.7:4000", false},
		{2, "203.0.113.7:4000", false},
		{1, "[2001:db8::7]:4000", false},
		{2, "[2001:db8::7]:4000", true},
		{2, "203.0.113.7:4000", true},
	} {
		l := newLab(t, secured, proxies)
		pub := l.publish("live/a") // not from the proxy: without a header
		pub.configs(t)
		pub.send(t, 0, 3)
		player, err := l.through("live/a", header(t, c.version, c.client), c.secure)
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		if err := player.Play(t.Context(), ""); err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		player.Conn().SetIdleTimeout(patience)
		for want := range 3 {
			if got, _ := picture(t, player); got != want {
				t.Errorf("%+v: picture %d, want %d", c, got, want)
			}
		}
		if got := l.session("player").Peer; got != c.client {
			t.Errorf("%+v: peer %s", c, got)
		}
		if !strings.Contains(l.log.String(), c.client) {
			t.Errorf("%+v: the client is not in the log", c)
		}
	}
}

// Rules and limits are about the client.
func TestRulesMeanTheClientBehindAProxy(t *testing.T) {
	l := newLab(t, proxies, vhost(func(v *config.Vhost) {
		v.IPRules = []config.IPRule{{
			ID: "ipr_1", Scope: config.ScopePublish, Action: config.Deny, CIDR: netip.MustParsePrefix("203.0.113.0/24"),
		}}
	}), func(_ *lab, cfg *server.Config) { cfg.Limits.MaxPerAddress = 2 })
	bad, err := l.through("live/a", header(t, 2, "203.0.113.7:1"), false)
	if err != nil {
		t.Fatal(err)
	}
	refused(t, bad.Publish(t.Context(), ""), rtmp.CodePublishDenied)
	if r := l.engine.Refusals(); len(r) != 1 || r[0].Peer != "203.0.113.7:1" || r[0].Reason != string(config.ReasonRefusedIP) {
		t.Errorf("refusals: %+v", r)
	}
	for range 2 {
		if _, err := l.through("live/a", header(t, 1, "198.51.100.1:1"), false); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.through("live/a", header(t, 1, "198.51.100.1:1"), false); err == nil {
		t.Error("a third connection of one client")
	}
	for _, client := range []string{"198.51.100.2:1", "198.51.100.3:1", "198.51.100.4:1"} {
		if _, err := l.through("live/a", header(t, 2, client), false); err != nil {
			t.Errorf("another client of the same proxy: %v", err)
		}
	}
}

// A header may come in pieces, and what is behind it belongs to RTMP.
func TestProxyHeaderInPieces(t *testing.T) {
	l := newLab(t, proxies)
	c0c1 := append([]byte{3}, make([]byte, 1536)...)
	for _, head := range [][]byte{header(t, 1, "203.0.113.7:4000"), header(t, 2, "203.0.113.7:4000"), []byte("PROXY UNKNOWN\r\n")} {
		for _, piece := range []int{1, 7, len(head), len(head) + 1537} {
			nc := l.plainTo(l.addr, proxyAddress)
			for all := append(bytes.Clone(head), c0c1...); len(all) > 0; {
				n := min(piece, len(all))
				if len(all) <= len(c0c1) {
					n = len(all)
				}
				if _, err := nc.Write(all[:n]); err != nil {
					t.Fatal(err)
				}
				all = all[n:]
				if piece < len(head) {
					time.Sleep(2 * time.Millisecond)
				}
			}
			_ = nc.SetReadDeadline(time.Now().Add(patience))
			if _, err := io.ReadFull(nc, make([]byte, 1+2*1536)); err != nil {
				t.Errorf("%q in pieces of %d: %v", head, piece, err)
			}
			_ = nc.Close()
		}
	}
}

// The proxy's own connections keep the proxy's address.
func TestProxySpeaksForItself(t *testing.T) {
	local, err := (&proxyproto.Header{Version: 2, Command: proxyproto.LOCAL, TransportProtocol: proxyproto.UNSPEC}).Format()
	if err != nil {
		t.Fatal(err)
	}
	for _, head := range [][]byte{local, []byte("PROXY UNKNOWN\r\n"), []byte("PROXY UNKNOWN 1.2.3.4 5.6.7.8 1 2\r\n")} {
		l := newLab(t, proxies)
		c, err := l.through("live/a", head, false)
		if err != nil {
			t.Fatalf("%q: %v", head, err)
		}
		if err := c.Publish(t.Context(), ""); err != nil {
			t.Fatalf("%q: %v", head, err)
		}
		if got := l.session("publisher").Peer; !strings.HasPrefix(got, proxyAddress+":") {
			t.Errorf("%q: peer %s", head, got)
		}
	}
}

// From a proxy nothing is taken but a right header, within its time.
func TestProxyWithoutAHeader(t *testing.T) {
	t.Parallel()
	unix := append([]byte("\r\n\r\n\x00\r\nQUIT\n\x21\x31\x00\xd8"), make([]byte, 216)...)
	udp := append([]byte("\r\n\r\n\x00\r\nQUIT\n\x21\x12\x00\x0c"), make([]byte, 12)...)
	for name, c := range map[string]struct{ sends, says string }{
		"plain RTMP":       {"\x03" + strings.Repeat("\x00", 1536), "sent no PROXY protocol header"},
		"nothing":          {"", "within 2s"},
		"half of v1":       {"PROXY TCP4 1.2.3.4", "within 2s"},
		"half of v2":       {"\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c\x01\x02", "PROXY protocol header"},
		"endless v1":       {"PROXY TCP4 " + strings.Repeat("1", 4000), "107 bytes"},
		"no address":       {"PROXY TCP4 x y 1 2\r\n", "PROXY protocol header"},
		"port too large":   {"PROXY TCP4 1.2.3.4 5.6.7.8 99999 2\r\n", "PROXY protocol header"},
		"version 3":        {"\r\n\r\n\x00\r\nQUIT\n\x31\x11\x00\x00", "PROXY protocol header"},
		"address of UDP":   {string(udp), "no TCP address"},
		"a path":           {string(unix), "no TCP address"},
		"nobody's address": {"PROXY TCP4 0.0.0.0 5.6.7.8 1 2\r\n", "no TCP address"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, proxies)
			nc := l.plainTo(l.addr, proxyAddress)
			if _, err := nc.Write([]byte(c.sends)); err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			_ = nc.SetReadDeadline(time.Now().Add(patience))
			n, _ := io.Copy(io.Discard, nc)
			if d := time.Since(begin); d > patience || n > 0 {
				t.Errorf("closed after %v and %d bytes", d, n)
			}
			within(t, patience, "the line of the log", func() bool { return strings.Contains(l.log.String(), `"closed"`) })
			log := l.log.String()
			if strings.Count(log, `"INFO","msg":"closed"`) != 1 || !strings.Contains(log, c.says) || !strings.Contains(log, proxyAddress) {
				t.Errorf("want one line with %q:\n%s", c.says, log)
			}
			if n := l.engine.Totals().EndingsTotal[string(config.ReasonHandshake)]; n != 1 {
				t.Errorf("counted %d times", n)
			}
		})
	}
}

// A proxy that only looks whether the port is open says nothing that is worth a line.
func TestProxyLooksWhetherWeAreWell(t *testing.T) {
	l := newLab(t, proxies)
	_ = l.plainTo(l.addr, proxyAddress).Close()
	within(t, patience, "it is counted", func() bool {
		return l.engine.Totals().EndingsTotal[string(config.ReasonPeerClosed)] == 1
	})
	if strings.Contains(l.log.String(), `"INFO","msg":"closed"`) {
		t.Errorf("log:\n%s", l.log)
	}
}

// Nobody else's header is believed.
func TestSpoofedProxyHeader(t *testing.T) {
	l := newLab(t, proxies)
	for _, head := range [][]byte{header(t, 1, "203.0.113.7:4000"), header(t, 2, "203.0.113.7:4000")} {
		nc := l.plainTo(l.addr, strangerAddress)
		if _, err := nc.Write(head); err != nil {
			t.Fatal(err)
		}
		_ = nc.SetReadDeadline(time.Now().Add(time.Second))
		if n, err := io.Copy(io.Discard, nc); n > 0 {
			t.Errorf("%q was answered: %v", head, err)
		}
	}
	within(t, patience, "they are counted", func() bool {
		return l.engine.Totals().EndingsTotal[string(config.ReasonHandshake)] == 2
	})
	log := l.log.String()
	if strings.Contains(log, "203.0.113.7") || !strings.Contains(log, strangerAddress) {
		t.Errorf("the address was taken:\n%s", log)
	}
}
