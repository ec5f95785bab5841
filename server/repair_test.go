package server_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// what a camera sends that knows nothing of FLV plays as if it did: start codes,
// parameter sets in key frames alone that are not marked as such, empty units, ADTS.
func TestCameraThatKnowsNoFLV(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	p := l.publish("live/a")
	players := l.audience("a")
	code := []byte{0, 0, 0, 1}
	sps, pps := avcConfig[13:13+22], avcConfig[len(avcConfig)-4:]
	if sps[0] != 0x67 || pps[0] != 0x68 {
		t.Fatalf("parameter sets % x, % x", sps, pps)
	}
	idr, slice := []byte{0x65, 0x88, 0x84}, []byte{0x41, 0x9a, 0x02}
	head := []byte{0x27, 1, 0xff, 0xff, 0xd8}
	p.write(t, message.TypeVideo, 0, slices.Concat(head, code, sps, code, pps, code, idr))
	p.write(t, message.TypeAudio, 0, []byte{0xaf, 1, 0xff, 0xf1, 0x50, 0x80, 1, 0, 0xfc, 0x21})
	p.write(t, message.TypeVideo, 40, slices.Concat(head, []byte{0, 0, 0, 0, 0, 0, 0, 3}, slice))
	want := []message.Media{
		{Type: message.TypeVideo, Payload: slices.Concat(avcConfig[:11], []byte{0, 22}, sps, []byte{1, 0, 4}, pps)},
		{Type: message.TypeVideo, Payload: slices.Concat(
			[]byte{0x17, 1, 0xff, 0xff, 0xd8, 0, 0, 0, 22}, sps, []byte{0, 0, 0, 4}, pps, []byte{0, 0, 0, 3}, idr)},
		{Type: message.TypeAudio, Payload: aacConfig},
		{Type: message.TypeAudio, Payload: []byte{0xaf, 1, 0x21}},
		{Type: message.TypeVideo, Timestamp: 40, Payload: slices.Concat(head, []byte{0, 0, 0, 3}, slice)},
	}
	for protocol, next := range players {
		for i, w := range want {
			m := nextMedia(t, protocol, next)
			if m.Type != w.Type || m.Timestamp != w.Timestamp || !bytes.Equal(m.Payload, w.Payload) {
				t.Errorf("%s: message %d: type %d at %d, % x, want type %d at %d, % x", protocol, i,
					m.Type, m.Timestamp, m.Payload, w.Type, w.Timestamp, w.Payload)
			}
		}
	}
}

// S0-80e, S0-57: decoder configurations that come again reach the players of a vhost
// until it says otherwise, while they play.
func TestReduceSequenceHeader(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	p := l.publish("live/a")
	players := l.audience("a")
	again := func(at uint32) {
		p.write(t, message.TypeVideo, at, avcConfig)
		p.write(t, message.TypeVideo, at, frame(true, int(at), 0))
	}
	configs := func(until, want int) {
		t.Helper()
		for protocol, next := range players {
			for n := 0; ; {
				m := nextMedia(t, protocol, next)
				if m.Type == message.TypeVideo && m.Payload[1] == 0 {
					n++
					continue
				}
				if m.Type == message.TypeVideo && numberOf(m.Payload) == until {
					if n != want {
						t.Errorf("%s: %d configurations before picture %d, want %d", protocol, n, until, want)
					}
					break
				}
			}
		}
	}
	reduce := func(on bool) {
		vhost(func(v *config.Vhost) { v.Media.ReduceSequenceHeader = on })(l, nil)
		l.apply()
	}
	p.configs(t)
	again(0)
	configs(0, 1) // it begins there
	again(40)
	configs(40, 1)
	reduce(true)
	again(80)
	configs(80, 0)
	reduce(false)
	again(120)
	configs(120, 1)
}
