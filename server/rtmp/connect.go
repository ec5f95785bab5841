package rtmp

import (
	"maps"
	"slices"
	"strings"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// Connect is what a client says of itself in its connect command, as it came:
// unchecked, and with whatever secrets its queries hold. Any field may be
// empty.
type Connect struct {
	App            string
	TCURL          string
	PageURL        string
	SwfURL         string
	FlashVer       string // what the client calls itself
	ObjectEncoding float64

	// What a player can decode and do, as Flash's masks. Publishers leave them
	// out: some servers take one that sends them for a player.
	AudioCodecs, VideoCodecs, VideoFunction float64

	// Enhanced RTMP (version 1: FourCCList; version 2: the rest). The maps hold
	// 1 decode, 2 encode, 4 forward for each FourCC, "*" for all.
	FourCCList  []string
	VideoFourCC map[string]int
	AudioFourCC map[string]int
	CapsEx      int // CapsReconnect, ...

	// Object is the whole command object, and Args what followed it.
	Object amf.Object
	Args   []amf.Value
}

// Bits of Connect.CapsEx.
const (
	CapsReconnect  = 1 // the peer deals with a reconnect request
	CapsMultitrack = 2
	CapsModEx      = 4
	CapsNanoOffset = 8 // TimestampNanoOffset, a ModEx
)

// Enhanced says whether the client told anything of Enhanced RTMP.
func (c Connect) Enhanced() bool {
	return len(c.FourCCList) > 0 || len(c.VideoFourCC) > 0 || len(c.AudioFourCC) > 0 || c.CapsEx != 0
}

// parseConnect reads the connect command. What is missing or of another type
// is left empty: there are encoders that send null, numbers, nothing.
func parseConnect(cmd message.Command) Connect {
	ps, _ := amf.Properties(cmd.Object)
	o := amf.Object(ps)
	text := func(key string) string {
		s, _ := amf.String(o.Get(key))
		return clean(s)
	}
	c := Connect{
		App:         text("app"),
		TCURL:       text("tcUrl"),
		PageURL:     text("pageUrl"),
		SwfURL:      text("swfUrl"),
		FlashVer:    text("flashVer"),
		FourCCList:  fourCCList(o.Get("fourCcList")),
		VideoFourCC: fourCCMap(o.Get("videoFourCcInfoMap")),
		AudioFourCC: fourCCMap(o.Get("audioFourCcInfoMap")),
		Object:      o,
		Args:        cmd.Args,
	}
	c.ObjectEncoding, _ = amf.Number(o.Get("objectEncoding"))
	c.AudioCodecs, _ = amf.Number(o.Get("audioCodecs"))
	c.VideoCodecs, _ = amf.Number(o.Get("videoCodecs"))
	c.VideoFunction, _ = amf.Number(o.Get("videoFunction"))
	c.CapsEx = flags(o.Get("capsEx"))
	return c
}

// clean removes what some cameras put around a URL (Neko: apostrophes).
func clean(s string) string {
	return strings.Trim(s, " \t\r\n'\"")
}

func fourCCList(v amf.Value) []string {
	var list []string
	values, _ := v.(amf.StrictArray)
	for _, v := range values {
		if s, ok := amf.String(v); ok {
			list = append(list, s)
		}
	}
	return list
}

func fourCCMap(v amf.Value) map[string]int {
	ps, ok := amf.Properties(v)
	if !ok || len(ps) == 0 {
		return nil
	}
	m := make(map[string]int, len(ps))
	for _, p := range ps {
		m[p.Key] = flags(p.Value)
	}
	return m
}

// flags reads a small bit mask; what is none is 0.
func flags(v amf.Value) int {
	f, ok := amf.Number(v)
	if !ok || !(f >= 0 && f <= 0xFFFF) { // also false for NaN
		return 0
	}
	return int(f)
}

// What this server does with Enhanced RTMP: it forwards every codec, and
// multitrack, ModEx and nanosecond offsets untouched, and asks clients to reconnect
// when it has to go.
const (
	fourCCForward = 4
	capsEx        = CapsReconnect | CapsMultitrack | CapsModEx | CapsNanoOffset
)

// properties are the first object of the answer to connect. Libraries parse
// fmsVer, so it stays one that everybody knows.
func (c Connect) properties(p Profile) amf.Object {
	o := amf.Object{{Key: "fmsVer", Value: "FMS/" + fmsVersion}, {Key: "capabilities", Value: 127.0}, {Key: "mode", Value: 1.0}}
	switch p {
	case ProfileSRS2:
		o[0].Value = "FMS/" + srsVersion
	case ProfileNginx:
		o = amf.Object{{Key: "fmsVer", Value: "FMS/" + nginxVersion}, {Key: "capabilities", Value: 31.0}}
	case ProfileModern:
	}
	if len(c.FourCCList) > 0 {
		o = append(o, amf.Property{Key: "fourCcList", Value: amf.StrictArray{"*"}})
	}
	if len(c.VideoFourCC) > 0 || len(c.AudioFourCC) > 0 || c.CapsEx != 0 {
		all := amf.Object{{Key: "*", Value: float64(fourCCForward)}}
		o = append(
			o,
			amf.Property{Key: "videoFourCcInfoMap", Value: all},
			amf.Property{Key: "audioFourCcInfoMap", Value: all},
			amf.Property{Key: "capsEx", Value: float64(capsEx)},
		)
	}
	return o
}

// fourCCObject writes a map of FourCCs, in the order of the names.
func fourCCObject(m map[string]int) amf.Object {
	o := make(amf.Object, 0, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		o = append(o, amf.Property{Key: k, Value: float64(m[k])})
	}
	return o
}
