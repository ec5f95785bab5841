package main

import (
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/flv"
)

// TestPublisherComesBack: players stay when their publisher leaves and comes back,
// and the stream's time goes on upward.
func TestPublisherComesBack(t *testing.T) {
	t.Parallel()
	files := samples(t, "gen/h264_baseline_aac.flv")
	p := open(t)
	tags := readFLV(t, files[0])
	ctx := within(t, time.Minute)
	overRTMP, overHTTP := p.playRTMP(ctx, t, p.url("again")), p.playHTTP(ctx, t, p.flv("again"))
	publish(ctx, t, p.url("again"), tags, 4)
	publish(ctx, t, p.url("again"), tags, 4)
	for transport, player := range map[string]*player{"RTMP": overRTMP, "HTTP-FLV": overHTTP} {
		played := player.collect()
		once, twice := len(frames(tags)), len(frames(played))
		if twice < 2*once-2*lateJoin(frames(tags)) || twice > 2*once {
			t.Errorf("over %s: %d frames of a stream of %d that was published twice", transport, twice, once)
		}
		for _, typ := range []uint8{flv.TagAudio, flv.TagVideo} {
			if err := neverBack(frames(played), typ); err != nil {
				t.Errorf("over %s: %v", transport, err)
			}
		}
	}
}
