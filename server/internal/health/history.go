package health

import "time"

// historyPoints is how many seconds of a stream's past are kept: 15 minutes.
const historyPoints = 900

// Point is one second of a stream's history.
type Point struct {
	Time            time.Time
	InKbps, OutKbps int
	FPS             float64
	KeyIntervalMS   int
	JumpMS          int // largest timestamp jump in that second
	AVDriftMS       int // see Clocks
	JitterMS        int
	Drops           int
	Players         int
}

// history is a ring of points that grows to its full size only with use.
type history struct {
	ring []Point
	next int // where the oldest is once the ring is full
}

func (h *history) add(p Point) {
	if len(h.ring) < historyPoints {
		h.ring = append(h.ring, p)
		return
	}
	h.ring[h.next] = p
	h.next = (h.next + 1) % historyPoints
}

// all returns a copy, oldest first.
func (h *history) all() []Point {
	out := make([]Point, 0, len(h.ring))
	out = append(out, h.ring[h.next:]...)
	return append(out, h.ring[:h.next]...)
}

// last calls f for at most n points, newest first.
func (h *history) last(n int, f func(Point)) {
	for i := range min(n, len(h.ring)) {
		f(h.ring[(h.next-1-i+2*len(h.ring))%len(h.ring)])
	}
}
