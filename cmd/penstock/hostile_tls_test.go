package main

import (
	"crypto/tls"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/rtmp"
)

// TestHostileTLS attacks the RTMPS port while ffmpeg publishes and somebody plays.
//
//
func TestHostileTLS(t *testing.T) { //nolint:tparallel // the group of attacks is waited for
	t.Parallel()
	p := secureOpen(t, newCertificate(t, "live.example.com"))
	v := p.victim(t)
	before := p.metrics(t)
	t.Run("attacks", func(t *testing.T) {
		for name, attack := range map[string]func(*testing.T, *program){
			"half a handshake": tlsHalf, "many handshakes": tlsFlood, "no TLS": tlsNone, "old TLS": tlsOld, "no name": tlsNameless, "slow RTMP in TLS": tlsSlow,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				attack(t, p)
			})
		}
	})
	p.back(t, before)
	v.unharmed()
}

// secureFrom opens a connection to the RTMPS port from an address.
func (p *program) secureFrom(t *testing.T, address string) net.Conn {
	t.Helper()
	plain := &program{t: t, rtmp: p.rtmps}
	return plain.connectFrom(t, address)
}

func anyCertificate() *tls.Config { return &tls.Config{InsecureSkipVerify: true} }

// tlsHalf: a ClientHello that does not come to its end.
func tlsHalf(t *testing.T, p *program) {
	t.Helper()
	hello := append([]byte{0x16, 3, 1, 0x40, 0, 1, 0, 0x3F, 0xFC, 3, 3}, make([]byte, 16000)...)
	var all sync.WaitGroup
	for i := range 100 {
		nc := p.secureFrom(t, source(4000+i/20))
		all.Go(func() { about(t, "half a TLS handshake", drips(t, nc, hello, time.Second), 5*time.Second) })
	}
	all.Wait()
}

// tlsFlood: handshakes, one after the other, of which nothing comes.
func tlsFlood(t *testing.T, p *program) {
	t.Helper()
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for range 25 {
				nc := tls.Client(p.secureFrom(t, source(4100+worker)), anyCertificate())
				if err := nc.HandshakeContext(t.Context()); err != nil {
					t.Errorf("handshake: %v", err)
				}
				_ = nc.NetConn().Close()
			}
		})
	}
	all.Wait()
}

// tlsNone: what is not TLS is closed at once, and called by its name.
func tlsNone(t *testing.T, p *program) {
	t.Helper()
	for i, c := range []struct{ hello, what, said string }{
		{"\x03" + strings.Repeat("\x00", 1536), "plain_rtmp", "The peer speaks plain RTMP on a port for RTMPS."},
		{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "http", "The peer speaks plain HTTP on a port for RTMPS."},
		{"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n", "proxy", "The peer sent a PROXY protocol header, which is not taken from its address."},
		{"\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c", "proxy", "The peer sent a PROXY protocol header, which is not taken from its address."},
		{strings.Repeat("\xff", 100), "unknown", "The peer does not speak TLS on a port for RTMPS."},
	} {
		seen := strings.Count(p.logged(), c.said)
		a := &attacker{Conn: p.secureFrom(t, source(4200+i)), t: t}
		a.write([]byte(c.hello))
		a.closedWithin(patience)
		eventually(t, patience, "it is in the log", func() bool { return strings.Count(p.logged(), c.said) > seen })
		if p.metrics(t)[`penstock_handshake_failures_total{reason="`+c.what+`"}`] == 0 {
			t.Errorf("%q: not counted as %s", c.hello, c.what)
		}
	}
}

// tlsOld: TLS before 1.2 is not spoken.
func tlsOld(t *testing.T, p *program) {
	t.Helper()
	conf := anyCertificate()
	conf.MinVersion, conf.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
	nc := tls.Client(p.secureFrom(t, source(4300)), conf)
	if err := nc.HandshakeContext(t.Context()); err == nil {
		t.Error("TLS 1.1 is spoken")
	}
}

// tlsNameless: a client that names no server is let in, and can publish.
func tlsNameless(t *testing.T, p *program) {
	t.Helper()
	conf := anyCertificate()
	conf.ServerName = ""
	client, err := rtmp.Dial(t.Context(), "rtmps://"+p.rtmps+"/live/nameless", rtmp.DialConfig{Timeout: patience, TLS: conf})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	if err := client.Publish(t.Context(), ""); err != nil {
		t.Error(err)
	}
}

// tlsSlow: the TLS handshake is quick, RTMP's comes in drops.
func tlsSlow(t *testing.T, p *program) {
	t.Helper()
	var all sync.WaitGroup
	for i := range 20 {
		nc := tls.Client(p.secureFrom(t, source(4400+i)), anyCertificate())
		if err := nc.HandshakeContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			about(t, "a slow handshake", drips(t, nc, append([]byte{3}, make([]byte, 1536)...), time.Second), 5*time.Second)
		})
	}
	all.Wait()
}
