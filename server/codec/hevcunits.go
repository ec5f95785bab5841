package codec

// The NAL unit types of H.265 that matter here (ITU-T H.265, table 7-1).
const (
	hevcFirstIRAP   = 16 // slices at which a decoder can start
	hevcIDR         = 19 // with leading pictures; 20 without
	hevcIDRAlone    = 20
	hevcLastIRAP    = 21
	hevcLastSlice   = 31
	hevcVPS         = 32
	hevcPPS         = 34
	hevcDelimiter   = 35
	hevcEndSequence = 36
	hevcEndStream   = 37
	hevcFiller      = 38
	hevcSEIAhead    = 39
)

// hevcPictures is what is known of a raw H.265 stream.
type hevcPictures struct {
	vps, sps, pps sets
	facts         hevcFacts
	skip          int  // bits of the slice head that a PPS adds
	output        bool // pic_output_flag is in the slice head
	order         order
	begun         bool
}

func newHEVCStream() *hevcPictures { return &hevcPictures{} }

func (h *hevcPictures) rate() float64 { return 0 }

// kind: first_slice_segment_in_pic_flag is the first bit behind the head of two bytes
// (7.3.6.1).
func (h *hevcPictures) kind(nal []byte) nalKind {
	switch typ := nal[0] >> 1 & 0x3F; {
	case typ <= hevcLastSlice:
		if len(nal) > 2 && nal[2]&0x80 != 0 {
			return nalFirst
		}
		return nalSlice
	case typ <= hevcPPS:
		return nalSet
	case typ == hevcDelimiter, typ == hevcEndSequence, typ == hevcEndStream, typ == hevcFiller:
		return nalSkip
	case typ == hevcSEIAhead, typ >= 41 && typ <= 44, typ >= 48 && typ <= 55: // 7.4.2.4.4
		return nalAhead
	}
	return nalAfter
}

func (h *hevcPictures) set(nal []byte) bool {
	const longest = 1<<16 - 1
	if len(nal) < 4 || len(nal) > longest {
		return false
	}
	switch nal[0] >> 1 & 0x3F {
	case hevcVPS:
		return h.vps.put(uint32(nal[2]>>4), nal)
	case hevcPPS:
		r := &bits{b: rbsp(nal[2:min(len(nal), 16)])}
		id := r.ue()
		r.ue()    // pps_seq_parameter_set_id
		r.skip(1) // dependent_slice_segments_enabled_flag
		h.output = r.flag()
		h.skip = int(r.u(3))
		return h.pps.put(id, nal)
	}
	c := VideoConfig{Codec: "H.265"}
	f, err := c.hevcSPS(nal)
	if err != nil || f.tier == nil {
		return false
	}
	h.facts = f
	return h.sps.put(f.id, nal)
}

// record makes an HEVCDecoderConfigurationRecord with lengths of four bytes: see
// ParseHEVC.
func (h *hevcPictures) record() []byte {
	if len(h.vps.nals) == 0 || len(h.sps.nals) == 0 || len(h.pps.nals) == 0 {
		return nil
	}
	f := &h.facts
	b := append([]byte{1}, f.tier...)
	nested := byte(0)
	if f.nested {
		nested = 1
	}
	b = append(
		b,
		0xF0, 0, // min_spatial_segmentation_idc
		0xFC, // parallelismType
		0xFC|f.chroma, 0xF8|f.luma, 0xF8|f.blue,
		0, 0, // avgFrameRate
		f.layers<<3|nested<<2|3, // and the size of lengths, less 1
		3,
	)
	for i, s := range []*sets{&h.vps, &h.sps, &h.pps} {
		b = append(b, 0x80|byte(hevcVPS+i), byte(len(s.nals)>>8), byte(len(s.nals)))
		b = s.append(b)
	}
	return b
}

// picture reads the head of a slice segment (7.3.6.1) as far as the order of output.
func (h *hevcPictures) picture(nal []byte) (key bool, shown int) {
	typ := nal[0] >> 1 & 0x3F
	key = typ >= hevcFirstIRAP && typ <= hevcLastIRAP
	if h.facts.reordering == 0 {
		return key, 0
	}
	lsb := 0
	if typ != hevcIDR && typ != hevcIDRAlone {
		r := &bits{b: rbsp(nal[2:min(len(nal), 64)])}
		r.skip(1) // first_slice_segment_in_pic_flag
		if key {
			r.skip(1) // no_output_of_prior_pics_flag
		}
		r.ue() // slice_pic_parameter_set_id
		r.skip(h.skip)
		r.ue() // slice_type
		if h.output {
			r.skip(1)
		}
		if h.facts.planes {
			r.skip(2)
		}
		lsb = int(r.u(h.facts.order))
	}
	begins := typ == hevcIDR || typ == hevcIDRAlone || !h.begun
	h.begun = true
	// Leading pictures, those nobody refers to, and upper layers do not count (8.3.1).
	counts := nal[1]&7 == 1 && (typ >= hevcFirstIRAP || typ < 6 && typ%2 == 1)
	return key, h.order.shown(lsb, h.facts.order, 1, h.facts.reordering, begins, counts)
}
