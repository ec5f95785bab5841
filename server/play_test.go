package server_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// get starts playing over HTTP.
func (l *lab) get(path string) *http.Response {
	l.t.Helper()
	req, err := http.NewRequestWithContext(l.t.Context(), http.MethodGet, l.web.URL+"/"+path, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// tagReader reads media tags from a flow of FLV bytes.
func tagReader(r io.Reader) func() (message.Media, error) {
	fr := flv.NewReader(bufio.NewReader(r))
	return func() (message.Media, error) {
		tag, err := fr.Next()
		return message.Media{Type: tag.Type, Timestamp: tag.Timestamp, Payload: bytes.Clone(tag.Body)}, err
	}
}

func (l *lab) webSocket(path string) io.Reader {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), 30*time.Second)
	ws, _, err := websocket.Dial(ctx, l.web.URL+"/"+path, nil)
	if err != nil {
		l.t.Fatalf("websocket: %v", err)
	}
	ws.SetReadLimit(64 << 20)
	l.t.Cleanup(func() { _ = ws.CloseNow(); cancel() })
	return websocket.NetConn(ctx, ws, websocket.MessageBinary)
}

func TestPlayerBeginsAtTheKeyFrame(t *testing.T) { // S0-52
	l := newLab(t)
	witness := l.play("live/a")
	pub := l.publish("live/a")
	meta := amf.Append(nil, "@setDataFrame", "onMetaData", amf.ECMAArray{{Key: "width", Value: 320.0}})
	pub.write(t, message.TypeData, 0, meta)
	pub.configs(t)
	pub.send(t, 0, 10)
	pub.send(t, 10, 5)
	until(t, witness, 14)

	player := l.play("live/a")
	var kinds []string
	for {
		m, err := player.ReadMedia()
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case m.Type == message.TypeData:
			kinds = append(kinds, "meta")
		case bytes.Equal(m.Payload, avcConfig):
			kinds = append(kinds, "video config")
		case bytes.Equal(m.Payload, aacConfig):
			kinds = append(kinds, "audio config")
		case m.Type == message.TypeVideo:
			if n := numberOf(m.Payload); n != 10 {
				t.Errorf("the first picture is %d, want the key frame 10", n)
			}
			got := strings.Join(kinds, ", ")
			if got != "meta, audio config, video config" && got != "meta, video config, audio config" {
				t.Errorf("before it came %s", got)
			}
			return
		default:
			t.Fatalf("unexpected message: %+v", m)
		}
	}
}

// S0-80b, C-26: what is true of a file only does not reach players, the server's name
// does.
func TestMetadataOfALiveStream(t *testing.T) {
	l := newLab(t)
	pub := l.publish("live/a")
	pub.write(t, message.TypeData, 0, amf.Append(nil, "@setDataFrame", "onMetaData", amf.ECMAArray{
		{Key: "duration", Value: 0.0}, {Key: "width", Value: 640.0}, {Key: "filesize", Value: 0.0},
	}))
	pub.configs(t)
	pub.send(t, 0, 3)
	for protocol, next := range map[string]func() (message.Media, error){
		"rtmp": l.play("live/a").ReadMedia, "http-flv": tagReader(l.get("live/a.flv").Body),
	} {
		m, err := next()
		for err == nil && m.Type != message.TypeData {
			m, err = next()
		}
		if err != nil {
			t.Fatalf("%s: %v", protocol, err)
		}
		want := amf.Append(nil, "onMetaData", amf.ECMAArray{{Key: "server", Value: "Penstock"}, {Key: "width", Value: 640.0}})
		if !bytes.Equal(m.Payload, want) {
			t.Errorf("%s: %q, want %q", protocol, m.Payload, want)
		}
	}
}

func TestPlayerWaitsForThePublisher(t *testing.T) {
	l := newLab(t)
	player := l.play("live/a")
	answered := make(chan *http.Response, 1)
	go func() {
		resp, err := http.Get(l.web.URL + "/live/a.flv")
		if err != nil {
			t.Error(err)
			resp = nil
		}
		answered <- resp
	}()
	within(t, patience, "two players wait", func() bool {
		s, ok := l.stream("a")
		return ok && s.Players == 2 && !s.Live && len(s.Findings) == 1 && s.Findings[0].Code == "no_publisher"
	})
	pub := l.publish("live/a")
	pub.configs(t)
	pub.send(t, 0, 3)
	picture(t, player)
	resp := receive(t, answered, "the HTTP player's answer")
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "video/x-flv" ||
		resp.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("answer: %v %v", resp.Status, resp.Header)
	}
}

func TestNobodyPublishes(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) { v.Media.PlayWaitMS = 500 }))
	player := l.play("live/a")
	_, err := player.ReadMedia()
	refused(t, err, rtmp.CodePlayStreamNotFound)
	resp := l.get("live/a.flv")
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusNotFound || len(body) == 0 {
		t.Errorf("HTTP: %v %q", resp.Status, body)
	}
	if e := l.event("session.play_ended"); e.Reason != string(config.ReasonStreamNotFound) {
		t.Errorf("event: %+v", e)
	}
}

