package health

import "time"

const (
	// backMS is how far (ms) a track's time may step back without being a jump:
	// encoders round, and some send B-frames out of order.
	backMS = 100
	// besideMS is how far from the other track's time a track may begin and still be
	// on the same clock.
	besideMS = 10_000
	// baseSeconds is how long a track is listened to before what its lead is then counts
	// as none: encoders begin with a burst.
	baseSeconds = 5
	// leadWeight is what a second's lead counts in the smoothed one.
	leadWeight = 0.3
	// jitterWeight is 1/16, as RTP has it (RFC 3550, 6.4.1).
	jitterWeight = 1.0 / 16
)

// clock compares a track's times with when they arrive. All times are in ms.
//
// A track's lead is its time, jumps evened out, minus the time that passed. A stream
// in real time has a lead that stays what it was; the leads of its two tracks differ by
// how far one is ahead of the other.
type clock struct {
	seen    bool
	raw     uint32    // the last time
	even    float64   // since the publication began, without jumps
	arrived time.Time // of the last packet

	sum     float64 // of this second's leads
	n       int
	lead    float64 // smoothed
	seconds int     // that brought something
	base    float64 // lead when it had settled
	jitter  float64
}

// settled reports whether the lead means something.
func (c *clock) settled() bool { return c.seconds >= baseSeconds }

// drift is what the track's clock has gained on real time; negative: lost.
func (c *clock) drift() float64 {
	if !c.settled() {
		return 0
	}
	return c.lead - c.base
}

// tick takes a packet's time and returns how far it jumped, 0 when it did not. begun is
// when the publication began, other the other track's clock.
func (c *clock) tick(stamp uint32, now, begun time.Time, other *clock) (jump int) {
	passed := ms(now.Sub(c.arrived))
	switch {
	case c.seen:
		step := float64(int32(stamp - c.raw)) // modulo 2^32 is what is meant
		if step < -backMS || step > passed+jumpMS {
			jump = int(max(step, -step))
			step = passed // what it was before goes on
		}
		c.even += step
		c.deviate(passed - step)
	case other.seen:
		c.even = other.even
		if apart := float64(int32(stamp - other.raw)); apart >= -besideMS && apart <= besideMS { // modulo 2^32 is what is meant
			c.even += apart
		}
	}
	c.seen, c.raw, c.arrived = true, stamp, now
	c.sum += c.even - ms(now.Sub(begun))
	c.n++
	return jump
}

func (c *clock) deviate(d float64) { c.jitter += (max(d, -d) - c.jitter) * jitterWeight }

// second closes a second.
func (c *clock) second() {
	if c.n == 0 {
		return
	}
	lead := c.sum / float64(c.n)
	if c.seconds == 0 {
		c.lead = lead
	}
	c.lead += leadWeight * (lead - c.lead)
	c.sum, c.n = 0, 0
	if c.seconds++; c.seconds == baseSeconds {
		c.base = c.lead
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// Clocks is how a publisher's clocks run, in ms. The leads are smoothed over seconds,
// and 0 until they have settled.
type Clocks struct {
	// AVOffset is how far audio is ahead of video; negative: behind.
	AVOffset int
	// AVDrift is how far that has moved since the publisher began.
	AVDrift int
	// AudioDrift and VideoDrift are what the track's clock has gained on real time since
	// the publisher began; negative: lost.
	AudioDrift, VideoDrift int
	// Jitter is how unevenly packets arrive, by their times.
	Jitter int
	// Jumps counts the steps of either track, back or far forward, that no time passed for.
	Jumps uint64
}

// clocks sums up. mu is held.
func (m *Monitor) clocks() Clocks {
	a, v := &m.audio.clock, &m.video.clock
	c := Clocks{
		AudioDrift: round(a.drift()), VideoDrift: round(v.drift()),
		Jitter: round(max(a.jitter, v.jitter)), Jumps: m.jumps,
	}
	if a.settled() && v.settled() {
		c.AVOffset = round(a.lead - v.lead)
		c.AVDrift = round(a.lead - v.lead - m.apart)
	}
	return c
}

// compare closes a second of both clocks. mu is held.
func (m *Monitor) compare() {
	a, v := &m.audio.clock, &m.video.clock
	both := a.settled() && v.settled()
	a.second()
	v.second()
	if a.settled() && v.settled() && !both {
		m.apart = a.lead - v.lead
	}
}

func round(f float64) int {
	if f < 0 {
		return int(f - 0.5)
	}
	return int(f + 0.5)
}
