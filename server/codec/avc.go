package codec

import (
	"encoding/binary"
	"fmt"
)

// avcHead is the length of an AVCDecoderConfigurationRecord without its sets.
const avcHead = 6

// ParseAVC reads an AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1):
//
//	version=1 profile compatibility level | 6 bits, length size-1 | 3 bits, SPS count | length(2) SPS … | PPS …
//
// Reserved bits are not checked: some encoders leave them 0. A record without an
// SPS is valid, and has no size.
func ParseAVC(b []byte) (VideoConfig, error) {
	c := VideoConfig{Codec: "H.264"}
	if len(b) < avcHead {
		return c, invalid(c.Codec, "%d bytes", len(b))
	}
	if b[0] != 1 {
		return c, invalid(c.Codec, "version %d", b[0])
	}
	c.Profile, c.Level = avcProfile(b[1], b[2]), avcLevel(b[1], b[2], b[3])
	c.LengthSize = int(b[4]&3) + 1
	count := int(b[5] & 0x1F)
	b = b[avcHead:]
	if count == 0 {
		return c, nil
	}
	if len(b) < 2 {
		return c, invalid(c.Codec, "ends before its SPS")
	}
	n := int(binary.BigEndian.Uint16(b))
	if n > len(b)-2 {
		return c, invalid(c.Codec, "SPS of %d bytes in %d", n, len(b)-2)
	}
	_, err := c.avcSPS(b[2 : 2+n])
	return c, err
}

// avcFacts is what the heads of slices, and players, need of an SPS.
type avcFacts struct {
	id         uint32
	planes     bool // separate colour planes
	frameNum   int  // bits of frame_num
	order      int  // bits of pic_order_cnt_lsb; 0: order is not counted that way
	frames     bool // frames only, no fields
	rate       float64
	reordering int // frames that may precede one in decoding and follow it in output
}

// avcSPS reads a sequence parameter set (ITU-T H.264, 7.3.2.1.1) with its NAL head.
func (c *VideoConfig) avcSPS(nal []byte) (f avcFacts, err error) {
	if len(nal) < 4 || nal[0]&0x1F != avcSPSUnit {
		return f, invalid(c.Codec, "no SPS where it should be")
	}
	r := &bits{b: rbsp(nal[1:])}
	profile, compatibility, level := byte(r.u(8)), byte(r.u(8)), byte(r.u(8))
	c.Profile, c.Level = avcProfile(profile, compatibility), avcLevel(profile, compatibility, level)
	f.id = r.ue()
	chroma := uint32(1)
	c.BitDepth = 8
	if avcHasChroma(profile) {
		chroma = c.avcChroma(r, &f)
	}
	f.frameNum = int(r.ue()) + 4
	switch r.ue() {
	case 0:
		f.order = int(r.ue()) + 4
	case 1:
		r.skip(1)
		r.ue()
		r.ue()
		n := r.ue()
		if n > 255 {
			return f, invalid(c.Codec, "%d reference frames in a cycle", n)
		}
		for range n {
			r.ue()
		}
	}
	r.ue()    // max_num_ref_frames
	r.skip(1) // gaps_in_frame_num_value_allowed_flag
	width, height := uint64(r.ue())+1, uint64(r.ue())+1
	fields := uint64(1) // a map unit is one macroblock high, or two when frames may be field pairs
	if f.frames = r.flag(); !f.frames {
		fields = 2
		r.skip(1) // mb_adaptive_frame_field_flag
	}
	r.skip(1) // direct_8x8_inference_flag
	width, height = width*16, height*16*fields
	if r.flag() {
		// Table 6-1: how many luma samples a unit of cropping is.
		x, y := uint64(1), fields
		if chroma == 1 || chroma == 2 {
			x = 2
		}
		if chroma == 1 {
			y = 2 * fields
		}
		cropX := (uint64(r.ue()) + uint64(r.ue())) * x
		cropY := (uint64(r.ue()) + uint64(r.ue())) * y
		if cropX >= width || cropY >= height {
			return f, invalid(c.Codec, "cropping leaves nothing of %dx%d", width, height)
		}
		width, height = width-cropX, height-cropY
	}
	if err := c.size(r, width, height); err != nil {
		return f, err
	}
	if r.flag() {
		f.vui(r)
	}
	return f, nil
}

