package stream

import (
	"bytes"
	"slices"

	"github.com/penstock-media/penstock/server/internal/media"
)

// Bounds of what is kept of introductions: how many besides those of the default
// tracks, and how long one may be in bytes. A player may need a copy of its own.
const (
	maxHeads = 32
	maxHead  = 64 << 10
)

// heads is what a player needs before media: metadata and decoder configurations.
// A copy stays what it was.
type heads struct {
	meta, video, audio media.Packet
	// more holds what further tracks need, and what describes a track beside its
	// configuration (colours, channel layout): never changed in place.
	more []media.Packet
}

// introduces reports whether a packet belongs into heads.
func introduces(p media.Packet) bool { return p.Config || p.Info || p.Meta }

// set takes an introduction over and reports whether that changed anything: some
// encoders repeat the same one with every key frame.
func (h *heads) set(p media.Packet) bool {
	var place *media.Packet
	switch {
	case len(p.Payload) > maxHead:
		return true // passed on, not kept
	case p.Meta:
		place = &h.meta
	case p.Config && p.Track == 0 && p.Kind == media.Video:
		place = &h.video
	case p.Config && p.Track == 0 && p.Kind == media.Audio:
		place = &h.audio
	default:
		return h.setMore(p)
	}
	if place.Payload != nil && bytes.Equal(place.Payload, p.Payload) {
		return false
	}
	*place = p
	return true
}

func (h *heads) setMore(p media.Packet) bool {
	i := slices.IndexFunc(h.more, func(q media.Packet) bool {
		return q.Kind == p.Kind && q.Track == p.Track && q.Info == p.Info
	})
	switch {
	case i < 0 && len(h.more) >= maxHeads:
		return true // passed on, not kept
	case i < 0:
		h.more = append(slices.Clip(h.more), p)
	case bytes.Equal(h.more[i].Payload, p.Payload):
		return false
	default:
		h.more = slices.Clone(h.more)
		h.more[i] = p
	}
	return true
}

// append appends the introductions in the order players expect, all with that
// time (metadata with 0), leaving out the kinds that are not wanted.
func (h *heads) append(dst []byte, l layout, time uint32, audio, video bool) []byte {
	add := func(p media.Packet) {
		wanted := p.Kind == media.Data || p.Kind == media.Audio && audio || p.Kind == media.Video && video
		if p.Payload == nil || !wanted {
			return
		}
		if p, ok := l.form.Apply(p); ok {
			dst = l.appendMessage(dst, p, time)
		}
	}
	add(h.meta)
	add(h.video)
	add(h.audio)
	for _, p := range h.more {
		add(p)
	}
	return dst
}
