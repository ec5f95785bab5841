package stream

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/internal/media"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
)

// still is a hub whose shards do not run: enough for players without descriptor
// that are asked for what is there now.
func still() *Hub { return NewHub(Config{Shards: 1}) }

var withGOP = Settings{GOP: true}

func same(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	t.Errorf("%s: %d bytes, want %d; they differ from byte %d on:\n got % x\nwant % x", what,
		len(got), len(want), i, got[i:min(i+32, len(got))], want[i:min(i+32, len(want))])
}

func TestJoin(t *testing.T) { // S0-80d, S4-18
	old, current := gop(0, 4000), gop(1000, 4000)
	prologue := at(1000, intro()...)
	audioOnly := []media.Packet{audioConfig(0, 1), sound(0, 50), sound(23, 50), sound(46, 50)}

	for name, c := range map[string]struct {
		settings      Settings
		opts          SubscribeOptions
		before, after []media.Packet
		want          []byte
	}{
		"RTMP at the newest key frame": {
			settings: withGOP, before: join(intro(), old, current), after: gop(2000, 100),
			want: rtmpBytes(join(prologue, current, gop(2000, 100))...),
		},
		"FLV at the newest key frame": {
			settings: withGOP, opts: SubscribeOptions{Framing: FLV}, before: join(intro(), old, current), after: gop(2000, 100),
			want: append(flv.AppendHeader(nil, true, true), flvBytes(join(prologue, current, gop(2000, 100))...)...),
		},
		"without GOP at the next key frame": {
			before: join(intro(), old, current), after: join([]media.Packet{sound(1990, 9)}, gop(2000, 100)),
			want: rtmpBytes(join(at(1965, intro()...), []media.Packet{sound(1990, 9)}, gop(2000, 100))...),
		},
		"before the stream begins": {
			settings: withGOP, after: join(intro(), old),
			want: rtmpBytes(join(intro(), old)...),
		},
		"before the stream begins, which it does within a GOP": {
			settings: withGOP, after: join(intro(), []media.Packet{frame(0, 9), frame(40, 9)}, current),
			want: rtmpBytes(join(at(1000, intro()...), current)...),
		},
		"audio only, at once": {
			settings: withGOP, before: audioOnly, after: []media.Packet{sound(69, 50)},
			want: rtmpBytes(join(at(46, audioConfig(0, 1)), []media.Packet{sound(69, 50)})...),
		},
		"audio only, before it begins": {
			settings: withGOP, after: audioOnly,
			want: rtmpBytes(audioOnly...),
		},
		"audio only, without GOP": {
			before: audioOnly, after: []media.Packet{sound(69, 50)},
			want: rtmpBytes(join(at(46, audioConfig(0, 1)), []media.Packet{sound(69, 50)})...),
		},
		"FLV with audio only says so": {
			settings: withGOP, opts: SubscribeOptions{Framing: FLV}, before: audioOnly, after: []media.Packet{sound(69, 50)},
			want: append(flv.AppendHeader(nil, true, false), flvBytes(join(at(46, audioConfig(0, 1)), []media.Packet{sound(69, 50)})...)...),
		},
		"FLV with video only says so": {
			settings: withGOP, opts: SubscribeOptions{Framing: FLV}, before: []media.Packet{videoConfig(0, 1), keyFrame(0, 9)},
			want: append(flv.AppendHeader(nil, false, true), flvBytes(videoConfig(0, 1), keyFrame(0, 9))...),
		},
		"without any decoder configuration": {
			settings: withGOP, before: gop(0, 9), want: rtmpBytes(gop(0, 9)...),
		},
		"a configuration that came after the key frame comes after it": {
			settings: withGOP, before: join(intro(), gop(0, 9), []media.Packet{videoConfig(1000, 2)}), after: gop(1000, 9),
			want: rtmpBytes(join(intro(), gop(0, 9), []media.Packet{videoConfig(1000, 2)}, gop(1000, 9))...),
		},
		"a GOP that is too large to be kept": {
			settings: Settings{GOP: true, MaxBytes: 1000}, before: join(intro(), gop(0, 500)), after: gop(1000, 500),
			want: rtmpBytes(join(at(965, intro()...), gop(1000, 500))...),
		},
		"without audio": {
			settings: withGOP, opts: SubscribeOptions{Video: true}, before: join(intro(), gop(0, 900)),
			want: rtmpBytes(without(media.Audio, join(intro(), gop(0, 900)))...),
		},
		"without video": {
			settings: withGOP, opts: SubscribeOptions{Audio: true, Framing: FLV}, before: join(intro(), gop(0, 900)),
			want: append(flv.AppendHeader(nil, true, false), flvBytes(without(media.Video, join(intro(), gop(0, 900)))...)...),
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := still()
			c.opts.Settings = c.settings
			first := pull(t, h, c.opts) // makes a second one share the framing
			defer first.Close()
			p := publish(t, h, PublishOptions{Settings: c.settings})
			defer p.Close()
			write(t, p, c.before...)
			s := pull(t, h, c.opts)
			defer s.Close()
			got := drained(t, s)
			for _, pkt := range c.after { // one by one
				write(t, p, pkt)
				got = append(got, drained(t, s)...)
			}
			same(t, "one by one", got, c.want)

			s = pull(t, h, c.opts)
			defer s.Close()
			if st := s.Stats(); st.Dropped != 0 || st.Messages != 0 {
				t.Errorf("a new player has stats %+v", st)
			}
		})
	}
}

