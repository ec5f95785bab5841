package codec

import "fmt"

// The audio object types that matter here (ISO/IEC 14496-3, table 1.17).
const (
	aotLC       = 2
	aotSBR      = 5
	aotScalable = 6
	aotPS       = 29
	aotEscape   = 31
)

// ParseAAC reads an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1):
//
//	object type(5 or 5+6 bits) rate index(4 or 4+24) channels(4) | …
//
// HE-AAC is signalled in either of two ways, and both are read: as the object type
// (hierarchical), or with a sync word behind the configuration of the core, which
// old decoders do not look at (backward compatible).
func ParseAAC(b []byte) (AudioConfig, error) {
	c := AudioConfig{Codec: "AAC"}
	if len(b) < 2 {
		return c, invalid(c.Codec, "%d bytes", len(b))
	}
	r := &bits{b: b}
	aot := aacObject(r)
	c.SampleRate = aacRate(r)
	channels := r.u(4)
	c.Channels = aacChannels(channels)
	sbr, ps := aot == aotSBR || aot == aotPS, aot == aotPS
	if sbr {
		c.SampleRate = aacRate(r)
		aot = aacObject(r)
		if aot == 22 {
			r.skip(4) // extensionChannelConfiguration
		}
	}
	if !r.short && aacGeneral(aot) {
		if n := aacCore(r, aot, channels); n > 0 {
			c.Channels = n
		}
		if rate, parametric, ok := aacSync(r); ok && !sbr {
			sbr, ps, c.SampleRate = true, parametric, rate
		}
	}
	c.Profile = aacProfile(aot, sbr, ps)
	if ps && c.Channels == 1 {
		c.Channels = 2 // what parametric stereo is for
	}
	if c.SampleRate == 0 {
		return c, invalid(c.Codec, "no sample rate")
	}
	return c, nil
}

func aacObject(r *bits) uint32 {
	aot := r.u(5)
	if aot == aotEscape {
		aot = 32 + r.u(6)
	}
	return aot
}

// aacRate reads a sample rate in Hz, 0 when its index is reserved.
func aacRate(r *bits) int {
	rates := [13]int{96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350}
	i := r.u(4)
	if i == 15 {
		return int(r.u(24))
	}
	if int(i) >= len(rates) {
		return 0
	}
	return rates[i]
}

// aacChannels is the number of channels of a channelConfiguration, 0 when it is
// reserved, or 0 and the core has a list of channels of its own.
func aacChannels(config uint32) int {
	return [16]int{0, 1, 2, 3, 4, 5, 6, 8, 0, 0, 0, 7, 8, 24, 8, 0}[config&15]
}

// aacGeneral: the object types that GASpecificConfig describes.
func aacGeneral(aot uint32) bool {
	switch aot {
	case 1, aotLC, 3, 4, aotScalable, 7, 17, 19, 20, 21, 22, 23:
		return true
	}
	return false
}

// aacCore reads a GASpecificConfig (4.4.1) and returns the number of channels when
// it lists them.
func aacCore(r *bits, aot, channels uint32) int {
	r.skip(1) // frameLengthFlag
	if r.flag() {
		r.skip(14) // coreCoderDelay
	}
	extension := r.flag()
	n := 0
	if channels == 0 {
		n = aacElements(r)
	}
	if aot == aotScalable || aot == 20 {
		r.skip(3) // layerNr
	}
	if extension {
		switch aot {
		case 22:
			r.skip(16)
		case 17, 19, 20, 23:
			r.skip(3)
		}
		r.skip(1)
	}
	return n
}

// aacElements reads a program_config_element (4.4.1.1) and counts its channels.
func aacElements(r *bits) int {
	r.skip(4 + 2 + 4) // tag, object type, rate
	front, side, back, lfe := int(r.u(4)), int(r.u(4)), int(r.u(4)), int(r.u(2))
	data, coupling := int(r.u(3)), int(r.u(4))
	if r.flag() {
		r.skip(4) // mono_mixdown_element_number
	}
	if r.flag() {
		r.skip(4) // stereo_mixdown_element_number
	}
	if r.flag() {
		r.skip(3) // matrix_mixdown_idx, pseudo_surround_enable
	}
	n := lfe
	for range front + side + back {
		n++
		if r.flag() { // a pair
			n++
		}
		r.skip(4)
	}
	r.skip(4*lfe + 4*data + 5*coupling)
	r.skip((8 - r.pos&7) & 7) // byte_alignment
	r.skip(8 * int(r.u(8)))   // comment
	if r.short {
		return 0
	}
	return n
}

// aacSync looks for the backward compatible signalling: sync word 0x2B7 with the
// extension's rate, and 0x548 with parametric stereo. Encoders align it
// differently, so it is searched bit by bit, as FFmpeg does.
func aacSync(r *bits) (rate int, ps, ok bool) {
	for r.left() >= 16 {
		at := *r
		if r.u(11) == 0x2B7 && aacObject(r) == aotSBR && r.flag() {
			rate = aacRate(r)
			if r.left() >= 12 && r.u(11) == 0x548 {
				ps = r.flag()
			}
			return rate, ps, rate != 0
		}
		*r = at
		r.skip(1)
	}
	return 0, false, false
}

func aacProfile(aot uint32, sbr, ps bool) string {
	switch {
	case ps:
		return "HE-AACv2"
	case sbr:
		return "HE-AAC"
	}
	switch aot {
	case 1:
		return "Main"
	case aotLC:
		return "LC"
	case 3:
		return "SSR"
	case 4:
		return "LTP"
	case 23:
		return "LD"
	case 39:
		return "ELD"
	case 42:
		return "xHE-AAC"
	}
	return fmt.Sprintf("object type %d", aot)
}
