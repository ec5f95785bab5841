package server_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// stamped is a message's kind and time.
type stamped struct {
	typ uint8
	at  uint32
}

// stamps is a vhost whose streams have a timestamp policy and a chunk size that
// frames do not fit into.
func stamps(policy config.TimestampPolicy, atc config.ATC) setUp {
	return vhost(func(v *config.Vhost) {
		v.Media.Timestamps, v.Media.ATC, v.Media.ChunkSize = policy, atc, 4096
	})
}

// audience is one player over RTMP and one over HTTP-FLV.
func (l *lab) audience(name string) map[string]func() (message.Media, error) {
	l.t.Helper()
	resp := l.get("live/" + name + ".flv")
	return map[string]func() (message.Media, error){
		"rtmp": l.play("live/" + name).ReadMedia, "http-flv": tagReader(resp.Body),
	}
}

// coded reads past decoder configurations, too.
func coded(t *testing.T, protocol string, next func() (message.Media, error)) message.Media {
	t.Helper()
	for {
		if m := nextMedia(t, protocol, next); len(m.Payload) > 1 && m.Payload[1] == 1 {
			return m
		}
	}
}

// told reads n coded messages and returns their times.
func told(t *testing.T, protocol string, next func() (message.Media, error), n int) []stamped {
	t.Helper()
	got := make([]stamped, n)
	for i := range got {
		m := coded(t, protocol, next)
		got[i] = stamped{m.Type, m.Timestamp}
	}
	return got
}

func (p *publisher) begin(t *testing.T) {
	t.Helper()
	p.configs(t)
	p.write(t, message.TypeData, 0, []byte("\x02\x00\x0d@setDataFrame\x02\x00\x0aonMetaData\x03\x00\x05width\x00\x40\x76\x00\x00\x00\x00\x00\x00\x00\x00\x09"))
}

// C-58, R-2.11: streams that begin just below 2^24, 2^31 and 2^32, with frames larger
// than a chunk. Each time goes on where the number of bits ends, under each policy,
// and every byte arrives.
func TestTimesBeyondABoundary(t *testing.T) {
	t.Parallel()
	const pictures, step = 250, 40 // ten seconds, half of them before the boundary
	for _, boundary := range []uint64{0xFFFFFF, 0x7FFFFFFF, 0xFFFFFFFF} {
		for policy, first := range map[config.TimestampPolicy]uint32{
			config.TimestampsFull: 1000, config.TimestampsZero: 0, config.TimestampsOff: uint32(boundary - 5000),
		} {
			t.Run(fmt.Sprintf("%x/%s", boundary, policy), func(t *testing.T) {
				t.Parallel()
				l := newLab(t, stamps(policy, config.ATCAuto))
				p := l.publish("live/a")
				p.begin(t)
				players := l.audience("a")
				start := uint32(boundary - 5000)
				go func() {
					for i := range uint32(pictures) {
						_ = p.WriteMedia(message.TypeVideo, start+i*step, frame(i == 0, int(i), 9001))
						_ = p.WriteMedia(message.TypeAudio, start+i*step+11, sound(int(i)))
					}
				}()
				for protocol, next := range players {
					for i := range uint32(pictures) {
						v := coded(t, protocol, next)
						if v.Timestamp != first+i*step || !bytes.Equal(v.Payload, frame(i == 0, int(i), 9001)) {
							t.Fatalf("%s: picture %d at %d with %d bytes, want it at %d", protocol, i, v.Timestamp, len(v.Payload), first+i*step)
						}
						a := coded(t, protocol, next)
						if a.Timestamp != first+i*step+11 || !bytes.Equal(a.Payload, sound(int(i))) {
							t.Fatalf("%s: sound %d at %d, want %d", protocol, i, a.Timestamp, first+i*step+11)
						}
					}
				}
			})
		}
	}
}

