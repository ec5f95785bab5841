package codec

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// writer makes the records that no encoder at hand makes.
type writer struct {
	b []byte
	n int // bits
}

func (w *writer) u(n int, v uint32) *writer {
	for i := n - 1; i >= 0; i-- {
		if w.n%8 == 0 {
			w.b = append(w.b, 0)
		}
		w.b[w.n/8] |= byte(v>>i&1) << (7 - w.n%8)
		w.n++
	}
	return w
}

func (w *writer) ue(v uint32) *writer {
	n := 0
	for (v+1)>>(n+1) != 0 {
		n++
	}
	return w.u(n, 0).u(n+1, v+1)
}

func (w *writer) se(v int) *writer {
	if v > 0 {
		return w.ue(uint32(2*v - 1))
	}
	return w.ue(uint32(-2 * v))
}

// avcC wraps an SPS without its NAL head, whose first three bytes it repeats.
func (w *writer) avcC() []byte {
	w.u(1, 1) // rbsp_stop_one_bit
	sps := append([]byte{0x67}, w.b...)
	return append([]byte{1, sps[1], sps[2], sps[3], 0xFF, 0xE1, 0, byte(len(sps))}, sps...)
}

func TestSyntheticAVC(t *testing.T) {
	lists := (&writer{}).u(8, 100).u(8, 0).u(8, 31).ue(0)
	lists.ue(3).u(1, 0).ue(0).ue(0).u(1, 0).u(1, 1) // 4:4:4, scaling lists
	lists.u(1, 1)
	for range 16 {
		lists.se(1)
	}
	lists.u(5, 0)
	lists.u(1, 1).se(-8)                                 // ends at once: the default list
	lists.u(5, 0)                                        // of twelve
	lists.ue(0).ue(0).ue(0).ue(1).u(1, 0)                // frame numbers, order type 0
	lists.ue(39).ue(16).u(1, 0).u(1, 0).u(1, 1)          // 640 by 17 pairs of macroblocks
	lists.u(1, 1).ue(0).ue(0).ue(0).ue(2).u(1, 0)        // 4 lines cropped, in fields
	order := (&writer{}).u(8, 77).u(8, 0x40).u(8, 30)    // Main
	order.ue(0).ue(0).ue(1).u(1, 0).se(-3).se(4).ue(2)   // order type 1, two frames in a cycle
	order.se(1).se(-1).ue(1).u(1, 0)                     //
	order.ue(39).ue(22).u(1, 1).u(1, 1)                  // 640x368
	order.u(1, 1).ue(0).ue(0).ue(0).ue(4).u(1, 0)        // 8 lines cropped
	gray := (&writer{}).u(8, 100).u(8, 0).u(8, 10)       //
	gray.ue(0).ue(0).ue(2).ue(2).u(1, 0).u(1, 0)         // monochrome, 10 bits
	gray.ue(0).ue(2).ue(1).u(1, 0).ue(9).ue(9).u(1, 1)   // 160x160
	gray.u(1, 1).u(1, 1).ue(1).ue(2).ue(3).ue(4).u(1, 0) // cropped by single samples
	for _, c := range []struct {
		name string
		w    *writer
		want VideoConfig
	}{
		{"scaling lists, fields", lists, VideoConfig{"H.264", "High", "3.1", 640, 540, 8, 4}},
		{"order type 1", order, VideoConfig{"H.264", "Main", "3.0", 640, 360, 8, 4}},
		{"monochrome", gray, VideoConfig{"H.264", "High", "1.0", 157, 153, 10, 4}},
	} {
		got, err := ParseAVC(c.w.avcC())
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, d)
		}
	}
	long := (&writer{}).u(8, 77).u(8, 0).u(8, 30).ue(0).ue(0).ue(1).u(1, 0).se(0).se(0).ue(256)
	if _, err := ParseAVC(long.avcC()); err == nil {
		t.Error("a cycle of 256 frames is read")
	}
	none := (&writer{}).u(8, 77).u(8, 0).u(8, 30).ue(0).ue(0).ue(2).ue(1).u(1, 0).ue(0).ue(0).u(1, 1).u(1, 1)
	none.u(1, 1).ue(8).ue(0).ue(0).ue(0).u(1, 0)
	if c, err := ParseAVC(none.avcC()); err == nil {
		t.Errorf("all of the picture is cropped: %+v", c)
	}
}

