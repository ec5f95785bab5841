package codec

import (
	"encoding/hex"
	"strings"
	"testing"
)

// bytesOf turns hexadecimal digits with spaces, and quoted text among them, into bytes.
func bytesOf(tb testing.TB, s string) []byte {
	tb.Helper()
	var out []byte
	for i, part := range strings.Split(s, `"`) {
		if i%2 == 1 {
			out = append(out, part...)
			continue
		}
		b, err := hex.DecodeString(strings.ReplaceAll(part, " ", ""))
		if err != nil {
			tb.Fatalf("%q: %v", s, err)
		}
		out = append(out, b...)
	}
	return out
}

// videoCase is a configuration record and its facts. Records are what encoders
// wrote unless they say otherwise; the facts are ffprobe's.
type videoCase struct {
	name, record string
	want         VideoConfig
}

func avcCases() []videoCase {
	c := func(profile, level string, w, h, depth int) VideoConfig {
		return VideoConfig{"H.264", profile, level, w, h, depth, 4}
	}
	return []videoCase{
		{"x264 1080p baseline", `0142c028ffe1001a6742c028d900780227e5c044000003000400000300c83c60c92001000568cb83cb20`, c("Constrained Baseline", "4.0", 1920, 1080, 8)},
		{"x264 1080i, fields", `01640028ffe1001a67640028acd94078044fde0220000003002000000643e2c5b2c001000668fba3cb22c0fdf8f800`, c("High", "4.0", 1920, 1080, 8)},
		{"x264 4:2:2, 10 bits", `017a0028ffe1001c677a0028b6cd940780227e27011000000300100000030320f183196001000668ebe3cb22c0fefafa00`, c("High 4:2:2", "4.0", 1920, 1080, 10)},
		{"x264 4:4:4", `01f40028ffe1001b67f40028919b280f0044fc4e0220000003002000000641e30632c001000668ebe3c44844fff8f800`, c("High 4:4:4 Predictive", "4.0", 1920, 1080, 8)},
		{"x264 4:4:4, odd size", `01f4001effe1001b67f4001e919b281b07bc5f80880000030008000003019078b16cb001000668ebe3c44844fff8f800`, c("High 4:4:4 Predictive", "3.0", 854, 480, 8)},
		{"JVT matrices in the PPS", `01640028ffe1001b67640028acd940780227e5c044000003000400000300c83c60c65801000768ebe3cb3002c0fdf8f800`, c("High", "4.0", 1920, 1080, 8)},
		{"reserved bits 0", `0142c0280301001a6742c028d900780227e5c044000003000400000300c83c60c92001000568cb83cb20`, c("Constrained Baseline", "4.0", 1920, 1080, 8)},
		{"lengths of two bytes", `0142c028fde1001a6742c028d900780227e5c044000003000400000300c83c60c920`, VideoConfig{"H.264", "Constrained Baseline", "4.0", 1920, 1080, 8, 2}},
		{"no SPS, made by hand", `014d4015ffe0`, VideoConfig{Codec: "H.264", Profile: "Main", Level: "2.1", LengthSize: 4}},
		{"level 1b, made by hand", `0142100bffe0`, VideoConfig{Codec: "H.264", Profile: "Baseline", Level: "1b", LengthSize: 4}},
		{"unknown profile, made by hand", `01070029ffe0`, VideoConfig{Codec: "H.264", Profile: "profile 7", Level: "4.1", LengthSize: 4}},
	}
}

func hevcCases() []videoCase {
	c := func(profile, level string, w, h, depth int) VideoConfig {
		return VideoConfig{"H.265", profile, level, w, h, depth, 4}
	}
	return []videoCase{
		{"x265 1080p", `01016000000090000000000078f000fcfdf8f800000f03a00001001840010c01ffff016000000300900000030000030078959809a10001002a420101016000000300900000030000030078a003c08010e596566924caf0168080000003008000000c84a2000100074401c172b46240`, c("Main", "4.0", 1920, 1080, 8)},
		{"x265 10 bits", `01022000000090000000000078f000fcfdfafa00000f03a00001001840010c01ffff022000000300900000030000030078959809a10001002c420101022000000300900000030000030078a003c08010e4d96566924caf016808000003000800000300c840a2000100074401c172b46240`, c("Main 10", "4.0", 1920, 1080, 10)},
		{"x265 4:2:2, 10 bits", `0104080000009d080000000078f000fcfefafa00000f03a00001001740010c01ffff0408000003009d08000003000078959809a10001002b4201010408000003009d08000003000078b003c08010e4d96566924caf016808000003000800000300c840a2000100074401c172b46240`, c("Range Extensions", "4.0", 1920, 1080, 10)},
		{"x265 4:4:4", `0104080000009e080000000078f000fcfff8f800000f03a00001001740010c01ffff0408000003009e08000003000078959809a10001002b4201010408000003009e0800000300007890007810021cb2cacd24995e02d0100000030010000003019080a2000100084401c172860c4624`, c("Range Extensions", "4.0", 1920, 1080, 8)},
		{"x265 2160p, high tier", `01216000000090000000000099f000fcfdf8f800000f03a00001001840010c01ffff216000000300900000030000030099959809a10001002c420101216000000300900000030000030099a001e020021c596566924caf0168080000030008000003019040a2000100074401c172b46240`, c("Main", "5.1 High", 3840, 2160, 8)},
		{"x265 with cropping", `0101600000009000000000003cf000fcfdf8f800000f03a00001001840010c01ffff01600000030090000003000003003c959809a10001002a42010101600000030090000003000003003ca00a480b9c9596566924caf0168080000003008000000c84a2000100074401c172b46240`, c("Main", "2.0", 322, 182, 8)},
		{"no arrays, version 0, made by hand", `0001600000009000000000005df000fcfdf8f800000f00`, VideoConfig{Codec: "H.265", Profile: "Main", Level: "3.1", BitDepth: 8, LengthSize: 4}},
	}
}

