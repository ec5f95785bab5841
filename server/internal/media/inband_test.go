package media

import "testing"

// TestInbandConfig: the configuration made of a key frame says what the encoder's
// own does.
func TestInbandConfig(t *testing.T) {
	const (
		sps  = `0000001A 6742c028d900780227e5c044000003000400000300c83c60c920`
		pps  = `00000005 68cb83cb20`
		idr  = `00000003 658884`
		avcC = `0142c028ffe1001a6742c028d900780227e5c044000003000400000300c83c60c92001000568cb83cb20`
	)
	for _, c := range []struct{ name, frame, want string }{
		{"codec id", `17 01 000028` + sps + pps + idr, `17 00 000000` + avcC},
		{"marked inter", `27 01 000028` + sps + pps + idr, `17 00 000000` + avcC},
		{"enhanced", `91 "avc1" 000028` + sps + pps + idr, `90 "avc1"` + avcC},
		{"track 1", `96 01 "avc1" 01 000028` + sps + pps + idr, `96 00 "avc1" 01` + avcC},
		{"repeated", `17 01 000028` + sps + pps + sps + pps + idr, `17 00 000000` + avcC},
		{"no SPS", `17 01 000028` + pps + idr, ``},
		{"no PPS", `17 01 000028` + sps + idr, ``},
		{"no key frame", `27 01 000028` + sps + pps + `00000003 419A02`, ``},
		{"a configuration", `17 00 000000` + avcC, ``},
		{"Annex B", `17 01 000028 00000001 6742c028d9 00000001 68cb83 00000001 658884`, ``},
		{"HEVC", `1C 01 000000 00000003 2601AF`, ``},
	} {
		p, ok := New(Video, 40, bytesOf(t, c.frame)).InbandConfig()
		want := bytesOf(t, c.want)
		if ok != (len(want) > 0) || string(p.Payload) != string(want) {
			t.Errorf("%s: %t, %x, want %x", c.name, ok, p.Payload, want)
			continue
		}
		if v, known := p.VideoConfig(); ok && (!known || v.Width != 1920 || v.Height != 1080 || !p.Config || p.Time != 40) {
			t.Errorf("%s: %+v, %+v", c.name, p, v)
		}
	}
}
