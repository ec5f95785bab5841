package server_test

import (
	"encoding/hex"
	"net/http"
	"strings"
	"testing"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// bodies reads the next n audio and video bodies, in hexadecimal.
func bodies(t *testing.T, next func() (message.Media, error), n int) []string {
	t.Helper()
	var got []string
	for len(got) < n {
		m, err := next()
		if err != nil {
			t.Fatalf("after %v: %v", got, err)
		}
		if m.Type != message.TypeData {
			got = append(got, hex.EncodeToString(m.Payload))
		}
	}
	return got
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const (
	hvcConfig  = "9068766331" + "0101"
	hvcKey     = "9168766331" + "000050" + "0000000426010203"
	hvcKeyOld  = "1c01" + "000050" + "0000000426010203"
	hvcOld     = "1c00000000" + "0101"
	secondAVC  = "960061766331" + "01" + "0142"
	secondKey  = "960161766331" + "01" + "000000" + "0000000265b8"
	firstAVC   = "1700000000" + "014d001f"
	firstKey   = "1701000000" + "0000000265b8"
	plainSound = "af012107"
)

// can is a client that says what it can.
func (l *lab) can(path string, c rtmp.Connect) *rtmp.Client {
	l.t.Helper()
	client, err := rtmp.Dial(l.t.Context(), l.url(path), rtmp.DialConfig{Timeout: patience, Connect: c})
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { _ = client.Close() })
	return client
}

func same(t *testing.T, who string, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("%s gets %v, want %v", who, got, want)
	}
}

// C-53: HEVC comes in the form that a player knows, over RTMP and HTTP-FLV.
func TestHEVCInEachForm(t *testing.T) {
	for _, c := range []struct {
		setting      config.HEVCForm
		enhanced     bool // how it is published
		plain, lists []string
	}{
		{config.HEVCAuto, true, []string{hvcConfig, hvcKey}, []string{hvcConfig, hvcKey}},
		{config.HEVCAuto, false, []string{hvcOld, hvcKeyOld}, []string{hvcConfig, hvcKey}},
		{config.HEVCLegacy, true, []string{hvcOld, hvcKeyOld}, []string{hvcOld, hvcKeyOld}},
		{config.HEVCEnhanced, false, []string{hvcConfig, hvcKey}, []string{hvcConfig, hvcKey}},
		{config.HEVCAsPublished, false, []string{hvcOld, hvcKeyOld}, []string{hvcOld, hvcKeyOld}},
	} {
		t.Run(string(c.setting), func(t *testing.T) {
			l := newLab(t, vhost(func(v *config.Vhost) { v.Media.HEVCToPlayers = c.setting }))
			plain := l.play("live/a")
			lists := l.can("live/a", rtmp.Connect{FourCCList: []string{"av01", "hvc1"}})
			maps := l.can("live/a", rtmp.Connect{VideoFourCC: map[string]int{"*": 1}})
			for _, p := range []*rtmp.Client{lists, maps} {
				if err := p.Play(t.Context(), ""); err != nil {
					t.Fatal(err)
				}
			}
			pub := l.publish("live/a")
			sent := []string{hvcOld, hvcKeyOld}
			if c.enhanced {
				sent = []string{hvcConfig, hvcKey}
			}
			for _, body := range sent {
				pub.write(t, message.TypeVideo, 40, unhex(t, body))
			}
			same(t, "a player that lists nothing", bodies(t, plain.ReadMedia, 2), c.plain...)
			same(t, "a player that lists hvc1", bodies(t, lists.ReadMedia, 2), c.lists...)
			same(t, "a player that maps *", bodies(t, maps.ReadMedia, 2), c.lists...)
			same(t, "over HTTP", bodies(t, tagReader(l.get("live/a.flv").Body), 2), c.plain...)
			same(t, "over HTTP with codecs", bodies(t, tagReader(l.get("live/a.flv?codecs=hvc1").Body), 2), c.lists...)
		})
	}
}

