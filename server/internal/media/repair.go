package media

import (
	"bytes"
	"encoding/binary"

	"github.com/penstock-media/penstock/server/codec"
	"github.com/penstock-media/penstock/server/flv"
)

// replace returns a payload with other bytes in the place of the body that ends it. The
// old one is not changed: it may belong to somebody.
func replace(payload, body, by []byte) []byte {
	head := payload[:len(payload)-len(body)]
	return append(append(make([]byte, 0, len(head)+len(by)), head...), by...)
}

// repairFrame makes of an AVC or HEVC frame what players read: units with lengths of
// four bytes, and a key frame that is marked as one: some players begin at no other.
// What is wrongly marked does no harm, as nobody begins there. Several tracks in one
// body are left as they are.
func repairFrame(p *Packet, v flv.Video, verdict verdict, tidy bool) {
	if v.Layout != flv.OneTrack {
		return
	}
	if !tidy {
		p.Payload = replace(p.Payload, v.Body, lengths(v.Body))
	}
	if verdict != start || v.Frame == flv.KeyFrame || v.Frame == flv.GeneratedKeyFrame {
		return
	}
	if tidy {
		p.Payload = bytes.Clone(p.Payload) // a copy: the old one may belong to somebody
	}
	p.Payload[0] = p.Payload[0]&0x8F | byte(flv.KeyFrame)<<4
}

// lengths returns units behind start codes, lengths or both with lengths of four
// bytes, without those that are empty.
func lengths(body []byte) []byte {
	out := make([]byte, 0, len(body)+16)
	units(body, func(nal []byte) {
		out = append(binary.BigEndian.AppendUint32(out, uint32(len(nal))), nal...)
	})
	return out
}

// units calls each for the units of a body with lengths of four bytes or start codes,
// and reports whether it has that form.
func units(body []byte, each func(nal []byte)) bool {
	unit := func(nal []byte) verdict {
		each(nal)
		return silent
	}
	if _, ok := prefixed(body, 4, func([]byte) verdict { return silent }); ok {
		prefixed(body, 4, func(nal []byte) verdict {
			if startCode(nal) > 0 {
				return annexB(nal, unit)
			}
			return judgeUnit(nal, unit)
		})
		return true
	}
	if startCode(body) == 0 {
		return false
	}
	annexB(body, unit)
	return true
}

// repairConfig makes a decoder configuration of parameter sets behind start codes.
func repairConfig(p *Packet, v flv.Video) {
	if v.Layout != flv.OneTrack || startCode(v.Body) == 0 {
		return
	}
	if record, ok := record(v.FourCC, v.Body); ok {
		p.Payload = replace(p.Payload, v.Body, record)
	}
}

// record makes a decoder configuration of the parameter sets among the units of a
// body.
func record(f flv.FourCC, body []byte) ([]byte, bool) {
	var vps, sps, pps []byte
	first := func(set *[]byte, nal []byte) {
		if *set == nil {
			*set = nal
		}
	}
	ok := units(body, func(nal []byte) {
		switch typ, hevc := nal[0]&0x1F, nal[0]>>1&0x3F; {
		case f == flv.AVC1 && typ == 7, f == flv.HVC1 && hevc == 33:
			first(&sps, nal)
		case f == flv.AVC1 && typ == 8, f == flv.HVC1 && hevc == 34:
			first(&pps, nal)
		case f == flv.HVC1 && hevc == 32:
			first(&vps, nal)
		}
	})
	if !ok {
		return nil, false
	}
	if f == flv.HVC1 {
		return codec.MakeHEVC(vps, sps, pps)
	}
	return codec.MakeAVC(sps, pps)
}

// repairAAC takes the ADTS header (ISO/IEC 14496-3, 1.A.2.2) off an AAC frame. As a
// configuration it becomes what is one.
//
//	FFF | id layer(2) no CRC | object type-1 (2) rate(4) private | channels(3) … | length(13) fullness(11) frames-1 (2)
func repairAAC(p *Packet, a flv.Audio) {
	b := a.Body
	if a.FourCC != flv.MP4A || a.Layout != flv.OneTrack || len(b) < 7 || b[0] != 0xFF || b[1]&0xF6 != 0xF0 {
		return
	}
	object, rate, channels := uint16(b[2]>>6)+1, uint16(b[2]>>2&0xF), uint16(b[2]&1)<<2|uint16(b[3]>>6)
	config := object<<11 | rate<<7 | channels<<3
	if a.Packet == flv.AudioSequenceStart {
		p.Payload = replace(p.Payload, b, binary.BigEndian.AppendUint16(nil, config))
		return
	}
	head := 9
	if b[1]&1 == 1 {
		head = 7
	}
	length := int(b[3]&3)<<11 | int(b[4])<<3 | int(b[5]>>5)
	if length != len(b) || length < head || b[6]&3 != 0 {
		return // it only looks like one, or there are several frames
	}
	p.Payload = replace(p.Payload, b, b[head:])
	p.AAC, p.Empty = config, length == head
}
