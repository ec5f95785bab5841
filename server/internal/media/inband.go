package media

import (
	"encoding/binary"

	"github.com/penstock-media/penstock/server/flv"
)

// InbandConfig makes a configuration packet out of what a frame brings along, with the
// time of p: the parameter sets in an AVC or HEVC key frame, or the ADTS header of an
// AAC frame. Drones and cameras send them there and nowhere else; a player that joins
// needs the packet. It is false when there is nothing, or when the units do not have
// lengths of four bytes in front, which is what the configuration says.
func (p Packet) InbandConfig() (Packet, bool) {
	switch {
	case p.Kind == Audio && p.AAC != 0:
		return p.inbandAAC()
	case p.Kind != Video || !p.Key || flv.FourCC(p.FourCC) != flv.AVC1 && flv.FourCC(p.FourCC) != flv.HVC1:
		return Packet{}, false
	}
	v, err := flv.ParseVideo(p.Payload)
	if err != nil || v.Layout != flv.OneTrack {
		return Packet{}, false
	}
	body, ok := record(v.FourCC, v.Body)
	if !ok {
		return Packet{}, false
	}
	v.Frame, v.Packet, v.CompositionTime, v.NanoOffset = flv.KeyFrame, flv.VideoSequenceStart, 0, 0
	v.Body = body
	return New(Video, p.Time, append(v.AppendHead(nil), body...)), true
}

func (p Packet) inbandAAC() (Packet, bool) {
	a, err := flv.ParseAudio(p.Payload)
	if err != nil {
		return Packet{}, false
	}
	a.Packet, a.NanoOffset = flv.AudioSequenceStart, 0
	a.Body = binary.BigEndian.AppendUint16(nil, p.AAC)
	return New(Audio, p.Time, append(a.AppendHead(nil), a.Body...)), true
}
