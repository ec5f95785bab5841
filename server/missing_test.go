package server_test

import (
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// C-41: a track that was announced, or comes late, holds nobody up: players have what
// there is, and the rest when it comes.
func TestNobodyWaitsForATrack(t *testing.T) {
	t.Parallel()
	const a, v = message.TypeAudio, message.TypeVideo
	videoOnly := func(n int, step uint32) (all []stamped) {
		for i := range uint32(n) {
			all = append(all, stamped{v, i * step})
		}
		return all
	}
	for name, sent := range map[string][]stamped{
		"an audio configuration and video alone": videoOnly(100, 40),
		"video at time 0, then audio":            append(videoOnly(125, 0), stamped{a, 5000}, stamped{a, 5023}, stamped{v, 5040}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, stamps(config.TimestampsOff, config.ATCOff))
			p := l.publish("live/a")
			p.configs(t)
			players := l.audience("a")
			for i, m := range sent {
				body := frame(i == 0, i, 0)
				if m.typ == a {
					body = sound(i)
				}
				p.write(t, m.typ, m.at, body)
			}
			for protocol, next := range players {
				for i, got := range told(t, protocol, next, len(sent)) {
					if got != sent[i] {
						t.Fatalf("%s: message %d is %v, want %v", protocol, i, got, sent[i])
					}
				}
			}
		})
	}
	t.Run("a video configuration and sound alone", func(t *testing.T) {
		t.Parallel()
		l := newLab(t)
		p := l.publish("live/a")
		p.configs(t)
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() { // 23 ms of stream time in 5
			defer close(stopped)
			tick := time.NewTicker(5 * time.Millisecond)
			defer tick.Stop()
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				case <-tick.C:
					_ = p.WriteMedia(a, uint32(i)*23, sound(i))
				}
			}
		}()
		defer func() {
			close(stop)
			<-stopped
		}()
		players := l.audience("a")
		for protocol, next := range players {
			if m := coded(t, protocol, next); m.Type != a {
				t.Errorf("%s: the first message is of type %d", protocol, m.Type)
			}
		}
	})
}
