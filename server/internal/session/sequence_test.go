package session

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// What messages are made of.
var (
	sequenceNames = []string{
		"createStream", "publish", "play", "pause", "closeStream", "deleteStream", "FCUnpublish", "receiveAudio", "receiveVideo",
		"seek", "play2", "FCPublish", "releaseStream", "connect", "nobodyKnows",
	}
	sequenceValues = []amf.Value{
		nil, true, false, 0.0, 1.0, 2.0, "d", "b", "c?key=sk_wrong", "../x", "", amf.Object{{Key: "streamName", Value: "b"}}, amf.StrictArray{nil},
	}
	sequenceMedia = []struct {
		typ     uint8
		payload []byte
	}{
		{message.TypeVideo, []byte{0x17, 0, 0, 0, 0, 1, 0x42, 0xc0, 0x0d, 0xff}},
		{message.TypeVideo, []byte{0x17, 1, 0, 0, 0, 0, 0, 0, 1, 0x65}},
		{message.TypeVideo, nil},
		{message.TypeAudio, []byte{0x2f, 1}},
		{message.TypeAudio, nil},
		{message.TypeAggregate, []byte{8, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x2f, 0, 0, 0, 12}},
		{message.TypeData, amf.Append(nil, "onMetaData", amf.Object{{Key: "encoder", Value: "x"}})},
		{message.TypeData, []byte{0xff}},
		{message.TypeUserControl, []byte{0, 6, 0, 0, 0, 1}},
		{message.TypeAbort, []byte{0, 0, 0, 9}},
		{99, []byte{1}},
	}
)

// sequence makes what a client sends out of bytes, from its handshake on.
func sequence(b []byte) []byte {
	wire := make([]byte, 1+2*1536)
	wire[0] = 3
	command := func(id uint32, values ...amf.Value) {
		h := chunk.Header{CSID: chunk.CommandCSID, Type: message.TypeCommand, StreamID: id}
		wire = chunk.AppendMessage(wire, h, amf.Append(nil, values...), chunk.DefaultSize)
	}
	command(0, "connect", 1.0, amf.Object{{Key: "app", Value: "live"}, {Key: "tcUrl", Value: "rtmp://h/live"}})
	next := func() (v byte) {
		if len(b) > 0 {
			v, b = b[0], b[1:]
		}
		return v
	}
	for len(b) > 0 {
		kind := next()
		id := uint32(kind >> 6)
		if kind&1 == 0 {
			m := sequenceMedia[int(next())%len(sequenceMedia)]
			h := chunk.Header{CSID: 4 + id, Type: m.typ, StreamID: id, Timestamp: uint32(next()) << (kind >> 1 & 15)}
			wire = chunk.AppendMessage(wire, h, m.payload, chunk.DefaultSize)
			continue
		}
		values := []amf.Value{sequenceNames[int(next())%len(sequenceNames)], float64(kind >> 1 & 1), nil}
		for range kind >> 2 & 3 {
			values = append(values, sequenceValues[int(next())%len(sequenceValues)])
		}
		command(id, values...)
	}
	return wire
}

// lives is the life of a connection whose client says all of a sequence and then waits for the
// end, and returns how many messages the server sent it.
func (r *rooms) lives(t *testing.T, wire []byte) (heard int) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ln.Close() }()
	nc, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = nc.Close() }()
	peer, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	go func() { defer close(over); r.Serve(context.Background(), peer) }()
	go func() {
		_, _ = nc.Write(wire) // may be cut off
		_ = nc.(*net.TCPConn).CloseWrite()
	}()
	_ = nc.SetReadDeadline(time.Now().Add(30 * time.Second))
	if _, err := io.ReadFull(nc, make([]byte, 1+2*1536)); err != nil {
		t.Fatal(err)
	}
	in := chunk.NewReader(nc, 4096, chunk.Limits{})
	for {
		_, err := in.Next()
		if rtmp.IsTimeout(err) {
			t.Fatal("it does not end")
		}
		if err != nil {
			break // that it ended is all that matters: it may have been reset
		}
		heard++
	}
	_ = nc.Close()
	select {
	case <-over:
	case <-time.After(30 * time.Second):
		t.Fatal("the session does not end")
	}
	return heard
}

// FuzzSequence lives connections whose clients say anything in any order: each ends,
// nobody stays in the book, and the stream that others have is still there.
//
//
func FuzzSequence(f *testing.F) {
	f.Add([]byte{1, 0, 0x45, 1, 7, 0x40, 0, 0, 0x40, 1, 1, 0x41, 4})                               // create, publish, media, close
	f.Add([]byte{1, 0, 1, 0, 0x45, 2, 6, 0x85, 1, 7, 0x80, 1, 1, 0x45, 3, 1, 0x81, 4, 0x05, 5, 4}) // play and publish, pause, close
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 400 {
			return
		}
		r := newRooms(t, nil)
		r.lives(t, sequence(b))
		r.empty(t)
	})
}

// empty waits until nobody is left.
func (r *rooms) empty(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); len(r.roster.Sessions()) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("left: %+v", r.roster.Sessions())
		}
	}
}

// FuzzSequence with sequences that are the same every time, beside a publisher and its
// player, who notice nothing.
//
//
func TestSequences(t *testing.T) {
	r := newRooms(t, nil)
	pub, player := r.dial(t), r.dial(t)
	if err := pub.Publish(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if err := player.Play(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	player.Conn().SetIdleTimeout(30 * time.Second)
	say := func(n uint32) {
		if err := pub.WriteMedia(message.TypeAudio, n, []byte{0x2f, byte(n)}); err != nil {
			t.Fatal(err)
		}
		if _, err := player.ReadMedia(); err != nil {
			t.Fatal(err)
		}
	}
	say(0)
	before := runtime.NumGoroutine()
	rng := rand.New(rand.NewPCG(5, 6))
	most := 0
	for n := range uint32(300) {
		// Mostly create, publish, play and media: the rest wants something to act on.
		b := []byte{1, 0, 1, 0, 0x45, byte(1 + n%2), 7, 0x85, 2, byte(6 + n/2%2)}
		for range rng.IntN(100) {
			b = append(b, byte(rng.Uint32()))
		}
		most = max(most, r.lives(t, sequence(b)))
		if n%50 == 0 {
			say(20 * (n + 1))
		}
	}
	say(100_000)
	if most < 10 {
		t.Errorf("no client heard more than %d messages", most)
	}
	for end := time.Now().Add(30 * time.Second); len(r.roster.Sessions()) > 2 || runtime.NumGoroutine() > before; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d sessions and %d goroutines, %d before", len(r.roster.Sessions()), runtime.NumGoroutine(), before)
		}
	}
}