// vui reads the frame rate and how far frames are reordered (E.1.1).
func (f *avcFacts) vui(r *bits) {
	if r.flag() && r.u(8) == 255 { // aspect ratio, in numbers
		r.skip(32)
	}
	if r.flag() { // overscan
		r.skip(1)
	}
	if r.flag() { // video signal type
		r.skip(4)
		if r.flag() {
			r.skip(24)
		}
	}
	if r.flag() { // chroma location
		r.ue()
		r.ue()
	}
	if r.flag() {
		if units, scale := r.u(32), r.u(32); units > 0 && !r.short {
			f.rate = float64(scale) / float64(units) / 2
		}
		r.skip(1)
	}
	hrd := false
	for range 2 {
		if r.flag() {
			hrd = true
			avcHRD(r)
		}
	}
	if hrd {
		r.skip(1) // low_delay_hrd_flag
	}
	r.skip(1) // pic_struct_present_flag
	if r.flag() {
		r.skip(1)
		for range 4 {
			r.ue()
		}
		if n := r.ue(); !r.short && n <= 16 {
			f.reordering = int(n)
		}
	}
}

// avcHRD skips hrd_parameters (E.1.2).
func avcHRD(r *bits) {
	n := r.ue()
	r.skip(8)
	for i := uint32(0); i <= n && !r.short; i++ {
		r.ue()
		r.ue()
		r.skip(1)
	}
	r.skip(20)
}

// avcChroma reads what the SPS of the higher profiles has about chroma, bit depth
// and scaling lists, and returns chroma_format_idc, 0 for separate planes.
func (c *VideoConfig) avcChroma(r *bits, f *avcFacts) uint32 {
	chroma := r.ue()
	lists := 8
	if chroma == 3 {
		lists = 12
		if f.planes = r.flag(); f.planes {
			chroma = 0
		}
	}
	c.BitDepth = 8 + int(min(r.ue(), 8))
	r.ue()    // bit_depth_chroma_minus8
	r.skip(1) // qpprime_y_zero_transform_bypass_flag
	if !r.flag() {
		return chroma
	}
	for i := range lists {
		if !r.flag() {
			continue
		}
		size := 16
		if i >= 6 {
			size = 64
		}
		last, next := 8, 8
		for range size {
			if next != 0 {
				next = (last + r.se()) & 0xFF
			}
			if next != 0 {
				last = next
			}
		}
	}
	return chroma
}

// size ends an SPS: the picture's size, when everything before it was there.
func (c *VideoConfig) size(r *bits, width, height uint64) error {
	if r.short {
		return invalid(c.Codec, "ends inside its SPS")
	}
	if width > maxSide || height > maxSide {
		return invalid(c.Codec, "picture of %dx%d", width, height)
	}
	c.Width, c.Height = int(width), int(height)
	return nil
}

// avcHasChroma: the profiles whose SPS has chroma_format_idc and what follows it.
func avcHasChroma(profile byte) bool {
	switch profile {
	case 100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135:
		return true
	}
	return false
}

func avcProfile(profile, compatibility byte) string {
	switch profile {
	case 66:
		if compatibility&0x40 != 0 {
			return "Constrained Baseline"
		}
		return "Baseline"
	case 77:
		return "Main"
	case 88:
		return "Extended"
	case 100:
		return "High"
	case 110:
		return "High 10"
	case 122:
		return "High 4:2:2"
	case 244:
		return "High 4:4:4 Predictive"
	case 44:
		return "CAVLC 4:4:4 Intra"
	case 83:
		return "Scalable Baseline"
	case 86:
		return "Scalable High"
	case 118:
		return "Multiview High"
	case 128:
		return "Stereo High"
	}
	return fmt.Sprintf("profile %d", profile)
}

// avcLevel: level_idc is ten times the level. Level 1b is 9, or in the first three
// profiles 11 with constraint_set3_flag (A.3.1).
func avcLevel(profile, compatibility, level byte) string {
	first := profile == 66 || profile == 77 || profile == 88
	if level == 9 || level == 11 && first && compatibility&0x10 != 0 {
		return "1b"
	}
	return fmt.Sprintf("%d.%d", level/10, level%10)
}
