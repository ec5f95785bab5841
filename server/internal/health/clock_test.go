package health

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/internal/media"
)

// near reports whether got is want, give or take some ms.
func near(got, want, give int) bool { return got >= want-give && got <= want+give }

// S0-80c, R-2.11: what a publisher's clocks do is measured and said in words.
func TestClocks(t *testing.T) {
	scale := func(kind media.Kind, percent float64) func(*media.Packet) bool {
		return func(p *media.Packet) bool {
			if p.Kind == kind || kind == media.Data {
				p.Time = uint32(float64(p.Time) * (1 + percent/100))
			}
			return true
		}
	}
	jumpAt := func(from, by uint32, kinds ...media.Kind) func(*media.Packet) bool {
		return func(p *media.Packet) bool {
			if slices.Contains(kinds, p.Kind) && p.Time >= from {
				p.Time += by
			}
			return true
		}
	}
	for _, c := range []struct {
		name    string
		seconds int
		change  func(*media.Packet) bool
		want    Clocks
		code    string // "" for none about clocks
		words   string
	}{
		{name: "in real time", seconds: 60},
		{
			name: "audio 1 % fast", seconds: 60, change: scale(media.Audio, 1),
			want: Clocks{AVOffset: 580, AVDrift: 540, AudioDrift: 540}, code: "av_drift", words: "audio clock runs faster than its video clock: it has gained 0.5 s",
		},
		{
			name: "video 1 % fast", seconds: 60, change: scale(media.Video, 1),
			want: Clocks{AVOffset: -580, AVDrift: -540, VideoDrift: 540}, code: "av_drift", words: "video clock runs faster than its audio clock",
		},
		{
			name: "audio 0.1 % fast is not said within a minute", seconds: 60, change: scale(media.Audio, 0.1),
			want: Clocks{AVOffset: 58, AVDrift: 54, AudioDrift: 54},
		},
		{
			name: "audio 3 s ahead from the beginning", seconds: 60, change: jumpAt(0, 3000, media.Audio),
			want: Clocks{AVOffset: 3000}, code: "av_offset", words: "Audio is 3.0 s ahead of video",
		},
		{
			name: "video 2 s ahead from the beginning", seconds: 60, change: jumpAt(0, 2000, media.Video),
			want: Clocks{AVOffset: -2000}, code: "av_offset", words: "Video is 2.0 s ahead of audio",
		},
		{
			name: "10 % slower than real time", seconds: 60, change: scale(media.Data, -10),
			want: Clocks{AudioDrift: -5400, VideoDrift: -5400, Jitter: 4}, code: "slower_than_real_time", words: "fallen 5.4 s behind real time",
		},
		{
			name: "twice as fast as real time", seconds: 20, change: scale(media.Data, 100),
			want: Clocks{AudioDrift: 14_500, VideoDrift: 14_500, Jitter: 40}, code: "faster_than_real_time", words: "faster than real time",
		},
		{
			name: "both jump: one each, and no drift", seconds: 60, change: jumpAt(30_000, 20_000, media.Audio, media.Video),
			want: Clocks{Jumps: 2},
		},
		{
			name: "one jumps alone: no drift, players are told none", seconds: 60, change: jumpAt(30_000, 900_000, media.Audio),
			want: Clocks{Jumps: 1},
		},
		{
			name: "both begin again at 0", seconds: 60, change: jumpAt(30_000, 1<<32-30_000, media.Audio, media.Video),
			want: Clocks{Jumps: 2},
		},
		{
			name: "audio far from video's clock is beside it", seconds: 60, change: jumpAt(0, 900_000, media.Audio),
		},
		{
			name: "over 2^32", seconds: 60, change: jumpAt(0, 1<<32-30_000, media.Audio, media.Video),
		},
		{
			name: "small steps back are rounding", seconds: 60,
			change: func(p *media.Packet) bool {
				if p.Time%1000 == 0 && p.Time > 0 {
					p.Time -= 50
				}
				return true
			},
			want: Clocks{Jitter: 7},
		},
		{name: "audio only", seconds: 60, change: func(p *media.Packet) bool { return p.Kind == media.Audio }},
		{
			name: "audio only, slow", seconds: 60,
			change: func(p *media.Packet) bool { p.Time -= p.Time / 10; return p.Kind == media.Audio },
			want:   Clocks{AudioDrift: -5400, Jitter: 4}, code: "slower_than_real_time", words: "behind real time",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLab()
			l.Observe(avc, l.now)
			l.Observe(aac, l.now)
			l.run(c.seconds, c.change)
			r := l.Report(l.now)
			got := r.Clocks
			if !near(got.AVOffset, c.want.AVOffset, 40) || !near(got.AVDrift, c.want.AVDrift, 40) || !near(got.AudioDrift, c.want.AudioDrift, 250) ||
				!near(got.VideoDrift, c.want.VideoDrift, 250) || !near(got.Jitter, c.want.Jitter, 5) || got.Jumps != c.want.Jumps {
				t.Errorf("got %+v, want about %+v", got, c.want)
			}
			if l.Jumps() != c.want.Jumps {
				t.Errorf("%d jumps in all, want %d", l.Jumps(), c.want.Jumps)
			}
			said := ""
			for _, f := range r.Findings {
				if slices.Contains([]string{"av_drift", "av_offset", "slower_than_real_time", "faster_than_real_time"}, f.Code) {
					if said != "" {
						t.Errorf("said both %s and %s", said, f.Code)
					}
					said = f.Code
					if c.code != "" && !strings.Contains(f.Text, c.words) {
						t.Errorf("says %q, want %q in it", f.Text, c.words)
					}
				}
			}
			if said != c.code {
				t.Errorf("findings %v, want %q", codes(r), c.code)
			}
		})
	}
}

