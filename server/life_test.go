package server_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// lines are the log's lines with a message, so far.
func (l *lab) lines(msg string) (all []map[string]any) {
	l.t.Helper()
	for text := range strings.Lines(l.log.String()) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			l.t.Fatalf("%q: %v", text, err)
		}
		if line["msg"] == msg {
			all = append(all, line)
		}
	}
	return all
}

// line waits for the log's first line with a message and a value.
func (l *lab) line(msg, key string, value any) (found map[string]any) {
	l.t.Helper()
	within(l.t, patience, "the log says "+msg, func() bool {
		for _, line := range l.lines(msg) {
			if line[key] == value {
				found = line
				return true
			}
		}
		return false
	})
	return found
}

// S0-01: a connection has its number, and the log knows it, before it says a word.
func TestConnectionIsLoggedBeforeItsFirstByte(t *testing.T) {
	l := newLab(t)
	nc := l.plain()
	defer func() { _ = nc.Close() }()
	line := l.line("accepted", "peer", nc.LocalAddr().String())
	if id, _ := line["session"].(string); id == "" {
		t.Errorf("%v", line)
	}
}

// S0-27, S0-45: one line says who does what, and one how it ended; that somebody left,
// was silent or was sent away is no warning, breaking the protocol is.
func TestLogOfASession(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) { v.Media.FirstMediaMS = 1000 }))
	pub := l.publish("live/a")
	pub.configs(t)
	player := l.play("live/a")
	for role, peer := range map[string]string{
		"publisher": pub.Conn().NetConn().LocalAddr().String(), "player": player.Conn().NetConn().LocalAddr().String(),
	} {
		line := l.line("began", "role", role)
		for key, want := range map[string]any{
			"peer": peer, "vhost": config.DefaultVhost, "app": "live", "stream": "a", "gop": true, "level": "INFO",
			"session": l.session(role).ID, "line": l.session(role).ID,
		} {
			if line[key] != want {
				t.Errorf("%s: %s is %v, want %v", role, key, line[key], want)
			}
		}
	}
	if n := len(l.lines("began")); n != 2 {
		t.Errorf("%d lines say that something began", n)
	}
	_ = player.Close()
	_ = pub.Close()
	_ = l.dial("live/silent").Publish(t.Context(), "") // for longer than it may
	abuser := l.play("live/a")
	_ = abuser.WriteMedia(message.TypeVideo, 0, frame(true, 0, 100))
	kicked := l.publish("live/kicked")
	within(t, patience, "it is there", func() bool {
		for _, s := range l.engine.Sessions() {
			if s.Name == "kicked" {
				return l.engine.Kick(s.ID, "", 0) == nil
			}
		}
		return false
	})
	receive(t, kicked.end, "the kick")
	for reason, level := range map[string]string{"peer_closed": "INFO", "idle": "INFO", "kicked": "INFO", "protocol": "WARN"} {
		if line := l.line("closed", "reason", reason); line["level"] != level {
			t.Errorf("%v", line)
		}
	}
	if log := l.log.String(); strings.Contains(log, `"level":"ERROR"`) {
		t.Error(log)
	}
}

