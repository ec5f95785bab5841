package codec

// The NAL unit types of H.264 that matter here (ITU-T H.264, table 7-1).
const (
	avcSlice     = 1
	avcIDR       = 5
	avcSEIUnit   = 6
	avcSPSUnit   = 7
	avcPPSUnit   = 8
	avcDelimiter = 9
	avcSequence  = 10 // end of sequence
	avcStream    = 11 // end of stream
	avcFiller    = 12
	avcPrefix    = 14
	avcReserved  = 18
)

// avcPictures is what is known of a raw H.264 stream.
type avcPictures struct {
	sps, pps sets
	facts    avcFacts
	order    order
}

func newAVCStream() *avcPictures { return &avcPictures{} }

func (a *avcPictures) rate() float64 { return a.facts.rate }

// kind: a slice begins a picture when its first macroblock is number 0 (7.4.1.2.4), said
// by the one bit that follows the head.
func (a *avcPictures) kind(nal []byte) nalKind {
	switch typ := nal[0] & 0x1F; {
	case typ == avcIDR || typ == avcSlice:
		if len(nal) > 1 && nal[1]&0x80 != 0 {
			return nalFirst
		}
		return nalSlice
	case typ > avcSlice && typ < avcIDR: // data partitions
		return nalSlice
	case typ == avcSPSUnit || typ == avcPPSUnit:
		return nalSet
	case typ == avcSEIUnit || typ >= avcPrefix && typ <= avcReserved:
		return nalAhead
	case typ == avcDelimiter, typ == avcSequence, typ == avcStream, typ == avcFiller:
		return nalSkip
	}
	return nalAfter
}

func (a *avcPictures) set(nal []byte) bool {
	const longest = 1<<16 - 1
	if len(nal) < 2 || len(nal) > longest {
		return false
	}
	if nal[0]&0x1F == avcPPSUnit {
		r := &bits{b: rbsp(nal[1:min(len(nal), 16)])}
		return a.pps.put(r.ue(), nal)
	}
	c := VideoConfig{Codec: "H.264"}
	f, err := c.avcSPS(nal)
	if err != nil {
		return false
	}
	a.facts = f
	return a.sps.put(f.id, nal)
}

// record makes an AVCDecoderConfigurationRecord with lengths of four bytes: see
// ParseAVC. What the profiles from High on may say at its end, the SPS says too.
func (a *avcPictures) record() []byte {
	const most = 31
	if len(a.sps.nals) == 0 || len(a.pps.nals) == 0 || len(a.sps.nals) > most || len(a.pps.nals) > 255 {
		return nil
	}
	sps := a.sps.nals[0]
	b := []byte{1, sps[1], sps[2], sps[3], 0xFF, 0xE0 | byte(len(a.sps.nals))}
	b = a.sps.append(b)
	b = append(b, byte(len(a.pps.nals)))
	return a.pps.append(b)
}

// picture reads the head of a slice (7.3.3) as far as the order of output.
func (a *avcPictures) picture(nal []byte) (key bool, shown int) {
	key = nal[0]&0x1F == avcIDR
	f := &a.facts
	if f.order == 0 || f.reordering == 0 || f.order > 16 || f.frameNum > 16 {
		return key, 0
	}
	r := &bits{b: rbsp(nal[1:min(len(nal), 64)])}
	r.ue() // first_mb_in_slice
	r.ue() // slice_type
	r.ue() // pic_parameter_set_id
	if f.planes {
		r.skip(2)
	}
	r.skip(f.frameNum)
	if !f.frames && r.flag() {
		r.skip(1) // bottom_field_flag
	}
	if key {
		r.ue() // idr_pic_id
	}
	const step = 2 // order counts fields
	return key, a.order.shown(int(r.u(f.order)), f.order, step, f.reordering, key, nal[0]&0x60 != 0)
}