// Packets that come in bunches have jitter and no drift; a network that holds a stream
// up shows as time lost, and when it is made up for the warning goes.
func TestClocksOnABadNetwork(t *testing.T) {
	l := newLab()
	var held []media.Packet
	deliver := func() {
		for _, p := range held {
			l.Observe(p, l.now)
		}
		held = nil
	}
	hold := func(p *media.Packet) bool {
		held = append(held, *p)
		return false
	}
	l.run(10, func(p *media.Packet) bool {
		hold(p)
		if p.Kind == media.Audio && p.Time%400 == 0 {
			deliver()
		}
		return false
	})
	r := l.Report(l.now)
	if c := r.Clocks; !near(c.AVDrift, 0, 40) || !near(c.VideoDrift, 0, 100) || c.Jitter < 20 || c.Jumps != 0 {
		t.Errorf("in bunches: %+v", c)
	}
	l.run(8, hold)
	l.run(1, func(p *media.Packet) bool { deliver(); return true })
	l.run(5, nil)
	if c := l.Report(l.now).Clocks; !near(c.VideoDrift, 0, 700) {
		t.Errorf("after it was made up for: %+v", c)
	}
}

// A new publisher's clocks count from its own beginning; the jumps of all are kept.
func TestClocksBeginAnew(t *testing.T) {
	l := newLab()
	l.run(30, func(p *media.Packet) bool {
		if p.Kind == media.Audio {
			p.Time += p.Time / 50
		}
		if p.Time >= 20_000 && p.Kind == media.Video {
			p.Time += 50_000
		}
		return true
	})
	if r := l.Report(l.now); r.Clocks.AVDrift < 300 || r.Clocks.Jumps != 1 || !slices.Contains(codes(r), "av_drift") {
		t.Errorf("%+v, %v", r.Clocks, codes(r))
	}
	l.End()
	l.now = l.now.Add(time.Second)
	l.Watch = l.Begin(l.now)
	l.ts = 0
	l.run(10, nil)
	if r := l.Report(l.now); r.Clocks != (Clocks{}) || l.Jumps() != 1 {
		t.Errorf("%+v, %d jumps in all", r.Clocks, l.Jumps())
	}
}