// What comes between Attach and Start is for the player, too: it was there.
func TestStartAfterFirstSound(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: Settings{GOP: true}})
	defer p.Close()
	s := attach(t, h, SubscribeOptions{})
	defer s.Close()
	heard := []media.Packet{audioConfig(0, 1), sound(0, 50), sound(23, 50)}
	write(t, p, heard...)
	s.Start()
	same(t, "all of it", drained(t, s), rtmpBytes(heard...))
}

func without(kind media.Kind, ps []media.Packet) []media.Packet {
	var out []media.Packet
	for _, p := range ps {
		if p.Kind != kind {
			out = append(out, p)
		}
	}
	return out
}

// A video stream that shows no key frame any more does not keep a player forever.
func TestJoinWithoutKeyFrame(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: Settings{GOP: true, MaxBytes: 100}})
	defer p.Close()
	write(t, p, videoConfig(0, 1), keyFrame(0, 200), frame(40, 200))
	s := pull(t, h, SubscribeOptions{})
	defer s.Close()
	same(t, "what it needs", drained(t, s), rtmpBytes(at(40, videoConfig(0, 1))...))
	write(t, p, sound(50, 9), frame(60, 9))
	same(t, "sound alone", drained(t, s), rtmpBytes(sound(50, 9)))
	s.keySince = time.Now().Add(-keyPatience)
	write(t, p, frame(80, 200))
	same(t, "after a while", drained(t, s), rtmpBytes(frame(80, 200)))
}

