package stream

import (
	"testing"

	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/internal/media"
)

// atcMeta is onMetaData with bravo_atc: "true".
var atcMeta = media.NewData(0, []byte("\x02\x00\x0aonMetaData\x03\x00\x09bravo_atc\x02\x00\x04true\x00\x00\x09"))

// S0-80c: what players are told under each policy, for the same publisher.
func TestStamps(t *testing.T) {
	type step struct {
		packet media.Packet
		told   uint32
		// Before the packet: another publication, other settings.
		again bool
		set   *Settings
	}
	a := func(in, told uint32) step { return step{packet: sound(in, 9), told: told} }
	v := func(in, told uint32) step { return step{packet: keyFrame(in, 9), told: told} }
	again := func(s step) step { s.again = true; return s }
	with := func(policy Timestamps, atc ATC, s step) step {
		s.set = &Settings{Timestamps: policy, ATC: atc}
		return s
	}
	full, zero, asIs := Settings{}, Settings{Timestamps: Zero}, Settings{Timestamps: AsIs}

	for name, c := range map[string]struct {
		settings Settings
		steps    []step
	}{
		"full: a small start stays": {full, []step{v(5000, 5000), a(5005, 5005), v(5040, 5040)}},
		"zero: the start is 0":      {zero, []step{v(5000, 0), a(5005, 5), v(5040, 40)}},
		"off: as it came":           {asIs, []step{v(5000, 5000), a(5005, 5005), v(5040, 5040)}},

		"full: a jump of both is evened out": {full, []step{
			v(0, 0), a(0, 0), v(40, 40), a(23, 23), v(60_040, 40), a(60_023, 23), v(60_080, 80),
		}},
		"zero: a jump of both stays": {zero, []step{
			v(7000, 0), a(7000, 0), v(7040, 40), v(67_040, 60_040), a(67_023, 60_023), v(67_080, 60_080),
		}},
		"off: a jump stays": {asIs, []step{v(0, 0), a(0, 0), v(60_040, 60_040), a(60_023, 60_023)}},

		"full: a jump back goes on upward": {full, []step{v(50_000, 1000), a(50_000, 1000), v(0, 1000), a(3, 1003), v(40, 1040)}},
		"zero: a jump back goes on upward": {zero, []step{v(50_000, 0), a(50_000, 0), v(90_000, 40_000), v(0, 40_000), a(3, 40_003), v(40, 40_040)}},
		"off: a jump back stays":           {asIs, []step{v(50_000, 50_000), a(50_000, 50_000), v(0, 0), a(3, 3)}},
		"zero: a small step back waits":    {zero, []step{v(100, 0), v(140, 40), v(120, 40), v(160, 60)}},
		"off: a small step back stays":     {asIs, []step{v(100, 100), v(140, 140), v(120, 120)}},

		"zero: over 2^32": {zero, []step{v(0xFFFFFFF0, 0), a(0xFFFFFFF8, 8), v(0x18, 40), a(0x0F, 31)}},
		"off: over 2^32":  {asIs, []step{v(0xFFFFFFF0, 0xFFFFFFF0), v(0x18, 0x18)}},

		"full: the next publication goes on": {full, []step{v(1000, 1000), again(v(0, 1040)), v(40, 1080)}},
		"zero: the next publication goes on": {zero, []step{v(9000, 0), v(80_000, 71_000), again(v(5, 71_040)), v(45, 71_080)}},
		"off: the next publication is as it came": {asIs, []step{
			v(1000, 1000), again(v(0, 0)), v(40, 40),
		}},

		"full to zero goes on":        {full, []step{v(5000, 5000), with(Zero, ATCOff, v(5040, 5040)), v(65_040, 65_040)}},
		"zero to full goes on":        {zero, []step{v(9000, 0), v(80_000, 71_000), with(Full, ATCOff, v(80_040, 71_040)), v(200_000, 71_040)}},
		"full to off is what it is":   {full, []step{v(50_000, 1000), with(AsIs, ATCOff, v(50_040, 50_040))}},
		"off to full goes on from it": {asIs, []step{v(50_000, 50_000), with(Full, ATCOff, v(50_040, 50_040)), v(900_000, 50_040)}},
		"off to zero goes on from it": {asIs, []step{v(50_000, 50_000), with(Zero, ATCOff, v(50_040, 50_040)), v(900_000, 900_000)}},
		"changed while nobody publishes": {full, []step{
			v(5000, 5000), again(with(Zero, ATCOff, v(70_000, 5040))), v(170_000, 105_040),
		}},

		"atc on is off": {Settings{ATC: ATCOn}, []step{v(50_000, 50_000), v(90_000, 90_000)}},
		"atc auto without the metadata is policy": {Settings{ATC: ATCAuto}, []step{v(50_000, 1000)}},
		"atc auto with the metadata": {Settings{ATC: ATCAuto, Timestamps: Zero}, []step{
			{packet: atcMeta}, v(50_000, 50_000), v(90_000, 90_000),
		}},
		"atc off with the metadata":              {full, []step{{packet: atcMeta}, v(50_000, 1000)}},
		"atc auto holds for its publication":     {Settings{ATC: ATCAuto}, []step{{packet: atcMeta}, v(50_000, 50_000), again(v(0, 50_040))}},
		"metadata that comes late holds from it": {Settings{ATC: ATCAuto}, []step{v(50_000, 1000), {packet: atcMeta, told: 0}, v(50_040, 50_040)}},
	} {
		t.Run(name, func(t *testing.T) {
			var l log
			l.restart()
			settings := c.settings
			for i, s := range c.steps {
				if s.again {
					l.restart()
				}
				if s.set != nil {
					settings = *s.set
				}
				settings.MaxBytes = DefaultMaxBytes
				l.append(s.packet, settings)
				if l.kept.len() == 0 {
					continue // without video a log forgets
				}
				if e := l.kept.at(l.kept.len() - 1); !e.packet.Meta && e.told != s.told {
					t.Fatalf("step %d (%v %d): told %d, want %d", i, s.packet.Kind, s.packet.Time, e.told, s.told)
				}
			}
		})
	}
}

