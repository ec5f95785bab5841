package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/codec"
	"github.com/penstock-media/penstock/server/flv"
)

// broken says which file cannot be read.
func broken(path string, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return fmt.Errorf("read %s: %w", filepath.Base(path), err)
}

// flvTrack is an FLV file.
type flvTrack struct {
	path  string
	r     *flv.Reader
	begun bool
	first uint32
	last  uint32
	step  uint32 // between the last two times
}

func newFLVTrack(path string, r io.Reader) *flvTrack {
	const ahead = 256 << 10
	return &flvTrack{path: path, r: flv.NewReader(bufio.NewReaderSize(r, ahead))}
}

func (t *flvTrack) next() (flv.Tag, error) {
	tag, err := t.r.Next()
	if err != nil {
		return tag, broken(t.path, err)
	}
	if tag.Type == flv.TagData {
		tag.Body = announced(tag.Body)
		return tag, nil
	}
	if !t.begun {
		t.begun, t.first, t.last = true, tag.Timestamp, tag.Timestamp
	}
	if ahead := int32(tag.Timestamp - t.last); ahead > 0 { // modulo 2^32 is what is meant
		t.step, t.last = uint32(ahead), tag.Timestamp
	}
	return tag, nil
}

func (t *flvTrack) length() uint32   { return t.last - t.first + t.step }
func (t *flvTrack) describe() string { return "FLV" }

// setDataFrame asks a server to keep metadata for players that come later.
func setDataFrame() []byte { return amf.Append(nil, "@setDataFrame") }

// announced is metadata as a publisher sends it: files have it without that word.
func announced(body []byte) []byte {
	if !bytes.HasPrefix(body, amf.Append(nil, "onMetaData")) {
		return body
	}
	return append(setDataFrame(), body...)
}

// videoTrack is a raw video file. Its pictures follow each other evenly.
type videoTrack struct {
	path    string
	r       *codec.UnitReader
	hevc    bool
	fps     float64
	n       int
	rest    []flv.Tag
	said    string
	assumed bool
}

func newVideoTrack(path string, r io.Reader, fps float64, hevc bool) *videoTrack {
	t := &videoTrack{path: path, fps: fps, hevc: hevc, r: codec.NewAVCReader(r)}
	if hevc {
		t.r = codec.NewHEVCReader(r)
	}
	return t
}

func (t *videoTrack) ms(pictures int) uint32 {
	return uint32(math.Round(float64(pictures) * 1000 / t.fps))
}

func (t *videoTrack) next() (flv.Tag, error) {
	if len(t.rest) > 0 {
		tag := t.rest[0]
		t.rest = t.rest[1:]
		return tag, nil
	}
	u, err := t.r.Next()
	if err != nil {
		return flv.Tag{}, broken(t.path, err)
	}
	if t.fps == 0 {
		t.fps = t.r.FrameRate()
		if t.assumed = t.fps < 1 || t.fps > 1000; t.assumed {
			t.fps = 25
		}
	}
	at := t.ms(t.n)
	if u.Config != nil {
		t.rest = append(t.rest, t.introduce(u.Config, at)...)
	}
	v := t.head(flv.VideoCodedFrames, u.Key)
	v.CompositionTime = int32(t.ms(t.n+u.Shown) - at)
	t.n++
	t.rest = append(t.rest, flv.Tag{Type: flv.TagVideo, Timestamp: at, Body: u.AppendNALs(v.AppendHead(nil))})
	return t.next()
}

// head is Enhanced RTMP's for H.265, which has no other official one.
func (t *videoTrack) head(packet flv.VideoPacket, key bool) flv.Video {
	v := flv.Video{Packet: packet, Frame: flv.InterFrame, Codec: flv.VideoAVC, FourCC: flv.AVC1}
	if t.hevc {
		v.Enhanced, v.Codec, v.FourCC = true, 0, flv.HVC1
	}
	if key {
		v.Frame = flv.KeyFrame
	}
	return v
}

// introduce makes metadata and the decoder configuration.
func (t *videoTrack) introduce(record []byte, at uint32) []flv.Tag {
	parse, id := codec.ParseAVC, float64(flv.VideoAVC)
	if t.hevc {
		parse, id = codec.ParseHEVC, float64(flv.HVC1)
	}
	c, _ := parse(record) // what could be read
	note := ""
	if t.assumed {
		note = ", taken for that: the file does not say, --fps does"
	}
	t.said = fmt.Sprintf("%s %dx%d, %.4g frames/s%s", c.Codec, c.Width, c.Height, t.fps, note)
	meta := amf.Append(setDataFrame(), "onMetaData", amf.Object{
		{Key: "width", Value: float64(c.Width)},
		{Key: "height", Value: float64(c.Height)},
		{Key: "framerate", Value: t.fps},
		{Key: "videocodecid", Value: id},
		{Key: "encoder", Value: "Penstock " + version},
	})
	return []flv.Tag{
		{Type: flv.TagData, Timestamp: at, Body: meta},
		{Type: flv.TagVideo, Timestamp: at, Body: append(t.head(flv.VideoSequenceStart, true).AppendHead(nil), record...)},
	}
}

func (t *videoTrack) length() uint32   { return t.ms(t.n) }
func (t *videoTrack) describe() string { return t.said }

// soundTrack is a raw audio file.
type soundTrack struct {
	path    string
	r       *codec.SoundReader
	mp3     bool
	samples int // so far
	rate    int
	rest    []flv.Tag
	said    string
}

func newSoundTrack(path string, r io.Reader, mp3 bool) *soundTrack {
	if mp3 {
		return &soundTrack{path: path, mp3: true, r: codec.NewMP3Reader(r)}
	}
	return &soundTrack{path: path, r: codec.NewADTSReader(r)}
}

func (t *soundTrack) next() (flv.Tag, error) {
	if len(t.rest) > 0 {
		tag := t.rest[0]
		t.rest = t.rest[1:]
		return tag, nil
	}
	f, err := t.r.Next()
	if err != nil {
		return flv.Tag{}, broken(t.path, err)
	}
	t.rate = f.SampleRate
	at := t.length()
	t.samples += f.Samples
	a := flv.Audio{Format: flv.AudioAAC, Rate: 3, Wide: true, Stereo: true, Packet: flv.AudioCodedFrames}
	if t.said == "" {
		name := "AAC"
		if t.mp3 {
			name = "MP3"
		}
		t.said = fmt.Sprintf("%s %d Hz, %d channels", name, f.SampleRate, f.Channels)
	}
	if t.mp3 {
		a.Format, a.Stereo = flv.AudioMP3, f.Channels > 1
		switch {
		case f.SampleRate == 8000:
			a.Format, a.Rate = flv.AudioMP3At8k, 0
		case f.SampleRate < 16_000:
			a.Rate = 1
		case f.SampleRate < 32_000:
			a.Rate = 2
		}
	}
	coded := flv.Tag{Type: flv.TagAudio, Timestamp: at, Body: append(a.AppendHead(nil), f.Data...)}
	if f.Config == nil {
		return coded, nil
	}
	t.rest = append(t.rest, coded)
	a.Packet = flv.AudioSequenceStart
	return flv.Tag{Type: flv.TagAudio, Timestamp: at, Body: append(a.AppendHead(nil), f.Config...)}, nil
}

func (t *soundTrack) length() uint32 {
	if t.rate == 0 {
		return 0
	}
	return uint32(math.Round(float64(t.samples) * 1000 / float64(t.rate)))
}

func (t *soundTrack) describe() string { return t.said }
