package health

import (
	"fmt"
	"time"

	"github.com/penstock-media/penstock/server/internal/media"
)

// What counts as a problem.
const (
	jumpMS        = 1000  // a step in time this much larger than the time that passed
	apartMS       = 1000  // audio and video this far apart
	driftMS       = 200   // and this much further apart than they began: lips do not fit
	realTimeMS    = 3000  // a stream this much faster or slower than real time
	driftSeconds  = 5     // for so long
	longKeyMS     = 4000  // a new player waits for up to this long without a kept GOP
	veryLongKeyMS = 10000 // and segmenters give up
	settleFor     = 5 * time.Second
	stalledFor    = 3 * time.Second
	lookBack      = 60 // seconds of history the findings consider
	lowShare      = 10 // a bit rate under 1/lowShare of the last minute's is "near zero"
	lowWorthKbps  = 100
	lowSeconds    = 3
	dropLookBack  = 30
	severityFair  = "fair"
	severityBad   = "bad"
	severityGood  = "good"
)

// Finding is something about a stream that an operator should know: a fact, a
// consequence and a next step.
type Finding struct {
	Code     string // stable, snake_case
	Severity string // "fair" or "bad"
	Text     string
}

// Report is how a stream is doing.
type Report struct {
	VideoCodec, AudioCodec string
	Video, Audio           *media.Packet // the newest decoder configurations, nil before the first
	InKbps, OutKbps        int
	FPS                    float64
	KeyIntervalMS          int
	Clocks                 Clocks
	Health                 string // "good", "fair" or "bad"
	Findings               []Finding
}

// Report sums up.
func (m *Monitor) Report(now time.Time) Report {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := Report{
		VideoCodec: m.video.codec, AudioCodec: m.audio.codec,
		InKbps: m.inKbps, OutKbps: m.outKbps, FPS: m.fps, KeyIntervalMS: m.interval, Clocks: m.clocks(),
		Health: severityGood,
	}
	if m.video.configed {
		p := m.video.config
		r.Video = &p
	}
	if m.audio.configed {
		p := m.audio.config
		r.Audio = &p
	}
	if m.watch != nil {
		r.Findings = m.findings(now)
	} else if m.players > 0 {
		r.Findings = []Finding{{"no_publisher", severityFair, fmt.Sprintf(
			"Nobody publishes this stream and %s for it. Start the encoder, or check the name the players use.", waiting(m.players))}}
	}
	for _, f := range r.Findings {
		if f.Severity == severityBad {
			r.Health = severityBad
		} else if r.Health == severityGood {
			r.Health = f.Severity
		}
	}
	return r
}

func waiting(players int) string {
	if players == 1 {
		return "1 player waits"
	}
	return fmt.Sprintf("%d players wait", players)
}

// findings looks at a live stream. Bad ones come first.
func (m *Monitor) findings(now time.Time) []Finding {
	age := now.Sub(m.since)
	var bad, fair []Finding
	add := func(severity, code, format string, args ...any) {
		f := Finding{code, severity, fmt.Sprintf(format, args...)}
		if severity == severityBad {
			bad = append(bad, f)
		} else {
			fair = append(fair, f)
		}
	}
	if quiet := now.Sub(later(m.video.arrived, m.audio.arrived, m.since)); quiet >= stalledFor {
		add(severityBad, "stalled", "No audio or video has arrived for %d s, so every player has stopped. Check the encoder and its network.",
			int(quiet.Seconds()))
	} else if was, is, low := m.lowRate(); low {
		add(severityBad, "bitrate_collapsed", "The bit rate fell from %d to %d kbit/s, so the picture freezes or breaks up. "+
			"Check the encoder's upload, or lower its bit rate.", was, is)
	}
	m.videoFindings(age, add)
	if !m.audio.seen && m.video.seen && age >= settleFor {
		add(severityFair, "no_audio", "The stream has no audio. Some players wait long for it, and some sites refuse such a stream. "+
			"Add an audio track to the encoder, even a silent one.")
	}
	if m.audio.seen && m.audio.needs && !m.audio.configed && age >= settleFor {
		add(severityBad, "no_audio_config", "The audio came without its decoder configuration, so players cannot play it. Restart the encoder.")
	}
	if jump := m.largestJump(); jump > 0 {
		add(severityFair, "timestamp_jump", "Timestamps jumped by %.1f s in the last minute, so players may stall or skip. "+
			"Check the encoder's clock and sources.", float64(jump)/1000)
	}
	m.clockFindings(add)
	if drops := m.drops(); drops > 0 {
		add(severityFair, "players_dropping", "Players skipped %d messages in the last %d s because their connection is slower than the stream. "+
			"Offer a lower bit rate, or see Sessions for who is behind.", drops, dropLookBack)
	}
	return append(bad, fair...)
}

func (m *Monitor) videoFindings(age time.Duration, add func(severity, code, format string, args ...any)) {
	if !m.video.seen {
		return
	}
	switch {
	case m.video.needs && !m.video.configed && age >= settleFor:
		add(severityBad, "no_video_config", "The video came without its decoder configuration, so players cannot show it. Restart the encoder.")
	case !m.keySeen && age >= settleFor:
		add(severityBad, "no_key_frame", "No key frame has come yet, so no player can start. Set the encoder's key frame interval to 2 s.")
	case m.interval > veryLongKeyMS:
		add(severityBad, "key_interval", "Key frames are %.1f s apart, so players start late or not at all. Set the encoder's key frame interval to 2 s.",
			float64(m.interval)/1000)
	case m.interval > longKeyMS:
		add(severityFair, "key_interval", "Key frames are %.1f s apart, so players start late. Set the encoder's key frame interval to 2 s.",
			float64(m.interval)/1000)
	}
}

// lowRate compares the last seconds with the minute before them.
func (m *Monitor) lowRate() (was, is int, low bool) {
	var recent, before, n int
	i := 0
	m.recent(lookBack, func(p Point) {
		switch {
		case i < lowSeconds:
			recent += p.InKbps
		case p.InKbps > 0:
			before += p.InKbps
			n++
		}
		i++
	})
	if i < lowSeconds || n < lowSeconds {
		return 0, 0, false
	}
	was, is = before/n, recent/lowSeconds
	return was, is, was >= lowWorthKbps && is*lowShare < was
}

func (m *Monitor) largestJump() int {
	jump := 0
	m.recent(lookBack, func(p Point) { jump = max(jump, p.JumpMS) })
	return jump
}

func (m *Monitor) drops() int {
	drops := 0
	m.recent(dropLookBack, func(p Point) { drops += p.Drops })
	return drops
}

// recent calls f for the points of the last n seconds that belong to the present
// publication, newest first.
func (m *Monitor) recent(n int, f func(Point)) {
	m.history.last(n, func(p Point) {
		if !p.Time.Before(m.since) {
			f(p)
		}
	})
}

func later(times ...time.Time) time.Time {
	var last time.Time
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}