func TestControlBetweenMessages(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	write(t, p, keyFrame(0, 9))
	s := attach(t, h, SubscribeOptions{})
	defer s.Close()
	send := func(b string) {
		t.Helper()
		if err := s.Send([]byte(b)); err != nil {
			t.Fatal(err)
		}
	}
	send("<before>")
	if got := drained(t, s); string(got) != "<before>" {
		t.Errorf("before Start: %q", got)
	}
	s.Start()
	send("<first>")
	want := append([]byte("<first>"), rtmpBytes(keyFrame(0, 9))...)
	same(t, "control first", drained(t, s), want)
	write(t, p, frame(40, 9), frame(80, 9))
	send("<a>")
	send("<b>")
	same(t, "control in front", drained(t, s), append([]byte("<a><b>"), rtmpBytes(frame(40, 9), frame(80, 9))...))

	// A write that ends within a message: the message is finished first.
	write(t, p, frame(120, 50), frame(160, 9))
	s.mu.Lock()
	b := s.pending(time.Now())
	got := append([]byte{}, b[:20]...)
	s.advance(20, len(b))
	s.mu.Unlock()
	send("<c>")
	got = append(got, drained(t, s)...)
	want = append(rtmpBytes(frame(120, 50)), "<c>"...)
	same(t, "control after a half message", got, append(want, rtmpBytes(frame(160, 9))...))

	if err := s.Send(make([]byte, maxControl+1)); !errors.Is(err, ErrControlFull) {
		t.Errorf("too much control: %v", err)
	}
	s.Close()
	if err := s.Send([]byte("x")); !errors.Is(err, ErrClosed) {
		t.Errorf("control after Close: %v", err)
	}
	if _, err := s.Next(context.Background()); !errors.Is(err, ErrClosed) {
		t.Errorf("Next after Close: %v", err)
	}
}

func TestPause(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	write(t, p, join(intro(), gop(0, 99))...)
	s := pull(t, h, SubscribeOptions{})
	defer s.Close()
	got := drained(t, s)

	s.Pause(true)
	write(t, p, frame(1000, 9), frame(1040, 9))
	if b := drained(t, s); b != nil {
		t.Errorf("%d bytes while paused", len(b))
	}
	if s.at.seg != nil {
		t.Error("a paused player keeps a segment")
	}
	s.Pause(false)
	same(t, "goes on where it stopped", drained(t, s), rtmpBytes(frame(1000, 9), frame(1040, 9)))

	s.Pause(true)
	drained(t, s)
	write(t, p, gop(2000, 99)...)
	write(t, p, gop(3000, 99)...)
	s.Pause(false)
	same(t, "goes on at the newest key frame", drained(t, s), rtmpBytes(join(at(3000, intro()...), gop(3000, 99))...))

	s.Pause(true)
	drained(t, s)
	s.Pause(false)
	if b := drained(t, s); b != nil {
		t.Errorf("%d bytes out of nothing", len(b))
	}
	write(t, p, frame(4000, 9))
	same(t, "nothing was missed", drained(t, s), rtmpBytes(frame(4000, 9)))
	if d := s.Stats().Dropped; d != 0 {
		t.Errorf("a pause counts %d dropped", d)
	}
	if n := s.Stats().Messages; n != uint64(len(gop(0, 9))+2+len(gop(0, 9))+1) {
		t.Errorf("counts %d messages", n)
	}
	_ = got
}

func TestReceive(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	write(t, p, join(intro(), gop(0, 99))...)
	s := pull(t, h, SubscribeOptions{})
	defer s.Close()
	drained(t, s)

	s.Receive(false, true)
	write(t, p, sound(1000, 9), frame(1000, 9), sound(1020, 9), frame(1040, 9))
	same(t, "video only", drained(t, s), rtmpBytes(frame(1000, 9), frame(1040, 9)))
	s.Receive(true, true)
	write(t, p, sound(1060, 9), frame(1080, 9))
	same(t, "audio again", drained(t, s), rtmpBytes(audioConfig(1040, 1), sound(1060, 9), frame(1080, 9)))
	s.Receive(true, false)
	write(t, p, frame(1120, 9), sound(1130, 9))
	same(t, "audio only", drained(t, s), rtmpBytes(sound(1130, 9)))
	s.Receive(true, true)
	write(t, p, frame(1160, 9), sound(1170, 9))
	same(t, "video again, not yet", drained(t, s), rtmpBytes(videoConfig(1130, 1), sound(1170, 9)))
	write(t, p, gop(2000, 99)...)
	write(t, p, gop(3000, 99)...)
	same(t, "video from a key frame on", drained(t, s), rtmpBytes(join(gop(2000, 99), gop(3000, 99))...))
	if s.narrow {
		t.Error("still picks messages one by one")
	}
	if d := s.Stats().Dropped; d != 0 {
		t.Errorf("counts %d dropped", d)
	}
}

