package health

import (
	"slices"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/internal/media"
)

// lab is a monitor with a clock of its own.
type lab struct {
	*Monitor
	*Watch
	now time.Time
	ts  uint32
	n   int
}

func newLab() *lab {
	l := &lab{Monitor: New(), now: time.Unix(1_000_000, 0)}
	l.Watch = l.Begin(l.now)
	return l
}

var (
	avc      = media.Packet{Kind: media.Video, Config: true, FourCC: fourCC("avc1"), Payload: []byte{0x17, 0, 0, 0, 0, 1}}
	aac      = media.Packet{Kind: media.Audio, Config: true, FourCC: fourCC("mp4a"), Payload: []byte{0xaf, 0, 0x12, 0x10}}
	picture  = media.Packet{Kind: media.Video, FourCC: fourCC("avc1"), Payload: make([]byte, 5000)}
	sound    = media.Packet{Kind: media.Audio, FourCC: fourCC("mp4a"), Payload: []byte{0xaf, 1, 0}}
	keyEvery = 50 // pictures
)

func fourCC(s string) uint32 {
	return uint32(s[0])<<24 | uint32(s[1])<<16 | uint32(s[2])<<8 | uint32(s[3])
}

// run lets seconds of 25 fps pass; change may turn each packet into another or,
// by returning false, into none.
func (l *lab) run(seconds int, change func(*media.Packet) bool) {
	for range seconds {
		for range 25 {
			v, a := picture, sound
			v.Time, a.Time, v.Key = l.ts, l.ts, l.n%keyEvery == 0
			for _, p := range []media.Packet{v, a} {
				if change == nil || change(&p) {
					l.Observe(p, l.now)
				}
			}
			l.n++
			l.ts += 40
			l.now = l.now.Add(40 * time.Millisecond)
		}
		l.Sample(Outside{}, l.now)
	}
}

func codes(r Report) []string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, f.Code)
	}
	return out
}

func TestAHealthyStream(t *testing.T) {
	l := newLab()
	l.Observe(avc, l.now)
	l.Observe(aac, l.now)
	l.run(20, nil)
	r := l.Report(l.now)
	if r.Health != "good" || len(r.Findings) != 0 {
		t.Errorf("health %s: %+v", r.Health, r.Findings)
	}
	if r.FPS < 24 || r.FPS > 26 || r.KeyIntervalMS != 2000 || r.InKbps < 990 || r.InKbps > 1010 {
		t.Errorf("%.1f fps, keys every %d ms, %d kbit/s", r.FPS, r.KeyIntervalMS, r.InKbps)
	}
	if r.VideoCodec != "H.264" || r.AudioCodec != "AAC" || r.Video == nil || r.Audio == nil {
		t.Errorf("codecs %q %q", r.VideoCodec, r.AudioCodec)
	}
}

