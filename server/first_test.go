package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server/rtmp/message"
)

// What a publisher begins with stands in the log, once a publication.
//
// S2-31.
func TestFirstMediaIsLogged(t *testing.T) {
	l := newLab(t)
	c := l.dial("live/a")
	for range 2 {
		if err := c.Publish(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		p := &publisher{Client: c}
		p.write(t, message.TypeVideo, 7000, avcConfig)
		p.write(t, message.TypeAudio, 7020, sound(0))
		p.send(t, 200, 5)
		if err := c.Unpublish(); err != nil {
			t.Fatal(err)
		}
	}
	type line struct {
		Msg       string `json:"msg"`
		Level     string `json:"level"`
		Kind      string `json:"kind"`
		Codec     string `json:"codec"`
		Timestamp int64  `json:"timestamp"`
		Config    bool   `json:"config"`
	}
	want := []line{
		{"first media", "DEBUG", "video", "H.264", 7000, true},
		{"first media", "DEBUG", "audio", "AAC", 7020, false},
	}
	want = append(want, want...)
	within(t, patience, "four lines", func() bool { return strings.Count(l.log.String(), `"msg":"first media"`) == 4 })
	var got []line
	for text := range strings.Lines(l.log.String()) {
		var s line
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		if s.Msg == "first media" {
			got = append(got, s)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