func TestPlayersStayForTheGap(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) { v.Media.PublisherGapMS = 1000 }))
	first := l.publish("live/a")
	first.configs(t)
	first.send(t, 0, 3)
	player := l.play("live/a")
	web := tagReader(l.get("live/a.flv").Body)
	picture(t, player)
	_ = first.Close()
	within(t, patience, "the publisher is gone", func() bool { s, ok := l.stream("a"); return ok && !s.Live })

	second := l.publish("live/a")
	second.configs(t)
	second.send(t, 100, 3)
	for {
		if n, _ := picture(t, player); n >= 100 {
			break
		}
	}
	_ = second.Close()
	begin := time.Now()
	for {
		_, err := player.ReadMedia()
		if err == nil {
			continue
		}
		if !errors.Is(err, rtmp.ErrUnpublished) {
			t.Errorf("the player was told %v", err)
		}
		break
	}
	if gap := time.Since(begin); gap < 800*time.Millisecond {
		t.Errorf("the player was ended after %v", gap)
	}
	for {
		if _, err := web(); err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("the HTTP player's end: %v", err)
			}
			break
		}
	}
	if e := l.event("session.play_ended"); e.Reason != string(config.ReasonStreamEnded) {
		t.Errorf("event: %+v", e)
	}
}

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

func TestSlowReaderHarmsNobody(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) { v.Media.QueueMS = 500 }))
	pub := l.publish("live/a")
	pub.configs(t)
	pub.write(t, message.TypeVideo, 0, frame(true, 0, 0))
	slow := l.play("live/a") // never reads again
	fast := l.play("live/a")
	const pictures, size = 600, 40_000
	begin := time.Now()
	taken := make(chan int, pictures) // the publisher goes no faster than the fast player
	go func() {
		for i := 1; i <= pictures; i++ {
			_ = pub.WriteMedia(message.TypeVideo, uint32(i*40), frame(i%25 == 0, i, size))
			if i > 5 {
				<-taken
			}
		}
	}()
	for last := 0; last < pictures; {
		n, _ := picture(t, fast)
		if n > last+1 {
			t.Fatalf("the fast player misses pictures %d to %d", last+1, n-1)
		}
		if last = n; n > 0 {
			taken <- n
		}
	}
	t.Logf("%d MB in %v beside a player that does not read", pictures*size>>20, time.Since(begin))
	within(t, patience, "it is seen that the other is behind", func() bool {
		for _, s := range l.engine.Sessions() {
			if s.LagMS > 1000 {
				return true
			}
		}
		return false
	})
	_ = slow.Close()
}

func TestRefusedOverHTTP(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) {
		v.PlayPolicy = config.PlayToken
		v.Media.PlayWaitMS = 0
	}))
	resp := l.get("live/a.flv")
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusForbidden || !strings.Contains(string(body), "token") ||
		resp.Header.Get("X-Penstock-Reason") != string(config.ReasonRefusedToken) {
		t.Errorf("answer: %v %q %v", resp.Status, body, resp.Header)
	}
	if r := l.engine.Refusals(); len(r) != 1 || r[0].Protocol != "http-flv" || r[0].Name != "a" {
		t.Errorf("refusals: %+v", r)
	}
	for path, want := range map[string]int{
		"live/a.mp4": http.StatusNotFound, "a.flv": http.StatusNotFound, "": http.StatusNotFound,
	} {
		if resp := l.get(path); resp.StatusCode != want {
			t.Errorf("%q: %v", path, resp.Status)
		}
	}
}

