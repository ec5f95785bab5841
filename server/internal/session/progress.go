package session

import (
	"time"

	"github.com/penstock-media/penstock/server/internal/roster"
)

const (
	progressEvery = 10 * time.Second
	progressMarks = int(5*time.Minute/progressEvery) + 1
)

// progress writes from time to time how an activity goes, at debug level: its age,
// its messages and its rates now, over 30 s and over 5 min.
type progress struct {
	begun time.Time
	marks []mark // the newest last, progressEvery apart
}

// mark is what an activity received and sent up to a time.
type mark struct {
	at      time.Time
	in, out uint64
}

// note takes the counters down, if it is time, and returns what the log says of them.
func (p *progress) note(now time.Time, m roster.Meter, messages uint64) []any {
	if p.begun.IsZero() {
		p.begun = now
		p.marks = append(p.marks, mark{now, m.BytesIn, m.BytesOut})
		return nil
	}
	if now.Sub(p.marks[len(p.marks)-1].at) < progressEvery {
		return nil
	}
	if len(p.marks) == progressMarks {
		p.marks = append(p.marks[:0], p.marks[1:]...)
	}
	p.marks = append(p.marks, mark{now, m.BytesIn, m.BytesOut})
	attrs := []any{"age_ms", now.Sub(p.begun).Milliseconds(), "messages", messages}
	for _, over := range []struct {
		name string
		time time.Duration
	}{{"", progressEvery}, {"_30s", 30 * time.Second}, {"_5min", 5 * time.Minute}} {
		in, out := p.rates(over.time)
		attrs = append(attrs, "in_kbps"+over.name, in, "out_kbps"+over.name, out)
	}
	return attrs
}

// rates are the kbit/s over a time up to the last mark, or since the first one.
func (p *progress) rates(over time.Duration) (in, out int64) {
	last := p.marks[len(p.marks)-1]
	from := p.marks[max(0, len(p.marks)-1-int(over/progressEvery))]
	ms := last.at.Sub(from.at).Milliseconds()
	if ms <= 0 {
		return 0, 0
	}
	return 8 * int64(last.in-from.in) / ms, 8 * int64(last.out-from.out) / ms
}

// tell writes the line, if somebody reads that level. It is called by the engine's ticker.
func (p *progress) tell(c *session, a *activity) {
	if !c.verbose {
		return
	}
	messages := a.messages.Load()
	if a.sub != nil {
		messages = a.sub.Stats().Messages
	}
	if attrs := p.note(time.Now(), c.meterOf(a), messages); attrs != nil {
		c.log.Debug("goes on", append(attrs, "role", a.role, "stream", a.entry.Session().Name)...)
	}
}
