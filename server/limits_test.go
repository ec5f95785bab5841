package server_test

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// limits is a setUp with limits of its own.
func limits(t *testing.T, values ...string) setUp {
	t.Helper()
	var l config.Limits
	for _, value := range values {
		var err error
		name, value, _ := strings.Cut(value, "=")
		if l, err = l.With(name, value); err != nil {
			t.Fatal(err)
		}
	}
	return func(_ *lab, cfg *server.Config) { cfg.Limits = l }
}

// Each limit of a connection ends the one that passes it, for the reason it should, and
// nobody who does the same under the defaults.
//
// S0-39.
func TestLimitsOfAConnection(t *testing.T) {
	t.Parallel()
	many := func(n int, b []byte) func(*lab, *intruder) {
		return func(l *lab, in *intruder) { in.publishes("a").write(bytes.Repeat(b, n)) }
	}
	control := func(typ uint8, n int) []byte { return wire(2, typ, 0, []byte{0, 0, 0, byte(n)}) }
	stranger := func(messages ...[]byte) func(*lab, *intruder) {
		return func(_ *lab, in *intruder) { in.connects().write(messages...) }
	}
	publisher := func(messages ...[]byte) func(*lab, *intruder) {
		return func(_ *lab, in *intruder) { in.publishes("a").write(messages...) }
	}
	picture := func(n int) []byte { return append([]byte{0x27, 1, 0, 0, 0}, make([]byte, n-5)...) }
	nineStreams := func() []byte {
		var b []byte
		for csid := range uint32(9) {
			b = append(b, wire(4+csid, message.TypeData, 1, []byte{5})...)
		}
		return b
	}
	for _, c := range []struct {
		limits string // spaces between them
		attack func(*lab, *intruder)
		reason config.Reason
		always bool // the defaults end it too, later
	}{
		{"handshake_timeout=300ms", func(*lab, *intruder) {}, config.ReasonHandshake, true},
		{"request_timeout=300ms", stranger(), config.ReasonIdle, true},
		{"unauth_bytes=8KiB", stranger(bytes.Repeat(wire(4, 99, 0, make([]byte, 1900)), 5)), config.ReasonTooLarge, false},
		{"unauth_message=2KiB", stranger(wire(4, 99, 0, make([]byte, 2049))), config.ReasonTooLarge, false},
		{"unauth_messages=5", stranger(bytes.Repeat(control(3, 9), 6)), config.ReasonTooLarge, false},
		{"audio_message=4KiB", publisher(wire(4, message.TypeAudio, 1, make([]byte, 4097))), config.ReasonTooLarge, false},
		{"video_message=16KiB", publisher(wire(4, message.TypeVideo, 1, picture(16<<10+1))), config.ReasonTooLarge, false},
		{"other_message=4KiB", publisher(wire(4, message.TypeData, 1, make([]byte, 4097))), config.ReasonTooLarge, false},
		{"chunk_streams=8", publisher(nineStreams()), config.ReasonTooLarge, false},
		{
			"unfinished_messages=2", publisher(begun(5, 9, 1000), begun(6, 9, 1000), begun(7, 9, 1000)),
			config.ReasonTooLarge, false,
		},
		{
			"unfinished_bytes=64KiB audio_message=16KiB video_message=64KiB",
			publisher(begunLong(5), begunLong(6), begunLong(7)), config.ReasonTooLarge, false,
		},
		{"min_chunk_size=128", publisher(control(1, 127)), config.ReasonProtocol, false},
		{"control_rate=10", many(40, control(2, 9)), config.ReasonProtocol, false},
		{"control_rate=10", many(40, control(99, 9)), config.ReasonProtocol, false},
	} {
		t.Run(c.limits, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, limits(t, strings.Fields(c.limits)...))
			in := l.intrude(l.plain())
			c.attack(l, in)
			if !in.closed() {
				t.Error("still open")
			}
			within(t, patience, "it is counted by its reason", func() bool {
				return l.engine.Totals().EndingsTotal[string(c.reason)] == 1
			})
			if c.always {
				return
			}
			l = newLab(t)
			in = l.intrude(l.plain())
			c.attack(l, in)
			in.write(call("_checkbw", 9, nil))
			if said, err := in.hears("_result"); err != nil {
				t.Errorf("the defaults end it too: %v after %q, %v", err, said, l.engine.Totals().EndingsTotal)
			}
		})
	}
}

