package rtmp

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/rtmp/chunk"
)

const (
	sayCreate  = `command@0 "createStream" 2 null`
	sayPublish = `command@1 "publish" 3 null "cam" "live"`
	sayPlay    = `command@1 "play" 3 null "cam"`
)

var hearPublishing = []string{
	`command@0 "_result" 2 null 1`,
	`user 0 1`,
	`command@1 "onStatus" 0 null {"level": "status", "code": "NetStream.Publish.Start", "description": "Publishing."}`,
}

var hearPlaying = []string{
	`command@0 "_result" 2 null 1`,
	`chunksize 60000`,
	`user 0 1`,
	`command@1 "onStatus" 0 null {"level": "status", "code": "NetStream.Play.Start", "description": "Playing."}`,
}

// publishing returns a peer that publishes.
func publishing(tb testing.TB, cfg Config) (*peer, *Conn) {
	tb.Helper()
	p, c := connected(tb, cfg)
	p.say(sayCreate, sayPublish)
	req, err := nextRequest(c)
	if err != nil {
		tb.Fatal(err)
	}
	if err := c.AcceptPublish(req.(*PublishRequest)); err != nil {
		tb.Fatal(err)
	}
	p.expect(hearPublishing...)
	return p, c
}

// playing returns a peer that plays.
func playing(tb testing.TB, cfg Config) (*peer, *Conn) {
	tb.Helper()
	p, c := connected(tb, cfg)
	p.say(sayCreate, sayPlay)
	req, err := nextRequest(c)
	if err != nil {
		tb.Fatal(err)
	}
	if err := c.AcceptPlay(req.(*PlayRequest), 60_000); err != nil {
		tb.Fatal(err)
	}
	p.expect(hearPlaying...)
	return p, c
}

// reading reads media until the connection ends, and returns how it did.
func reading(c *Conn) <-chan error {
	ended := make(chan error, 1)
	go func() {
		for {
			if _, err := readMedia(c); err != nil {
				ended <- err
				return
			}
		}
	}()
	return ended
}

// S2-11, C-16: acks count modulo 2^32 and come twice a window; tiny windows are taken
// for 64 KiB.
func TestAcks(t *testing.T) {
	for _, base := range []uint64{0, 0x7FFFFF00, 0xEFFFFF00, 0xFFFFFF00} {
		for _, size := range []int{1, 65536, 200_000} {
			t.Run(fmt.Sprintf("from %x, window %d", base, size), func(t *testing.T) {
				p, c := publishing(t, Config{})
				c.ackBase = base
				ended := reading(c)
				p.say(fmt.Sprintf("window %d", size), "chunksize 4096")
				// One long message: acks come while it is under way.
				payload := make([]byte, 1<<20)
				p.write(chunk.AppendMessage(nil, chunk.Header{CSID: 6, Type: 9, StreamID: 1}, payload, p.size))
				p.say("user 6 1")
				half := uint32(max(size, smallestWindow) / 2)
				last := uint32(base)
				for {
					heard := p.hear()
					if heard == "user 7 1" {
						break
					}
					var n uint32
					if _, err := fmt.Sscanf(heard, "ack %d", &n); err != nil {
						t.Fatalf("%s: %v", heard, err)
					}
					if n-last < half {
						t.Errorf("ack %d bytes after the last, window/2 is %d", n-last, half)
					}
					last = n
				}
				if got := uint32(c.BytesRead() + base); got-last >= half {
					t.Errorf("last ack at %d of %d", last, got)
				}
				_ = c.Close()
				<-ended
			})
		}
	}
}

func TestNoAckWithoutWindow(t *testing.T) {
	p, c := publishing(t, Config{})
	ended := reading(c)
	p.say("window 100000", "window 0", "video@1 0 17", "chunksize 65536")
	p.write(chunk.AppendMessage(nil, chunk.Header{CSID: 6, Type: 9, StreamID: 1}, make([]byte, 1<<20), 65536))
	p.say("user 6 1")
	p.expect("user 7 1")
	_ = c.Close()
	<-ended
}

func TestControlIsAnswered(t *testing.T) {
	p, c := publishing(t, Config{})
	ended := reading(c)
	p.say("user 6 305419896")
	p.expect("user 7 305419896")
	p.say("bandwidth 5000000 2", "bandwidth 5000000 2", "bandwidth 2500000 0")
	p.expect("window 5000000", "window 2500000")
	p.say("user 3 1 36000000", "user 31 1", "user 27 1", "raw 4@0 0 0006", "raw 4@0 0 ", "raw 3@0 0 00")
	p.expect("user 7 0") // a ping without its time
	p.silent()
	if err := c.StreamBegin(1); err != nil {
		t.Fatal(err)
	}
	if err := c.StreamEOF(1); err != nil {
		t.Fatal(err)
	}
	if err := c.SendStatus(1, Status{Level: LevelStatus, Code: CodePlayStop, Description: "x"}); err != nil {
		t.Fatal(err)
	}
	p.expect("user 0 1", "user 1 1", `command@1 "onStatus" 0 null {"level": "status", "code": "NetStream.Play.Stop", "description": "x"}`)
	if err := c.Ping(); err != nil {
		t.Fatal(err)
	}
	if got := p.hear(); len(got) < 7 || got[:7] != "user 6 " {
		t.Errorf("no ping: %s", got)
	}
	_ = c.Close()
	<-ended
}

