package stream

import (
	"testing"

	"github.com/penstock-media/penstock/server/internal/media"
)

// tick is one packet and the time it must get; again begins another publication.
type tick struct {
	kind  media.Kind
	in    uint32
	want  int64
	head  bool
	again bool
}

func TestTimeline(t *testing.T) {
	a := func(in uint32, want int64) tick { return tick{kind: media.Audio, in: in, want: want} }
	v := func(in uint32, want int64) tick { return tick{kind: media.Video, in: in, want: want} }
	d := func(in uint32, want int64) tick { return tick{kind: media.Data, in: in, want: want} }
	head := func(kind media.Kind, in uint32, want int64) tick {
		return tick{kind: kind, in: in, want: want, head: true}
	}
	again := tick{again: true}

	for name, ticks := range map[string][]tick{
		"near zero stays as it is":                    {v(0, 0), a(3, 3), v(40, 40), a(26, 26)},
		"a first publication's own small start stays": {a(2000, 2000), v(1960, 1960), v(2000, 2000)},
		"a start far from zero comes near it, with the other kind beside": {
			v(4_000_000_000, 1000), a(4_000_000_000-20, 980), v(4_000_000_040, 1040),
		},
		"start just below 2^32, then over it": {
			v(0xFFFFFFF0, 1000), v(24, 1040), a(24, 1040), a(47, 1063),
		},
		"2^24 is nothing special":            {v(1, 1), v(9_000, 9000), v(18_000, 18000), v(0xFFFFFF-5, 18000), v(0xFFFFFF+35, 18040)},
		"2^31 is nothing special":            {v(0x7FFFFFFF-20, 1000), a(0x7FFFFFFF-20, 1000), v(0x7FFFFFFF+20, 1040), a(0x7FFFFFFF+3, 1023)},
		"a delta of -10 ms":                  {v(100, 100), v(90, 100), v(130, 130)},
		"audio 40 ms back after a reconnect": {a(1000, 1000), v(1000, 1000), a(960, 1000), a(983, 1000), a(1006, 1006)},
		"both kinds jump 20 000 s forward: one offset for both": {
			a(1000, 1000), v(1000, 1000), v(20_001_040, 1000), a(20_001_023, 1000), a(20_001_046, 1006), v(20_001_080, 1040),
		},
		"both kinds jump to zero": {
			a(500_000, 1000), v(500_000, 1000), a(0, 1000), v(20, 1020), a(23, 1023), v(60, 1060),
		},
		"one kind jumps alone and stays by the other": {
			a(1000, 1000), v(1000, 1000), a(1023, 1023), v(900_000, 1023), v(900_040, 1063), a(1063, 1063),
		},
		"one kind pauses while the other goes on: no jump": {
			a(0, 0), v(0, 0), a(9000, 9000), a(18_000, 18_000), v(18_040, 18_040), a(18_023, 18_023), v(18_080, 18_080),
		},
		"one packet off and back": {
			a(1000, 1000), v(1000, 1000), v(900_000, 1000), v(1080, 1080), a(1080, 1080),
		},
		"ten seconds of silence are not a jump": {a(0, 0), v(0, 0), v(9_990, 9_990), a(9_990, 9_990)},
		"audio that begins late with its own zero comes beside the video": {
			v(60_000, 1000), v(70_000, 11_000), v(80_000, 21_000), a(0, 21_000), a(23, 21_023), v(80_040, 21_040),
		},
		"configurations with time zero move nothing": {
			head(media.Video, 0, 0), head(media.Audio, 0, 0), v(50_000, 1000), a(50_000, 1000), head(media.Video, 0, 1000), v(50_040, 1040),
		},
		"a configuration within the media has its own time": {
			v(1000, 1000), head(media.Video, 1040, 1040), v(1040, 1040), head(media.Video, 500_000, 1040), v(1080, 1080),
		},
		"data goes by the media": {
			d(0, 0), v(50_000, 1000), d(0, 1000), d(50_020, 1020), v(50_040, 1040), d(50_030, 1030), d(1<<31, 1040),
		},
		"the next publication goes on upward": {
			v(1000, 1000), a(1010, 1010), again, head(media.Video, 0, 1050), v(0, 1050), a(5, 1055), v(40, 1090),
		},
		"the next publication's earlier second kind never goes back": {
			v(1000, 1000), a(1000, 1000), again, a(500, 1040), v(440, 1000), v(480, 1020), v(520, 1060),
		},
		"a publication without media changes nothing": {again, again, v(7, 7)},
		"a third publication":                         {v(100, 100), again, again, v(900_000, 140), again, a(3, 180)},
	} {
		t.Run(name, func(t *testing.T) {
			var tl timeline
			tl.restart()
			for i, k := range ticks {
				if k.again {
					tl.restart()
					continue
				}
				var got int64
				switch {
				case k.kind == media.Data:
					got = tl.script(k.in)
				case k.head:
					got = tl.head(k.kind, k.in)
				default:
					got = tl.media(k.kind, k.in)
				}
				if got != k.want {
					t.Fatalf("tick %d (%v %d): got %d, want %d", i, k.kind, k.in, got, k.want)
				}
			}
		})
	}
}

// Whatever a publisher sends, a kind's time never goes back, and when it sends a
// steady clock with jumps of both kinds, they stay together.
func TestTimelineMonotonic(t *testing.T) {
	var tl timeline
	tl.restart()
	seed := uint32(1)
	random := func() uint32 { seed = seed*1664525 + 1013904223; return seed }
	var last [3]int64
	clock := random()
	for i := range 200_000 {
		clock += 20
		switch random() >> 20 & 1023 {
		case 0:
			clock = random()
		case 1:
			tl.restart()
		}
		stamp := clock
		if random()>>28 == 0 {
			stamp -= random() % 900
		}
		kind := media.Kind(random() >> 16 % 3)
		var got int64
		if kind == media.Data {
			got = tl.script(stamp)
		} else {
			got = tl.media(kind, stamp)
		}
		if got < last[kind] {
			t.Fatalf("packet %d: %v went from %d back to %d", i, kind, last[kind], got)
		}
		last[kind] = got
		if apart := last[media.Audio] - last[media.Video]; i > 100 && (apart > 3000 || apart < -3000) {
			t.Fatalf("packet %d: audio and video are %d ms apart", i, apart)
		}
	}
}
