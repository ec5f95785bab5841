package rtmp

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// C-57: a publisher that sends media right after publish is told why it may
// not; it sees the reason and the end, and no reset.
func TestRejectPublish(t *testing.T) {
	p, c := connected(t, Config{})
	p.say(sayCreate, `command@1 "publish" 3 null "cam" "live"`)
	p.write(chunk.AppendMessage(nil, chunk.Header{CSID: 6, Type: 9, StreamID: 1}, make([]byte, 100_000), p.size))
	req, err := nextRequest(c)
	if err != nil {
		t.Fatal(err)
	}
	p.expect(`command@0 "_result" 2 null 1`)
	p.silent() // nothing before the caller decided
	if err := c.RejectPublish(req.(*PublishRequest), &StatusError{Code: CodePublishBadName, Description: "In use."}); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	p.expect(`command@1 "onStatus" 0 null {"level": "error", "code": "NetStream.Publish.BadName", "description": "In use."}`, "close")
	if err := <-p.done; !errors.Is(err, io.EOF) {
		t.Errorf("ended with %v", err)
	}
}

func TestRejectPlay(t *testing.T) {
	p, c := connected(t, Config{})
	p.say(sayCreate, sayPlay)
	req, err := nextRequest(c)
	if err != nil {
		t.Fatal(err)
	}
	p.expect(`command@0 "_result" 2 null 1`)
	if err := c.RejectPlay(req.(*PlayRequest), nil); err != nil {
		t.Fatal(err)
	}
	_ = c.Close()
	p.expect(`command@1 "onStatus" 0 null {"level": "error", "code": "NetStream.Play.Failed", "description": ""}`, "close")
}

// A peer that does not close after a refusal does not hold us.
func TestRejectIsBounded(t *testing.T) {
	p, c := connected(t, Config{})
	p.say(sayCreate, sayPublish)
	req, err := nextRequest(c)
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if err := c.RejectPublish(req.(*PublishRequest), nil); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took > 2*lingerTime {
		t.Errorf("took %v", took)
	}
}

// Limits for strangers end with AcceptPublish; those for publishers begin.
func TestLimits(t *testing.T) {
	video := func(n int) []byte {
		return chunk.AppendMessage(nil, chunk.Header{CSID: 6, Type: 9, StreamID: 1}, make([]byte, n), 128)
	}
	t.Run("a long message before publish", func(t *testing.T) {
		p, c := connected(t, Config{})
		p.write(video(17 << 10))
		if _, err := nextRequest(c); !errors.Is(err, ErrTooLarge) {
			t.Error(err)
		}
	})
	t.Run("many bytes before publish", func(t *testing.T) {
		p, c := connected(t, Config{})
		for range 3 {
			p.write(video(15 << 10))
		}
		if _, err := nextRequest(c); !errors.Is(err, ErrTooLarge) {
			t.Error(err)
		}
	})
	t.Run("a long video message after publish", func(t *testing.T) {
		p, c := publishing(t, Config{})
		go func() { _, _ = p.nc.Write(video(8 << 20)) }()
		m, err := readMedia(c)
		if err != nil || len(m.Payload) != 8<<20 {
			t.Errorf("%d bytes, %v", len(m.Payload), err)
		}
	})
	t.Run("too long", func(t *testing.T) {
		p, c := connected(t, Config{})
		p.say(sayCreate, sayPublish)
		req, err := nextRequest(c)
		if err != nil {
			t.Fatal(err)
		}
		c.SetMaxMessage(100_000)
		if err := c.AcceptPublish(req.(*PublishRequest)); err != nil {
			t.Fatal(err)
		}
		p.write(video(100_000)[:12+128])
		p.expect(hearPublishing...)
		p.say("abort 6")
		p.write(video(100_001)[:12+128])
		if _, err := readMedia(c); !errors.Is(err, ErrTooLarge) {
			t.Error(err)
		}
	})
	t.Run("a long wait before publish", func(t *testing.T) {
		_, c := connected(t, Config{RequestTimeout: 50 * time.Millisecond})
		if _, err := nextRequest(c); !IsTimeout(err) {
			t.Error(err)
		}
	})
}

