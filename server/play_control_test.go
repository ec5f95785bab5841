package server_test

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/rtmp/message"
)

func TestPauseAndPlayAgain(t *testing.T) { // S0-59, S0-61, S0-62
	l := newLab(t)
	pub := l.publish("live/a")
	pub.configs(t)
	pub.send(t, 0, 3)
	p := newRawPlayer(t, l, "live", "a")
	p.until("NetStream.Play.Start")
	p.media(3)
	p.command(1, "pause", true, 0.0)
	p.until("NetStream.Pause.Notify")
	witness := l.play("live/a")
	pub.send(t, 10, 3)
	until(t, witness, 12)
	_ = witness.Close()
	p.command(1, "pause", false, 0.0)
	if got := p.until("NetStream.Unpause.Notify"); got != 0 {
		t.Errorf("%d messages of media came while paused", got)
	}
	pub.send(t, 20, 3)
	p.media(3)
	p.command(1, "closeStream")
	within(t, patience, "the player is off", func() bool { return l.engine.Totals().Players == 0 })
	p.command(1, "play", "a", -2000.0)
	p.until("NetStream.Play.Start")
	p.media(3)
}

// What a player is told at its end is the last it gets: no media follows, and then
// comes the end of the connection, not a reset.
func TestGoodbyeIsTheLastWord(t *testing.T) {
	l := newLab(t)
	pub := l.publish("live/a")
	pub.configs(t)
	p := newRawPlayer(t, l, "live", "a")
	p.until("NetStream.Play.Start")
	stop := make(chan struct{})
	var sending sync.WaitGroup
	sending.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				_ = pub.WriteMedia(message.TypeVideo, uint32(n*40), frame(n%25 == 0, n, 2000))
			}
		}
	})
	defer sending.Wait()
	defer close(stop)
	p.media(20)
	if err := l.engine.Kick(l.session("player").ID, "Enough.", 0); err != nil {
		t.Fatal(err)
	}
	p.until("NetStream.Play.Failed")
	for {
		m, err := p.r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("the connection ended with %v", err)
		}
		if m.Type != message.TypeUserControl {
			t.Errorf("a message of type %d after the last word", m.Type)
		}
	}
}

// A player gets its media on the message stream it created, or on 1 when it created
// none (S0-30).
func TestPlayOnAnyMessageStream(t *testing.T) {
	l := newLab(t)
	pub := l.publish("live/a")
	pub.configs(t)
	pub.send(t, 0, 3)
	for _, c := range []struct{ creates, plays, media uint32 }{{1, 1, 1}, {3, 3, 3}, {2, 1, 1}, {0, 0, 1}, {0, 1, 1}, {1, 77, 1}} {
		p := connectRaw(t, l, "live")
		for range c.creates {
			p.command(0, "createStream")
		}
		p.command(c.plays, "play", "a", -2000.0)
		begun := false
		for n := 0; n < 3; {
			m, err := p.r.Next()
			if err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
			switch m.Type {
			case message.TypeCommand:
				if bytes.Contains(m.Payload, []byte("NetStream.Play.Start")) {
					begun = true
					if m.StreamID != c.plays {
						t.Errorf("%+v: Play.Start on message stream %d", c, m.StreamID)
					}
				}
			case message.TypeAudio, message.TypeVideo:
				n++
				if !begun || m.StreamID != c.media {
					t.Errorf("%+v: media on message stream %d, after Play.Start: %t", c, m.StreamID, begun)
				}
			}
		}
	}
}

// S0-58: a player that asked for two seconds gets two seconds.
func TestPlayDuration(t *testing.T) {
	l := newLab(t)
	pub := l.publish("live/a")
	pub.configs(t)
	pub.send(t, 0, 25)
	p := connectRaw(t, l, "live")
	p.command(0, "createStream")
	p.command(1, "play", "a", -2000.0, 2000.0)
	p.until("NetStream.Play.Start")
	p.media(50)
	time.Sleep(1200 * time.Millisecond)
	if n := l.engine.Totals().Players; n != 1 {
		t.Fatalf("%d players after one second of media", n)
	}
	pub.send(t, 25, 25)
	pub.send(t, 50, 1)
	if got := p.until("NetStream.Play.Stop"); got < 50 {
		t.Errorf("%d messages of the other second", got)
	}
	if e := l.event("session.play_ended"); e.Reason != "completed" {
		t.Errorf("ended with %s: %s", e.Reason, e.Detail)
	}
}

// FFmpeg and librtmp rewrite the names of files; a player finds the stream by any of
// them.
func TestPlayByTheNameOfAFile(t *testing.T) {
	l := newLab(t)
	for publishes, plays := range map[string][]string{
		"a":         {"a", "a.flv", "flv:a"},
		"b.mp4":     {"b.mp4", "mp4:b.mp4"},
		"mp4:c.mp4": {"c.mp4", "mp4:c.mp4"},
		"d.flv":     {"d.flv"},
	} {
		pub := l.publish("live/" + publishes)
		pub.configs(t)
		pub.send(t, 0, 3)
		for _, name := range plays {
			p := newRawPlayer(t, l, "live", name)
			p.until("NetStream.Play.Start")
			p.media(3)
			_ = p.nc.Close()
		}
	}
}

func TestReceiveVideoOff(t *testing.T) {
	l := newLab(t)
	pub := l.publish("live/a")
	pub.configs(t)
	pub.send(t, 0, 2)
	p := newRawPlayer(t, l, "live", "a")
	p.until("NetStream.Play.Start")
	p.media(3)
	p.command(1, "receiveVideo", false)
	p.command(0, "hello") // is answered behind it
	p.until("_result")
	for i := range 5 {
		pub.send(t, 10+i, 1)
	}
	p.command(1, "pause", true, 0.0)
	p.pictures = 0
	p.until("NetStream.Pause.Notify")
	if p.pictures > 2 {
		t.Errorf("%d pictures came after video was switched off", p.pictures)
	}
}
