package media

import (
	"github.com/penstock-media/penstock/server/codec"
	"github.com/penstock-media/penstock/server/flv"
)

// VideoConfig reads the decoder configuration of p. It is false when p has none
// that can be read. VVC's is not.
func (p Packet) VideoConfig() (codec.VideoConfig, bool) {
	if p.Kind != Video || !p.Config {
		return codec.VideoConfig{}, false
	}
	v, err := flv.ParseVideo(p.Payload)
	if err != nil || v.Packet != flv.VideoSequenceStart {
		return codec.VideoConfig{}, false
	}
	var c codec.VideoConfig
	switch v.FourCC {
	case flv.AVC1:
		c, err = codec.ParseAVC(v.Body)
	case flv.HVC1:
		c, err = codec.ParseHEVC(v.Body)
	case flv.AV01:
		c, err = codec.ParseAV1(v.Body)
	case flv.VP08, flv.VP09:
		c, err = codec.ParseVP9(v.Body)
	default:
		return codec.VideoConfig{}, false
	}
	c.Codec = VideoCodecName(p)
	return c, err == nil
}

// AudioConfig reads what p says of its track: the decoder configuration, or for the
// old formats without one (MP3, Speex, PCM, …) the head of any packet. It is false
// when there is neither.
func (p Packet) AudioConfig() (codec.AudioConfig, bool) {
	if p.Kind != Audio {
		return codec.AudioConfig{}, false
	}
	a, err := flv.ParseAudio(p.Payload)
	if err != nil {
		return codec.AudioConfig{}, false
	}
	if rate := a.SampleRate(); rate != 0 {
		return codec.AudioConfig{Codec: AudioCodecName(p), SampleRate: rate, Channels: a.Channels()}, true
	}
	if !p.Config {
		return codec.AudioConfig{}, false
	}
	var c codec.AudioConfig
	switch a.FourCC {
	case flv.MP4A:
		c, err = codec.ParseAAC(a.Body)
	case flv.Opus:
		c, err = codec.ParseOpus(a.Body)
	case flv.FLAC:
		c, err = codec.ParseFLAC(a.Body)
	default:
		return codec.AudioConfig{}, false
	}
	return c, err == nil
}

// VideoCodecName names the codec of a video packet: "H.264", "H.265", "AV1", "VP9",
// "Sorenson H.263", … An unknown FourCC names itself; "" is for an unknown codec id
// and for what is not video.
func VideoCodecName(p Packet) string {
	if p.Kind != Video || len(p.Payload) == 0 {
		return ""
	}
	switch f := flv.FourCC(p.FourCC); f {
	case flv.AVC1:
		return "H.264"
	case flv.HVC1:
		return "H.265"
	case flv.VVC1:
		return "H.266"
	case flv.AV01:
		return "AV1"
	case flv.VP08:
		return "VP8"
	case flv.VP09:
		return "VP9"
	case 0:
	default:
		return f.String()
	}
	v, err := flv.ParseVideo(p.Payload)
	if err != nil || v.Enhanced {
		return ""
	}
	switch v.Codec {
	case flv.VideoJPEG:
		return "JPEG"
	case flv.VideoSorenson:
		return "Sorenson H.263"
	case flv.VideoScreen:
		return "Screen Video"
	case flv.VideoVP6:
		return "VP6"
	case flv.VideoVP6Alpha:
		return "VP6 with alpha"
	case flv.VideoScreen2:
		return "Screen Video 2"
	default:
		return ""
	}
}

// AudioCodecName names the codec of an audio packet: "AAC", "Opus", "MP3", "Speex",
// … An unknown FourCC names itself; "" is for an unknown format and for what is not
// audio.
func AudioCodecName(p Packet) string {
	if p.Kind != Audio || len(p.Payload) == 0 {
		return ""
	}
	switch f := flv.FourCC(p.FourCC); f {
	case flv.MP4A:
		return "AAC"
	case flv.MP3:
		return "MP3"
	case flv.Opus:
		return "Opus"
	case flv.FLAC:
		return "FLAC"
	case flv.AC3:
		return "AC-3"
	case flv.EAC3:
		return "E-AC-3"
	case 0:
	default:
		return f.String()
	}
	a, err := flv.ParseAudio(p.Payload)
	if err != nil || a.Enhanced {
		return ""
	}
	switch a.Format {
	case flv.AudioPCM, flv.AudioPCMLE:
		return "PCM"
	case flv.AudioADPCM:
		return "ADPCM"
	case flv.AudioNellymoser16k, flv.AudioNellymoser8k, flv.AudioNellymoser:
		return "Nellymoser"
	case flv.AudioALaw:
		return "G.711 A-law"
	case flv.AudioMuLaw:
		return "G.711 mu-law"
	case flv.AudioSpeex:
		return "Speex"
	default:
		return ""
	}
}
