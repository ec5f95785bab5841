package server_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

func TestPlayerBeginsAtTheKeyFrame(t *testing.T) { // S0-52, S4-12, S4-18, S4-27
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

func TestPlayersStayForTheGap(t *testing.T) { // S4-24
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

func TestSlowReaderHarmsNobody(t *testing.T) { // S4-21
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

func TestStreamInfoSaysWhatIsPublished(t *testing.T) { // S0-41, S0-66
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