func TestTokenAndVhostOverHTTP(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) { v.Media.PlayWaitMS = 0 }), func(l *lab, _ *server.Config) {
		other := config.NewVhost("other")
		other.PublishPolicy, other.PlayPolicy = config.PublishOpen, config.PlayToken
		other.Hostnames = []string{"tv.example.com"}
		other.RefererRules = []config.RefererRule{{
			ID: "rr_1", Scope: config.ScopePlay, Action: config.Deny, Pattern: "evil.example",
		}}
		l.vhosts = append(l.vhosts, other)
		l.tokens = []config.TokenKey{{ID: "tk1", Secret: "0123456789abcdef0123456789abcdef"}}
	})
	pub := l.publish("live/a?vhost=other")
	pub.configs(t)
	pub.send(t, 0, 3)
	token, err := config.MintToken(l.tokens[0], config.TokenClaims{
		ID: "tok_1", Action: config.ActionPlay, Vhost: "other", App: "live", Stream: "a", ExpiresAt: time.Now().Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(host, query, origin string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, l.web.URL+"/live/a.flv"+query, nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			req.Host = host
		}
		if origin != "" {
			req.Header.Set("Origin", origin)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	tests := []struct {
		host, query, origin string
		want                int
	}{
		{"", "", "", http.StatusNotFound}, // another vhost
		{"", "?vhost=other", "", http.StatusForbidden},
		{"", "?vhost=other&token=" + token, "", http.StatusOK},
		{"tv.example.com", "?token=" + token, "", http.StatusOK},
		{"tv.example.com:8080", "?jwt=" + token, "https://good.example", http.StatusOK},
		{"tv.example.com", "?token=" + token, "https://www.evil.example", http.StatusForbidden},
	}
	for _, tt := range tests {
		if got := ask(tt.host, tt.query, tt.origin); got != tt.want {
			t.Errorf("host %q origin %q: status %d, want %d", tt.host, tt.origin, got, tt.want)
		}
	}
	if strings.Contains(l.log.String(), token) {
		t.Error("a token is in the log")
	}
}

// Under TLS there is no descriptor to share, and under HTTP/2 not even a
// connection of one's own.
func TestPlayOverTLSAndHTTP2(t *testing.T) {
	for _, h2 := range []bool{false, true} {
		l := newLab(t)
		web := httptest.NewUnstartedServer(l.engine.PlayHandler())
		web.EnableHTTP2 = h2
		web.StartTLS()
		t.Cleanup(web.Close)
		pub := l.publish("live/a")
		pub.configs(t)
		pub.send(t, 0, 3)
		ctx, cancel := context.WithCancel(t.Context())
		t.Cleanup(cancel)
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, web.URL+"/live/a.flv", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := web.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if h2 != (resp.ProtoMajor == 2) {
			t.Errorf("protocol %s", resp.Proto)
		}
		next := tagReader(resp.Body)
		for range 4 {
			nextMedia(t, resp.Proto, next)
		}
		if got := l.session("player"); got.Protocol != "http-flv" || got.Name != "a" {
			t.Errorf("session: %+v", got)
		}
		cancel()
		_ = resp.Body.Close()
		within(t, patience, "the player has left", func() bool { return l.engine.Totals().Players == 0 })
	}
}

func TestCORS(t *testing.T) {
	l := newLab(t)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, l.web.URL+"/live/a.flv", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent || resp.Header.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.Contains(resp.Header.Get("Access-Control-Allow-Methods"), "GET") {
		t.Errorf("preflight: %v %v", resp.Status, resp.Header)
	}
}

func TestStreamInfoSaysWhatIsPublished(t *testing.T) {
	l := newLab(t)
	pub := l.publish("live/a")
	for _, tag := range tags(t, "samples/gen/h264_bframes_aac.flv") {
		pub.write(t, tag.Type, tag.Timestamp, tag.Body)
	}
	within(t, patience, "rates and codecs are known", func() bool {
		s, _ := l.stream("a")
		return s.Video != nil && s.Audio != nil && s.InKbps > 0 && len(l.engine.History("default", "live", "a")) > 0
	})
	s, _ := l.stream("a")
	got := fmt.Sprint(*s.Video, *s.Audio)
	if !strings.HasPrefix(got, "{H.264 High") || !strings.Contains(got, "320 180} {AAC LC 44100 2}") {
		t.Errorf("tracks: %s", got)
	}
	if !strings.Contains(s.Agent, "Lavf") {
		t.Errorf("agent %q", s.Agent)
	}
}

// TestHowPlayersLeave: a player that says it stops has stopped; without a word the
// connection is closed, over each protocol alike.
func TestHowPlayersLeave(t *testing.T) {
	const stopped, closed = "The player stopped.", "The peer closed the connection."
	socket := func(leave func(*websocket.Conn)) func(*lab) func() {
		return func(l *lab) func() {
			ws, _, err := websocket.Dial(l.t.Context(), l.web.URL+"/live/a.flv", nil)
			if err != nil {
				l.t.Fatal(err)
			}
			return func() { leave(ws) }
		}
	}
	for name, c := range map[string]struct {
		play func(*lab) (leave func())
		want string
	}{
		"rtmp, in words": {func(l *lab) func() { c := l.play("live/a"); return func() { _ = c.Close() } }, stopped},
		"rtmp, at once":  {func(l *lab) func() { c := l.play("live/a"); return func() { _ = c.Conn().NetConn().Close() } }, closed},
		"http-flv":       {func(l *lab) func() { r := l.get("live/a.flv"); return func() { _ = r.Body.Close() } }, closed},
		"ws-flv, in words": {socket(func(ws *websocket.Conn) {
			_ = ws.Close(websocket.StatusNormalClosure, "")
		}), stopped},
		"ws-flv, at once": {socket(func(ws *websocket.Conn) { _ = ws.CloseNow() }), closed},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.publish("live/a")
			leave := c.play(l)
			within(t, patience, "the player is on", func() bool { return l.engine.Totals().Players == 1 })
			leave()
			if e := l.event("session.play_ended"); e.Reason != string(config.ReasonPeerClosed) || e.Detail != c.want {
				t.Errorf("ended with %s, %q, want %q", e.Reason, e.Detail, c.want)
			}
		})
	}
}

// TestConfigurationIsLoggedOnce: looking again at a revision that is in force is no news.
func TestConfigurationIsLoggedOnce(t *testing.T) {
	l := newLab(t)
	l.revision--
	l.apply() // the same again
	news := func() int { return strings.Count(l.log.String(), `"level":"INFO","msg":"configuration applied"`) }
	if n := news(); n != 1 {
		t.Errorf("the log has it %d times", n)
	}
	l.apply()
	if n := news(); n != 2 {
		t.Errorf("after a change the log has it %d times", n)
	}
}
