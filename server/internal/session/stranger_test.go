package session

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
)

// journal keeps the log's lines.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer // guarded by mu
}

// Write implements io.Writer.
func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

// last is the last line with a message.
func (j *journal) last(t *testing.T, msg string) (found map[string]any) {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	for text := range strings.Lines(j.text.String()) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		if line["msg"] == msg {
			found = line
		}
	}
	return found
}

// newJournal are rooms whose log is kept, and whose default vhost is changed. A
// peer has the first time to say something.
func newJournal(t *testing.T, first time.Duration, change func(*config.Vhost)) (*rooms, *journal) {
	t.Helper()
	j := &journal{}
	r := newRooms(t, func(c *Config) {
		c.Logger = slog.New(slog.NewJSONHandler(j, &slog.HandlerOptions{Level: slog.LevelDebug}))
		c.Limits.FirstTimeout, c.Limits.TLSTimeout = first, first
	})
	v := config.NewVhost(config.DefaultVhost)
	v.PublishPolicy = config.PublishOpen
	change(&v)
	snap, err := config.New(2, []config.Vhost{v}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.roster.Adopt(t.Context(), snap)
	return r, j
}

// Who speaks something else is told apart, with and without TLS.
func TestStrangersAreToldApart(t *testing.T) {
	const http, proxy, rtmp1 = "GET / HTTP/1.1\r\n\r\n", "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n", "\x03\x00\x00\x00\x00\x00"
	for _, tt := range []struct {
		secure            bool
		says, reason, why string
	}{
		{false, http, "handshake", "speaks HTTP"},
		{false, "\x16\x03\x01\x00\x05hello", "handshake", "speaks TLS"},
		{false, proxy, "handshake", "PROXY"},
		{false, "\x06\x00\x00\x00", "handshake", "RTMPE"},
		{false, "\x01\x02\x03\x04", "handshake", "0x01"},
		{false, rtmp1, "handshake", "in time"},
		{true, http, "handshake", "plain HTTP"},
		{true, proxy, "handshake", "PROXY"},
		{true, rtmp1, "handshake", "plain RTMP"},
		{true, "\x00\x00\x00\x00\x00\x00", "handshake", "does not speak TLS"},
		{true, "\x16\x03", "handshake", "in time"},
	} {
		first := 30 * time.Second
		if tt.why == "in time" {
			first = 100 * time.Millisecond
		}
		r, j := newJournal(t, first, func(*config.Vhost) {})
		client, peer := net.Pipe()
		if tt.secure {
			peer = tls.Server(peer, &tls.Config{MinVersion: tls.VersionTLS12})
		}
		over := make(chan struct{})
		go func() { defer close(over); r.Serve(context.Background(), peer) }()
		go func() {
			_, _ = client.Write([]byte(tt.says))
			for b := make([]byte, 4096); ; {
				if _, err := client.Read(b); err != nil {
					return
				}
			}
		}()
		select {
		case <-over:
		case <-time.After(30 * time.Second):
			t.Fatalf("%q is not closed", tt.says)
		}
		_ = client.Close()
		line := j.last(t, "closed")
		if why, _ := line["detail"].(string); line["reason"] != tt.reason || !strings.Contains(why, tt.why) {
			t.Errorf("%q, secure %v: %v, want %q", tt.says, tt.secure, line, tt.why)
		}
	}
}

// helloOf begins a connection: handshake, and connect with arguments behind it.
func helloOf(tcURL, app string, args ...amf.Value) []byte {
	wire := make([]byte, 1+2*1536)
	wire[0] = 3
	values := append([]amf.Value{"connect", 1.0, amf.Object{{Key: "app", Value: app}, {Key: "tcUrl", Value: tcURL}}}, args...)
	h := chunk.Header{CSID: chunk.CommandCSID, Type: 20}
	return chunk.AppendMessage(wire, h, amf.Append(nil, values...), chunk.DefaultSize)
}

// An edge of SRS says who it is, and is let in as SRS does; a tcUrl that says nothing
// is refused in that profile.
func TestEdgeOfSRSIsLogged(t *testing.T) {
	r, j := newJournal(t, 0, func(v *config.Vhost) { v.Media.Profile = config.ProfileSRS2 })
	edge := amf.Object{{Key: "srs_server_ip", Value: "192.0.2.9"}, {Key: "srs_version", Value: "2.0.1"}, {Key: "srs_pid", Value: 77.0}, {Key: "srs_id", Value: 5.0}}
	r.lives(t, helloOf("rtmp://user:sk_secret@h.example:1936/live?key=sk_secret", "live", edge))
	if got := j.last(t, "edge")["edge"]; got != "192.0.2.9, version 2.0.1, pid 77, id 5" {
		t.Errorf("edge is %v", got)
	}
	if line := j.last(t, "connected"); line["port"] != 1936.0 || strings.Contains(line["tc_url"].(string), "secret") {
		t.Errorf("%v", line)
	}
	if line := j.last(t, "closed"); line["reason"] != "peer_closed" {
		t.Errorf("%v", line)
	}
	r.lives(t, helloOf("", "live", amf.Object{{Key: "srs_pid", Value: -1.0}}))
	if line := j.last(t, "closed"); line["reason"] != "refused_name" || !strings.Contains(line["detail"].(string), "2006") {
		t.Errorf("%v", line)
	}
}

// Each reason has a code that encoders and players know, and words.
func TestWordsOfEndings(t *testing.T) {
	for reason, want := range map[config.Reason][2]string{
		config.ReasonStreamBusy:     {rtmp.CodePublishBadName, rtmp.CodePlayFailed},
		config.ReasonReplaced:       {rtmp.CodePublishBadName, rtmp.CodePlayFailed},
		config.ReasonRefusedKey:     {rtmp.CodePublishDenied, rtmp.CodePlayFailed},
		config.ReasonStreamNotFound: {rtmp.CodePublishDenied, rtmp.CodePlayStreamNotFound},
		config.ReasonCompleted:      {rtmp.CodePublishDenied, rtmp.CodePlayStop},
		config.ReasonStreamEnded:    {rtmp.CodePublishDenied, rtmp.CodePlayUnpublishNotify},
	} {
		end := roster.Ending{Reason: reason}
		pub, play := publishError(end), playError(end)
		if pub.Code != want[0] || play.Code != want[1] || pub.Description != string(reason) || play.Description != string(reason) {
			t.Errorf("%s: %+v, %+v", reason, pub, play)
		}
	}
}

// A further playing of a connection is ended alone, and said so; the log has a line
// of what goes on.
func TestFurtherPlayingIsEndedAlone(t *testing.T) {
	r, j := newJournal(t, 0, func(*config.Vhost) {})
	client, server := net.Pipe()
	over := make(chan struct{})
	go func() { defer close(over); r.Serve(context.Background(), server) }()
	wire := helloOf("rtmp://h.example/live", "live")
	for _, c := range []struct {
		id     uint32
		values []amf.Value
	}{
		{0, []amf.Value{"createStream", 2.0, nil}},
		{0, []amf.Value{"createStream", 3.0, nil}},
		{1, []amf.Value{"publish", 0.0, nil, "b"}},
		{2, []amf.Value{"play", 0.0, nil, "b.flv"}},
		{2, []amf.Value{"pause", 0.0, nil, true}},
		{2, []amf.Value{"receiveAudio", 0.0, nil, false}},
		{2, []amf.Value{"receiveVideo", 0.0, nil, true}},
		{2, []amf.Value{"seek", 0.0, nil, 5.0}},
		{2, []amf.Value{"pause", 0.0, nil, false}},
	} {
		h := chunk.Header{CSID: chunk.CommandCSID, Type: 20, StreamID: c.id}
		wire = chunk.AppendMessage(wire, h, amf.Append(nil, c.values...), chunk.DefaultSize)
	}
	go func() { _, _ = client.Write(wire) }()
	heard := make(chan string, 1000)
	go func() {
		defer close(heard)
		for b := make([]byte, 4096); ; {
			n, err := client.Read(b)
			if err != nil {
				return
			}
			heard <- string(b[:n])
		}
	}()
	until := func(words string) {
		t.Helper()
		timeout := time.After(30 * time.Second)
		for all := ""; !strings.Contains(all, words); {
			select {
			case s, ok := <-heard:
				if all += s; !ok {
					t.Fatalf("the end in place of %q", words)
				}
			case <-timeout:
				t.Fatalf("%q is not said", words)
			}
		}
	}
	until(rtmp.CodeUnpauseNotify)
	r.roster.Sample(time.Second)
	for _, s := range r.roster.Sessions() {
		if s.Role == roster.Player {
			r.roster.Find(s.ID).End(config.ReasonKicked, "Only the playing.")
		}
	}
	until("Only the playing.")
	if left := r.roster.Sessions(); len(left) != 1 || left[0].Role != roster.Publisher {
		t.Errorf("left: %+v", left)
	}
	_ = client.Close()
	<-over
	r.empty(t)
	if line := j.last(t, "ended"); line["role"] != roster.Publisher {
		t.Errorf("%v", line)
	}
}
