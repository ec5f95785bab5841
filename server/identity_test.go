package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/rtmp"
)

// S4-02: all who connect to one app share one stream, whatever name they send, over RTMP
// and HTTP-FLV alike.
func TestStreamIdentityApp(t *testing.T) {
	l := newLab(t, vhost(func(v *config.Vhost) { v.Media.StreamIdentity = config.IdentityApp }))
	pub := l.publish("room/a")
	pub.configs(t)
	pub.send(t, 0, 3)
	for _, path := range []string{"room/b", "room/", "room", "room/a?x=1"} {
		if n, key := picture(t, l.play(path)); n != 0 || !key {
			t.Errorf("%s: picture %d", path, n)
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, l.web.URL+"/room/other.flv", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	r := flv.NewReader(resp.Body)
	for {
		tag, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if tag.Type == flv.TagVideo && tag.Body[1] == 1 {
			break
		}
	}
	c := l.dial("room/c")
	why := refused(t, c.Publish(t.Context(), ""), rtmp.CodePublishBadName)
	if !strings.Contains(why, "publishes this stream") {
		t.Error(why)
	}
	streams := l.engine.Streams()
	if len(streams) != 1 || streams[0].App != "room" || streams[0].Name != "room" || streams[0].Players != 5 {
		t.Errorf("%+v", streams)
	}
	l.publish("elsewhere/a")
}
