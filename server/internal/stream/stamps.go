package stream

import "github.com/penstock-media/penstock/server/internal/media"

// Timestamps says what players are told of a publisher's times.
type Timestamps uint8

// The timestamp policies.
const (
	// Full evens out jumps: see timeline.
	Full Timestamps = iota
	// Zero begins at 0 and lets steps forward stay, however large. Steps backward are
	// evened out as in Full, because no player can go back.
	Zero
	// AsIs tells players what the publisher said, modulo 2^32, jumps and all.
	AsIs
)

// ATC says whether a publisher's times are its encoder's clock, which nobody may
// touch ("absolute time code", a term of SRS).
type ATC uint8

// The values of Settings.ATC.
const (
	ATCOff ATC = iota
	ATCOn
	ATCAuto // on where the metadata has bravo_atc
)

// policy returns what players are told of the present publication's times.
func (l *log) policy(s Settings) Timestamps {
	if s.ATC == ATCOn || s.ATC == ATCAuto && l.atc {
		return AsIs
	}
	return s.Timestamps
}

// stamps are the times that players are told. How far a player is behind and how
// old a message is goes by the log's timeline, whatever is told.
//
//	publisher's ──▶ timeline ─────────────┬─▶ how old, how far behind
//	times           │                     └─▶ + lead ─▶ Full  ─┐
//	                └─▶ loose timeline ─────▶ + lead ─▶ Zero  ─┼─▶ players
//	      └───────────────────────────────────────────▶ AsIs  ─┘
//
// A policy may change while the stream runs. What players were told goes on from
// there upward, except into AsIs.
type stamps struct {
	policy Timestamps
	loose  timeline // for Zero
	lead   int64    // ms
	told   [3]int64 // the last of each media.Kind
	latest uint32   // the last of audio and video
	begun  bool     // something was told
}

// restart begins a publication.
func (s *stamps) restart() {
	if s.policy == Zero {
		s.loose.restart()
	}
}

// set takes a policy over. now is the log's timeline, before the packet that is told
// next.
func (s *stamps) set(policy Timestamps, now *timeline) {
	if s.policy == policy {
		return
	}
	s.policy = policy
	if policy == Zero {
		s.loose = *now
		s.loose.loose = true
	}
	if s.begun && policy != AsIs {
		s.lead = max(s.told[0], s.told[1], s.told[2]) - now.now()
	}
}

// tell returns the time that players are told of a packet which is at time on the
// log's timeline.
func (s *stamps) tell(p media.Packet, intro bool, time int64) uint32 {
	s.begun = s.begun || !p.Meta // that of metadata is 0 on the wire
	if s.policy == Zero {
		time = s.loose.stamp(p, intro)
	}
	if s.policy == AsIs {
		s.told[p.Kind] = int64(p.Time)
	} else {
		s.told[p.Kind] = max(s.told[p.Kind], time+s.lead)
	}
	told := uint32(s.told[p.Kind])                            // modulo 2^32 is what is meant
	if p.Kind != media.Data && (!intro || s.policy != AsIs) { // configurations come with 0
		s.latest = told
	}
	return told
}
