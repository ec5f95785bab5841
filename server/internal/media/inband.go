package media

import (
	"encoding/binary"
	"math"

	"github.com/penstock-media/penstock/server/flv"
)

// InbandConfig makes a configuration packet out of the parameter sets in an AVC key
// frame, with the time of p. Drones send them there and nowhere else; a player that
// joins needs the packet. It is false when there are none, or when the units do not
// have lengths of four bytes in front, which is what the configuration says.
func (p Packet) InbandConfig() (Packet, bool) {
	if p.Kind != Video || !p.Key || flv.FourCC(p.FourCC) != flv.AVC1 {
		return Packet{}, false
	}
	v, err := flv.ParseVideo(p.Payload)
	if err != nil || v.Layout != flv.OneTrack {
		return Packet{}, false
	}
	var sps, pps []byte
	if _, ok := prefixed(v.Body, 4, func(nal []byte) verdict {
		switch typ := nal[0] & 0x1F; {
		case typ == 7 && sps == nil:
			sps = nal
		case typ == 8 && pps == nil:
			pps = nal
		}
		return silent
	}); !ok || len(sps) < 4 || len(sps) > math.MaxUint16 || len(pps) == 0 || len(pps) > math.MaxUint16 {
		return Packet{}, false
	}
	// AVCDecoderConfigurationRecord: version, profile, compatibility, level, lengths of
	// four bytes, one SPS, one PPS.
	record := []byte{1, sps[1], sps[2], sps[3], 0xFF, 0xE1}
	record = append(binary.BigEndian.AppendUint16(record, uint16(len(sps))), sps...)
	record = append(record, 1)
	record = append(binary.BigEndian.AppendUint16(record, uint16(len(pps))), pps...)

	v.Frame, v.Packet, v.CompositionTime, v.NanoOffset = flv.KeyFrame, flv.VideoSequenceStart, 0, 0
	v.Body = record
	return New(Video, p.Time, append(v.AppendHead(nil), record...)), true
}
