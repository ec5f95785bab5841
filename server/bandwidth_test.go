package server_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// measures is a setUp for a vhost that measures bandwidth.
func measures(key string, intervalMS int) setUp {
	return vhost(func(v *config.Vhost) {
		v.BandwidthCheck.Enabled, v.BandwidthCheck.Key = true, config.HashKey(key)
		v.BandwidthCheck.IntervalMS, v.BandwidthCheck.LimitKbps = intervalMS, 800
	})
}

func measured(l *lab, query string) amf.Object {
	return amf.Object{{Key: "app", Value: "live"}, {Key: "tcUrl", Value: l.url("live" + query)}}
}

// S0-19, S0-83, S0-84, S0-85: a client walks the whole check over a socket.
func TestBandwidthCheck(t *testing.T) {
	const key = "a key of four words"
	l := newLab(t, measures(key, 3_600_000))
	p := sayConnect(t, l, measured(l, "?key="+key))
	_ = p.nc.SetDeadline(time.Now().Add(3 * patience))
	p.words("_result")
	var calls []string
	var played, answered int
	fields := map[string]amf.Object{}
	for {
		m, word := p.next()
		if word == "end" {
			break
		}
		if m.Type != message.TypeCommand {
			continue
		}
		cmd, err := message.ParseCommand(m.Type, m.Payload, amf.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		ps, _ := amf.Properties(cmd.Arg(0))
		if cmd.Name == "onSrsBandCheckPlaying" {
			data, _ := amf.String(amf.Object(ps).Get("data"))
			played += len(data)
			continue
		}
		calls, fields[cmd.Name] = append(calls, cmd.Name), ps
		switch cmd.Name {
		case "onSrsBandCheckStartPlayBytes":
			p.command(0, "onSrsBandCheckStartingPlayBytes", nil)
		case "onSrsBandCheckStopPlayBytes":
			p.command(0, "onSrsBandCheckStoppedPlayBytes", nil)
		case "onSrsBandCheckStartPublishBytes":
			p.command(0, "onSrsBandCheckStartingPublishBytes", nil)
			for range 200 { // more than 3 s of 800 kbps
				p.command(0, "onSrsBandCheckPublishing", nil, strings.Repeat("y", 1900))
				answered += 1900
			}
		case "onSrsBandCheckStopPublishBytes":
			p.command(0, "onSrsBandCheckStoppedPublishBytes", nil)
		case "onSrsBandCheckFinished":
			p.command(0, "finalClientPacket", nil)
		}
	}
	want := []string{
		"onSrsBandCheckStartPlayBytes", "onSrsBandCheckStopPlayBytes",
		"onSrsBandCheckStartPublishBytes", "onSrsBandCheckStopPublishBytes", "onSrsBandCheckFinished",
	}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Error(diff)
	}
	number := func(name string) float64 {
		f, _ := amf.Number(fields["onSrsBandCheckFinished"].Get(name))
		return f
	}
	const most = 800 * 3000 / 8
	if number("play_bytes") != float64(played) || played > most+10_000 || played < 20_000 {
		t.Errorf("%d bytes were played, and the server says %v", played, number("play_bytes"))
	}
	if n := number("publish_bytes"); n > most+10_000 || n < 20_000 || n > float64(answered)*1.1 {
		t.Errorf("%v bytes were published", n)
	}
	if k := number("publish_kbps"); k <= 0 || k > 830 || number("end_time") < number("start_time")+6000 {
		t.Errorf("%v", fields["onSrsBandCheckFinished"])
	}
	if e := l.engine.Refusals(); len(e) != 0 {
		t.Errorf("refusals: %+v", e)
	}

	// S0-82: it is nobody's turn for a while, whoever asks.
	p = sayConnect(t, l, measured(l, "?key="+key))
	words := p.words("_")
	if words[len(words)-1] != "_error NetConnection.Connect.Rejected" {
		t.Errorf("a second check: %q", words)
	}
	if r := l.engine.Refusals(); len(r) != 1 || !strings.Contains(r[0].Detail, "rejected") {
		t.Errorf("refusals: %+v", r)
	}
	if strings.Contains(l.log.String(), key) {
		t.Error("the key is in the log")
	}
}

// S0-81: without the key there is no check, and what is no check is not served.
func TestBandwidthKey(t *testing.T) {
	l := newLab(t, measures("k", 1000))
	for _, query := range []string{"", "?key=", "?key=K", "?key=kk", "?token=k"} {
		p := sayConnect(t, l, measured(l, query))
		words := p.words("_")
		if words[len(words)-1] != "_error NetConnection.Connect.Rejected" {
			t.Errorf("%q: %q", query, words)
		}
		if r := l.engine.Refusals()[0]; r.Reason != string(config.ReasonRefusedKey) {
			t.Errorf("%q: %+v", query, r)
		}
	}
}
