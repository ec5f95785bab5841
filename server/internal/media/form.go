package media

import "github.com/penstock-media/penstock/server/flv"

// Form is the form a player gets packets in. The zero value is the one they were
// published in.
type Form struct {
	// DefaultTracks leaves further tracks out, and takes the default track out of
	// multitrack framing, which older players take for garbage (C-50).
	DefaultTracks bool
	HEVC          HEVC
}

// HEVC is a form of HEVC in FLV: there are two, and few players know both (C-53).
type HEVC uint8

// The forms.
const (
	HEVCAsPublished HEVC = iota
	HEVCEnhanced         // FourCC hvc1, Enhanced RTMP
	HEVCLegacy           // codec id 12
)

// Apply returns a packet in the form. It is false when there is nothing in it for
// the player. The payload is that of p wherever the form leaves it alone.
func (f Form) Apply(p Packet) (Packet, bool) {
	if f == (Form{}) || p.Kind == Data {
		return p, true
	}
	if f.DefaultTracks && p.Multitrack {
		var ok bool
		if p, ok = p.defaultTrack(); !ok {
			return Packet{}, false
		}
	}
	if f.HEVC != HEVCAsPublished && p.Kind == Video && flv.FourCC(p.FourCC) == flv.HVC1 && !p.Multitrack {
		return p.hevc(f.HEVC)
	}
	return p, true
}

// defaultTrack takes track 0 out of multitrack framing. AVC and AAC become what
// every player knows.
func (p Packet) defaultTrack() (Packet, bool) {
	if p.Kind == Audio {
		return p.defaultAudio()
	}
	v, err := flv.ParseVideo(p.Payload)
	if err != nil {
		return Packet{}, false
	}
	for v.Track != 0 {
		var more bool
		if v, more = v.Next(); !more {
			return Packet{}, false
		}
	}
	v.Multitrack, v.Layout = false, flv.OneTrack
	if v.FourCC == flv.AVC1 {
		return p.inside(legacy(v, flv.VideoAVC))
	}
	return p.inside(append(v.AppendHead(nil), v.Body...), true)
}

func (p Packet) defaultAudio() (Packet, bool) {
	a, err := flv.ParseAudio(p.Payload)
	if err != nil {
		return Packet{}, false
	}
	for a.Track != 0 {
		var more bool
		if a, more = a.Next(); !more {
			return Packet{}, false
		}
	}
	a.Multitrack, a.Layout = false, flv.OneTrack
	if a.FourCC == flv.MP4A {
		if a.Packet != flv.AudioSequenceStart && a.Packet != flv.AudioCodedFrames {
			return Packet{}, false // the end of a sequence, a channel layout
		}
		a.Enhanced, a.Format, a.Rate, a.Wide, a.Stereo = false, flv.AudioAAC, 3, true, true
	}
	return p.inside(append(a.AppendHead(nil), a.Body...), true)
}

// hevc writes HEVC in one form or the other.
func (p Packet) hevc(form HEVC) (Packet, bool) {
	v, err := flv.ParseVideo(p.Payload)
	if err != nil || v.Enhanced == (form == HEVCEnhanced) {
		return p, true
	}
	if form == HEVCLegacy {
		return p.inside(legacy(v, flv.VideoHEVC))
	}
	if v.Frame == flv.CommandFrame {
		return p, true
	}
	v.Enhanced, v.Codec = true, 0
	if v.Packet == flv.VideoCodedFrames && v.CompositionTime == 0 {
		v.Packet = flv.VideoCodedFramesX
	}
	return p.inside(append(v.AppendHead(nil), v.Body...), true)
}

// legacy is an enhanced body with the head of a codec id. It is false for what that
// cannot say.
func legacy(v flv.Video, codec flv.VideoCodec) ([]byte, bool) {
	switch v.Packet {
	case flv.VideoSequenceStart, flv.VideoCodedFrames, flv.VideoSequenceEnd:
	case flv.VideoCodedFramesX:
		v.Packet, v.CompositionTime = flv.VideoCodedFrames, 0
	default: // colours, and what is not known yet
		return nil, false
	}
	v.Enhanced, v.Codec, v.NanoOffset = false, codec, 0
	return append(v.AppendHead(nil), v.Body...), true
}

// inside is p with another body around the same media.
func (p Packet) inside(payload []byte, ok bool) (Packet, bool) {
	if !ok {
		return Packet{}, false
	}
	q := New(p.Kind, p.Time, payload)
	return q, !q.Empty
}

// Enhanced returns the FourCC of a packet in an Enhanced RTMP head, which a player
// has to know of, or 0.
func (p Packet) Enhanced() uint32 {
	switch {
	case len(p.Payload) == 0:
		return 0
	case p.Kind == Video && p.Payload[0]&0x80 != 0, p.Kind == Audio && p.Payload[0]>>4 == 9:
		return p.FourCC
	}
	return 0
}
