package codec

// bits reads bit fields, most significant bit first. Behind the end it reads
// zeros and is short.
type bits struct {
	b     []byte
	pos   int // in bits
	short bool
}

// left is how many bits remain.
func (r *bits) left() int { return len(r.b)*8 - r.pos }

// u reads n bits, at most 32.
func (r *bits) u(n int) uint32 {
	if n > r.left() {
		r.pos, r.short = len(r.b)*8, true
		return 0
	}
	var v uint32
	for range n {
		v = v<<1 | uint32(r.b[r.pos>>3]>>(7-r.pos&7)&1)
		r.pos++
	}
	return v
}

func (r *bits) flag() bool { return r.u(1) == 1 }

func (r *bits) skip(n int) {
	if n > r.left() {
		r.pos, r.short = len(r.b)*8, true
		return
	}
	r.pos += n
}

// ue reads an unsigned Exp-Golomb number (ITU-T H.264, 9.1), which AV1 calls uvlc.
func (r *bits) ue() uint32 {
	zeros := 0
	for !r.flag() {
		if zeros++; zeros > 31 || r.short {
			r.short = true
			return 0
		}
	}
	return 1<<zeros - 1 + r.u(zeros)
}

// se reads a signed Exp-Golomb number (9.1.1): 1, -1, 2, -2, and so on.
func (r *bits) se() int {
	n := int(r.ue())
	if n&1 == 1 {
		return n/2 + 1
	}
	return -n / 2
}

// rbsp returns a NAL unit without its emulation prevention bytes: the 3 of each
// 00 00 03 (ITU-T H.264, 7.3.1).
func rbsp(nal []byte) []byte {
	out := make([]byte, 0, len(nal))
	zeros := 0
	for _, c := range nal {
		if zeros >= 2 && c == 3 {
			zeros = 0
			continue
		}
		if zeros++; c != 0 {
			zeros = 0
		}
		out = append(out, c)
	}
	return out
}