// Receive while a message is half written must not lose its other half.
func TestReceiveWithinMessage(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	s := pull(t, h, SubscribeOptions{})
	defer s.Close()
	write(t, p, keyFrame(0, 100), frame(40, 100), sound(50, 10))
	s.mu.Lock()
	b := s.pending(time.Now())
	half := len(rtmpBytes(keyFrame(0, 100))) + 30
	got := append([]byte{}, b[:half]...)
	s.advance(half, len(b))
	s.mu.Unlock()
	s.Receive(true, false)
	got = append(got, drained(t, s)...)
	same(t, "the message under way is finished", got, rtmpBytes(keyFrame(0, 100), frame(40, 100), sound(50, 10)))
}

// A player that plays on a message stream of its own gets its media there.
func TestJoinOnAnotherMessageStream(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	write(t, p, join(intro(), gop(1000, 99))...)
	one, three := pull(t, h, SubscribeOptions{}), pull(t, h, SubscribeOptions{MessageStream: 3})
	defer one.Close()
	got := drained(t, three)
	same(t, "on stream 1", drained(t, one), rtmpBytes(join(at(1000, intro()...), gop(1000, 99))...))
	write(t, p, gop(2000, 99)...)
	got = append(got, drained(t, three)...)
	want := rtmpBytes(join(at(1000, intro()...), gop(1000, 99), gop(2000, 99))...)
	r := chunk.NewReader(bytes.NewReader(got), 0, chunk.Limits{})
	first := chunk.NewReader(bytes.NewReader(want), 0, chunk.Limits{})
	for {
		w, end := first.Next()
		m, err := r.Next()
		if end != nil || err != nil {
			if !errors.Is(err, end) {
				t.Errorf("ends with %v, want %v", err, end)
			}
			break
		}
		if m.StreamID != 3 || m.Timestamp != w.Timestamp || m.Type != w.Type || !bytes.Equal(m.Payload, w.Payload) {
			t.Fatalf("%+v, want %+v on stream 3", m.Header, w.Header)
		}
	}
	three.Close()
	if n := len(h.all()[0].log.framings); n != 1 {
		t.Errorf("%d framings with one player", n)
	}
}

// "@clearDataFrame": whoever joins from then on gets no metadata, though the key
// frame it begins at came while there was some.
func TestJoinAfterMetadataIsCleared(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	write(t, p, join(intro(), gop(1000, 99))...)
	early := pull(t, h, SubscribeOptions{})
	defer early.Close()
	same(t, "before", drained(t, early), rtmpBytes(join(at(1000, intro()...), gop(1000, 99))...))
	write(t, p, media.Packet{Kind: media.Data, Clear: true, Empty: true})
	late := pull(t, h, SubscribeOptions{})
	defer late.Close()
	same(t, "after", drained(t, late), rtmpBytes(join(at(1000, intro()[1:]...), gop(1000, 99))...))
	if m := h.Streams()[0].Metadata; m.Payload != nil {
		t.Errorf("the stream still shows metadata %x", m.Payload)
	}
	if b := drained(t, early); b != nil {
		t.Errorf("players get %d bytes of it", len(b))
	}
}