// begunLong is 30 KB of a message of 50, in whole chunks.
func begunLong(csid uint32) []byte {
	const first, chunks = 12 + 128, 230
	return wire(csid, message.TypeVideo, 1, make([]byte, 50_000))[:first+chunks*(1+128)]
}

// The limits of time and of who says who he is hold before there is a connection.
func TestLimitsOfStrangers(t *testing.T) { // S0-02, R-2.1, R-2.14, R-2.15
	t.Parallel()
	l := newLab(t, secured, proxies, func(_ *lab, cfg *server.Config) {
		cfg.Limits = config.Limits{FirstTimeout: 500 * time.Millisecond, TLSTimeout: 600 * time.Millisecond, ProxyHeaderTimeout: 400 * time.Millisecond}
	})
	for name, in := range map[string]*intruder{
		"half a C1":           {t, l.plain()},
		"half a PROXY header": {t, l.plainTo(l.addr, proxyAddress)},
		"half a ClientHello":  {t, l.plainTo(l.engine.SecureAddrs()[0].String(), strangerAddress)},
	} {
		in.write(map[string][]byte{"half a C1": {3, 0}, "half a PROXY header": []byte("PROXY TCP4 1.2"), "half a ClientHello": []byte("\x16\x03\x01")}[name])
		if !in.closed() {
			t.Errorf("%s: still open", name)
		}
	}
	within(t, patience, "all are counted", func() bool {
		failed := l.engine.Totals().HandshakesTotal
		return failed["timeout"] == 2 && failed["proxy"] == 1
	})
}

// A value that is over a limit is as if it were not there, with what follows it.
func TestLimitsOfValues(t *testing.T) {
	t.Parallel()
	many := make(amf.StrictArray, 65)
	properties := make(amf.Object, 33)
	for i := range properties {
		properties[i] = amf.Property{Key: "k" + string(rune('A'+i)), Value: 1.0}
	}
	deep := amf.Object{{Key: "a", Value: amf.Object{{Key: "b", Value: amf.Object{}}}}}
	for limit, value := range map[string]amf.Value{
		"amf_depth=2": deep, "amf_properties=32": properties, "amf_values=64": many, "amf_string=1KiB": strings.Repeat("x", 1025),
	} {
		t.Run(limit, func(t *testing.T) {
			t.Parallel()
			for _, c := range []struct {
				set  setUp
				seen bool
			}{{limits(t, limit), false}, {limits(t), true}} {
				l := newLab(t, c.set)
				in := l.intrude(l.plain())
				in.connects(amf.Property{Key: "x", Value: value}).asks("publish", "a")
				if said, err := in.hears("NetStream.Publish.Start"); err != nil {
					t.Fatalf("%v after %q", err, said)
				}
				if seen := l.engine.Streams()[0].App == strangeApp; seen != c.seen {
					t.Errorf("the app behind the value is seen: %v, want %v", seen, c.seen)
				}
			}
		})
	}
}

func TestLimitOfMessageStreams(t *testing.T) {
	t.Parallel()
	l := newLab(t, limits(t, "message_streams=1"))
	in := l.intrude(l.plain()).connects()
	in.write(call("createStream", 2, nil), call("createStream", 3, nil))
	if said, err := in.hears("Too many streams."); err != nil {
		t.Errorf("%v after %q", err, said)
	}
}

