package server_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/internal/media"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// What a file holds is what players get, byte for byte, over each protocol.
//
// S0-80d.
func TestSamplesPlayByteExact(t *testing.T) {
	for _, path := range []string{
		"samples/gen/h264_bframes_aac.flv", "samples/gen/h263_speex.flv", "samples/gen/audio_only_mp3.flv",
		"samples/gen/large_keyframe.flv", "samples/gen/ts_cross_24bit.flv", "samples/gen/video_only_h264.flv",
		"samples/eflv/enhanced_hevc_aac.flv", "samples/eflv/enhanced_av1_opus.flv",
		"samples/eflv/enhanced_multitrack_h264_hevc.flv", "samples/real/srs-bench_bbb.flv",
	} {
		t.Run(filepath.Base(path), func(t *testing.T) { byteExact(t, tags(t, path)) })
	}
}

func byteExact(t *testing.T, file []flv.Tag) {
	t.Helper()
	l := newLab(t, vhost(func(v *config.Vhost) { v.Media.QueueMS, v.Media.MultitrackToPlayers = 60_000, config.MultitrackAll }))
	pub := l.publish("live/a")
	player := l.play("live/a")
	readers := map[string]func() (message.Media, error){
		"rtmp":     player.ReadMedia,
		"http-flv": tagReader(l.get("live/a.flv").Body),
		"ws-flv":   tagReader(l.webSocket("live/a.flv")),
	}
	within(t, patience, "three players are on", func() bool { return l.engine.Totals().Players == 3 })
	first, want := fromKeyFrame(file)
	for _, tag := range file[:first+1] {
		pub.write(t, tag.Type, tag.Timestamp, tag.Body)
	}
	for protocol, next := range readers {
		got := nextCoded(t, protocol, next, want[0].Body)
		if !bytes.Equal(got.Payload, want[0].Body) {
			t.Fatalf("%s: the first message has %d bytes, want %d", protocol, len(got.Payload), len(want[0].Body))
		}
	}
	go func() {
		for _, tag := range file[first+1:] {
			if pub.WriteMedia(tag.Type, tag.Timestamp, tag.Body) != nil {
				return
			}
		}
	}()
	for protocol, next := range readers {
		last := map[uint8]uint32{}
		for i, w := range want[1:] {
			got := nextMedia(t, protocol, next)
			if got.Type != w.Type || !bytes.Equal(got.Payload, w.Body) {
				t.Fatalf("%s: message %d is type %d with %d bytes, want type %d with %d bytes",
					protocol, i+1, got.Type, len(got.Payload), w.Type, len(w.Body))
			}
			if got.Timestamp < last[got.Type] {
				t.Errorf("%s: message %d goes back from %d to %d ms", protocol, i+1, last[got.Type], got.Timestamp)
			}
			last[got.Type] = got.Timestamp
		}
	}
}

// fromKeyFrame finds where a player can begin in a file, and what audio and video
// it gets from there on: all but what is empty.
func fromKeyFrame(file []flv.Tag) (first int, want []flv.Tag) {
	begins := func(typ uint8) int {
		for i, tag := range file {
			p := media.New(kindOf(tag.Type), 0, tag.Body)
			if tag.Type == typ && !p.Config && !p.Empty && (p.Key || typ == flv.TagAudio) {
				return i
			}
		}
		return -1
	}
	if first = begins(flv.TagVideo); first < 0 {
		first = begins(flv.TagAudio)
	}
	for _, tag := range file[first:] {
		if tag.Type != flv.TagData && !media.New(kindOf(tag.Type), 0, tag.Body).Empty {
			want = append(want, tag)
		}
	}
	return first, want
}

func kindOf(typ uint8) media.Kind {
	if typ == flv.TagVideo {
		return media.Video
	}
	return media.Audio
}

// nextMedia reads past data messages.
func nextMedia(t *testing.T, protocol string, next func() (message.Media, error)) message.Media {
	t.Helper()
	for {
		m, err := next()
		if err != nil {
			t.Fatalf("%s: %v", protocol, err)
		}
		if m.Type != message.TypeData {
			return m
		}
	}
}

// nextCoded reads past decoder configurations too, to the first message that is
// as long as the one looked for.
func nextCoded(t *testing.T, protocol string, next func() (message.Media, error), like []byte) message.Media {
	t.Helper()
	for {
		if m := nextMedia(t, protocol, next); len(m.Payload) == len(like) {
			return m
		}
	}
}
