package codec

import (
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

// Unit is an access unit: the NAL units of one picture.
type Unit struct {
	// Config is the decoder configuration record, when it is known and another than
	// before this picture; else nil.
	Config []byte
	// NALs are the picture's units, without parameter sets (they are in Config),
	// delimiters and filler.
	NALs [][]byte
	// Key: a decoder can start here.
	Key bool
	// Shown is how many frames later than it is decoded the picture is shown, counted so
	// that it is never less than 0.
	Shown int
}

// AppendNALs appends the picture with a length of four bytes in front of each unit.
func (u Unit) AppendNALs(dst []byte) []byte {
	for _, nal := range u.NALs {
		dst = append(binary.BigEndian.AppendUint32(dst, uint32(len(nal))), nal...)
	}
	return dst
}

// kinds of NAL units, for the cutting of a stream into pictures.
type nalKind uint8

const (
	nalSkip  nalKind = iota // delimiters and filler
	nalSet                  // parameter sets
	nalAhead                // belongs to the next slice: SEI
	nalSlice
	nalFirst // the first slice of a picture
	nalAfter // belongs to the slices before it
)

// dialect is what differs between H.264 and H.265.
type dialect interface {
	// kind classifies a unit, and reports whether it begins a picture even if it is no
	// slice.
	kind(nal []byte) nalKind
	// set takes a parameter set over and reports whether it is new.
	set(nal []byte) bool
	// record makes the configuration, nil while a set is missing.
	record() []byte
	// picture reads the head of a picture's first slice.
	picture(nal []byte) (key bool, shown int)
	// rate is frames a second by the parameter sets, 0 when they do not say.
	rate() float64
}

// UnitReader cuts the raw stream of a video codec into access units. The
// configuration is told with the first picture that has one, and again whenever a
// parameter set changes; pictures before it are left out, because nobody can show
// them.
type UnitReader struct {
	nals    *NALReader
	dialect dialect
	next    []byte // read, and of the next picture
	changed bool   // a parameter set is new
	known   bool   // a configuration was told
}

// NewAVCReader reads raw H.264.
func NewAVCReader(r io.Reader) *UnitReader {
	return &UnitReader{nals: NewNALReader(r), dialect: newAVCStream()}
}

// NewHEVCReader reads raw H.265.
func NewHEVCReader(r io.Reader) *UnitReader {
	return &UnitReader{nals: NewNALReader(r), dialect: newHEVCStream()}
}

// FrameRate is what the parameter sets read so far say, 0 when they do not.
func (u *UnitReader) FrameRate() float64 { return u.dialect.rate() }

// Next returns the next access unit, or io.EOF.
func (u *UnitReader) Next() (Unit, error) {
	for {
		unit, err := u.unit()
		if err != nil {
			return Unit{}, err
		}
		if u.changed {
			if record := u.dialect.record(); record != nil {
				unit.Config, u.changed, u.known = record, false, true
			}
		}
		if u.known && len(unit.NALs) > 0 {
			return unit, nil
		}
	}
}

// unit reads the units of one picture.
func (u *UnitReader) unit() (Unit, error) {
	var unit Unit
	picture := false // has a slice
	for {
		nal := u.next
		u.next = nil
		if nal == nil {
			var err error
			if nal, err = u.nals.Next(); err != nil {
				if errors.Is(err, io.EOF) && picture {
					return unit, nil
				}
				return Unit{}, err
			}
		}
		kind := u.dialect.kind(nal)
		if picture && kind != nalSlice && kind != nalAfter {
			u.next = nal
			return unit, nil
		}
		switch kind {
		case nalSet:
			u.changed = u.dialect.set(nal) || u.changed
			continue
		case nalSkip:
			continue
		case nalFirst:
			unit.Key, unit.Shown = u.dialect.picture(nal)
			picture = true
		case nalSlice:
			picture = true
		case nalAhead, nalAfter:
		}
		unit.NALs = append(unit.NALs, nal)
	}
}

// sets are parameter sets of one kind, by their ids.
type sets struct {
	ids  []uint32
	nals [][]byte
}

// put keeps a set in the place of the one with its id, and reports whether it differs.
func (s *sets) put(id uint32, nal []byte) bool {
	i := slices.Index(s.ids, id)
	if i < 0 {
		s.ids, s.nals = append(s.ids, id), append(s.nals, nal)
		return true
	}
	if slices.Equal(s.nals[i], nal) {
		return false
	}
	s.nals[i] = nal
	return true
}

// append appends the sets, each with its length of two bytes in front.
func (s *sets) append(dst []byte) []byte {
	for _, nal := range s.nals {
		dst = append(binary.BigEndian.AppendUint16(dst, uint16(len(nal))), nal...)
	}
	return dst
}

// order counts pictures as they are shown against pictures as they are decoded.
type order struct {
	msb, lsb int // of the last picture that counts
	first    int // of the sequence
	decoded  int // pictures since the sequence began
}

// shown returns how many pictures later one is shown than it is decoded. begins: a
// sequence begins with it. counts: the next ones count from it. step is the difference
// between two pictures that follow each other.
func (o *order) shown(lsb, bits, step, reordering int, begins, counts bool) int {
	half := 1 << (bits - 1)
	msb := o.msb
	switch {
	case begins:
		*o = order{}
		msb = 0
	case lsb < o.lsb && o.lsb-lsb >= half:
		msb += 2 * half
	case lsb > o.lsb && lsb-o.lsb > half:
		msb -= 2 * half
	}
	if begins {
		o.first = lsb
	}
	if counts {
		o.msb, o.lsb = msb, lsb
	}
	n := (msb+lsb-o.first)/step - o.decoded + reordering
	o.decoded++
	return min(max(n, 0), 2*reordering+1)
}
