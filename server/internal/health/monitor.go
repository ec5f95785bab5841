package health

import (
	"sync"
	"time"

	"github.com/penstock-media/penstock/server/internal/media"
)

// Monitor watches one stream, across its publishers. Sample is called by one
// sampler, the rest by anybody.
type Monitor struct {
	mu sync.Mutex
	// guarded by mu
	watch    *Watch    // of the present publication; nil while there is none
	since    time.Time // when the present publication started
	video    track
	audio    track
	keyTime  uint32 // media time of the newest key frame
	keySeen  bool
	interval int // ms between the last two key frames
	second   second
	fps      float64
	inKbps   int
	outKbps  int
	players  int
	apart    float64 // ms audio was ahead of video when both had settled
	lasting  lasting // how long clocks have been wrong
	jumps    uint64  // of the present publication
	total    uint64  // jumps of all publications
	history  history
	sampled  time.Time
	lastOut  uint64
	lastDrop uint64
}

// track is what is known of the audio or the video.
type track struct {
	codec    string
	needs    bool // decoders of this codec need a configuration
	config   media.Packet
	configed bool
	clock
}

// second is what gathers between two samples.
type second struct {
	bytes  uint64
	frames int
	jump   int
}

// New returns a Monitor of a stream nobody publishes yet.
func New() *Monitor { return &Monitor{} }

// Watch is what one publication tells its stream's monitor. When another
// publication has begun, what it says is ignored: a publisher that was replaced
// finds that out a little later.
type Watch struct {
	m            *Monitor
	video, audio string // codec names; guarded by m.mu
}

// Begin is called when a publication starts. The history goes on.
func (m *Monitor) Begin(now time.Time) *Watch {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := &Watch{m: m}
	m.watch, m.since = w, now
	m.video, m.audio = track{}, track{}
	m.keySeen, m.interval, m.second = false, 0, second{}
	m.apart, m.lasting, m.jumps = 0, lasting{}, 0
	return w
}

// End is called when the publication ends.
func (w *Watch) End() {
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	if w.m.watch == w {
		w.m.watch = nil
	}
}

// Observe takes note of a packet that was just published.
func (w *Watch) Observe(p media.Packet, now time.Time) {
	m := w.m
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.watch != w {
		return
	}
	m.second.bytes += uint64(len(p.Payload))
	if p.Empty || p.Track != 0 {
		return
	}
	switch p.Kind {
	case media.Video:
		m.observe(&m.video, p, now)
		w.video = m.video.codec
		if p.Config {
			return
		}
		m.second.frames++
		if !p.Key {
			return
		}
		if m.keySeen {
			m.interval = max(int(int32(p.Time-m.keyTime)), 0)
		}
		m.keyTime, m.keySeen = p.Time, true
	case media.Audio:
		m.observe(&m.audio, p, now)
		w.audio = m.audio.codec
	case media.Data:
	}
}

func (m *Monitor) observe(t *track, p media.Packet, now time.Time) {
	if p.Config {
		t.config, t.configed, t.needs = p, true, true
		t.codec = codecName(p)
		return
	}
	if t.codec == "" {
		t.codec = codecName(p)
		t.needs = needsConfig(t.codec)
	}
	other := &m.video.clock
	if p.Kind == media.Video {
		other = &m.audio.clock
	}
	if jump := t.tick(p.Time, now, m.since, other); jump > 0 {
		m.second.jump = max(m.second.jump, jump)
		m.jumps++
		m.total++
	}
}

func codecName(p media.Packet) string {
	if p.Kind == media.Video {
		return media.VideoCodecName(p)
	}
	return media.AudioCodecName(p)
}

// needsConfig reports whether a decoder can do nothing without a configuration.
func needsConfig(codec string) bool {
	switch codec {
	case "H.264", "H.265", "AV1", "AAC":
		return true
	}
	return false
}

// Outside is what the stream knows and its packets do not say. The counters only
// grow.
type Outside struct {
	BytesOut uint64
	Dropped  uint64
	Players  int
}

// Sample closes the second that has just passed. It is called once a second.
func (m *Monitor) Sample(o Outside, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	elapsed := now.Sub(m.sampled)
	if m.sampled.IsZero() || elapsed <= 0 {
		elapsed = time.Second
	}
	m.sampled = now
	per := func(n uint64) int { return int(float64(n) * 8 / 1000 / elapsed.Seconds()) }
	m.inKbps, m.outKbps = per(m.second.bytes), per(grown(o.BytesOut, m.lastOut))
	m.smooth(float64(m.second.frames) / elapsed.Seconds())
	m.players = o.Players
	m.compare()
	clocks := m.clocks()
	m.lasting.second(m.watch != nil, clocks, m.realTime())
	m.history.add(Point{
		Time: now, InKbps: m.inKbps, OutKbps: m.outKbps, FPS: m.fps, KeyIntervalMS: m.interval,
		JumpMS: m.second.jump, AVDriftMS: clocks.AVDrift, JitterMS: clocks.Jitter,
		Drops: int(grown(o.Dropped, m.lastDrop)), Players: o.Players,
	})
	m.second, m.lastOut, m.lastDrop = second{}, o.BytesOut, o.Dropped
}

// smooth averages the frame rate over a few seconds: frames arrive in bursts, and
// a single second of 25 fps counts 23 to 27.
func (m *Monitor) smooth(fps float64) {
	const weight = 0.3
	if m.fps == 0 || fps == 0 {
		m.fps = fps
		return
	}
	m.fps += weight * (fps - m.fps)
}

// grown is how much a counter grew; one that started anew counts from zero.
func grown(now, before uint64) uint64 {
	if now < before {
		return now
	}
	return now - before
}

// Codecs returns the names of the codecs that came, empty where there was none.
func (w *Watch) Codecs() (video, audio string) {
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	return w.video, w.audio
}

// Jumps counts the jumps of every publication.
func (m *Monitor) Jumps() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.total
}

// History returns the points of the last 15 minutes, oldest first.
func (m *Monitor) History() []Point {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.history.all()
}
