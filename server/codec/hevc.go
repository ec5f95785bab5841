package codec

import (
	"encoding/binary"
	"fmt"
)

const (
	// hevcHead is the length of an HEVCDecoderConfigurationRecord without its sets.
	hevcHead = 23
	// hevcSPS is the NAL unit type of a sequence parameter set.
	hevcSPS = 33
)

// ParseHEVC reads an HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1):
//
//	version | space(2) tier(1) profile(5) | compatibility(32 bits) constraints(48) | level |
//	12 … 16 | luma depth-8 | chroma depth-8 | frame rate(16) | …, length size-1 (2 bits) | arrays |
//	each: type(6 bits) count(16) length(16) NAL unit …
//
// Version 0 is accepted: encoders wrote it before the format was final. A record
// without an SPS is valid, and has no size.
func ParseHEVC(b []byte) (VideoConfig, error) {
	c := VideoConfig{Codec: "H.265"}
	if len(b) < hevcHead {
		return c, invalid(c.Codec, "%d bytes", len(b))
	}
	if b[0] > 1 {
		return c, invalid(c.Codec, "version %d", b[0])
	}
	c.Profile = hevcProfile(b[1] & 0x1F)
	c.Level = hevcLevel(b[12], b[1]&0x20 != 0)
	c.BitDepth = 8 + int(b[17]&7)
	c.LengthSize = int(b[21]&3) + 1
	arrays := int(b[22])
	b = b[hevcHead:]
	for range arrays {
		if len(b) < 3 {
			return c, invalid(c.Codec, "ends inside its arrays")
		}
		typ, count := b[0]&0x3F, int(binary.BigEndian.Uint16(b[1:]))
		b = b[3:]
		for range count {
			if len(b) < 2 {
				return c, invalid(c.Codec, "ends inside its arrays")
			}
			n := int(binary.BigEndian.Uint16(b))
			if n > len(b)-2 {
				return c, invalid(c.Codec, "NAL unit of %d bytes in %d", n, len(b)-2)
			}
			if typ == hevcSPS {
				_, err := c.hevcSPS(b[2 : 2+n])
				return c, err
			}
			b = b[2+n:]
		}
	}
	return c, nil
}

// hevcFacts is what the heads of slices, and a configuration record, need of an SPS.
type hevcFacts struct {
	id         uint32
	layers     byte // temporal layers
	nested     bool
	tier       []byte // general_profile_tier_level up to its level, 12 bytes
	chroma     byte   // chroma_format_idc
	luma, blue byte   // bit depths, less 8
	planes     bool
	order      int // bits of slice_pic_order_cnt_lsb
	reordering int
}

// hevcSPS reads a sequence parameter set (ITU-T H.265, 7.3.2.2) with its NAL head.
func (c *VideoConfig) hevcSPS(nal []byte) (f hevcFacts, err error) {
	if len(nal) < 3 || nal[0]>>1&0x3F != hevcSPS {
		return f, invalid(c.Codec, "no SPS where it should be")
	}
	r := &bits{b: rbsp(nal[2:])}
	r.skip(4) // sps_video_parameter_set_id
	layers := int(r.u(3))
	f.layers, f.nested = byte(layers)+1, r.flag()
	if len(r.b) >= 13 {
		f.tier = r.b[1:13]
	}
	c.hevcTier(r, layers)
	f.id = r.ue()
	chroma := r.ue()
	f.chroma = byte(min(chroma, 3))
	if chroma == 3 {
		if f.planes = r.flag(); f.planes {
			chroma = 0
		}
	}
	width, height := uint64(r.ue()), uint64(r.ue())
	if r.flag() { // conformance_window_flag
		x, y := uint64(1), uint64(1)
		if chroma == 1 || chroma == 2 {
			x = 2
		}
		if chroma == 1 {
			y = 2
		}
		cropX := (uint64(r.ue()) + uint64(r.ue())) * x
		cropY := (uint64(r.ue()) + uint64(r.ue())) * y
		if !r.short && (cropX >= width || cropY >= height) {
			return f, invalid(c.Codec, "cropping leaves nothing of %dx%d", width, height)
		}
		width, height = width-cropX, height-cropY
	}
	depth := r.ue()
	if err := c.size(r, width, height); err != nil {
		return f, err
	}
	c.BitDepth = 8 + int(min(depth, 8))
	f.luma, f.blue = byte(min(depth, 7)), byte(min(r.ue(), 7))
	f.order = int(min(r.ue(), 12)) + 4
	from := layers
	if r.flag() { // sps_sub_layer_ordering_info_present_flag
		from = 0
	}
	for i := from; i <= layers; i++ {
		r.ue()
		f.reordering = int(min(r.ue(), 16))
		r.ue()
	}
	return f, nil
}

// hevcTier reads profile_tier_level (7.3.3). layers is how many sub-layers there
// are besides the highest.
func (c *VideoConfig) hevcTier(r *bits, layers int) {
	const profileBits, levelBits = 88, 8
	r.skip(2) // general_profile_space
	high := r.flag()
	c.Profile = hevcProfile(byte(r.u(5)))
	r.skip(profileBits - 8)
	c.Level = hevcLevel(byte(r.u(levelBits)), high)
	skip := 0
	for range layers {
		if r.flag() {
			skip += profileBits
		}
		if r.flag() {
			skip += levelBits
		}
	}
	if layers > 0 {
		skip += 2 * (8 - layers)
	}
	r.skip(skip)
}

func hevcProfile(profile byte) string {
	switch profile {
	case 1:
		return "Main"
	case 2:
		return "Main 10"
	case 3:
		return "Main Still Picture"
	case 4:
		return "Range Extensions"
	case 5:
		return "High Throughput"
	case 6:
		return "Multiview Main"
	case 7:
		return "Scalable Main"
	case 9:
		return "Screen Content"
	}
	return fmt.Sprintf("profile %d", profile)
}

// hevcLevel: level_idc is thirty times the level; the tier is named when it is High.
func hevcLevel(level byte, high bool) string {
	s := fmt.Sprintf("%d.%d", level/30, level%30/3)
	if high {
		s += " High"
	}
	return s
}