// The end of a publisher that said nothing is io.EOF; a cut message is not.
func TestPublisherLeaves(t *testing.T) {
	p, c := publishing(t, Config{})
	ended := reading(c)
	_ = p.nc.Close()
	if err := <-ended; err != io.EOF { //nolint:errorlint // exactly
		t.Error(err)
	}

	p, c = publishing(t, Config{})
	ended = reading(c)
	p.write([]byte{6, 0, 0, 0, 0, 0, 9, 9, 1, 0, 0, 0, 1})
	_ = p.nc.Close()
	if err := <-ended; !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// Media on a stream that was created and is not the published one is dropped;
// deleteStream of another stream ends nothing.
func TestOtherStreams(t *testing.T) {
	p, c := publishing(t, Config{})
	p.say(`command@0 "createStream" 4 null`)
	p.say("audio@2 1 af01", `command@2 "closeStream" 0 null`, `command@0 "deleteStream" 5 null 2`, "audio@1 2 af02", "audio@7 3 af03")
	for _, want := range []uint32{2, 3} {
		m, err := readMedia(c)
		if err != nil || m.Timestamp != want {
			t.Errorf("%+v, %v, want time %d", m, err, want)
		}
	}
	p.say(`command@0 "deleteStream" 5 null "cam"`) // GStreamer
	if m, err := readMedia(c); !errors.Is(err, ErrUnpublished) {
		t.Errorf("%+v, %v", m, err)
	}
}

// What ends a publication in good order leaves the connection in order, even if
// the client resets it with our answers unread.
func TestUnpublishThenReset(t *testing.T) {
	p, c := publishing(t, Config{})
	p.say(`command@0 "FCUnpublish" 6 null "cam"`, `command@0 "deleteStream" 7 null 1`)
	if _, err := readMedia(c); !errors.Is(err, ErrUnpublished) {
		t.Error(err)
	}
	if tcp, ok := p.nc.(interface{ SetLinger(sec int) error }); !ok || tcp.SetLinger(0) != nil {
		t.Fatal("cannot reset")
	}
	_ = p.nc.Close()
	if _, err := nextRequest(c); err != io.EOF { //nolint:errorlint // exactly
		t.Error(err)
	}
}

func TestStatusError(t *testing.T) {
	e := &StatusError{Code: CodePublishDenied, Description: "Wrong key."}
	if got := e.Error(); got != "NetStream.Publish.Denied: Wrong key." {
		t.Error(got)
	}
	if got := (&StatusError{Code: CodePublishDenied}).Error(); strings.Contains(got, ":") {
		t.Error(got)
	}
	want := Status{LevelWarning, "c", "d"}
	if got := (&StatusError{LevelWarning, "c", "d"}).status("x"); got != want {
		t.Errorf("%+v", got)
	}
}

// ReadMedia leaves nothing behind but the payload.
func TestReadMediaAllocations(t *testing.T) {
	p, c := publishing(t, Config{})
	go func() {
		wire := chunk.AppendMessage(nil, chunk.Header{CSID: 6, Type: message.TypeVideo, StreamID: 1}, make([]byte, 3000), p.size)
		for {
			if _, err := p.nc.Write(wire); err != nil {
				return
			}
		}
	}()
	read := func() {
		if _, err := readMedia(c); err != nil {
			t.Fatal(err)
		}
	}
	read()
	if got := testing.AllocsPerRun(100, read); got != 1 {
		t.Errorf("%v allocations a message", got)
	}
}

// An aggregate of very many messages, or of a little among junk, costs no more
// than what comes out of it.
func TestHostileAggregates(t *testing.T) {
	p, c := publishing(t, Config{})
	sub := func(typ byte, body []byte) []byte {
		n := len(body)
		b := append([]byte{typ, byte(n >> 16), byte(n >> 8), byte(n), 0, 0, 0, 0, 0, 0, 0}, body...)
		return append(b, 0, 0, 0, 0)
	}
	send := func(payload []byte) {
		b := chunk.AppendMessage(nil, chunk.Header{CSID: 6, Type: 22, StreamID: 1}, payload, 128)
		go func() { _, _ = p.nc.Write(b) }() // what comes of it shows at the other end
	}
	send(append(sub(8, []byte{0xAF, 1, 7}), sub(99, make([]byte, 1<<20))...))
	m, err := readMedia(c)
	if err != nil {
		t.Fatal(err)
	}
	if string(m.Payload) != "\xaf\x01\x07" || cap(m.Payload) > 64 {
		t.Errorf("payload % x with room for %d bytes", m.Payload, cap(m.Payload))
	}
	send(bytes.Repeat(sub(8, []byte{0xAF}), 3*maxAggregate))
	if _, err := readMedia(c); err != nil {
		t.Fatal(err)
	}
	if got := len(c.rest) + 1; got != maxAggregate {
		t.Errorf("%d messages are taken, want %d", got, maxAggregate)
	}
}