// C-38, R-2.11, S0-80c: what broken encoders send, and the times that players are
// told under each policy.
func TestTimesThatJump(t *testing.T) {
	t.Parallel()
	const a, v = message.TypeAudio, message.TypeVideo
	for name, c := range map[string]struct {
		sent            []stamped
		full, zero, off []uint32
	}{
		"a delta of -10 ms": {
			[]stamped{{v, 100}, {a, 100}, {v, 90}, {v, 140}},
			[]uint32{100, 100, 100, 140},
			[]uint32{0, 0, 0, 40},
			[]uint32{100, 100, 90, 140},
		},
		"audio 40 ms back": {
			[]stamped{{v, 0}, {a, 1000}, {v, 1000}, {a, 960}, {a, 983}, {a, 1006}},
			[]uint32{0, 1000, 1000, 1000, 1000, 1006},
			[]uint32{0, 1000, 1000, 1000, 1000, 1006},
			[]uint32{0, 1000, 1000, 960, 983, 1006},
		},
		"both jump 20 000 s": {
			[]stamped{{v, 0}, {a, 5}, {v, 20_000_040}, {a, 20_000_028}, {v, 20_000_080}},
			[]uint32{0, 5, 5, 5, 45}, // audio comes back to within 12 ms of where it was meant
			[]uint32{0, 5, 20_000_040, 20_000_028, 20_000_080},
			[]uint32{0, 5, 20_000_040, 20_000_028, 20_000_080},
		},
		"one kind jumps alone": {
			[]stamped{{v, 0}, {a, 5}, {a, 900_000}, {v, 40}, {a, 900_023}, {v, 80}},
			[]uint32{0, 5, 5, 40, 28, 80},
			[]uint32{0, 5, 900_000, 40, 900_023, 80},
			[]uint32{0, 5, 900_000, 40, 900_023, 80},
		},
		"both begin again at 0": {
			[]stamped{{v, 70_000}, {a, 70_005}, {v, 0}, {a, 12}, {v, 40}},
			[]uint32{1000, 1005, 1005, 1017, 1045},
			[]uint32{0, 5, 5, 17, 45},
			[]uint32{70_000, 70_005, 0, 12, 40},
		},
		"over 2^32": {
			[]stamped{{v, 0xFFFFFFF0}, {a, 0xFFFFFFF8}, {v, 24}, {a, 15}},
			[]uint32{1000, 1008, 1040, 1031},
			[]uint32{0, 8, 40, 31},
			[]uint32{0xFFFFFFF0, 0xFFFFFFF8, 24, 15},
		},
	} {
		for policy, want := range map[config.TimestampPolicy][]uint32{
			config.TimestampsFull: c.full, config.TimestampsZero: c.zero, config.TimestampsOff: c.off,
		} {
			t.Run(name+"/"+string(policy), func(t *testing.T) {
				t.Parallel()
				l := newLab(t, stamps(policy, config.ATCAuto))
				p := l.publish("live/a")
				p.begin(t)
				players := l.audience("a")
				for i, m := range c.sent {
					body := frame(i == 0, i, 5000)
					if m.typ == a {
						body = sound(i)
					}
					p.write(t, m.typ, m.at, body)
				}
				for protocol, next := range players {
					for i, got := range told(t, protocol, next, len(c.sent)) {
						if got.typ != c.sent[i].typ || got.at != want[i] {
							t.Errorf("%s: message %d: told %d, want %d", protocol, i, got.at, want[i])
						}
					}
				}
			})
		}
	}
}

// S0-80c: a policy holds for streams that are live, from the next message on, and
// players' times go on. The metadata's bravo_atc leaves the encoder's clock alone
// where the vhost says auto.
func TestTimestampPolicyChangesLive(t *testing.T) {
	t.Parallel()
	l := newLab(t, stamps(config.TimestampsFull, config.ATCAuto))
	p := l.publish("live/a")
	p.begin(t)
	players := l.audience("a")
	step := func(policy config.TimestampPolicy, atc config.ATC, sent, want uint32) {
		t.Helper()
		stamps(policy, atc)(l, nil)
		l.apply()
		p.write(t, message.TypeVideo, sent, frame(true, 1, 0))
		for protocol, next := range players {
			if got := told(t, protocol, next, 1)[0].at; got != want {
				t.Errorf("%s: policy %s, atc %s: %d told as %d, want %d", protocol, policy, atc, sent, got, want)
			}
		}
	}
	step(config.TimestampsFull, config.ATCAuto, 50_000, 1000)
	step(config.TimestampsZero, config.ATCAuto, 50_040, 1040)
	step(config.TimestampsZero, config.ATCAuto, 150_040, 101_040)
	step(config.TimestampsFull, config.ATCAuto, 150_080, 101_080)
	step(config.TimestampsFull, config.ATCAuto, 950_080, 101_080)
	step(config.TimestampsOff, config.ATCAuto, 950_120, 950_120)
	step(config.TimestampsFull, config.ATCOn, 950_160, 950_160)
	step(config.TimestampsFull, config.ATCOff, 950_200, 950_200)
	p.write(t, message.TypeData, 0, []byte("\x02\x00\x0d@setDataFrame\x02\x00\x0aonMetaData\x03\x00\x09bravo_atc\x02\x00\x04true\x00\x00\x09"))
	step(config.TimestampsFull, config.ATCOff, 350_000, 950_200)
	step(config.TimestampsFull, config.ATCAuto, 350_040, 350_040)
}

// S0-80c, S4-16: the stream's time goes on upward from one publisher to the next in full and
// zero; off tells what each said.
//
// S4-16.
func TestTimesAcrossPublishers(t *testing.T) {
	t.Parallel()
	for policy, want := range map[config.TimestampPolicy][2]uint32{
		config.TimestampsFull: {1000, 1040}, config.TimestampsZero: {0, 40}, config.TimestampsOff: {70_000, 500},
	} {
		t.Run(string(policy), func(t *testing.T) {
			t.Parallel()
			l := newLab(t, stamps(policy, config.ATCAuto))
			p := l.publish("live/a")
			p.begin(t)
			players := l.audience("a")
			p.write(t, message.TypeVideo, 70_000, frame(true, 0, 0))
			for protocol, next := range players {
				if got := told(t, protocol, next, 1)[0].at; got != want[0] {
					t.Errorf("%s: the first publisher's picture at %d, want %d", protocol, got, want[0])
				}
			}
			_ = p.Close()
			l.event("stream.unpublished")
			p = l.publish("live/a")
			p.begin(t)
			p.write(t, message.TypeVideo, 500, frame(true, 1, 0))
			for protocol, next := range players {
				if got := told(t, protocol, next, 1)[0].at; got != want[1] {
					t.Errorf("%s: the second publisher's picture at %d, want %d", protocol, got, want[1])
				}
			}
		})
	}
}
