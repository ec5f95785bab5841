package rtmp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/handshake"
)

// counted is a deaf connection that counts how often it is read.
type counted struct {
	deaf
	reads int
}

func (c *counted) Read(p []byte) (int, error) {
	c.reads++
	return c.Reader.Read(p)
}

// A publisher's small messages are taken as many at a time as are there, and none
// waits for more: 5000 of 100 bytes cost a read for each 64 KiB.
//
// S0-80f.
func TestReadsAreMerged(t *testing.T) {
	p := &peer{tb: t, size: chunk.DefaultSize}
	wire := p.wire(sayConnect, `command@0 "createStream" 2 null`, `command@1 "publish" 3 null "cam" "live"`)
	const messages = 5000
	for i := range messages {
		wire = append(wire, p.wire(fmt.Sprintf("audio@1 %d af01%0196x", i, i))...)
	}
	hello := make([]byte, 1+2*handshake.Size)
	hello[0] = handshake.Version
	c := &counted{}
	c.Reset(slices.Concat(hello, wire))
	heard := 0
	serve(c, Config{}, func(format string, _ ...any) {
		if strings.HasPrefix(format, "media ") {
			heard++
		}
	})
	if heard != messages {
		t.Errorf("%d messages, want %d", heard, messages)
	}
	if most := len(wire)/bufferMedia + 8; c.reads > most {
		t.Errorf("%d reads for %d bytes, want %d at most", c.reads, len(wire), most)
	}
}
