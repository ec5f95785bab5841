package server_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/penstock-media/penstock/server/rtmp/message"
)

// Fifty apps, in each a stream of the same name, with a publisher and a player: each
// player gets its own app's pictures, a publisher gets none, and what is over is gone.
//
// S4-20, S4-23, S4-28.
func TestStreamsStayApart(t *testing.T) {
	l := newLab(t)
	const apps, pictures = 50, 20
	publishers := make([]*publisher, apps)
	heard := make(chan string, 1)
	for i := range publishers {
		c := l.dial(fmt.Sprintf("app%d/cam", i))
		if err := c.Publish(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		p := &publisher{Client: c, end: make(chan error, 1)}
		publishers[i] = p
		go func() {
			for {
				m, err := c.ReadMedia()
				if err != nil {
					p.end <- err
					return
				}
				select {
				case heard <- fmt.Sprintf("publisher %d got a message of type %d", i, m.Type):
				default:
				}
			}
		}()
	}
	var all sync.WaitGroup
	for i, p := range publishers {
		player := l.play(fmt.Sprintf("app%d/cam", i))
		all.Go(func() {
			p.configs(t)
			for n := range pictures {
				p.write(t, message.TypeVideo, uint32(n*40), frame(n == 0, i*1000+n, 0))
			}
		})
		all.Go(func() {
			for n := range pictures {
				if got, _ := picture(t, player); got != i*1000+n {
					t.Errorf("the player of app %d got picture %d, want %d", i, got, i*1000+n)
					return
				}
			}
			_ = player.Close()
		})
	}
	all.Wait()
	if got := len(l.engine.Streams()); got != apps {
		t.Errorf("%d streams, want %d", got, apps)
	}
	for _, p := range publishers {
		_ = p.Close()
		receive(t, p.end, "the end of a publisher")
	}
	select {
	case what := <-heard:
		t.Error(what)
	default:
	}
	within(t, patience, "nothing is left of the streams", func() bool {
		return len(l.engine.Sessions()) == 0 && len(l.engine.Streams()) == 0
	})
}
