package stream

import (
	"fmt"
	"testing"

	"github.com/penstock-media/penstock/server/internal/media"
)

// S0-80d: what is kept begins at the newest key frame, whatever the codec, and is given up
// when sound goes on alone.
func TestKeptPictures(t *testing.T) {
	for _, head := range []byte{0x17, 0x1C, 0x90} { // AVC, HEVC of old, Enhanced RTMP
		t.Run(fmt.Sprintf("%x", head), func(t *testing.T) {
			picture := func(ms uint32, key bool) media.Packet {
				p := frame(ms, 20)
				p.Key, p.Payload[0] = key, head
				return p
			}
			l := newLog()
			fill(l, picture(0, true), picture(40, false), sound(45, 9), picture(80, true), picture(120, false))
			if got := keptTimes(l); len(got) != 2 || got[0] != 80 {
				t.Fatalf("kept from %v", got)
			}
			last := uint32(120)
			until := last + uint32(keyPatience.Milliseconds())
			for ms := last + 20; ms < until; ms += 20 {
				fill(l, sound(ms, 9))
			}
			if got := keptTimes(l); got[0] != 80 || !l.keyed() {
				t.Fatalf("given up too soon: kept from %v", got[:1])
			}
			fill(l, sound(until+20, 9), sound(until+40, 9))
			if got := keptTimes(l); got[0] != until+20 || l.keyed() {
				t.Errorf("kept from %v", got[:1])
			}
			if len(l.fileHeader(true, true)) == 0 || l.fileHeader(true, true)[4] != 0x04 {
				t.Error("the file header promises video")
			}
			// The picture comes back: at a key frame.
			fill(l, picture(until+60, false), picture(until+100, true), picture(until+140, false))
			if got := keptTimes(l); len(got) != 2 || got[0] != until+100 {
				t.Errorf("then kept %v", got)
			}
		})
	}
}

// C-41: a configuration for video that never comes counts for none after a while.
func TestVideoThatNeverComes(t *testing.T) {
	l := newLog()
	fill(l, videoConfig(0, 1), audioConfig(0, 1))
	var over uint32
	for ms := uint32(0); ms < 5000 && l.video; ms += 20 {
		fill(l, sound(ms, 9))
		over = ms
	}
	if want := uint32(configPatience.Milliseconds()); over != want {
		t.Errorf("after %d ms, want %d", over, want)
	}
}
