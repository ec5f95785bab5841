package stream

import (
	"sort"
	"sync/atomic"

	"github.com/penstock-media/penstock/server/internal/media"
)

// Sizes of segments. A segment should last a second or two, so its size follows
// the stream's rate between these.
const (
	minSegment = 64 << 10
	maxSegment = 1 << 20
	// shortSegment and longSegment, in ms of stream time, are when the next segment
	// is made twice or half as large.
	shortSegment = 1000
	longSegment  = 4000
)

// segment is a piece of a framing: bytes that are only ever appended to, and never
// changed once published. It needs no lock to be read:
//
//	buf   ┌────────┬─────────────┬────┬──────────┬ ─ ─ ─ ─ ─ ─ ┐
//	      │ audio  │ video       │ a. │ video    │  to come    │ ──▶ next, once
//	      └────────┴─────────────┴────┴──────────┴ ─ ─ ─ ─ ─ ─ ┘     this is full
//	marks          ▲             ▲    ▲          ▲
//	                                             published: always a message's end
//
// Whoever holds a position in a segment keeps it, and all that follow, alive;
// the garbage collector takes what nobody points to.
type segment struct {
	buf       []byte
	base      int64  // bytes of the framing before this segment
	seq       uint64 // sequence number of the first message
	published atomic.Int64
	next      atomic.Pointer[segment]

	marks []mark // one a message; guarded by the stream's mu
}

// mark says what a message in a segment is.
type mark struct {
	end   uint32 // where its bytes end
	time  uint32 // its time, ms on the stream's timeline
	kind  media.Kind
	key   bool // a key frame of the default track
	intro bool // introduces
	least bool // a disposable frame
}

// find returns the index of the message that holds the byte at off, or the number
// of messages if off is behind the last one.
func (s *segment) find(off int) int {
	return sort.Search(len(s.marks), func(i int) bool { return int(s.marks[i].end) > off })
}

// start returns where the bytes of message i begin.
func (s *segment) start(i int) int {
	if i == 0 {
		return 0
	}
	return int(s.marks[i-1].end)
}

// position is a place in a framing. The zero value is no place.
type position struct {
	seg *segment
	off int
}

// peek returns the bytes from the position to the published end of its segment,
// moving on to the next segment at the end of one. It returns nil at the end of
// the log.
func (p *position) peek() []byte {
	for {
		if n := int(p.seg.published.Load()); p.off < n {
			return p.seg.buf[p.off:n:n]
		}
		next := p.seg.next.Load()
		if next == nil {
			return nil
		}
		// A message may have been published here after the first look; after next
		// was set none can be.
		if p.off == int(p.seg.published.Load()) {
			*p = position{next, 0}
		}
	}
}

// seq returns the sequence number of the message at the position, or of the next
// one to come. The stream's mu is held.
func (p *position) seq() uint64 { return p.seg.seq + uint64(p.seg.find(p.off)) }
