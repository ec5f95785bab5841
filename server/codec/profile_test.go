package codec

import "testing"

// The names of profiles are what an operator compares with an encoder's settings.
func TestProfileNames(t *testing.T) {
	avc := func(p byte) string { return avcProfile(p, 0) }
	aac := func(p byte) string { return aacProfile(uint32(p), false, false) }
	for _, c := range []struct {
		name    func(byte) string
		profile byte
		want    string
	}{
		{avc, 66, "Baseline"},
		{avc, 77, "Main"},
		{avc, 88, "Extended"},
		{avc, 100, "High"},
		{avc, 110, "High 10"},
		{avc, 122, "High 4:2:2"},
		{avc, 244, "High 4:4:4 Predictive"},
		{avc, 44, "CAVLC 4:4:4 Intra"},
		{avc, 83, "Scalable Baseline"},
		{avc, 86, "Scalable High"},
		{avc, 118, "Multiview High"},
		{avc, 128, "Stereo High"},
		{avc, 1, "profile 1"},
		{hevcProfile, 1, "Main"},
		{hevcProfile, 2, "Main 10"},
		{hevcProfile, 3, "Main Still Picture"},
		{hevcProfile, 4, "Range Extensions"},
		{hevcProfile, 5, "High Throughput"},
		{hevcProfile, 6, "Multiview Main"},
		{hevcProfile, 7, "Scalable Main"},
		{hevcProfile, 9, "Screen Content"},
		{hevcProfile, 8, "profile 8"},
		{aac, 1, "Main"},
		{aac, 2, "LC"},
		{aac, 3, "SSR"},
		{aac, 4, "LTP"},
		{aac, 23, "LD"},
		{aac, 39, "ELD"},
		{av1Profile, 0, "Main"},
		{av1Profile, 1, "High"},
		{av1Profile, 2, "Professional"},
		{av1Profile, 3, "profile 3"},
	} {
		if got := c.name(c.profile); got != c.want {
			t.Errorf("profile %d is called %q, want %q", c.profile, got, c.want)
		}
	}
	if got := avcProfile(66, 0x40); got != "Constrained Baseline" {
		t.Errorf("got %q", got)
	}
	if aacProfile(2, true, false) != "HE-AAC" || aacProfile(2, true, true) != "HE-AACv2" {
		t.Error("HE-AAC has another name")
	}
}

// MakeAVC refuses what is no parameter set.
func TestMakeAVCRefuses(t *testing.T) {
	sps, pps := []byte{0x67, 77, 0, 31, 1}, []byte{0x68, 1}
	if b, ok := MakeAVC(sps, pps); !ok || len(b) == 0 {
		t.Error("a record of good ones is not made")
	}
	for _, c := range [][2][]byte{{nil, pps}, {sps, nil}, {sps[:3], pps}, {make([]byte, 1<<16), pps}, {sps, make([]byte, 1<<16)}} {
		if _, ok := MakeAVC(c[0], c[1]); ok {
			t.Errorf("made of %d and %d bytes", len(c[0]), len(c[1]))
		}
	}
}
