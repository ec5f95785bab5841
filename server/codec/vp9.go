package codec

import "fmt"

// ParseVP9 reads a VPCodecConfigurationRecord, which VP8 uses too (VP Codec ISO
// Media File Format Binding), with the four bytes of its full box in front:
//
//	version=1 flags(3) | profile | level | bit depth(4 bits) chroma(3) range(1) | …
//
// It says nothing of the picture's size.
func ParseVP9(b []byte) (VideoConfig, error) {
	c := VideoConfig{Codec: "VP9"}
	if len(b) < 7 {
		return c, invalid(c.Codec, "%d bytes", len(b))
	}
	if b[0] != 1 {
		return c, invalid(c.Codec, "version %d", b[0])
	}
	c.Profile = fmt.Sprintf("Profile %d", b[4])
	if level := b[5]; level != 0 {
		c.Level = fmt.Sprintf("%d.%d", level/10, level%10)
	}
	c.BitDepth = int(b[6] >> 4)
	return c, nil
}