// RELIABILITY 2-7: floods of messages that cost an answer end the connection.
func TestFlood(t *testing.T) {
	for _, say := range []string{"user 6 1", "abort 7", "ack 1", "raw 99@0 0 00", `command@0 "x" 0 null`} {
		t.Run(say, func(t *testing.T) {
			p, c := publishing(t, Config{ControlRate: 50})
			ended := reading(c)
			var wire []byte
			for range 300 {
				wire = append(wire, p.wire(say)...)
			}
			_, _ = p.nc.Write(wire) // may be cut off
			if err := within(t, 5*time.Second, ended); !errors.Is(err, ErrProtocol) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestBucket(t *testing.T) {
	now := time.Unix(0, 0)
	b := bucket{rate: 10, level: 20, last: now}
	n := 0
	for b.take(now) {
		n++
	}
	if n != 20 {
		t.Errorf("%d at once", n)
	}
	now = now.Add(time.Second)
	for b.take(now) {
		n++
	}
	if n != 30 {
		t.Errorf("%d after a second", n)
	}
}

func TestIdleTimeout(t *testing.T) {
	p, c := publishing(t, Config{})
	c.SetIdleTimeout(2 * time.Second)
	ended := reading(c)
	for range 5 { // bytes keep it alive
		time.Sleep(500 * time.Millisecond)
		p.say("audio@1 0 af01")
	}
	if err := within(t, 10*time.Second, ended); !IsTimeout(err) {
		t.Error(err)
	}
}

// Whoever takes over sending gets whole messages that are its own.
func TestSetOutput(t *testing.T) {
	p, c := playing(t, Config{})
	var mu sync.Mutex
	var frames [][]byte
	c.SetOutput(func(frame []byte) error {
		mu.Lock()
		defer mu.Unlock()
		frames = append(frames, frame)
		return nil
	})
	events := make(chan Event)
	go func() {
		defer close(events)
		for {
			e, err := c.Next()
			if err != nil {
				return
			}
			events <- e
		}
	}()
	p.say("user 6 7", `command@1 "pause" 0 null true 0`)
	if e := <-events; e.Kind != EventPause || !e.On {
		t.Errorf("%+v", e)
	}
	if err := c.AnswerPause(1, true); err != nil {
		t.Error(err)
	}
	p.silent()
	mu.Lock()
	var all []byte
	for _, f := range frames {
		r := chunk.NewReader(bytes.NewReader(f), 0, chunk.Limits{})
		if _, err := r.Next(); err != nil || int(r.Consumed()) != len(f) {
			t.Errorf("%x is not one message: %v", f, err)
		}
		all = append(all, f...)
	}
	if len(frames) != 3 {
		t.Errorf("%d messages", len(frames))
	}
	mu.Unlock()
	p2 := chunk.NewReader(bytes.NewReader(all), 0, chunk.Limits{})
	for _, want := range []string{"user 7 7", `command@1 "onStatus" 0 null {"level": "status", "code": "NetStream.Pause.Notify", "description": "Paused."}`, "user 1 1"} {
		m, err := p2.Next()
		if err != nil || line(m) != want {
			t.Errorf("%s, %v", line(m), err)
		}
	}
	boom := errors.New("boom")
	c.SetOutput(func([]byte) error { return boom })
	if err := c.Ping(); !errors.Is(err, boom) {
		t.Errorf("%v", err)
	}
	c.SetOutput(nil)
	if err := c.StreamEOF(1); err != nil {
		t.Fatal(err)
	}
	p.expect("user 1 1")
	_ = c.Close()
	for range events {
	}
}

// Many goroutines send: messages come out whole.
func TestConcurrentWrites(t *testing.T) {
	p, c := playing(t, Config{})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				if err := c.StreamBegin(uint32(i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 400 {
		if got := p.hear(); len(got) < 7 || got[:7] != "user 0 " {
			t.Fatalf("heard %q", got)
		}
	}
	wg.Wait()
}

// A peer that does not read does not hold us for ever, and after a write that
// stopped in a message nothing more is written.
func TestWriteTimeout(t *testing.T) {
	server, client := pair(t)
	if err := client.SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	c := newConn(server, Config{WriteTimeout: 50 * time.Millisecond}.withDefaults())
	big := frame{chunk.Header{CSID: 6, Type: 9}, make([]byte, 16<<20-1)}
	if err := c.send(big); !IsTimeout(err) {
		t.Fatalf("%v", err)
	}
	written := c.BytesWritten()
	if err := c.Ping(); !IsTimeout(err) || c.BytesWritten() != written {
		t.Errorf("%v, %d bytes more", err, c.BytesWritten()-written)
	}
}

// A reconnect request, with and without a place to go.
func TestRequestReconnect(t *testing.T) {
	p, c := publishing(t, Config{})
	if err := c.RequestReconnect("", "Soon."); err != nil {
		t.Fatal(err)
	}
	if err := c.RequestReconnect("rtmp://next/live", ""); err != nil {
		t.Fatal(err)
	}
	p.expect(
		`command@0 "onStatus" 0 null {"level": "status", "code": "NetConnection.Connect.ReconnectRequest", "description": "Soon."}`,
		`command@0 "onStatus" 0 null {"level": "status", "code": "NetConnection.Connect.ReconnectRequest", "description": "", "tcUrl": "rtmp://next/live"}`,
	)
}
