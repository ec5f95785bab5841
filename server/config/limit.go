package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Limit is one of the limits, for people.
type Limit struct {
	Name    string
	Meaning string
	Default string
	Value   string // as it is now
	Range   string // what it may be
}

// limit is a limit's place in Limits and what it may be. Durations are counted in
// nanoseconds.
type limit struct {
	name, meaning string
	def, low, up  int64
	unit          unit
	open          bool // may be NoLimit
	get           func(*Limits) int64
	set           func(*Limits, int64)
}

type unit uint8

const (
	number unit = iota
	bytesUnit
	duration
)

func ofInt(name string, u unit, def, low, up int, at func(*Limits) *int, meaning string) limit {
	return limit{
		name: name, meaning: meaning, unit: u, def: int64(def), low: int64(low), up: int64(up),
		get: func(l *Limits) int64 { return int64(*at(l)) },
		set: func(l *Limits, v int64) { *at(l) = int(v) },
	}
}

func count(name string, def, low, up int, at func(*Limits) *int, meaning string) limit {
	return ofInt(name, number, def, low, up, at, meaning)
}

func size(name string, def, low, up int, at func(*Limits) *int, meaning string) limit {
	return ofInt(name, bytesUnit, def, low, up, at, meaning)
}

func span(name string, def, low, up time.Duration, at func(*Limits) *time.Duration, meaning string) limit {
	return limit{
		name: name, meaning: meaning, unit: duration, def: int64(def), low: int64(low), up: int64(up),
		get: func(l *Limits) int64 { return int64(*at(l)) },
		set: func(l *Limits, v int64) { *at(l) = time.Duration(v) },
	}
}

// open makes a limit one that can be switched off.
func open(l limit) limit {
	l.open = true
	return l
}

// DefaultLimits returns the defaults.
func DefaultLimits() Limits { return Limits{}.WithDefaults() }

// WithDefaults returns l with every field that is zero at its default.
func (l Limits) WithDefaults() Limits {
	for _, d := range limits() {
		if d.get(&l) == 0 {
			d.set(&l, d.def)
		}
	}
	return l
}

// Problems says which limits are out of their range. None: nil.
func (l Limits) Problems() Problems {
	var ps Problems
	for _, d := range limits() {
		switch v := d.get(&l); {
		case v == 0, d.open && v == NoLimit:
		case v < d.low || v > d.up:
			ps = append(ps, Problem{d.name, d.wanted()})
		}
	}
	return ps
}

// List returns all limits with the values of l.
func (l Limits) List() []Limit {
	l = l.WithDefaults()
	var all []Limit
	for _, d := range limits() {
		all = append(all, Limit{
			Name: d.name, Meaning: d.meaning, Default: d.say(d.def), Value: d.say(d.get(&l)), Range: d.span(),
		})
	}
	return all
}

// With returns l with one limit at a value as people write it: "10s", "500ms", "64KiB",
// "16384", and "none" or 0 for a limit that can be switched off. The error says what
// would be right.
func (l Limits) With(name, value string) (Limits, error) {
	for _, d := range limits() {
		if d.name != name {
			continue
		}
		v, err := d.read(strings.TrimSpace(value))
		if err != nil || (v != NoLimit || !d.open) && (v < d.low || v > d.up) {
			return l, fmt.Errorf("limit %s: %q: %s", name, value, d.wanted())
		}
		d.set(&l, v)
		return l, nil
	}
	if near := nearest(name); near != "" {
		return l, fmt.Errorf("there is no limit %q: %s?", name, near)
	}
	return l, fmt.Errorf("there is no limit %q (penstock limits lists them all)", name)
}

// nearest is the limit whose name holds the given one, or is held by it.
func nearest(name string) string {
	name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
	for _, d := range limits() {
		if name != "" && (strings.Contains(d.name, name) || strings.Contains(name, d.name)) {
			return d.name
		}
	}
	return ""
}

// wanted is a sentence about what the limit may be.
func (d limit) wanted() string {
	s := "use a value from " + d.span()
	switch d.unit {
	case bytesUnit:
		return s + ", with a unit (B, KiB, MiB) or in bytes"
	case duration:
		return s + ", with a unit (ms, s, m, h)"
	case number:
	}
	return s
}

func (d limit) span() string {
	s := d.say(d.low) + " to " + d.say(d.up)
	if d.open {
		s += ", or none"
	}
	return s
}

func (d limit) read(s string) (int64, error) {
	if d.open && (s == "none" || s == "0") {
		return NoLimit, nil
	}
	switch d.unit {
	case duration:
		v, err := time.ParseDuration(s)
		return int64(v), err
	case bytesUnit:
		return readSize(s)
	case number:
	}
	v, err := strconv.ParseInt(s, 10, 64)
	if v < 0 {
		err = strconv.ErrRange // NoLimit has a name
	}
	return v, err
}

// sizes are the units of sizes, the largest first. All are powers of two: nobody means
// 64,000 with 64K.
func sizes() []struct {
	name string
	n    int64
} {
	return []struct {
		name string
		n    int64
	}{{"MiB", 1 << 20}, {"KiB", 1 << 10}, {"MB", 1 << 20}, {"KB", 1 << 10}, {"M", 1 << 20}, {"K", 1 << 10}, {"B", 1}}
}

func readSize(s string) (int64, error) {
	factor := int64(1)
	for _, u := range sizes() {
		if n := len(s) - len(u.name); n > 0 && strings.EqualFold(s[n:], u.name) {
			s, factor = strings.TrimSpace(s[:n]), u.n
			break
		}
	}
	v, err := strconv.ParseInt(s, 10, 32)
	return v * factor, err
}

// say is a value as With reads it.
func (d limit) say(v int64) string {
	if v == NoLimit {
		return "none"
	}
	switch d.unit {
	case duration:
		return sayDuration(time.Duration(v))
	case bytesUnit:
		for _, u := range sizes() {
			if v >= u.n && v%u.n == 0 {
				return strconv.FormatInt(v/u.n, 10) + u.name
			}
		}
	case number:
	}
	return strconv.FormatInt(v, 10)
}

// sayDuration is time.Duration's text without the zeros at its end: 5m, not 5m0s.
func sayDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}
