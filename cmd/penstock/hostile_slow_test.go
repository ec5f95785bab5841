package main

import (
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
)

// Attackers of TestHostilePatience. PENSTOCK_SLOWLORIS names another number of those
// with a slow handshake: 5000 are what RELIABILITY asks for, with as many descriptors.
const (
	slowHandshakes = 300
	mutePlayers    = 200
)

// TestHostilePatience has attackers at work at the same time who send or read next to
// nothing, while ffmpeg publishes and somebody plays. Each is closed for its own reason,
// and in the end nothing of them is left.
//
// S0-02, S0-39, R-3.18.
func TestHostilePatience(t *testing.T) { //nolint:tparallel // the group of attacks is waited for
	t.Parallel()
	p := open(t)
	v := p.victim(t)
	before := p.metrics(t)
	t.Run("attacks", func(t *testing.T) {
		for name, attack := range map[string]func(*testing.T, *program){
			"slow handshakes": slowloris, "slow commands": slowCommands, "slow media": slowMedia, "mute players": mute, "slow heads over HTTP": slowHeads,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				attack(t, p)
			})
		}
	})
	t.Logf("grown by %.1f MB", (p.metrics(t)[resident]-before[resident])/1e6)
	p.back(t, before)
	v.unharmed()
}

// drips writes b a few bytes at a time until the server closes, and returns how long
// that took.
func drips(t *testing.T, nc net.Conn, b []byte, every time.Duration) time.Duration {
	t.Helper()
	began := time.Now()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = io.Copy(io.Discard, nc)
	}()
	_ = nc.SetDeadline(began.Add(time.Minute))
	for {
		n := min(3, len(b))
		_, _ = nc.Write(b[:n])
		b = b[n:]
		select {
		case <-gone:
			return time.Since(began)
		case <-time.After(every):
		}
	}
}

// about fails the test unless a time is what a limit says, on a machine that may be
// busy with other things.
func about(t *testing.T, what string, took, limit time.Duration) {
	t.Helper()
	if took < limit/2 || took > limit+20*time.Second {
		t.Errorf("%s: closed after %v, the limit is %v", what, took, limit)
	}
}

// slowloris: C1 in drops. Everybody is closed after five seconds, costs little
// meanwhile, and keeps no encoder out.
func slowloris(t *testing.T, p *program) { // C-60
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("PENSTOCK_SLOWLORIS"))
	if err != nil {
		n = slowHandshakes
	}
	before := p.metrics(t)[resident]
	ended := make(chan time.Duration, n)
	for i := range n {
		nc := p.connectFrom(t, source(2000+i/40))
		go func() { ended <- drips(t, nc, append([]byte{3}, make([]byte, 1536)...), time.Second) }()
	}
	asked := time.Now()
	_ = p.attack(t, source(2900)).publishes().Close()
	t.Logf("an encoder is let in after %v; each attacker costs %.0f KiB", time.Since(asked), (p.metrics(t)[resident]-before)/1024/float64(n))
	if took := time.Since(asked); took > 5*time.Second {
		t.Errorf("an encoder is let in after %v", took)
	}
	for range n {
		about(t, "a slow handshake", <-ended, 5*time.Second)
	}
}

// slowCommands: the handshake is quick, what follows comes in drops.
func slowCommands(t *testing.T, p *program) { // C-60
	t.Helper()
	var all sync.WaitGroup
	for i := range 20 {
		a := p.attack(t, source(3000+i))
		a.write(a.message(3, 20, 0, call("connect", 1, amf.Object{{Key: "app", Value: "live"}})))
		all.Go(func() {
			about(t, "a slow command", drips(t, a, a.message(3, 20, 0, make([]byte, 2000)), time.Second), 10*time.Second)
		})
	}
	all.Wait()
}

// slowMedia: a publisher whose first picture never comes to its end.
func slowMedia(t *testing.T, p *program) { // C-60, S0-72
	t.Helper()
	var all sync.WaitGroup
	for i := range 20 {
		a := p.attack(t, source(3100+i)).publishes()
		all.Go(func() {
			about(t, "a slow picture", drips(t, a, a.message(6, 9, 1, make([]byte, 8<<20)), 500*time.Millisecond), 10*time.Second)
		})
	}
	all.Wait()
}

// mute: players that ask for media and take none.
func mute(t *testing.T, p *program) {
	t.Helper()
	before := p.metrics(t)
	for i := range mutePlayers {
		nc := p.connectFrom(t, source(3200+i/40))
		_ = nc.(*net.TCPConn).SetReadBuffer(1 << 10)
		a := &attacker{Conn: nc, t: t, size: chunk.DefaultSize}
		a.shakes()
		a.ask("play", "real")
		if said, err := a.hears("NetStream.Play.Start"); err != nil {
			t.Fatalf("play: %v after %q", err, said)
		}
	}
	eventually(t, time.Minute, "each is closed as slow", func() bool {
		return p.metrics(t)[sessionsEnded("slow")]-before[sessionsEnded("slow")] >= mutePlayers
	})
	grown := p.metrics(t)[resident] - before[resident]
	t.Logf("%d players that take nothing cost %.1f MB", mutePlayers, grown/1e6)
	if grown > 100<<20 {
		t.Errorf("%d players that take nothing cost %.0f MB", mutePlayers, grown/1e6)
	}
}

// slowHeads: the head of an HTTP request in drops.
func slowHeads(t *testing.T, p *program) {
	t.Helper()
	var all sync.WaitGroup
	for range 50 {
		nc, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", p.http)
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			about(t, "a slow head", drips(t, nc, append([]byte("GET /live/real.flv HTTP/1.1\r\nX: "), make([]byte, 9000)...), time.Second), 5*time.Second)
			_ = nc.Close()
		})
	}
	all.Wait()
}
