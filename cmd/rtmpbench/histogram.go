package main

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// histogram counts durations in buckets that are a sixteenth of an octave wide or
// less, from 1 µs on: what it says is at most 6 % too much.
type histogram struct {
	buckets [bucketsPerOctave * octaves]atomic.Uint32
}

const (
	bucketsPerOctave = 16
	octaves          = 28 // 2^28 µs is over four minutes
)

func (h *histogram) add(d time.Duration) {
	h.buckets[bucketOf(d)].Add(1)
}

// bucketOf is exact up to 15 µs and keeps five binary digits above.
func bucketOf(d time.Duration) int {
	us := uint64(max(d.Microseconds(), 0))
	if us < bucketsPerOctave {
		return int(us)
	}
	shift := bits.Len64(us) - 5
	i := (shift+1)*bucketsPerOctave + int(us>>shift) - bucketsPerOctave
	return min(i, bucketsPerOctave*octaves-1)
}

// upper is the longest duration in a bucket.
func upper(i int) time.Duration {
	if i < bucketsPerOctave {
		return time.Duration(i) * time.Microsecond
	}
	shift := i/bucketsPerOctave - 1
	return time.Duration((i%bucketsPerOctave+bucketsPerOctave+1)<<shift-1) * time.Microsecond
}

// merge adds what another has counted.
func (h *histogram) merge(o *histogram) {
	for i := range o.buckets {
		if n := o.buckets[i].Load(); n > 0 {
			h.buckets[i].Add(n)
		}
	}
}

// percentiles are the durations that so many of a hundred do not exceed, in ms.
func (h *histogram) percentiles() *percentiles {
	var total uint64
	for i := range h.buckets {
		total += uint64(h.buckets[i].Load())
	}
	if total == 0 {
		return nil
	}
	at := func(percent float64) float64 {
		want := uint64(float64(total)*percent/100 + 0.5)
		var seen uint64
		for i := range h.buckets {
			if seen += uint64(h.buckets[i].Load()); seen >= max(want, 1) {
				return float64(upper(i).Microseconds()) / 1000
			}
		}
		return 0
	}
	return &percentiles{Count: total, P50: at(50), P90: at(90), P99: at(99), Max: at(100)}
}
