package config

import "fmt"

// BandwidthCheck makes a vhost one that measures what a peer can receive and send, and
// does nothing else (SRS 2.0's check).
type BandwidthCheck struct {
	Enabled bool `json:"enabled"`
	// Key is the hash of what a peer has to show as key= in tcUrl. Zero: nobody can.
	Key        KeyHash `json:"-"`
	IntervalMS int     `json:"interval_ms"` // from one check on the vhost to the next, whoever asks
	LimitKbps  int     `json:"limit_kbps"`  // of each direction
}

// DefaultBandwidthCheck is none.
func DefaultBandwidthCheck() BandwidthCheck {
	return BandwidthCheck{IntervalMS: 30_000, LimitKbps: 1000}
}

func (b BandwidthCheck) problems() Problems {
	var ps Problems
	between := func(field string, n, low, high int) {
		if n < low || n > high {
			ps = append(ps, Problem{"bandwidth_check." + field, fmt.Sprintf("use a value from %d to %d", low, high)})
		}
	}
	between("interval_ms", b.IntervalMS, 1000, 86_400_000)
	between("limit_kbps", b.LimitKbps, 10, 1_000_000)
	if b.Enabled && b.Key == (KeyHash{}) {
		ps = append(ps, Problem{"bandwidth_check.key", "set a key, which peers have to show"})
	}
	return ps
}
