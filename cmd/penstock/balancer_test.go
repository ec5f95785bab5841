package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/rtmp"
)

// TestBehindALoadBalancer: the client a balancer names is the one that is shown; from
// elsewhere the same words are refused, and nothing of them is taken.
func TestBehindALoadBalancer(t *testing.T) {
	t.Parallel()
	const balancer, client, header = "127.0.0.9", "203.0.113.7", "PROXY TCP4 203.0.113.7 192.0.2.1 4000 1935\r\n"
	p := prepare(t)
	p.withAdmin()
	p.tool("vhost", "set", "default", "publish_policy=open")
	p.start("--proxy-protocol-from", balancer+",10.0.0.0/8")
	from := func(address, words string) func(context.Context, string, string) (net.Conn, error) {
		return func(ctx context.Context, network, addr string) (net.Conn, error) {
			d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
			nc, err := d.DialContext(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			_, err = nc.Write([]byte(words))
			return nc, err
		}
	}
	ctx := within(t, time.Minute)
	published, err := rtmp.Dial(ctx, p.url("balanced"), rtmp.DialConfig{Timeout: 10 * time.Second, DialContext: from(balancer, header)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = published.Close() }()
	if err := published.Publish(ctx, ""); err != nil {
		t.Fatal(err)
	}
	var sessions struct {
		Items []struct {
			Peer string `json:"peer"`
		} `json:"items"`
	}
	p.signIn(t).call(http.MethodGet, "/sessions", "", nil, &sessions)
	if len(sessions.Items) != 1 || sessions.Items[0].Peer != client+":4000" {
		t.Errorf("sessions: %+v", sessions.Items)
	}
	seen := strings.Count(p.logged(), client)
	for words, address := range map[string]string{header: "127.0.0.8", "\x03" + strings.Repeat("\x00", 1536): balancer} {
		nc, err := from(address, words)(ctx, "tcp", p.rtmp)
		if err != nil {
			t.Fatal(err)
		}
		_ = nc.SetReadDeadline(time.Now().Add(3 * time.Second))
		if n, err := io.Copy(io.Discard, nc); n > 0 {
			t.Errorf("%s is answered: %v", address, err)
		}
		_ = nc.Close()
	}
	eventually(t, 5*time.Second, "both are counted", func() bool { return p.metrics(t)[sessionsEnded("handshake")] == 2 })
	if strings.Count(p.logged(), client) != seen {
		t.Error("the address of a spoofed header is in the log")
	}
}
