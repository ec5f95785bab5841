package rtmp

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

const (
	sayConnected = `command@0 "_result" 1 {} {"code": "NetConnection.Connect.Success"}`
	sayStarted   = `command@1 "onStatus" 0 null {"level": "status", "code": "NetStream.Publish.Start"}`
)

// greet makes the server's side of a handshake and begins to read; nil if the
// client has gone. S2 may come after C2, and be no echo.
func greet(t *testing.T, nc net.Conn, lateS2 bool) *peer {
	t.Helper()
	_ = nc.SetReadDeadline(time.Now().Add(10 * time.Second))
	hello := make([]byte, 1537)
	if _, err := io.ReadFull(nc, hello); err != nil {
		return nil
	}
	s1 := append([]byte{3, 1, 2, 3, 4}, hello[5:]...)
	c2 := make([]byte, 1536)
	if !lateS2 {
		s1 = append(s1, hello[1:]...)
	}
	_, _ = nc.Write(s1)
	if _, err := io.ReadFull(nc, c2); err != nil {
		t.Errorf("C2: %v", err)
		return nil
	}
	if lateS2 {
		_, _ = nc.Write(make([]byte, 1536))
	}
	if c2[0] != 1 || c2[3] != 4 {
		t.Errorf("C2 has another time: %x", c2[:4])
	}
	_ = nc.SetReadDeadline(time.Time{})
	p := &peer{tb: t, nc: nc, size: 128, in: make(chan string, 1000), done: make(chan error, 1)}
	go p.read()
	return p
}

// scripted is a server of one connection that says exactly what the test wants.
// steps are lines to wait for (prefix) and what to answer.
func scripted(t *testing.T, l net.Listener, lateS2 bool, steps [][]string) {
	t.Helper()
	var wg sync.WaitGroup
	wg.Go(func() {
		nc, err := l.Accept()
		if err != nil {
			return
		}
		defer func() { _ = nc.Close() }()
		p := greet(t, nc, lateS2)
		if p == nil {
			return
		}
		for _, step := range steps {
			for {
				heard := p.hear()
				if heard == "close" || heard == "nothing" {
					t.Errorf("waiting for %s: %s", step[0], heard)
					return
				}
				if strings.HasPrefix(heard, step[0]) {
					break
				}
			}
			_, _ = nc.Write(p.wire(step[1:]...))
		}
		for range p.in { // until the client has gone
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		wg.Wait()
	})
}

// connections is a server that says what the test wants, on one connection after
// the other. handle returns when it has said all; the connection is then closed.
func connections(t *testing.T, l net.Listener, handle func(n int, p *peer, says Connect)) {
	t.Helper()
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := 1; ; n++ {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			p := greet(t, nc, false)
			if p == nil {
				_ = nc.Close()
				continue
			}
			heard := p.hear()
			if !strings.HasPrefix(heard, `command@0 "connect" 1 {"app": `) {
				t.Errorf("connection %d begins with %s", n, heard)
			}
			if strings.HasPrefix(heard, "command") {
				cmd, err := message.ParseCommand(message.TypeCommand, parseLine(t, heard).payload, amf.DefaultLimits())
				if err != nil {
					t.Error(err)
				}
				handle(n, p, parseConnect(cmd))
			}
			_ = nc.(*net.TCPConn).CloseWrite()
			for range p.in { // until the client has gone
			}
			_ = nc.Close()
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		wg.Wait()
	})
}

func rejected(p *peer, description string) {
	p.say(fmt.Sprintf(
		`command@0 "_error" 1 null {"level": "error", "code": "NetConnection.Connect.Rejected", "description": %q}`,
		description,
	))
}

// let answers what follows connect for a publisher or a player.
func let(t *testing.T, p *peer) {
	t.Helper()
	p.say(sayConnected)
	for {
		heard := p.hear()
		switch {
		case strings.HasPrefix(heard, `command@0 "createStream"`):
			p.say(fmt.Sprintf(`command@0 "_result" %s null 1`, strings.Fields(heard)[2]))
		case strings.HasPrefix(heard, `command@1 "publish"`):
			p.say(sayStarted)
			return
		case strings.HasPrefix(heard, `command@1 "play"`):
			p.say(`command@1 "onStatus" 0 null {"level": "status", "code": "NetStream.Play.Start"}`)
			return
		case heard == "close", heard == "nothing":
			t.Errorf("waiting for publish or play: %s", heard)
			return
		}
	}
}
