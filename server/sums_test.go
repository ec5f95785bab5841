package server_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// The engine's sums are those of its sessions, to the byte, and no session that ends
// takes any along. What the clients say they sent and got is no less.
//
// S0-88.
func TestTotalsLoseNothing(t *testing.T) {
	l := newLab(t)
	var sent, got atomic.Uint64
	var all sync.WaitGroup
	for i := range 6 {
		name := "live/" + string(rune('a'+i))
		pub := l.publish(name)
		pub.configs(t)
		pub.send(t, 0, 5)
		var audience sync.WaitGroup
		for range 3 {
			audience.Go(func() { // leaves as soon as it saw a picture
				c := l.play(name)
				picture(t, c)
				_ = c.Close()
				sent.Add(c.Conn().BytesWritten())
			})
			audience.Go(func() { // over HTTP, in the middle of a tag
				resp, err := http.Get(l.web.URL + "/" + name + ".flv")
				if err != nil {
					t.Error(err)
					return
				}
				n, _ := io.CopyN(io.Discard, resp.Body, 100)
				_ = resp.Body.Close()
				got.Add(uint64(n))
			})
		}
		all.Go(func() {
			pub.send(t, 5, 50)
			audience.Wait()
			_ = pub.Close()
			<-pub.end
			sent.Add(pub.Conn().BytesWritten())
		})
	}
	all.Wait()
	within(t, patience, "all have left", func() bool { return len(l.engine.Sessions()) == 0 })
	var in, out uint64
	within(t, patience, "a closed line for each session", func() bool {
		in, out = 0, 0
		lines := 0
		for line := range strings.Lines(l.log.String()) {
			var s struct {
				Msg      string `json:"msg"`
				BytesIn  uint64 `json:"bytes_in"`
				BytesOut uint64 `json:"bytes_out"`
			}
			if err := json.Unmarshal([]byte(line), &s); err != nil {
				t.Fatal(err)
			}
			if s.Msg == "closed" {
				lines++
				in, out = in+s.BytesIn, out+s.BytesOut
			}
		}
		return lines == 6*7
	})
	sums := l.engine.Totals()
	if sums.BytesIn != in || sums.BytesOut != out {
		t.Errorf("the sums are %d in and %d out, those of the sessions %d and %d", sums.BytesIn, sums.BytesOut, in, out)
	}
	if in == 0 || in > sent.Load() || out < got.Load() {
		t.Errorf("%d in and %d out; the clients sent %d and got more than %d", in, out, sent.Load(), got.Load())
	}
}