// C-50: further tracks come to players that say that they can, and to no others.
func TestMultitrackToWhoCan(t *testing.T) {
	all := []string{firstAVC, secondAVC, firstKey, secondKey, plainSound}
	first := []string{firstAVC, firstKey, plainSound}
	for _, c := range []struct {
		setting    config.Multitrack
		plain, can []string
	}{
		{config.MultitrackAuto, first, all},
		{config.MultitrackAll, all, all},
		{config.MultitrackDefault, first, first},
	} {
		t.Run(string(c.setting), func(t *testing.T) {
			l := newLab(t, vhost(func(v *config.Vhost) { v.Media.MultitrackToPlayers = c.setting }))
			plain := l.play("live/a")
			can := l.can("live/a", rtmp.Connect{CapsEx: rtmp.CapsMultitrack})
			if err := can.Play(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			pub := l.publish("live/a")
			for _, body := range all[:4] {
				pub.write(t, message.TypeVideo, 40, unhex(t, body))
			}
			pub.write(t, message.TypeAudio, 40, unhex(t, plainSound))
			same(t, "a plain player", bodies(t, plain.ReadMedia, len(c.plain)), c.plain...)
			same(t, "a player that can", bodies(t, can.ReadMedia, len(c.can)), c.can...)
			// One that comes later: the configurations first.
			same(t, "over HTTP", bodies(t, tagReader(l.get("live/a.flv").Body), len(c.plain))[:1], firstAVC)
			if got := bodies(t, tagReader(l.get("live/a.flv?codecs=multitrack").Body), len(c.can)); len(got) != len(c.can) {
				t.Errorf("over HTTP with multitrack: %v", got)
			}
		})
	}
}

// C-52: where a vhost is strict, a player that did not list a codec is told so in
// place of getting it, at once or when such a stream begins.
func TestStrictCodecs(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) { v.Media.StrictCodecs = true }))
	early := l.play("live/a")
	pub := l.publish("live/a")
	pub.write(t, message.TypeVideo, 0, unhex(t, hvcConfig))
	pub.write(t, message.TypeVideo, 40, unhex(t, hvcKey))
	for {
		_, err := early.ReadMedia()
		if err != nil {
			refused(t, err, rtmp.CodePlayNoTrack)
			break
		}
	}
	sentence := refused(t, l.dial("live/a").Play(t.Context(), ""), rtmp.CodePlayNoTrack)
	if !strings.Contains(sentence, "hvc1") {
		t.Errorf("the player is told %q", sentence)
	}
	if r := l.engine.Refusals(); len(r) != 1 || r[0].Reason != string(config.ReasonCodec) {
		t.Errorf("refusals: %+v", r)
	}
	if resp := l.get("live/a.flv"); resp.StatusCode != http.StatusNotAcceptable {
		t.Errorf("over HTTP: %s", resp.Status)
	}
	knows := l.can("live/a", rtmp.Connect{FourCCList: []string{"hvc1"}})
	if err := knows.Play(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	same(t, "a player that knows", bodies(t, knows.ReadMedia, 2), hvcConfig, hvcKey)
	same(t, "over HTTP", bodies(t, tagReader(l.get("live/a.flv?codecs=hvc1,av01").Body), 2), hvcConfig, hvcKey)
}

// S0-57: how sockets are set and writes are merged changes for running players of a
// vhost, and for no others.
func TestPlayersAreTunedWhileTheyPlay(t *testing.T) {
	other := config.NewVhost("other")
	l := newLab(t, func(l *lab, _ *server.Config) { l.vhosts = append(l.vhosts, other) })
	pub := l.publish("live/a")
	pub.configs(t)
	player := l.play("live/a")
	web := tagReader(l.get("live/a.flv").Body)
	l.vhosts[0].Media.MergeMS, l.vhosts[0].Media.MergeMinMessages = 5000, 4
	l.vhosts[0].Media.SendBufferBytes, l.vhosts[0].Media.TCPNoDelay = 256<<10, false
	l.apply()
	// Four messages leave long before five seconds are over.
	pub.send(t, 0, 2)
	for name, next := range map[string]func() (message.Media, error){"rtmp": player.ReadMedia, "http": web} {
		if got := bodies(t, next, 6); len(got) != 6 {
			t.Errorf("%s: %v", name, got)
		}
	}
}
