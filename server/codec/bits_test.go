package codec

import "testing"

func TestBits(t *testing.T) {
	r := &bits{b: []byte{0b1010_0110, 0b0100_0010, 0b1000_0000}}
	// 1 | 010 | 011 | 00100 | 00101 …: the first Exp-Golomb numbers
	for want := range uint32(5) {
		if got := r.ue(); got != want {
			t.Errorf("ue: %d, want %d", got, want)
		}
	}
	r = &bits{b: []byte{0b1010_0110, 0b0100_0010, 0b1000_0000}}
	for _, want := range []int{0, 1, -1, 2, -2} {
		if got := r.se(); got != want {
			t.Errorf("se: %d, want %d", got, want)
		}
	}
	if r.short {
		t.Error("short before its end")
	}
	if r.u(32) != 0 || !r.short || r.left() != 0 {
		t.Error("not short behind its end")
	}
	if r := (&bits{b: make([]byte, 64)}); r.ue() != 0 || !r.short {
		t.Error("a number of more than 32 bits is read")
	}
	if r := (&bits{b: []byte{1}}); func() bool { r.skip(9); return !r.short }() {
		t.Error("skips behind its end")
	}
}

func TestRBSP(t *testing.T) {
	for in, want := range map[string]string{
		"\x00\x00\x03\x01":             "\x00\x00\x01",
		"\x00\x00\x03\x00\x00\x03\x02": "\x00\x00\x00\x00\x02",
		"\x00\x03\x00\x00\x04":         "\x00\x03\x00\x00\x04",
		"\x00\x00\x00\x03":             "\x00\x00\x00",
		"":                             "",
	} {
		if got := string(rbsp([]byte(in))); got != want {
			t.Errorf("%x: %x, want %x", in, got, want)
		}
	}
}
