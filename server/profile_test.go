package server_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// profile is a setUp for a default vhost with a profile.
func profile(p config.Profile) setUp {
	return vhost(func(v *config.Vhost) { v.Media.Profile = p })
}

// sayConnect opens a connection and sends connect with this object and arguments.
func sayConnect(t *testing.T, l *lab, object amf.Object, args ...amf.Value) *rawPlayer {
	t.Helper()
	p := &rawPlayer{t: t, nc: l.plain()}
	_ = p.nc.SetDeadline(time.Now().Add(patience))
	hello := make([]byte, 1+1536)
	hello[0] = 3
	p.write(hello)
	answer := make([]byte, 1+2*1536)
	if _, err := io.ReadFull(p.nc, answer); err != nil {
		t.Fatal(err)
	}
	p.write(answer[1 : 1+1536])
	p.r = chunk.NewReader(p.nc, 4096, chunk.Limits{})
	p.txn = 1
	cmd := message.Command{Name: "connect", Transaction: 1, Object: object, Args: args}
	h := chunk.Header{CSID: chunk.CommandCSID, Type: message.TypeCommand}
	p.write(chunk.AppendMessage(nil, h, message.AppendCommand(nil, cmd), chunk.DefaultSize))
	return p
}

// next is the next message, and what it is in a word.
func (p *rawPlayer) next() (chunk.Message, string) {
	p.t.Helper()
	m, err := p.r.Next()
	if err != nil {
		return m, "end"
	}
	switch m.Type {
	case message.TypeSetChunkSize:
		return m, "chunk size"
	case message.TypeWindowAckSize:
		return m, "window"
	case message.TypeSetPeerBandwidth:
		return m, "bandwidth"
	case message.TypeUserControl:
		return m, "user control"
	case message.TypeAudio:
		return m, "audio"
	case message.TypeVideo:
		return m, "video"
	}
	values, _ := amf.Decode(m.Payload, amf.DefaultLimits())
	word := ""
	for _, v := range values {
		if s, ok := amf.String(v); ok {
			word = strings.TrimSpace(word + " " + s)
		}
		ps, _ := amf.Properties(v)
		if code, ok := amf.String(amf.Object(ps).Get("code")); ok {
			word += " " + code
		}
	}
	return m, word
}

// words reads until one that begins so, and returns all.
func (p *rawPlayer) words(last string) []string {
	p.t.Helper()
	var out []string
	for {
		_, word := p.next()
		if out = append(out, word); strings.HasPrefix(word, last) || word == "end" {
			return out
		}
	}
}

