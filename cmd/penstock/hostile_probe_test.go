package main

import (
	"encoding/binary"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// probe is a stream of small messages that carry the time at which they were sent, and
// its player: how late they are is what others make of the server.
type probe struct {
	player *player
	stop   func()

	mu   sync.Mutex
	late []time.Duration // guarded by mu
}

// probe starts publishing a message every ten milliseconds. Nothing of it may get lost.
func (p *program) probe(t *testing.T) *probe {
	t.Helper()
	ctx := within(t, 2*time.Minute)
	client, over, err := startPublishing(ctx, t, p.url("probe"))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	pr := &probe{player: p.playRTMP(ctx, t, p.url("probe"))}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for n := uint32(0); ; n++ {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			b := binary.BigEndian.AppendUint32([]byte{0x2F, 0xFF, 0xFB}, n) // MP3
			b = binary.BigEndian.AppendUint64(b, uint64(time.Since(began)))
			if client.WriteMedia(message.TypeAudio, uint32(time.Since(began).Milliseconds()), b) != nil {
				return
			}
		}
	}()
	pr.stop = sync.OnceFunc(func() {
		close(stop)
		<-stopped
		_ = client.Close()
		<-over
	})
	t.Cleanup(pr.stop)
	// The player notes how late each is at the moment it comes.
	go func() {
		for seen := 0; ; time.Sleep(time.Millisecond) {
			tags := pr.player.got()
			now := time.Since(began)
			for _, tag := range tags[seen:] {
				if sent, ok := sentAt(tag); ok {
					pr.mu.Lock()
					pr.late = append(pr.late, now-sent)
					pr.mu.Unlock()
				}
			}
			seen = len(tags)
			select {
			case <-pr.player.gone:
				return
			default:
			}
		}
	}()
	return pr
}

func sentAt(tag flv.Tag) (sent time.Duration, ok bool) {
	if tag.Type != flv.TagAudio || len(tag.Body) != 15 {
		return 0, false
	}
	return time.Duration(binary.BigEndian.Uint64(tag.Body[7:])), true
}

// lateness is the median and the 99th percentile since it was asked last.
func (p *probe) lateness() (median, p99 time.Duration) {
	p.mu.Lock()
	late := p.late
	p.late = nil
	p.mu.Unlock()
	if len(late) == 0 {
		return 0, 0
	}
	slices.Sort(late)
	return late[len(late)/2], late[len(late)*99/100]
}

// complete fails the test unless everything came, in order.
func (p *probe) complete(t *testing.T) {
	t.Helper()
	before := len(p.player.got())
	eventually(t, 20*time.Second, "the probe's player gets more", func() bool { return len(p.player.got()) > before+20 })
	next := -1
	for _, tag := range p.player.got() {
		if _, ok := sentAt(tag); !ok {
			continue
		}
		n := int(binary.BigEndian.Uint32(tag.Body[3:]))
		if next >= 0 && n != next {
			t.Fatalf("message %d of the probe in place of %d", n, next)
		}
		next = n + 1
	}
}
