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
				return c, c.hevcSPS(b[2 : 2+n])
			}
			b = b[2+n:]
		}
	}
	return c, nil
}

// hevcSPS reads a sequence parameter set (ITU-T H.265, 7.3.2.2) with its NAL head.
func (c *VideoConfig) hevcSPS(nal []byte) error {
	if len(nal) < 3 || nal[0]>>1&0x3F != hevcSPS {
		return invalid(c.Codec, "no SPS where it should be")
	}
	r := &bits{b: rbsp(nal[2:])}
	r.skip(4) // sps_video_parameter_set_id
	layers := int(r.u(3))
	r.skip(1) // sps_temporal_id_nesting_flag
	c.hevcTier(r, layers)
	r.ue() // sps_seq_parameter_set_id
	chroma := r.ue()
	if chroma == 3 && r.flag() {
		chroma = 0
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
			return invalid(c.Codec, "cropping leaves nothing of %dx%d", width, height)
		}
		width, height = width-cropX, height-cropY
	}
	depth := r.ue()
	if err := c.size(r, width, height); err != nil {
		return err
	}
	c.BitDepth = 8 + int(min(depth, 8))
	return nil
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
