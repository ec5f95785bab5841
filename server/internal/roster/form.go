package roster

import (
	"slices"
	"strings"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/media"
	"github.com/penstock-media/penstock/server/internal/stream"
)

// Abilities is what a player says that it can do (Enhanced RTMP's connect
// properties, or a query over HTTP).
type Abilities struct {
	Multitrack bool
	// Codecs are the FourCCs it lists; "*" is all.
	Codecs []string
}

// Knows reports whether the player lists a FourCC.
func (a Abilities) Knows(fourCC uint32) bool {
	return slices.Contains(a.Codecs, "*") || slices.Contains(a.Codecs, name(fourCC))
}

// Form is the form in which a vhost gives a player what is published.
func (a Abilities) Form(m config.Media) media.Form {
	var f media.Form
	switch m.MultitrackToPlayers {
	case config.MultitrackAuto:
		f.DefaultTracks = !a.Multitrack
	case config.MultitrackDefault:
		f.DefaultTracks = true
	case config.MultitrackAll:
	}
	const hvc1 = 'h'<<24 | 'v'<<16 | 'c'<<8 | '1'
	switch m.HEVCToPlayers {
	case config.HEVCAuto:
		if a.Knows(hvc1) {
			f.HEVC = media.HEVCEnhanced
		}
	case config.HEVCEnhanced:
		f.HEVC = media.HEVCEnhanced
	case config.HEVCLegacy:
		f.HEVC = media.HEVCLegacy
	case config.HEVCAsPublished:
	}
	return f
}

// Unknown names those of a stream's Enhanced RTMP codecs that the player does not
// list, in a sentence's form: "hvc1 and Opus". It is empty where there is none.
func (a Abilities) Unknown(codecs []uint32) string {
	var names []string
	for _, c := range codecs {
		if !a.Knows(c) {
			names = append(names, name(c))
		}
	}
	return strings.Join(names, " and ")
}

// Missing says in a sentence which codecs of a stream a player of a strict vhost
// does not list. It is empty where all is well.
func (r *Roster) Missing(vhost string, a Abilities, enhanced func(media.Form) []uint32) string {
	v := r.Snapshot().Named(vhost)
	if v == nil || !v.Media.StrictCodecs {
		return ""
	}
	unknown := a.Unknown(enhanced(a.Form(v.Media)))
	if unknown == "" {
		return ""
	}
	return "This stream is in " + unknown + ", which the player does not say it can play."
}

// Tuning is how a vhost sets its players' sockets now.
func (r *Roster) Tuning(vhost string) stream.Tuning {
	v := r.Snapshot().Named(vhost)
	if v == nil {
		return stream.Tuning{NoDelay: true}
	}
	return stream.Tuning{
		NoDelay: v.Media.TCPNoDelay, SendBuffer: v.Media.SendBufferBytes,
		Merge: time.Duration(v.Media.MergeMS) * time.Millisecond,
	}
}

// name is a FourCC as it is written.
func name(fourCC uint32) string {
	return string([]byte{byte(fourCC >> 24), byte(fourCC >> 16), byte(fourCC >> 8), byte(fourCC)})
}