// The order of the answers through the front door. S0-18, S0-24, S0-25, S0-47, S0-48,
// S2-16, S2-18, S4-04, S4-08.
func TestProfileAnswers(t *testing.T) {
	for name, tt := range map[config.Profile]struct{ connect, play []string }{
		config.ProfileModern: {
			[]string{"window", "bandwidth", "chunk size", "_result NetConnection.Connect.Success"},
			[]string{"_result", "chunk size", "user control", "onStatus NetStream.Play.Start", "video"},
		},
		config.ProfileSRS2: {
			[]string{"window", "bandwidth", "_result NetConnection.Connect.Success", "onBWDone"},
			[]string{
				"_result", "chunk size", "user control", "onStatus NetStream.Play.Reset", "onStatus NetStream.Play.Start",
				"|RtmpSampleAccess", "onStatus NetStream.Data.Start", "video",
			},
		},
		config.ProfileNginx: {
			[]string{"window", "bandwidth", "user control", "chunk size", "_result NetConnection.Connect.Success"},
			[]string{
				"_result", "user control", "onStatus NetStream.Play.Reset", "onStatus NetStream.Play.Start",
				"|RtmpSampleAccess", "onStatus NetStream.Data.Start", "video",
			},
		},
	} {
		t.Run(string(name), func(t *testing.T) {
			l := newLab(t, profile(name))
			pub := l.publish("live/cam")
			pub.configs(t)
			pub.send(t, 0, 2)
			within(t, patience, "media in the stream", func() bool { s, ok := l.stream("cam"); return ok && s.BytesIn > 50 })
			p := sayConnect(t, l, amf.Object{{Key: "app", Value: "live"}, {Key: "tcUrl", Value: l.url("live")}})
			if diff := cmp.Diff(tt.connect, p.words(tt.connect[len(tt.connect)-1])); diff != "" {
				t.Error(diff)
			}
			p.command(0, "createStream")
			p.command(1, "play", "cam")
			if diff := cmp.Diff(tt.play, p.words("video")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// S4-15: the chunk streams that players get media and statuses on.
func TestProfileChunkStreams(t *testing.T) {
	for name, want := range map[config.Profile]map[string]uint32{
		config.ProfileModern: {"audio": 4, "video": 6, "onMetaData": 4, "onStatus NetStream.Play.Start": 5},
		config.ProfileNginx:  {"audio": 6, "video": 7, "onMetaData": 5, "onStatus NetStream.Play.Start": 5},
	} {
		t.Run(string(name), func(t *testing.T) {
			l := newLab(t, profile(name))
			pub := l.publish("live/cam")
			pub.write(t, message.TypeData, 0, amf.Append(nil, "@setDataFrame", "onMetaData", amf.ECMAArray{{Key: "width", Value: 2}}))
			pub.configs(t)
			pub.send(t, 0, 2)
			p := newRawPlayer(t, l, "live", "cam")
			got := make(map[string]uint32)
			for len(got) < len(want) {
				m, word := p.next()
				if word == "end" {
					t.Fatalf("the end, after %v", got)
				}
				if _, ok := want[word]; ok {
					got[word] = m.CSID
					if m.StreamID != 1 {
						t.Errorf("%s on message stream %d", word, m.StreamID)
					}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// S0-06, S0-11, S0-12, S0-15: a vhost with the profile srs2 refuses at connect, with SRS's code; a
// modern one lets in and says why at publish or play.
func TestProfileDecidesAtConnect(t *testing.T) {
	rules := func(p config.Profile) setUp {
		return vhost(func(v *config.Vhost) {
			v.Media.Profile = p
			v.RefererEmpty = config.Deny
			v.RefererRules = []config.RefererRule{
				{ID: "r1", Scope: config.ScopeAll, Action: config.Allow, Pattern: "example.com"},
				{ID: "r2", Scope: config.ScopePlay, Action: config.Allow, Pattern: "elsewhere.org"},
			}
		})
	}
	object := func(tcURL, page string) amf.Object {
		o := amf.Object{{Key: "app", Value: "live"}}
		if tcURL != "" {
			o = append(o, amf.Property{Key: "tcUrl", Value: tcURL})
		}
		return append(o, amf.Property{Key: "pageUrl", Value: page})
	}
	const page = "https://www.example.com:8443/watch"
	srs, modern := newLab(t, rules(config.ProfileSRS2)), newLab(t, rules(config.ProfileModern))
	for name, tt := range map[string]struct {
		says amf.Object
		code string // empty: let in
	}{
		"good":                     {object("rtmp://h/live", page), ""},
		"no tcUrl":                 {object("", page), "2006"},
		"no scheme":                {object("h/live", page), "2006"},
		"no host":                  {object("rtmp:///live", page), "2006"},
		"no app":                   {append(object("rtmp://h/", page), amf.Property{})[1:], "2006"},
		"another page":             {object("rtmp://h/live", "https://evilexample.com/"), "2015"},
		"no page":                  {object("rtmp://h/live", ""), "2015"},
		"a page for players alone": {object("rtmp://h/live", "https://elsewhere.org/"), "2015"},
	} {
		t.Run(name, func(t *testing.T) {
			p := sayConnect(t, srs, tt.says)
			words := p.words("_")
			want := "_result NetConnection.Connect.Success"
			if tt.code != "" {
				want = "_error NetConnection.Connect.Rejected"
				if r := srs.engine.Refusals()[0]; !strings.Contains(r.Detail, "code "+tt.code) {
					t.Errorf("refusal: %+v", r)
				}
			}
			if words[len(words)-1] != want {
				t.Errorf("srs2: %q, want %s", words, want)
			}
			p = sayConnect(t, modern, tt.says)
			words = p.words("_")
			if words[len(words)-1] != "_result NetConnection.Connect.Success" {
				t.Errorf("modern: %q", words)
			}
		})
	}
	for _, e := range srs.engine.Events(0) {
		if e.Type != "stream.refused" {
			t.Errorf("event %s of a connection that was refused at connect", e.Type)
		}
	}
	p := sayConnect(t, modern, object("rtmp://h/live", "https://evilexample.com/"))
	p.command(0, "createStream")
	p.command(1, "play", "cam")
	p.until("NetStream.Play.Failed")

	srs.vhosts[0].Enabled = false
	srs.apply()
	p = sayConnect(t, srs, object("rtmp://h/live", page))
	if words := p.words("_"); words[len(words)-1] != "_error NetConnection.Connect.Rejected" {
		t.Errorf("disabled: %q", words)
	}
	if r := srs.engine.Refusals()[0]; r.Reason != string(config.ReasonRefusedVhost) || !strings.Contains(r.Detail, "code 2014") {
		t.Errorf("disabled: %+v", r)
	}
}

// A vhost that the stream's name names decides what is allowed, and not how that is said.
func TestProfileIsOfConnect(t *testing.T) {
	l := newLab(t, func(l *lab, _ *server.Config) {
		other := config.NewVhost("other")
		other.PublishPolicy, other.Media.Profile = config.PublishOpen, config.ProfileNginx
		l.vhosts = append(l.vhosts, other)
	})
	pub := l.publish("live/cam?vhost=other")
	pub.configs(t)
	pub.send(t, 0, 2)
	p := newRawPlayer(t, l, "live", "cam?vhost=other")
	for {
		m, word := p.next()
		if word == "end" {
			t.Fatal("no picture")
		}
		if strings.HasPrefix(word, "|Rtmp") {
			t.Error("sample access on a connection to a modern vhost")
		}
		if word == "video" {
			if m.CSID != chunk.VideoCSID {
				t.Errorf("video on chunk stream %d", m.CSID)
			}
			break
		}
	}
	if s := l.session("player"); s.Vhost != "other" {
		t.Errorf("vhost %q", s.Vhost)
	}
}

// S0-05, S0-07, S0-10, S0-16, S0-17: what connect says is decoded, logged once, and shown, without
// what may be a secret.
func TestConnectIsShown(t *testing.T) {
	secret := config.NewStreamKeySecret().Reveal()
	l := newLab(t)
	p := sayConnect(t, l, amf.Object{
		{Key: "app", Value: "live"},
		{Key: "flashVer", Value: "LNX 9"},
		{Key: "tcUrl", Value: "rtmp://Live.Example.com/live/" + secret + "?token=abc"},
		{Key: "swfUrl", Value: "rtmp://user:word@h/" + secret},
		{Key: "pageUrl", Value: "http://page.example.com/a?b=abc"},
		{Key: "objectEncoding", Value: 3.0},
	}, amf.Object{
		{Key: "srs_server_ip", Value: "192.0.2.7"},
		{Key: "srs_version", Value: "2.0.263"},
		{Key: "srs_pid", Value: 4711.0},
		{Key: "srs_id", Value: 105.0},
	})
	p.command(0, "createStream")
	p.command(1, "play", "cam")
	p.until("Play.Start")
	s := l.session("player")
	got := fmt.Sprint(s.App, " ", s.TCURL, " ", s.SwfURL, " ", s.PageURL, " ", s.Port, " ", s.ObjectEncoding, " ", s.Edge, " ", s.Vhost)
	want := "live rtmp://Live.Example.com/live/*** rtmp://h/*** http://page.example.com/a 1935 3 " +
		"192.0.2.7, version 2.0.263, pid 4711, id 105 default"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	text := l.log.String()
	line := ""
	for l := range strings.Lines(text) {
		if strings.Contains(l, `"msg":"connected"`) {
			line += l
		}
	}
	for _, part := range []string{
		`"tc_url":"rtmp://Live.Example.com/live/***"`, `"page_url":"http://page.example.com/a"`, `"swf_url":"rtmp://h/***"`,
		`"schema":"rtmp"`, `"host":"live.example.com"`, `"vhost":"default"`, `"port":1935`, `"app":"live"`, `"args":true`,
	} {
		if !strings.Contains(line, part) {
			t.Errorf("%s is not in %s", part, line)
		}
	}
	if strings.Count(line, "\n") != 1 || !strings.Contains(text, "pid 4711, id 105") {
		t.Errorf("the log is %s", text)
	}
	for _, word := range []string{secret, "abc", "word"} {
		if strings.Contains(text, word) {
			t.Errorf("%s is in the log", word)
		}
	}
}

// S4-11, S4-12, S4-14, S0-79: the same metadata again goes to nobody, other metadata to all,
// once and before media, in AMF0 whatever it came in; and so does no empty packet.
func TestMetadataOnce(t *testing.T) {
	meta := func(width float64) []byte {
		return amf.Append(nil, "@setDataFrame", "onMetaData", amf.ECMAArray{{Key: "width", Value: width}})
	}
	l := newLab(t)
	pub := l.publish("live/cam")
	pub.write(t, message.TypeData, 0, meta(1))
	pub.configs(t)
	pub.send(t, 0, 1)
	p := newRawPlayer(t, l, "live", "cam")
	p.until("Play.Start")
	var seen []string
	wait := func(word string) {
		t.Helper()
		for {
			m, w := p.next()
			if len(m.Payload) == 0 {
				t.Errorf("an empty %s", w)
			}
			if w == "onMetaData" {
				values, err := amf.Decode(m.Payload, amf.DefaultLimits())
				if err != nil || bytes.IndexByte(m.Payload, 0x11) >= 0 {
					t.Fatalf("%x: %v", m.Payload, err)
				}
				ps, _ := amf.Properties(values[1])
				w = fmt.Sprint("width ", amf.Object(ps).Get("width"))
			}
			if w == "end" {
				t.Fatalf("the end, after %q", seen)
			}
			if seen = append(seen, w); w == word {
				return
			}
		}
	}
	wait("width 1")
	wait("video")
	for range 3 {
		pub.write(t, message.TypeData, 0, meta(1))
	}
	pub.write(t, message.TypeVideo, 40, nil)
	pub.write(t, message.TypeAudio, 40, nil)
	in3 := amf.AppendAMF3(amf.Append(nil, "@setDataFrame", "onMetaData"), amf.ECMAArray{{Key: "width", Value: 2}})
	pub.write(t, message.TypeDataAMF3, 0, append([]byte{0}, in3...))
	pub.write(t, message.TypeData, 0, meta(3))
	wait("width 3")
	var metas []string
	for i, w := range seen {
		if strings.HasPrefix(w, "width") {
			metas = append(metas, w)
		} else if i == 0 {
			t.Errorf("media before metadata: %q", seen)
		}
	}
	if diff := cmp.Diff([]string{"width 1", "width 2", "width 3"}, metas); diff != "" {
		t.Error(diff)
	}
}
