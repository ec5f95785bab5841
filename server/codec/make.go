package codec

import (
	"encoding/binary"
	"math"
)

// lengthSize3 is how configurations that are made here say that units have lengths of
// four bytes in front.
const lengthSize3 = 3

// MakeAVC makes an AVCDecoderConfigurationRecord of one SPS and one PPS, for units
// with lengths of four bytes. See ParseAVC. It is false when one of them is none.
func MakeAVC(sps, pps []byte) ([]byte, bool) {
	if len(sps) < 4 || len(sps) > math.MaxUint16 || len(pps) == 0 || len(pps) > math.MaxUint16 {
		return nil, false
	}
	record := []byte{1, sps[1], sps[2], sps[3], 0xFC | lengthSize3, 0xE0 | 1}
	record = appendUnit(record, sps)
	return appendUnit(append(record, 1), pps), true
}

// MakeHEVC makes an HEVCDecoderConfigurationRecord of parameter sets, for units with
// lengths of four bytes. See ParseHEVC. There may be no VPS. It is false when one of
// the others is none, or cannot be read.
func MakeHEVC(vps, sps, pps []byte) ([]byte, bool) {
	const head, tier = 2, 12 // of the NAL unit; profile, tier and level
	if len(sps) <= head || len(sps) > math.MaxUint16 || len(pps) <= head || len(pps) > math.MaxUint16 || len(vps) > math.MaxUint16 {
		return nil, false
	}
	set := rbsp(sps[head:])
	r := &bits{b: set}
	r.skip(4) // sps_video_parameter_set_id
	layers := byte(r.u(3))
	nested := byte(r.u(1))
	(&VideoConfig{}).hevcTier(r, int(layers))
	r.ue() // sps_seq_parameter_set_id
	chroma := r.ue()
	if chroma == 3 {
		r.skip(1) // separate_colour_plane_flag
	}
	r.ue() // width
	r.ue() // height
	if r.flag() {
		for range 4 {
			r.ue() // conformance window
		}
	}
	luma, chromaDepth := r.ue(), r.ue()
	if r.short || chroma > 3 || luma > 7 || chromaDepth > 7 || len(set) < 1+tier {
		return nil, false
	}
	record := append([]byte{1}, set[1:1+tier]...)
	record = append(record,
		0xF0, 0, 0xFC, // no spatial segmentation, parallelism unknown
		0xFC|byte(chroma), 0xF8|byte(luma), 0xF8|byte(chromaDepth),
		0, 0, // frame rate unknown
		(layers+1)<<3|nested<<2|lengthSize3, 0)
	for _, nal := range [][]byte{vps, sps, pps} {
		if len(nal) > 0 {
			record[hevcHead-1]++
			record = appendUnit(append(record, 0x80|nal[0]>>1&0x3F, 0, 1), nal)
		}
	}
	return record, true
}

func appendUnit(b, nal []byte) []byte {
	return append(binary.BigEndian.AppendUint16(b, uint16(len(nal))), nal...)
}
