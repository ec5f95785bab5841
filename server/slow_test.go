package server_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// trickle reads 16 kB/s.
type trickle struct{ io.Reader }

func (r trickle) Read(b []byte) (int, error) {
	time.Sleep(100 * time.Millisecond)
	return r.Reader.Read(b[:min(len(b), 1600)])
}

// smallBuffer is a connection whose kernel takes little in advance.
func smallBuffer(ctx context.Context, _, addr string) (net.Conn, error) {
	var d net.Dialer
	nc, err := d.DialContext(ctx, "tcp", addr)
	if err == nil {
		err = nc.(*net.TCPConn).SetReadBuffer(4 << 10)
	}
	return nc, err
}

// a player far too slow for the stream stays for as long as it takes
// something, and what it gets goes forward in time.
func TestSlowReaderStays(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a quarter of a minute")
	}
	t.Parallel()
	l := newLab(t, vhost(func(v *config.Vhost) { v.Media.QueueMS = 1000 }))
	pub := l.publish("live/a")
	pub.configs(t)
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	go func() {
		for n := 0; ctx.Err() == nil; n++ { // 200 kB/s
			_ = pub.WriteMedia(message.TypeVideo, uint32(n*40), frame(n%25 == 0, n, 8000))
			time.Sleep(40 * time.Millisecond)
		}
	}()

	raw := newRawPlayer(t, l, "live", "a")
	_ = raw.nc.SetDeadline(time.Now().Add(time.Minute))
	_ = raw.nc.(*net.TCPConn).SetReadBuffer(4 << 10)
	ws, _, err := websocket.Dial(ctx, l.web.URL+"/live/a.flv", &websocket.DialOptions{
		HTTPClient: &http.Client{Transport: &http.Transport{DialContext: smallBuffer}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ws.CloseNow() }()
	ws.SetReadLimit(64 << 20)
	chunks := chunk.NewReader(trickle{raw.nc}, 4<<10, chunk.Limits{})
	tags := flv.NewReader(bufio.NewReader(trickle{websocket.NetConn(ctx, ws, websocket.MessageBinary)}))
	seen := make(chan map[string]int, 2)
	go func() {
		seen <- forward(t, "rtmp", func() (byte, uint32, error) {
			m, err := chunks.Next()
			return m.Type, m.Timestamp, err
		})
	}()
	go func() {
		seen <- forward(t, "ws-flv", func() (byte, uint32, error) {
			tag, err := tags.Next()
			return tag.Type, tag.Timestamp, err
		})
	}()
	<-ctx.Done()
	for _, s := range l.engine.Sessions() {
		if s.Role == "player" && s.Dropped < 100 {
			t.Errorf("%s: only %d messages were skipped", s.Protocol, s.Dropped)
		}
	}
	if n := l.engine.Totals().Players; n != 2 {
		t.Errorf("%d players are on", n)
	}
	_ = raw.nc.Close()
	_ = ws.CloseNow()
	for range 2 {
		for protocol, pictures := range <-seen {
			if pictures < 5 {
				t.Errorf("%s: only %d pictures", protocol, pictures)
			}
		}
	}
}

// forward reads to the end, and counts pictures whose time never goes back.
func forward(t *testing.T, protocol string, next func() (byte, uint32, error)) map[string]int {
	t.Helper()
	n, last := 0, uint32(0)
	for {
		typ, at, err := next()
		if err != nil {
			return map[string]int{protocol: n}
		}
		if typ != message.TypeVideo {
			continue
		}
		if at < last {
			t.Errorf("%s: time goes from %d back to %d ms", protocol, last, at)
		}
		last = at
		n++
	}
}