func av1Cases() []videoCase {
	c := func(profile, level string, w, h, depth int) VideoConfig {
		return VideoConfig{"AV1", profile, level, w, h, depth, 0}
	}
	return []videoCase{
		{"libaom 1080p", `81080c000a0b00000042abbfc3732be401`, c("Main", "4.0", 1920, 1080, 8)},
		{"libaom 10 bits", `81014c000a0b0000000cc4ff6736be5010`, c("Main", "2.1", 640, 360, 10)},
		{"SVT", `81010c000a0b0000000cc4ff6700be0010`, c("Main", "2.1", 640, 360, 8)},
		{"FFmpeg 8, Enhanced RTMP", `81000c000a0b000000043cfeccdaf90040`, c("Main", "2.0", 320, 180, 8)},
		{"no OBU, made by hand", `81280c00`, VideoConfig{Codec: "AV1", Profile: "High", Level: "4.0", BitDepth: 8}},
		{"12 bits, high tier, made by hand", `815fec00`, VideoConfig{Codec: "AV1", Profile: "Professional", Level: "max", BitDepth: 12}},
		{"another OBU in front, size to the end, made by hand", `81000c00 1200 08000000043cfeccdaf90040`, c("Main", "2.0", 320, 180, 8)},
	}
}

func vp9Cases() []videoCase {
	return []videoCase{
		{"libvpx 4:4:4", `010000000115860202020000`, VideoConfig{Codec: "VP9", Profile: "Profile 1", Level: "2.1", BitDepth: 8}},
		{"FFmpeg 8, Enhanced RTMP", `01000000000b820202020000`, VideoConfig{Codec: "VP9", Profile: "Profile 0", Level: "1.1", BitDepth: 8}},
		{"no level, made by hand", `010000000200a20202020000`, VideoConfig{Codec: "VP9", Profile: "Profile 2", BitDepth: 10}},
	}
}

// audioCase is the same for audio.
type audioCase struct {
	name, record string
	want         AudioConfig
}

func aacCases() []audioCase {
	c := func(profile string, rate, channels int) AudioConfig {
		return AudioConfig{"AAC", profile, rate, channels}
	}
	return []audioCase{
		{"48 kHz stereo", `1190`, c("LC", 48000, 2)},
		{"44.1 kHz mono with a sync word that says no", `120856e500`, c("LC", 44100, 1)},
		{"5.1", `11b056e500`, c("LC", 48000, 6)},
		{"7.1", `11b856e500`, c("LC", 48000, 8)},
		{"a list of channels", `12800544040021100d4c61766335392e33372e31303056e500`, c("LC", 32000, 4)},
		{"HE-AAC, backward compatible", `139056e5a0`, c("HE-AAC", 44100, 2)},
		{"HE-AAC, hierarchical", `2b9208`, c("HE-AAC", 44100, 2)},
		{"HE-AACv2, hierarchical", `eb8a08`, c("HE-AACv2", 44100, 2)},
		{"HE-AACv2, backward compatible", `130856e59d4880`, c("HE-AACv2", 48000, 2)},
		{"a rate of its own", `1780562208`, c("LC", 44100, 1)},
		{"Main", `0a10`, c("Main", 44100, 2)},
		{"xHE-AAC", `f94620`, c("xHE-AAC", 48000, 1)},
	}
}

func opusCases() []audioCase {
	return []audioCase{
		{"FFmpeg, stereo", `"OpusHead" 0102380180bb0000000000`, AudioConfig{"Opus", "", 48000, 2}},
		{"FFmpeg, mono, from 44.1 kHz", `"OpusHead" 0101380144ac0000000000`, AudioConfig{"Opus", "", 48000, 1}},
		{"5.1 with a mapping", `"OpusHead" 0106380180bb0000000001 0402000401020305`, AudioConfig{"Opus", "", 48000, 6}},
	}
}

func flacCases() []audioCase {
	want := AudioConfig{"FLAC", "", 44100, 2}
	const info = `122012000033510033510ac443700000113a372b1e8b5e651e72cbe60e004c9615f8`
	return []audioCase{
		{"FFmpeg 8, Enhanced RTMP", `12001200 0003580004ff0bb800f00002ee002a6ba4825dc1428345546ac64bc657fa`, AudioConfig{"FLAC", "", 48000, 1}},
		{"with the block's head", `80000022` + info, want},
		{"with the marker", `"fLaC" 80000022` + info, want},
		{"alone", info, want},
	}
}