func TestLimitsOfNamesAndKeys(t *testing.T) {
	t.Parallel()
	l := newLab(t, limits(t, "name_characters=8", "key_failures=2", "key_tarpit=4ms"), vhost(func(v *config.Vhost) { v.PublishPolicy = config.PublishKey }))
	if said := refused(t, l.dial("live/nine_char").Publish(t.Context(), ""), rtmp.CodePublishBadName); !strings.Contains(said, "longer than 8 characters") {
		t.Errorf("said: %s", said)
	}
	begin := time.Now()
	for range 3 {
		refused(t, l.dial("live/"+config.NewStreamKeySecret().Reveal()).Publish(t.Context(), ""), rtmp.CodePublishDenied)
	}
	if r := l.engine.Refusals()[0]; r.Reason != string(config.ReasonRefusedGuessing) {
		t.Errorf("the third wrong key, after %v: %+v", time.Since(begin), r)
	}
}

// A player that may be behind by few bytes loses pictures where others do not.
func TestLimitOfAPlayersQueue(t *testing.T) {
	t.Parallel()
	for limit, loses := range map[string]bool{"queue_bytes=64KiB": true, "queue_bytes=4MiB": false} {
		l := newLab(t, limits(t, limit), vhost(func(v *config.Vhost) { v.Media.QueueMS = 60_000 }))
		pub := l.publish(strangeApp + "/a")
		pub.configs(t)
		_ = pub.WriteMedia(message.TypeVideo, 0, frame(true, 0, 100))
		player := l.play(strangeApp + "/a")
		picture(t, player) // it is where the stream is
		const last = 40
		for n := 1; n <= last; n++ {
			_ = pub.WriteMedia(message.TypeVideo, uint32(n*40), frame(n%5 == 0, n, 50_000))
		}
		within(t, patience, "all has come", func() bool { s, _ := l.strange("a"); return s.BytesIn > last*50_000 })
		for n := 0; n < last; {
			n, _ = picture(t, player)
		}
		if dropped := l.session("player").Dropped; dropped > 0 != loses {
			t.Errorf("%s: lost %d messages", limit, dropped)
		}
	}
}

// A player that takes nothing is ended after the time that is set.
func TestLimitOfABlockedPlayer(t *testing.T) {
	t.Parallel()
	l := newLab(t, limits(t, "blocked_timeout=1s"), vhost(func(v *config.Vhost) { v.Media.QueueMS = 60_000 }))
	pub := l.publish(strangeApp + "/a")
	pub.configs(t)
	in := l.intrude(l.plain()).connects().asks("play", "a")
	if said, err := in.hears("NetStream.Play.Start"); err != nil {
		t.Fatalf("%v after %q", err, said)
	}
	within(t, patience, "it is ended as slow", func() bool {
		for n := range 20 {
			_ = pub.WriteMedia(message.TypeVideo, uint32(n*40), frame(n%5 == 0, n, 100_000))
		}
		return l.engine.Totals().EndingsTotal[string(config.ReasonSlow)] == 1
	})
}

func TestLimitsOfHTTPPlayers(t *testing.T) {
	t.Parallel()
	l := newLab(t, limits(t, "http_url_bytes=1KiB", "websocket_message=1KiB"))
	resp, err := http.Get(l.web.URL + "/live/" + strings.Repeat("a", 1020) + ".flv")
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusRequestURITooLong {
		t.Errorf("a long URL: %s", resp.Status)
	}
	pub := l.publish("live/a")
	pub.configs(t)
	pub.send(t, 0, 3)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	ws, _, err := websocket.Dial(ctx, l.web.URL+"/live/a.flv", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ws.CloseNow() }()
	if err := ws.Write(ctx, websocket.MessageBinary, make([]byte, 1025)); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, _, err = ws.Read(ctx)
	}
	if ctx.Err() != nil {
		t.Error("a long message is taken")
	}
}

// strange returns the engine's view of a stream of intruders.
func (l *lab) strange(name string) (server.StreamInfo, bool) {
	for _, s := range l.engine.Streams() {
		if s.App == strangeApp && s.Name == name {
			return s, true
		}
	}
	return server.StreamInfo{}, false
}

func TestLimitsThatAreWrong(t *testing.T) {
	_, err := server.New(server.Config{Limits: config.Limits{FirstTimeout: time.Millisecond}})
	if err == nil || !strings.Contains(err.Error(), "first_timeout: use a value from 500ms") {
		t.Errorf("got %v", err)
	}
}
