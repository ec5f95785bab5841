package stream

import (
	"context"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/internal/media"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The packets of a test stream. Payloads are unique by kind, time and size.

func filled(head byte, time uint32, size int) []byte {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(time) + byte(i*7)
	}
	b[0] = head
	return b
}

func keyFrame(time uint32, size int) media.Packet {
	return media.Packet{Kind: media.Video, Key: true, Time: time, Payload: filled(0x17, time, size)}
}

func frame(time uint32, size int) media.Packet {
	return media.Packet{Kind: media.Video, Time: time, Payload: filled(0x27, time, size)}
}

func sound(time uint32, size int) media.Packet {
	return media.Packet{Kind: media.Audio, Time: time, Payload: filled(0xaf, time, size)}
}

func videoConfig(time uint32, version byte) media.Packet {
	return media.Packet{Kind: media.Video, Config: true, Key: true, Time: time, Payload: []byte{0x17, 0, 0, 0, 0, version}}
}

func audioConfig(time uint32, version byte) media.Packet {
	return media.Packet{Kind: media.Audio, Config: true, Time: time, Payload: []byte{0xaf, 0, version}}
}

func metadata(time uint32, version byte) media.Packet {
	return media.Packet{Kind: media.Data, Meta: true, Time: time, Payload: []byte{2, 0, 10, 'm', version}}
}

func colours(time uint32, version byte) media.Packet {
	return media.Packet{Kind: media.Video, Info: true, Time: time, Payload: []byte{0xd4, 'h', 'v', 'c', '1', version}}
}

// gop returns a second of media: a key frame, frames at 25 a second, sound between.
func gop(start uint32, size int) []media.Packet {
	ps := []media.Packet{keyFrame(start, size), sound(start, 100)}
	for t := start + 40; t < start+1000; t += 40 {
		ps = append(ps, frame(t, size/4), sound(t+5, 100))
	}
	return ps
}

func intro() []media.Packet {
	return []media.Packet{metadata(0, 1), videoConfig(0, 1), audioConfig(0, 1)}
}

// rtmpBytes and flvBytes are what a player must get for packets, each at its own
// time, and metadata at 0.

func rtmpBytes(ps ...media.Packet) []byte {
	var b []byte
	for _, p := range ps {
		h := chunk.Header{CSID: 4, Timestamp: p.Time, Type: 8, StreamID: 1}
		switch p.Kind {
		case media.Video:
			h.CSID, h.Type = 6, 9
		case media.Data:
			h.Type = 18
		case media.Audio:
		}
		if p.Meta {
			h.Timestamp = 0
		}
		b = chunk.AppendMessage(b, h, p.Payload, DefaultChunkSize)
	}
	return b
}

func flvBytes(ps ...media.Packet) []byte {
	var b []byte
	for _, p := range ps {
		time := p.Time
		if p.Meta {
			time = 0
		}
		b = flv.AppendTag(b, map[media.Kind]uint8{media.Audio: 8, media.Video: 9, media.Data: 18}[p.Kind], time, p.Payload)
	}
	return b
}

// at returns packets with their time changed.
func at(time uint32, ps ...media.Packet) []media.Packet {
	out := make([]media.Packet, len(ps))
	for i, p := range ps {
		p.Time = time
		out[i] = p
	}
	return out
}

func join(parts ...[]media.Packet) []media.Packet {
	var all []media.Packet
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

var testID = ID{"vhost", "live", "one"}

// runHub returns a hub that runs until the test ends.
func runHub(tb testing.TB, shards int) *Hub {
	tb.Helper()
	h := NewHub(Config{Shards: shards})
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := h.Run(ctx); err != nil {
			tb.Error(err)
		}
	})
	tb.Cleanup(func() { cancel(); wg.Wait() })
	return h
}

func publish(tb testing.TB, h *Hub, o PublishOptions) *Publication {
	tb.Helper()
	p, err := h.Publish(testID, o)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func write(tb testing.TB, p *Publication, ps ...media.Packet) {
	tb.Helper()
	for _, pkt := range ps {
		if err := p.Write(pkt); err != nil {
			tb.Fatal(err)
		}
	}
}

func attach(tb testing.TB, h *Hub, o SubscribeOptions) *Subscription {
	tb.Helper()
	s, err := h.Attach(testID, o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// pull starts a player without a descriptor.
func pull(tb testing.TB, h *Hub, o SubscribeOptions) *Subscription {
	tb.Helper()
	s := attach(tb, h, o)
	s.Start()
	return s
}

// drained returns all that is there for a player without a descriptor now.
func drained(tb testing.TB, s *Subscription) []byte {
	tb.Helper()
	var all []byte
	for {
		b, err := s.take()
		if err != nil {
			tb.Fatal(err)
		}
		if b == nil {
			return all
		}
		all = append(all, b...)
	}
}

// eventually waits for a condition.
func eventually(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	for deadline := time.Now().Add(10 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			tb.Fatal("in vain: " + what)
		}
	}
}

type packet = media.Packet
