package server_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// part is one message of an aggregate, with its back pointer. Its message stream is
// that of another server.
func part(typ uint8, at uint32, body []byte) []byte {
	n := len(body)
	b := []byte{typ, byte(n >> 16), byte(n >> 8), byte(n), byte(at >> 16), byte(at >> 8), byte(at), byte(at >> 24), 0, 0, 77}
	return binary.BigEndian.AppendUint32(append(b, body...), uint32(len(b)+n))
}

// S0-80a, S2-13: aggregates of a real publisher arrive as the messages in them, at
// times that count from the first one, which is at the aggregate's own.
func TestAggregates(t *testing.T) {
	t.Parallel()
	const a, v = message.TypeAudio, message.TypeVideo
	key, inter := frame(true, 1, 3000), frame(false, 2, 3000)
	whole := slices.Concat(part(v, 50_000, key), part(a, 50_011, sound(1)), part(v, 50_040, inter), part(a, 50_034, sound(2)))
	many := part(v, 0, key)
	for i := range 5000 {
		many = append(many, part(a, uint32(i), sound(i))...)
	}
	for name, c := range map[string]struct {
		at   uint32
		body []byte
		want []stamped
	}{
		"whole": {900, whole, []stamped{{v, 900}, {a, 911}, {v, 940}, {a, 934}}},
		"times over 24 bits": {
			5000, slices.Concat(part(v, 0x01FFFFF0, key), part(a, 0x02000003, sound(1))),
			[]stamped{{v, 5000}, {a, 5019}},
		},
		"times over 32 bits": {
			5000, slices.Concat(part(v, 0xFFFFFFF0, key), part(a, 3, sound(1))),
			[]stamped{{v, 5000}, {a, 5019}},
		},
		"without the last back pointer": {900, whole[:len(whole)-4], []stamped{{v, 900}, {a, 911}, {v, 940}, {a, 934}}},
		"cut inside the last message":   {900, whole[:len(whole)-5], []stamped{{v, 900}, {a, 911}, {v, 940}}},
		"cut inside the last head":      {900, append(slices.Clone(whole), 8, 0), []stamped{{v, 900}, {a, 911}, {v, 940}, {a, 934}}},
		"a nested aggregate is none": {
			900, slices.Concat(part(v, 0, key), part(message.TypeAggregate, 5, whole), part(a, 11, sound(1))),
			[]stamped{{v, 900}, {a, 911}},
		},
		"commands inside are none": {
			900, slices.Concat(part(v, 0, key), part(message.TypeCommand, 5, []byte("\x02\x00\x0bcloseStream")), part(a, 11, sound(1))),
			[]stamped{{v, 900}, {a, 911}},
		},
		"too many are cut off": {0, many, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, stamps(config.TimestampsOff, config.ATCOff))
			p := l.publish("live/a")
			p.configs(t)
			players := l.audience("a")
			p.write(t, message.TypeAggregate, c.at, c.body)
			end := frame(false, 999, 0)
			p.write(t, v, c.at+80_000, end)
			for protocol, next := range players {
				var got []stamped
				for {
					m := coded(t, protocol, next)
					if m.Type == v && numberOf(m.Payload) == 999 {
						break
					}
					got = append(got, stamped{m.Type, m.Timestamp})
				}
				if c.want == nil {
					if len(got) != 4096 {
						t.Errorf("%s: %d messages of an aggregate, want 4096", protocol, len(got))
					}
				} else if !slices.Equal(got, c.want) {
					t.Errorf("%s: got %v, want %v", protocol, got, c.want)
				}
			}
		})
	}
}
