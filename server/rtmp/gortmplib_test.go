package rtmp

import (
	"context"
	"net/url"
	"testing"
	"time"

	"github.com/bluenviron/gortmplib"
	"github.com/bluenviron/gortmplib/pkg/codecs"
)

// An implementation that is not ours publishes to and plays from Accept.
func TestGortmplib(t *testing.T) {
	l := listen(t)
	relay(t, l)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	dial := func(publish bool) *gortmplib.Client {
		c := &gortmplib.Client{URL: &url.URL{Scheme: "rtmp", Host: l.Addr().String(), Path: "/live/cam"}, Publish: publish}
		if err := c.Initialize(ctx); err != nil {
			t.Fatal(err)
		}
		_ = c.NetConn().SetDeadline(time.Now().Add(10 * time.Second))
		return c
	}
	pub := dial(true)
	track := &gortmplib.Track{Codec: &codecs.G711{MULaw: true, ChannelCount: 1}}
	w := &gortmplib.Writer{Conn: pub, Tracks: []*gortmplib.Track{track}}
	if err := w.Initialize(); err != nil {
		t.Fatal(err)
	}
	play := dial(false)
	defer play.Close()
	const sounds = 50
	for i := range sounds {
		if err := w.WriteG711(track, time.Duration(i)*100*time.Millisecond, []byte{byte(i), 2, 3}); err != nil {
			t.Fatal(err)
		}
	}
	pub.Close()
	r := &gortmplib.Reader{Conn: play}
	if err := r.Initialize(); err != nil {
		t.Fatal(err)
	}
	next := 0
	r.OnDataG711(r.Tracks()[0], func(_ time.Duration, samples []byte) {
		if len(samples) != 3 || int(samples[0]) != next {
			t.Errorf("sound %d is %x", next, samples)
		}
		next++
	})
	for next < sounds {
		if err := r.Read(); err != nil {
			t.Fatalf("after %d: %v", next, err)
		}
	}
}
