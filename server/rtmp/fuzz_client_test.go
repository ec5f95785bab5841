package rtmp

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/handshake"
)

// A server may say anything: a client neither panics nor stays.
func FuzzClient(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("testdata", "servers", "*.txt"))
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		p := &peer{tb: f, size: chunk.DefaultSize}
		var wire []byte
		for l := range strings.Lines(string(b)) {
			if said, ok := strings.CutPrefix(strings.TrimSuffix(l, "\n"), "S: "); ok && said != "close" {
				wire = append(wire, p.wire(said)...)
			}
		}
		f.Add(wire, strings.Contains(path, "play"))
	}
	f.Fuzz(func(t *testing.T, said []byte, play bool) {
		hello := make([]byte, 1+2*handshake.Size)
		hello[0] = handshake.Version
		d := &deaf{}
		d.Reset(slices.Concat(hello, said))
		first := true
		c, err := Dial(t.Context(), "rtmp://user:pass@origin.example/live/cam", DialConfig{
			OnStatus: func(Status) {}, Connect: Connect{CapsEx: CapsReconnect},
			DialContext: func(context.Context, string, string) (net.Conn, error) {
				if !first {
					return nil, io.EOF // sent elsewhere, or asked for a login
				}
				first = false
				return d, nil
			},
		})
		if err != nil {
			return
		}
		defer func() { _ = c.Close() }()
		if play {
			_ = c.Play(t.Context(), "")
		} else {
			_ = c.Publish(t.Context(), "")
		}
		for n := 0; !c.broken.Load(); n++ {
			if _, err = c.ReadMedia(); n > len(said) {
				t.Fatalf("more messages than the %d bytes: %v", len(said), err)
			}
		}
		if most := 8000 + 100*len(said); d.written > most {
			t.Errorf("%d bytes of answers to %d", d.written, len(said))
		}
	})
}