// S0-80d: what is kept for new players is given up when a stream is sound alone, and
// begins again with a key frame.
func TestPicturesStop(t *testing.T) {
	h := still()
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	write(t, p, join(intro(), gop(0, 99))...)
	var heard []packet
	listen := func(from, to uint32) {
		for ms := from; ms < to; ms += 20 {
			heard = append(heard, sound(ms, 20))
			write(t, p, sound(ms, 20))
		}
	}
	listen(1000, 10_000)
	s := pull(t, h, SubscribeOptions{})
	same(t, "after a pause", drained(t, s), rtmpBytes(join(intro(), gop(0, 99), heard)...))
	s.Close()
	listen(10_000, 13_000)
	s = pull(t, h, SubscribeOptions{})
	defer s.Close()
	same(t, "after pictures stopped", drained(t, s), rtmpBytes(at(12_980, intro()...)...))
	write(t, p, sound(13_000, 20), frame(13_020, 99), sound(13_040, 20))
	same(t, "sound goes on", drained(t, s), rtmpBytes(sound(13_000, 20), sound(13_040, 20)))
	write(t, p, gop(14_000, 99)...)
	same(t, "pictures from a key frame on", drained(t, s), rtmpBytes(gop(14_000, 99)...))
	late := pull(t, h, SubscribeOptions{})
	defer late.Close()
	same(t, "for all", drained(t, late), rtmpBytes(join(at(14_000, intro()...), gop(14_000, 99))...))
}

// C-41: a decoder configuration of a track that never comes holds nobody up.
func TestTrackThatNeverComes(t *testing.T) {
	var pictures, sounds []packet
	for ms := uint32(0); ms < 4000; ms += 40 {
		pictures = append(pictures, frame(ms, 99))
		sounds = append(sounds, sound(ms, 20))
	}
	pictures[0] = keyFrame(0, 99)
	for name, media := range map[string][]packet{"sound": pictures, "pictures": sounds} {
		t.Run("no "+name, func(t *testing.T) {
			h := still()
			p := publish(t, h, PublishOptions{Settings: withGOP})
			defer p.Close()
			early := pull(t, h, SubscribeOptions{})
			defer early.Close()
			write(t, p, intro()...)
			var got []byte
			for i, pkt := range media {
				write(t, p, pkt)
				b := drained(t, early)
				if b == nil {
					t.Fatalf("message %d waits", i)
				}
				got = append(got, b...)
			}
			same(t, "all", got, rtmpBytes(join(intro(), media)...))
			late := pull(t, h, SubscribeOptions{})
			defer late.Close()
			drained(t, late)
			write(t, p, sound(5000, 20))
			same(t, "one who joins late", drained(t, late), rtmpBytes(sound(5000, 20)))
		})
	}
}

// S4-24, S4-25: players stay when their publisher goes, and the next one begins for
// them with metadata, decoder configurations and a key frame; sound does not wait.
func TestNextPublisherBegins(t *testing.T) {
	for _, takeover := range []bool{false, true} {
		h := still()
		o := PublishOptions{Settings: Settings{GOP: true, Gap: time.Hour}, Duplicate: Takeover}
		first := publish(t, h, o)
		write(t, first, join(intro(), gop(0, 99))...)
		s := pull(t, h, SubscribeOptions{})
		drained(t, s)
		if !takeover {
			first.Close()
		}
		second := publish(t, h, o)
		first.Close()
		// The same configurations again, and the first pictures within a GOP.
		write(t, second, join(intro(), []packet{frame(0, 99), sound(5, 20), frame(40, 99)}, gop(80, 99))...)
		types, m := []byte{}, chunk.NewReader(bytes.NewReader(drained(t, s)), 0, chunk.Limits{})
		last := uint32(965)
		for {
			msg, err := m.Next()
			if err != nil {
				break
			}
			if msg.Type != 18 && msg.Timestamp < last {
				t.Fatalf("time goes from %d back to %d", last, msg.Timestamp)
			}
			last = max(last, msg.Timestamp)
			types = append(types, msg.Payload[0])
		}
		want := []byte{2, 0x17, 0xaf, 0xaf}
		for _, pkt := range gop(80, 99) {
			want = append(want, pkt.Payload[0])
		}
		if !bytes.Equal(types, want) {
			t.Errorf("takeover %v: got % x, want % x", takeover, types, want)
		}
		s.Close()
		second.Close()
	}
}
