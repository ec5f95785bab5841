package codec

import (
	"encoding/hex"
	"testing"
)

// Configurations are made of nothing that could not be read again.
func TestMakeRefuses(t *testing.T) {
	hexed := func(s string) []byte {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	pps := hexed("4401c172b46240")
	sps := hexed("420101016000000300900000030000030078a003c08010e596566924caf0168080000003008000000c8460")
	record, ok := MakeHEVC(nil, sps, pps)
	if c, err := ParseHEVC(record); !ok || err != nil || c.Width != 1920 || c.Height != 1080 || c.LengthSize != 4 || c.Profile != "Main" {
		t.Errorf("%+v, %v of %x", c, err, record)
	}
	for name, sets := range map[string][2][]byte{
		"no SPS": {nil, pps}, "SPS cut": {sps[:12], pps}, "no PPS": {sps, nil}, "long PPS": {sps, make([]byte, 1<<16)},
	} {
		if record, ok := MakeHEVC(nil, sets[0], sets[1]); ok {
			t.Errorf("HEVC, %s: %x", name, record)
		}
	}
	for name, sets := range map[string][2][]byte{
		"no SPS": {nil, pps}, "SPS cut": {sps[:3], pps}, "no PPS": {sps, nil}, "long SPS": {make([]byte, 1<<16), pps},
	} {
		if record, ok := MakeAVC(sets[0], sets[1]); ok {
			t.Errorf("AVC, %s: %x", name, record)
		}
	}
}
