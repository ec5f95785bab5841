package server_test

import (
	"bytes"
	"net"
	"testing"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// send sends a message of audio or video on a message stream.
func (p *rawPlayer) send(msid, csid uint32, typ uint8, at uint32, payload []byte) {
	p.t.Helper()
	h := chunk.Header{CSID: csid, Type: typ, StreamID: msid, Timestamp: at}
	p.write(chunk.AppendMessage(nil, h, payload, chunk.DefaultSize))
}

// twoStreams are the message streams that a peer has created.
func twoStreams(t *testing.T, l *lab) *rawPlayer {
	t.Helper()
	p := connectRaw(t, l, "live")
	p.command(0, "createStream")
	p.command(0, "createStream")
	p.until("_result") // of connect
	p.until("_result")
	p.until("_result")
	return p
}

// A connection publishes two streams at once: each has its session, media crosses
// nowhere, and the end of one is not the end of the other.
func TestOneConnectionPublishesTwoStreams(t *testing.T) {
	l := newLab(t)
	p := twoStreams(t, l)
	a, b := l.play("live/a"), l.play("live/b")
	p.command(1, "publish", "a", "live")
	p.until("NetStream.Publish.Start")
	p.command(2, "publish", "b", "live")
	p.until("NetStream.Publish.Start")
	for i := range 10 {
		p.send(1, 6, message.TypeVideo, uint32(40*i), frame(i == 0, i, 500))
		p.send(2, 7, message.TypeVideo, uint32(40*i), frame(i == 0, 100+i, 300))
	}
	for i := range 10 {
		if n, _ := picture(t, a); n != i {
			t.Fatalf("stream a: picture %d, want %d", n, i)
		}
		if n, _ := picture(t, b); n != 100+i {
			t.Fatalf("stream b: picture %d, want %d", n, 100+i)
		}
	}
	var sessions []server.SessionInfo
	for _, s := range l.engine.Sessions() {
		if s.Role == "publisher" {
			sessions = append(sessions, s)
		}
	}
	if len(sessions) != 2 || sessions[0].Peer != sessions[1].Peer || sessions[0].Name == sessions[1].Name || sessions[0].ID == sessions[1].ID {
		t.Fatalf("sessions: %+v", sessions)
	}
	p.command(0, "deleteStream", 1.0)
	p.until("NetStream.Unpublish.Success")
	if e := l.event("stream.unpublished"); e.Name != "a" || e.Reason != string(config.ReasonUnpublished) {
		t.Errorf("event: %+v", e)
	}
	p.send(2, 7, message.TypeVideo, 400, frame(false, 110, 300))
	if n, _ := picture(t, b); n != 110 {
		t.Errorf("stream b: picture %d after the end of a", n)
	}
}

// A further activity of a connection is kicked alone; with the first goes the
// connection.
func TestKickOneOfTwoStreams(t *testing.T) {
	l := newLab(t)
	p := twoStreams(t, l)
	p.command(1, "publish", "a", "live")
	p.until("NetStream.Publish.Start")
	p.command(2, "publish", "b", "live")
	p.until("NetStream.Publish.Start")
	ids := map[string]string{}
	within(t, patience, "both publish", func() bool {
		for _, s := range l.engine.Sessions() {
			ids[s.Name] = s.ID
		}
		return ids["a"] != "" && ids["b"] != ""
	})
	if err := l.engine.Kick(ids["b"], "Only this one.", 0); err != nil {
		t.Fatal(err)
	}
	p.until("Only this one.")
	p.send(2, 7, message.TypeVideo, 0, frame(true, 0, 300)) // means nothing
	a := l.play("live/a")
	p.send(1, 6, message.TypeVideo, 0, frame(true, 7, 300))
	if n, _ := picture(t, a); n != 7 {
		t.Errorf("stream a: picture %d", n)
	}
	// The message stream can be used again.
	p.command(2, "publish", "c", "live")
	p.until("NetStream.Publish.Start")
	if err := l.engine.Kick(ids["a"], "All of it.", 0); err != nil {
		t.Fatal(err)
	}
	p.until("All of it.")
	within(t, patience, "the connection is over", func() bool { return len(l.engine.Sessions()) == 1 }) // the player
}

// A connection plays two streams and publishes a third: whole messages take turns,
// and what is said comes between them.
func TestOneConnectionPlaysTwoStreams(t *testing.T) {
	for name, dial := range map[string]func(*lab) net.Conn{
		"tcp": func(l *lab) net.Conn { return l.plain() },
		"tls": func(l *lab) net.Conn { return l.underTLS() },
	} {
		t.Run(name, func(t *testing.T) {
			// With room for all of it: on a busy machine the player may be far behind.
			l := newLab(t, secured, limits(t, "queue_bytes=64MiB"))
			a, b := l.publish("live/a"), l.publish("live/b")
			p := connectOn(t, l, dial(l), "live")
			for range 3 {
				p.command(0, "createStream")
			}
			p.command(1, "play", "a", -2000.0)
			p.until("NetStream.Play.Start")
			a.write(t, message.TypeVideo, 0, frame(true, 0, 200_000)) // is under way when the next is asked for
			p.command(2, "play", "b", -2000.0)
			p.command(3, "publish", "c", "live")
			const pictures = 60
			go func() {
				for i := 1; i <= pictures; i++ {
					_ = a.WriteMedia(message.TypeVideo, uint32(i*10), frame(false, i, 70_000))
					_ = b.WriteMedia(message.TypeVideo, uint32(i*10), frame(i == 1, 1000+i, 90_000))
				}
			}()
			next := map[uint32]int{1: 0, 2: 1001}
			said := map[string]bool{}
			for next[1] <= pictures || next[2] <= 1000+pictures {
				m, err := p.r.Next()
				if err != nil {
					t.Fatalf("%v, want %v", err, next)
				}
				switch m.Type {
				case message.TypeVideo:
					if n := numberOf(m.Payload); n != next[m.StreamID] {
						t.Fatalf("stream %d: picture %d, want %d", m.StreamID, n, next[m.StreamID])
					}
					next[m.StreamID]++
				case message.TypeCommand:
					for _, code := range []string{"NetStream.Play.Start", "NetStream.Publish.Start"} {
						said[code] = said[code] || bytes.Contains(m.Payload, []byte(code))
					}
				}
			}
			if !said["NetStream.Play.Start"] || !said["NetStream.Publish.Start"] {
				t.Errorf("said %v", said)
			}
			// One stops, the other goes on, also when it is the one that spoke.
			p.command(2, "closeStream")
			p.command(0, "deleteStream", 3.0)
			p.until("NetStream.Unpublish.Success")
			a.write(t, message.TypeVideo, 2000, frame(false, 5000, 100))
			for {
				m, err := p.r.Next()
				if err != nil {
					t.Fatal(err)
				}
				if m.Type == message.TypeVideo && m.StreamID == 1 && numberOf(m.Payload) == 5000 {
					break
				}
			}
			if n := l.engine.Totals().Players; n != 1 {
				t.Errorf("%d players", n)
			}
			_ = p.nc.Close()
			within(t, patience, "both playings are over", func() bool { return l.engine.Totals().Players == 0 })
		})
	}
}

// A busy name refuses the second stream of a connection and not the first.
func TestRefusalOfASecondStream(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) { v.DuplicatePolicy = config.DuplicateReject }))
	other := l.publish("live/b")
	p := twoStreams(t, l)
	a := l.play("live/a")
	p.command(1, "publish", "a", "live")
	p.until("NetStream.Publish.Start")
	p.command(2, "publish", "b", "live")
	p.until("NetStream.Publish.BadName")
	p.command(2, "play", "a..b", -2000.0)
	p.until("NetStream.Play.Failed")
	p.send(1, 6, message.TypeVideo, 0, frame(true, 3, 300))
	if n, _ := picture(t, a); n != 3 {
		t.Errorf("picture %d", n)
	}
	_ = other.Close()
}
