package server_test

import (
	"fmt"
	"testing"

	"github.com/penstock-media/penstock/server/rtmp/message"
)

// Nobody waits for a track that was announced and does not come, for times that stand
// still, or for metadata.
//
// C-27, C-39, C-41, R-2.12.
func TestStreamsThatLackSomething(t *testing.T) {
	t.Parallel()
	for name, publish := range map[string]func(*testing.T, *publisher){
		"sound is configured and never comes": func(t *testing.T, p *publisher) {
			t.Helper()
			p.configs(t)
			for n := range 100 {
				p.write(t, message.TypeVideo, uint32(n*10), frame(n == 0, n, 0))
			}
		},
		"no configuration at all": func(t *testing.T, p *publisher) {
			t.Helper()
			for n := range 100 {
				p.write(t, message.TypeVideo, uint32(n*10), frame(n == 0, n, 0))
			}
		},
		"all pictures at time 0, then sound": func(t *testing.T, p *publisher) {
			t.Helper()
			p.configs(t)
			for n := range 100 {
				p.write(t, message.TypeVideo, 0, frame(n == 0, n, 0))
			}
			p.write(t, message.TypeAudio, 500, sound(1))
		},
		"an empty configuration of the sound before the real one": func(t *testing.T, p *publisher) {
			t.Helper()
			p.write(t, message.TypeAudio, 0, []byte{0xAF, 0})
			p.configs(t)
			for n := range 100 {
				p.write(t, message.TypeAudio, uint32(n*10), sound(n))
				p.write(t, message.TypeVideo, uint32(n*10), frame(n == 0, n, 0))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			early := l.play("live/a")
			web := make(chan string, 1)
			go func() {
				next := tagReader(l.get("live/a.flv").Body)
				for n := 0; n < 100; {
					m, err := next()
					if err != nil {
						web <- fmt.Sprintf("after %d pictures: %v", n, err)
						return
					}
					if m.Type == message.TypeVideo && len(m.Payload) >= 16 && m.Payload[1] == 1 {
						n++
					}
				}
				web <- ""
			}()
			within(t, patience, "both wait", func() bool { s, ok := l.stream("a"); return ok && s.Players == 2 })
			publish(t, l.publish("live/a"))
			for n := range 100 {
				if got, _ := picture(t, early); got != n {
					t.Fatalf("picture %d, want %d", got, n)
				}
			}
			if said := receive(t, web, "the HTTP player's pictures"); said != "" {
				t.Error(said)
			}
			late := l.play("live/a")
			if got, key := picture(t, late); got != 0 || !key {
				t.Errorf("a late player begins with picture %d, key %v", got, key)
			}
		})
	}
}