// S0-26, S0-65, S0-88: each end is told once and has all bytes of both directions, and
// nobody is left in the lists.
func TestTotalsOfASession(t *testing.T) {
	l := newLab(t)
	pub := l.publish("live/a")
	pub.configs(t)
	player := l.play("live/a")
	pub.send(t, 0, 30)
	until(t, player, 29)
	leave := func(c *rtmp.Client) {
		if err := c.Conn().NetConn().(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
	}
	leave(player)
	for {
		if _, err := player.ReadMedia(); err != nil && !errors.Is(err, rtmp.ErrUnpublished) {
			break
		}
	}
	leave(pub.Client)
	if err := receive(t, pub.end, "the end"); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	for role, c := range map[string]*rtmp.Client{"player": player, "publisher": pub.Client} {
		line := l.line("closed", "role", role)
		if line["bytes_in"] != float64(c.Conn().BytesWritten()) || line["bytes_out"] != float64(c.Conn().BytesRead()) {
			t.Errorf("%v, and the peer sent %d and got %d bytes", line, c.Conn().BytesWritten(), c.Conn().BytesRead())
		}
	}
	within(t, patience, "nobody is there", func() bool { return len(l.engine.Sessions()) == 0 })
	told := map[string]int{}
	for _, e := range l.engine.Events(0) {
		told[e.Type]++
	}
	for _, typ := range []string{"stream.published", "stream.unpublished", "session.play_started", "session.play_ended"} {
		if told[typ] != 1 {
			t.Errorf("%s is told %d times", typ, told[typ])
		}
	}
	if n := len(l.lines("closed")); n != 2 {
		t.Errorf("%d lines say that a connection was closed", n)
	}
}

// S0-66: while a session lasts its age, its bytes and its rates can be read.
func TestRatesWhileASessionLasts(t *testing.T) {
	l := newLab(t)
	pub := l.publish("live/a")
	pub.configs(t)
	n := 0
	within(t, patience, "it has rates", func() bool {
		pub.write(t, message.TypeVideo, uint32(n*40), frame(n == 0, n, 20_000))
		n++
		s := l.session("publisher")
		return s.InKbps > 0 && s.BytesIn > 20_000 && !s.StartedAt.IsZero() && s.Video == "H.264"
	})
}

// S0-53: a player that takes nothing is still heard: it stops, and has stopped.
func TestBlockedPlayerIsHeard(t *testing.T) {
	l := newLab(t)
	pub := l.publish("live/a")
	pub.configs(t)
	nc := l.plain()
	_ = nc.(*net.TCPConn).SetReadBuffer(4096)
	p := connectOn(t, l, nc, "live")
	p.command(0, "createStream")
	p.command(1, "play", "a", -2000.0)
	p.until("NetStream.Play.Start")
	n := 0
	within(t, patience, "it is behind", func() bool {
		for range 10 {
			pub.write(t, message.TypeVideo, uint32(n*40), frame(n%25 == 0, n, 100_000))
			n++
		}
		return l.session("player").LagMS > 1000
	})
	p.command(1, "closeStream")
	if e := l.event("session.play_ended"); e.Reason != string(config.ReasonPeerClosed) {
		t.Errorf("%+v", e)
	}
}

// S0-67: what came from a peer and was not looked at any more is counted.
func TestUnreadIsCounted(t *testing.T) {
	l := newLab(t)
	p := newRawPlayer(t, l, "live", "a")
	p.until("NetStream.Play.Start")
	header := chunk.Header{CSID: 6, Type: message.TypeAudio, StreamID: 1}
	wire := chunk.AppendMessage(nil, header, []byte{0xaf, 1}, chunk.DefaultSize) // which a player must not send
	const more = 500
	p.write(append(wire, make([]byte, more)...))
	if line := l.line("closed", "reason", string(config.ReasonProtocol)); line["unread"] != float64(more) {
		t.Errorf("%v", line)
	}
}

// said is a message of the server in a few words.
func said(m chunk.Message) string {
	switch m.Type {
	case message.TypeCommand:
		cmd, err := message.ParseCommand(m.Type, m.Payload, amf.DefaultLimits())
		if err != nil {
			return err.Error()
		}
		ps, _ := amf.Properties(cmd.Arg(0))
		code, _ := amf.String(amf.Object(ps).Get("code"))
		return strings.TrimSpace(cmd.Name + " " + code)
	case message.TypeUserControl:
		return "user control"
	case message.TypeSetChunkSize:
		return "chunk size"
	case message.TypeWindowAckSize:
		return "window"
	case message.TypeSetPeerBandwidth:
		return "bandwidth"
	case message.TypeData:
		return "data"
	case message.TypeAudio:
		return "audio"
	case message.TypeVideo:
		return "video"
	}
	return "?"
}

// S2-16, S2-17, C-24, C-27: from connect to media, of an encoder that sends metadata
// late and behind numbers, and of a player. All of the stream comes on the message
// stream that plays.
func TestFromConnectToMedia(t *testing.T) {
	l := newLab(t)
	hear := func(p *rawPlayer, want ...string) {
		t.Helper()
		for _, w := range want {
			m, err := p.r.Next()
			if err != nil {
				t.Fatalf("%v, want %s", err, w)
			}
			if got := said(m); got != w {
				t.Fatalf("heard %q, want %q", got, w)
			}
			if (w == "data" || w == "audio" || w == "video") && m.StreamID != 1 {
				t.Errorf("%s on message stream %d", w, m.StreamID)
			}
		}
	}
	connected := []string{"window", "bandwidth", "chunk size", "_result NetConnection.Connect.Success"}
	enc := connectRaw(t, l, "live")
	hear(enc, connected...)
	for _, name := range []string{"releaseStream", "FCPublish", "createStream"} {
		enc.command(0, name, "a")
		hear(enc, "_result")
	}
	enc.command(1, "publish", "a", "live")
	hear(enc, "onFCPublish NetStream.Publish.Start", "user control", "onStatus NetStream.Publish.Start")
	enc.send(1, 6, message.TypeVideo, 0, avcConfig)
	enc.send(1, 4, message.TypeAudio, 0, aacConfig)
	enc.send(1, 6, message.TypeVideo, 0, frame(true, 0, 100))
	within(t, patience, "it is published", func() bool {
		s, ok := l.stream("a")
		return ok && s.BytesIn >= uint64(len(avcConfig)+len(aacConfig)+100)
	})

	p := connectRaw(t, l, "live")
	hear(p, connected...)
	p.command(0, "createStream")
	hear(p, "_result")
	p.command(1, "play", "a", -2000.0, -1.0, true)
	hear(p, "chunk size", "user control", "onStatus NetStream.Play.Reset", "onStatus NetStream.Play.Start")
	hear(p, "video", "audio", "video")

	info := amf.Append(nil, 0.0, 0.0, "@setDataFrame", "onMetaData", amf.ECMAArray{{Key: "width", Value: 640.0}})
	enc.send(1, 4, message.TypeData, 0, info)
	m, err := p.r.Next()
	if err != nil {
		t.Fatal(err)
	}
	if said(m) != "data" || !bytes.HasPrefix(m.Payload, amf.Append(nil, "onMetaData")) || !bytes.Contains(m.Payload, []byte("width")) {
		t.Errorf("%s % x", said(m), m.Payload)
	}
	enc.command(0, "FCUnpublish", "a")
	enc.command(0, "deleteStream", 1.0)
	hear(enc, "onFCUnpublish NetStream.Unpublish.Success", "_result", "onStatus NetStream.Unpublish.Success")
}

// S0-75, S0-76: in the profile of SRS any command of Flash ends its stream, and of
// nobody else's, and in no other profile; the connection stays.
func TestAnyCommandEndsTheStreamOfFlash(t *testing.T) {
	for name, tt := range map[string]struct {
		profile config.Profile
		fmle    bool
		ends    bool
	}{
		"modern Flash": {config.ProfileModern, false, false},
		"SRS and FMLE": {config.ProfileSRS2, true, false},
		"SRS Flash":    {config.ProfileSRS2, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, vhost(func(v *config.Vhost) { v.Media.Profile = tt.profile }))
			p := connectRaw(t, l, "live")
			p.until("Connect.Success")
			if tt.fmle {
				p.command(0, "releaseStream", "a")
				p.until("_result")
			}
			p.command(0, "createStream")
			p.until("_result")
			p.command(1, "publish", "a", "live")
			p.until("NetStream.Publish.Start")
			p.command(1, "nobodyKnows")
			if tt.ends {
				p.until("NetStream.Unpublish.Success")
			}
			p.until("_result")
			p.command(1, "publish", "a", "live") // which says Start again in any case
			p.until("NetStream.Publish.Start")
			_ = p.nc.Close()
			within(t, patience, "it is gone", func() bool { return len(l.engine.Sessions()) == 0 })
			var published int
			for _, e := range l.engine.Events(0) {
				if e.Type == "stream.published" {
					published++
				}
			}
			if want := map[bool]int{false: 1, true: 2}[tt.ends]; published != want {
				t.Errorf("published %d times, want %d", published, want)
			}
		})
	}
}
