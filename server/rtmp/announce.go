package rtmp

import (
	"slices"

	"github.com/penstock-media/penstock/server/amf"
)

// command is c as the command object of connect: app first and the others in
// the order of old clients, which old servers want. What is empty is left out, so
// that a publisher says nothing that only a player does.
func (c Connect) command() amf.Object {
	o := amf.Object{
		{Key: "app", Value: c.App},
		{Key: "type", Value: "nonprivate"},
		{Key: "flashVer", Value: c.FlashVer},
		{Key: "swfUrl", Value: c.SwfURL},
		{Key: "tcUrl", Value: c.TCURL},
	}
	add := func(key string, v amf.Value) { o = append(o, amf.Property{Key: key, Value: v}) }
	mask := func(key string, v float64) {
		if v != 0 {
			add(key, v)
		}
	}
	mask("audioCodecs", c.AudioCodecs)
	mask("videoCodecs", c.VideoCodecs)
	mask("videoFunction", c.VideoFunction)
	if c.PageURL != "" {
		add("pageUrl", c.PageURL)
	}
	mask("objectEncoding", c.ObjectEncoding)
	if len(c.FourCCList) > 0 {
		list := make(amf.StrictArray, 0, len(c.FourCCList))
		for _, s := range c.FourCCList {
			list = append(list, s)
		}
		add("fourCcList", list)
	}
	if len(c.VideoFourCC) > 0 {
		add("videoFourCcInfoMap", fourCCObject(c.VideoFourCC))
	}
	if len(c.AudioFourCC) > 0 {
		add("audioFourCcInfoMap", fourCCObject(c.AudioFourCC))
	}
	mask("capsEx", float64(c.CapsEx))
	for _, p := range c.Object {
		if p.Key == "app" || p.Key == "tcUrl" {
			continue // may be those of another connection, and a login changes them
		}
		if i := slices.IndexFunc(o, func(own amf.Property) bool { return own.Key == p.Key }); i >= 0 {
			o[i] = p
		} else {
			o = append(o, p)
		}
	}
	return o
}
