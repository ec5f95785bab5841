package media

import (
	"errors"

	"github.com/penstock-media/penstock/server/flv"
)

// New classifies a message body. It never fails: what cannot be parsed is passed on
// unclassified, because a player may know more than we do. It keeps payload, and
// allocates nothing, except for the payload that it makes where an encoder's is not
// what players read: NAL units behind start codes, empty ones, ADTS headers, and the
// frame type of a head that lies.
//
// Data goes through NewData, so its payload may be shorter than what was passed in.
func New(kind Kind, time uint32, payload []byte) Packet {
	p := Packet{Kind: kind, Time: time, Payload: payload}
	switch kind {
	case Audio:
		audio(&p)
	case Video:
		video(&p)
	case Data:
		return NewData(time, payload)
	}
	return p
}

func video(p *Packet) {
	v, err := flv.ParseVideo(p.Payload)
	if err != nil {
		p.Empty = empty(err)
		return
	}
	p.FourCC, p.Track, p.Multitrack = uint32(v.FourCC), v.Track, v.Multitrack
	if v.Frame == flv.CommandFrame && v.Packet != flv.VideoMetadata {
		return
	}
	switch v.Packet {
	case flv.VideoSequenceStart:
		// FFmpeg starts AV1 with an empty one, and sends the real one later; cameras do
		// so for AVC. A player that gets it first has to give up.
		p.Empty = len(v.Body) == 0
		p.Config = !p.Empty
		repairConfig(p, v)
	case flv.VideoMPEG2TSSequence:
		p.Config = len(v.Body) > 0
	case flv.VideoMetadata:
		p.Empty = len(v.Body) == 0
		p.Info = !p.Empty
	case flv.VideoCodedFrames, flv.VideoCodedFramesX:
		frames(p, v)
	default: // the end of a sequence, and what is not known yet
	}
}

// frames classifies coded frames. The frame type of the head is a claim; where the
// NAL units can be read, they decide.
func frames(p *Packet, v flv.Video) {
	marked := v.Frame == flv.KeyFrame || v.Frame == flv.GeneratedKeyFrame
	p.Empty, p.Disposable = true, true
	for more := true; more; v, more = v.Next() {
		verdict, tidy := unsure, true
		switch v.FourCC {
		case flv.AVC1:
			verdict, tidy = judge(v.Body, avcUnit)
		case flv.HVC1:
			verdict, tidy = judge(v.Body, hevcUnit)
		default:
			if len(v.Body) == 0 {
				verdict = nothing
			}
		}
		spared := false
		switch verdict {
		case nothing:
			continue
		case start:
			p.Key = true
		case silent, unsure:
			p.Key = p.Key || marked
			spared = v.Frame == flv.DisposableFrame
		case spare:
			spared = true
		case dependent:
		}
		p.Empty = false
		p.Disposable = p.Disposable && spared
		repairFrame(p, v, verdict, tidy)
	}
	p.Disposable = p.Disposable && !p.Empty
}

func audio(p *Packet) {
	a, err := flv.ParseAudio(p.Payload)
	if err != nil {
		p.Empty = empty(err)
		return
	}
	p.FourCC, p.Track, p.Multitrack = uint32(a.FourCC), a.Track, a.Multitrack
	switch a.Packet {
	case flv.AudioSequenceStart:
		// The others have no configuration, or can do without.
		p.Empty = len(a.Body) == 0 && (a.FourCC == flv.MP4A || a.FourCC == flv.FLAC)
		p.Config = len(a.Body) > 0
		repairAAC(p, a)
	case flv.AudioCodedFrames:
		p.Empty = len(a.Body) == 0
		repairAAC(p, a)
	case flv.AudioMultichannelConfig:
		p.Empty = len(a.Body) == 0
		p.Info = !p.Empty
	default: // the end of a sequence, and what is not known yet
	}
}

// empty: a body that ends inside its head has nothing for a player. Everything else
// that is wrong is passed on.
func empty(err error) bool { return errors.Is(err, flv.ErrShort) }