func TestSyntheticHEVC(t *testing.T) {
	sps := func(chroma uint32) *writer {
		w := (&writer{}).u(8, 0x42).u(8, 1).u(4, 0).u(3, 2).u(1, 1) // two sub-layers below
		w.u(2, 0).u(1, 1).u(5, 4).u(32, 0xFFFFFFFF).u(32, 0xFFFFFFFF).u(16, 0xFFFF).u(8, 150)
		w.u(2, 3).u(2, 1).u(12, 0xFFF) // a profile and a level, a level; the others reserved
		w.u(32, 0xFFFFFFFF).u(32, 0xFFFFFFFF).u(24, 0xFFFFFF).u(8, 90).u(8, 120)
		w.ue(0).ue(chroma)
		if chroma == 3 {
			w.u(1, 1) // separate planes
		}
		return w.ue(1921).ue(1081)
	}
	hvcC := func(w *writer) []byte {
		w.u(8, 0x80)
		record := append(make([]byte, hevcHead), hevcSPS, 0, 1, 0, byte(len(w.b)))
		record[hevcHead-1] = 1
		return append(record, w.b...)
	}
	for _, chroma := range []uint32{0, 3} {
		got, err := ParseHEVC(hvcC(sps(chroma).u(1, 1).ue(1).ue(0).ue(0).ue(1).ue(4)))
		if err != nil {
			t.Errorf("chroma %d: %v", chroma, err)
		}
		want := VideoConfig{"H.265", "Range Extensions", "5.0 High", 1920, 1080, 12, 1}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("chroma %d: (-want +got)\n%s", chroma, d)
		}
	}
	if c, err := ParseHEVC(hvcC(sps(1).u(1, 1).ue(1000).ue(1000).ue(0).ue(0).ue(0))); err == nil {
		t.Errorf("all of the picture is cropped: %+v", c)
	}
	if c, err := ParseHEVC(hvcC((&writer{}).u(8, 0x40).u(8, 1))); err == nil {
		t.Errorf("a VPS in the SPS's place is read: %+v", c)
	}
}

func TestSyntheticAV1(t *testing.T) {
	// Timing with a decoder model, and two operating points with everything in them.
	full := (&writer{}).u(3, 0).u(1, 0).u(1, 0)
	full.u(1, 1).u(32, 1).u(32, 25).u(1, 1).ue(0).u(1, 1).u(5, 9).u(32, 1).u(5, 9).u(5, 9)
	full.u(1, 1).u(5, 1)
	full.u(12, 0).u(5, 13).u(1, 1).u(1, 1).u(10, 0).u(10, 0).u(1, 0).u(1, 1).u(4, 9)
	full.u(12, 0).u(5, 4).u(1, 0).u(1, 0)
	full.u(4, 11).u(4, 11).u(12, 3839).u(12, 2159)
	still := (&writer{}).u(3, 1).u(1, 1).u(1, 1).u(5, 8).u(4, 8).u(4, 7).u(9, 511).u(8, 255)
	for _, c := range []struct {
		name string
		w    *writer
		want VideoConfig
	}{
		{"everything", full, VideoConfig{"AV1", "Main", "5.1 High", 3840, 2160, 8, 0}},
		{"still picture", still, VideoConfig{"AV1", "High", "4.0", 512, 256, 8, 0}},
	} {
		// An OBU with an extension byte.
		record := append([]byte{0x81, 0x08, 0x0C, 0, obuSequenceHeader<<3 | 4 | 2, 0, byte(len(c.w.b))}, c.w.b...)
		got, err := ParseAV1(record)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, d)
		}
	}
}

func TestSyntheticAAC(t *testing.T) {
	escape := (&writer{}).u(5, 31).u(6, 7).u(4, 3).u(4, 2) // object type 39, ELD
	scalable := (&writer{}).u(5, 20).u(4, 3).u(4, 1).u(1, 0).u(1, 1).u(14, 0).u(1, 1).u(3, 0).u(3, 0).u(1, 0)
	bsac := (&writer{}).u(5, 22).u(4, 3).u(4, 1).u(1, 0).u(1, 0).u(1, 1).u(16, 0).u(1, 0)
	over := (&writer{}).u(5, 5).u(4, 6).u(4, 1).u(4, 3).u(5, 22).u(4, 0)
	list := (&writer{}).u(5, 2).u(4, 3).u(4, 0).u(3, 0)
	list.u(10, 0).u(4, 1).u(4, 0).u(4, 1).u(2, 1).u(3, 0).u(4, 0) // a pair, a single one, a low one
	list.u(1, 1).u(4, 0).u(1, 1).u(4, 0).u(1, 1).u(3, 0)
	list.u(5, 16).u(5, 0).u(4, 0).u((8-list.n%8)%8, 0).u(8, 0)
	for _, c := range []struct {
		name string
		w    *writer
		want AudioConfig
	}{
		{"ELD", escape, AudioConfig{"AAC", "ELD", 48000, 2}},
		{"scalable", scalable, AudioConfig{"AAC", "object type 20", 48000, 1}},
		{"BSAC", bsac, AudioConfig{"AAC", "object type 22", 48000, 1}},
		{"SBR over BSAC", over, AudioConfig{"AAC", "HE-AAC", 48000, 1}},
		{"a list with mixdowns", list, AudioConfig{"AAC", "LC", 48000, 4}},
	} {
		got, err := ParseAAC(c.w.b)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, d)
		}
	}
}