func TestFindings(t *testing.T) {
	type step struct {
		seconds int
		change  func(*media.Packet) bool
	}
	only := func(k media.Kind) func(*media.Packet) bool {
		return func(p *media.Packet) bool { return p.Kind == k }
	}
	nothing := func(*media.Packet) bool { return false }
	jumped := false
	tests := []struct {
		name     string
		noConfig bool
		steps    []step
		outside  Outside
		want     string
		health   string
	}{
		{name: "no audio", steps: []step{{10, only(media.Video)}}, want: "no_audio", health: "fair"},
		{name: "audio only is all right", steps: []step{{10, only(media.Audio)}}, health: "good"},
		{name: "no key frame", steps: []step{{10, func(p *media.Packet) bool { p.Key = false; return true }}}, want: "no_key_frame", health: "bad"},
		{name: "no configuration", noConfig: true, steps: []step{{10, nil}}, want: "no_video_config", health: "bad"},
		{name: "stalled", steps: []step{{10, nil}, {4, nothing}}, want: "stalled", health: "bad"},
		{name: "collapsed", steps: []step{{20, nil}, {4, only(media.Audio)}}, want: "bitrate_collapsed", health: "bad"},
		{name: "jump", steps: []step{{10, func(p *media.Packet) bool {
			if !jumped && p.Time > 3000 {
				jumped = true
				p.Time += 20_000
			}
			return true
		}}}, want: "timestamp_jump", health: "fair"},
		{name: "apart", steps: []step{{16, func(p *media.Packet) bool {
			if p.Kind == media.Audio {
				p.Time += 3000
			}
			return true
		}}}, want: "av_offset", health: "fair"},
		{name: "drops", steps: []step{{10, nil}}, outside: Outside{Players: 3, Dropped: 7}, want: "players_dropping", health: "fair"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab()
			if !tt.noConfig {
				l.Observe(avc, l.now)
				l.Observe(aac, l.now)
			}
			for _, s := range tt.steps {
				l.run(s.seconds, s.change)
			}
			l.Sample(tt.outside, l.now)
			r := l.Report(l.now)
			if r.Health != tt.health || tt.want == "" && len(r.Findings) > 0 || tt.want != "" && !slices.Contains(codes(r), tt.want) {
				t.Errorf("health %s, findings %v; want %s, %s", r.Health, codes(r), tt.health, tt.want)
			}
			for _, f := range r.Findings {
				if f.Text == "" || f.Code == "" {
					t.Errorf("a finding without words: %+v", f)
				}
			}
		})
	}
}

func TestLongKeyInterval(t *testing.T) {
	for every, want := range map[int]string{6: "fair", 12: "bad"} {
		l := newLab()
		l.Observe(avc, l.now)
		l.Observe(aac, l.now)
		l.run(30, func(p *media.Packet) bool {
			p.Key = p.Time%uint32(every*1000) == 0
			return true
		})
		r := l.Report(l.now)
		if r.Health != want || !slices.Contains(codes(r), "key_interval") {
			t.Errorf("every %d s: %s, %v", every, r.Health, codes(r))
		}
	}
}

func TestANewPublisherBeginsWithACleanSheet(t *testing.T) {
	l := newLab()
	l.run(10, func(p *media.Packet) bool { p.Key = false; return true })
	l.End()
	l.Sample(Outside{Players: 2}, l.now)
	if r := l.Report(l.now); !slices.Equal(codes(r), []string{"no_publisher"}) {
		t.Errorf("without a publisher: %v", codes(r))
	}
	l.now = l.now.Add(time.Second)
	l.Watch = l.Begin(l.now)
	l.ts = 0
	l.Observe(avc, l.now)
	l.Observe(aac, l.now)
	l.n = 0
	l.run(10, nil)
	if r := l.Report(l.now); r.Health != "good" {
		t.Errorf("after the restart: %v", codes(r))
	}
}

func TestHistoryKeepsFifteenMinutes(t *testing.T) {
	l := newLab()
	for i := range historyPoints + 10 {
		l.now = l.now.Add(time.Second)
		l.Sample(Outside{BytesOut: uint64(i) * 1000, Players: i}, l.now)
	}
	h := l.History()
	if len(h) != historyPoints || h[0].Players != 10 || h[len(h)-1].Players != historyPoints+9 || h[5].OutKbps != 8 {
		t.Errorf("%d points, first %+v", len(h), h[0])
	}
}

// The publisher that was replaced ends after its successor began.
func TestAReplacedPublisherSaysNothingMore(t *testing.T) {
	l := newLab()
	old := l.Watch
	l.Watch = l.Begin(l.now)
	l.Observe(avc, l.now)
	l.Observe(aac, l.now)
	old.Observe(media.Packet{Kind: media.Video, Config: true, FourCC: fourCC("hvc1"), Payload: []byte{0x1c, 0}}, l.now)
	old.End()
	l.run(10, nil)
	if r := l.Report(l.now); r.Health != "good" || r.VideoCodec != "H.264" {
		t.Errorf("health %s, codec %s, %v", r.Health, r.VideoCodec, codes(r))
	}
	if v, a := old.Codecs(); v != "" || a != "" {
		t.Errorf("the old publication has codecs %q %q", v, a)
	}
}