// However the times jump, a message's age goes by the evened-out timeline: a player
// is not thrown forward because the publisher's clock was.
func TestStampsAreNotAges(t *testing.T) {
	for _, policy := range []Timestamps{Full, Zero, AsIs} {
		var l log
		l.restart()
		s := Settings{Timestamps: policy, MaxBytes: DefaultMaxBytes}
		l.append(keyFrame(0, 9), s)
		l.append(frame(40, 9), s)
		l.append(frame(20_000_000, 9), s)
		l.append(frame(20_000_040, 9), s)
		if n := l.kept.len(); n != 4 {
			t.Errorf("policy %d: %d messages kept, want 4", policy, n)
		}
		if age := l.kept.at(3).time - l.kept.at(0).time; age != 80 {
			t.Errorf("policy %d: the GOP is %d ms long, want 80", policy, age)
		}
	}
}

// A player that joins is told the time of the media in front of which it stands, by
// the policy, also in the introductions.
func TestJoinersAreToldByPolicy(t *testing.T) {
	const start = 0xFFFFFF - 20
	for policy, first := range map[Timestamps]uint32{Full: headroom, Zero: 0, AsIs: start} {
		s := withGOP
		s.Timestamps = policy
		h := runHub(t, 1)
		p := publish(t, h, PublishOptions{Settings: s})
		published := join(at(start, intro()...), []media.Packet{keyFrame(start, 9000), sound(start+5, 100), frame(start+40, 9000)})
		write(t, p, published...)
		want := join(at(first, intro()...), []media.Packet{published[3], published[4], published[5]})
		want[3].Time, want[4].Time, want[5].Time = first, first+5, first+40
		same(t, "RTMP", drained(t, pull(t, h, SubscribeOptions{})), rtmpBytes(want...))
		same(t, "FLV", drained(t, pull(t, h, SubscribeOptions{Framing: FLV})), append(flv.AppendHeader(nil, true, true), flvBytes(want...)...))
		p.Close()
	}
}
