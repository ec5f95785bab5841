package stream

import "github.com/penstock-media/penstock/server/internal/media"

// What the timeline takes for a discontinuity, in ms.
const (
	maxForward  = 10_000 // a larger step of one kind forward is a jump
	maxBackward = 1_000  // a larger step of one kind backward is a jump
	// nearZero is how far from zero the first publication may begin for its own
	// times to be kept.
	nearZero = 10_000
	// headroom is where a first publication that begins elsewhere is put, so that
	// the other kind may begin a little before it.
	headroom = 1_000
	// joint is the step from one publication to the next.
	joint = 40
)

// timeline turns the timestamps of one publication after another into the
// stream's own time: 64-bit, near zero at first, never backward within a kind,
// with audio and video kept together.
//
// A publication's uint32 is unwrapped for each kind by itself and moved by the
// kind's offset. Both kinds have one offset until one of them jumps alone; then
// that kind is put beside the other, and when the other follows by the same jump
// it takes the offset of the first again, which restores what the encoder meant.
type timeline struct {
	kinds [2]clock // by media.Audio and media.Video
	data  int64    // last time of a data message
	base  int64    // where the present publication begins
	fresh bool     // no publication before this one
	loose bool     // begins at 0, and steps forward stay: the policy Zero
	jumps uint64
}

// clock is one kind's state. last lives on across publications.
type clock struct {
	seen   bool  // in this publication
	raw    int64 // unwrapped time of the last packet
	offset int64 // added to raw
	last   int64 // last time given out
}

// beside reports whether a kind is where the other one is: its long step was a pause,
// while the other went on.
func (c *clock) beside(other *clock) bool {
	apart := c.raw + c.offset - other.last
	return other.seen && apart >= -maxBackward && apart <= maxBackward
}

// restart begins a publication behind all that was given out.
func (t *timeline) restart() {
	begun := t.kinds[0].seen || t.kinds[1].seen
	t.fresh = !begun && t.now() == 0
	if begun {
		t.base = t.now() + joint
	}
	t.kinds[0].seen, t.kinds[1].seen = false, false
}

// now returns the latest time given out.
func (t *timeline) now() int64 { return max(t.kinds[0].last, t.kinds[1].last, t.data) }

// stamp returns the stream time of a packet.
func (t *timeline) stamp(p media.Packet, intro bool) int64 {
	switch {
	case p.Kind == media.Data:
		return t.script(p.Time)
	case intro:
		return t.head(p.Kind, p.Time)
	default:
		return t.media(p.Kind, p.Time)
	}
}

// media returns the stream time of an audio or video packet.
func (t *timeline) media(kind media.Kind, stamp uint32) int64 {
	c, other := &t.kinds[kind], &t.kinds[1-kind]
	switch {
	case c.seen:
		step := int64(int32(stamp - uint32(c.raw))) // modulo 2^32 is what is meant
		c.raw += step
		if step > maxForward && !t.loose && !c.beside(other) || step < -maxBackward {
			t.jump(c, other)
		}
	case other.seen:
		c.raw = other.raw + int64(int32(stamp-uint32(other.raw))) // modulo 2^32 is what is meant
		c.offset = other.offset
		if at := c.raw + c.offset - other.last; at > maxForward && !t.loose || at < -maxForward {
			t.jumps++
			c.offset = other.last - c.raw
		}
	default:
		c.raw = int64(stamp)
		switch {
		case !t.fresh || t.loose:
			c.offset = t.base - c.raw
		case c.raw > nearZero:
			c.offset = headroom - c.raw
		default:
			c.offset = 0
		}
	}
	c.seen = true
	c.last = max(c.last, c.raw+c.offset)
	return c.last
}

// jump finds a new offset for a kind whose timestamps jumped.
func (t *timeline) jump(c, other *clock) {
	t.jumps++
	if other.seen && other.offset != c.offset {
		at := c.raw + other.offset - max(c.last, other.last)
		if at >= -maxBackward && at <= maxForward {
			c.offset = other.offset
			return
		}
	}
	target := c.last
	if other.seen {
		target = max(target, other.last)
	}
	c.offset = target - c.raw
}

// head returns the stream time of a decoder configuration: its own if that is
// plausible, else that of its kind. It moves no offset, because encoders send
// configurations with time zero whatever the media has.
func (t *timeline) head(kind media.Kind, stamp uint32) int64 {
	c := &t.kinds[kind]
	if !c.seen {
		c.last = max(c.last, t.begin())
		return c.last
	}
	step := int64(int32(stamp - uint32(c.raw))) // modulo 2^32 is what is meant
	if at := c.raw + step + c.offset; at > c.last && at <= c.last+maxBackward {
		c.last = at
	}
	return c.last
}

// script returns the stream time of a data message, by the clock of the media
// that came last.
func (t *timeline) script(stamp uint32) int64 {
	at := t.begin()
	for i := range t.kinds {
		c := &t.kinds[i]
		if !c.seen {
			continue
		}
		own := c.raw + int64(int32(stamp-uint32(c.raw))) + c.offset // modulo 2^32 is what is meant
		if own > c.last+maxBackward || own < c.last-maxBackward {
			own = c.last
		}
		at = max(at, own)
	}
	t.data = max(t.data, at)
	return t.data
}

// begin returns where the present publication begins.
func (t *timeline) begin() int64 {
	if t.fresh {
		return 0
	}
	return t.base
}
