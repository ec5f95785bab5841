package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/penstock-media/penstock/server/flv"
)

// track gives the tags of one file, in order. Its length is known when it has ended.
type track interface {
	next() (flv.Tag, error)
	// length is how long the file lasts, ms, as far as it was read.
	length() uint32
	describe() string
}

// footage is what is published: the tags of one or two files by their times, again and
// again with loop.
type footage struct {
	open   func() ([]track, error)
	loop   bool
	tracks []track
	heads  []*flv.Tag // the next tag of each track; nil where it has ended
	from   uint32     // ms, where this round begins
	// told are the configurations and metadata that were sent, by tag type. What is
	// the same is not sent again.
	told  map[uint8][]byte
	files []io.Closer
}

// openFootage opens what a command names and reads the first tags.
func openFootage(p publishCommand) (*footage, error) {
	g := &footage{loop: p.Loop, told: make(map[uint8][]byte)}
	g.open = func() ([]track, error) {
		first, err := g.file(p.File, p.FPS)
		if err != nil {
			return nil, err
		}
		if p.Audio == "" {
			return []track{first}, nil
		}
		sound, err := g.file(p.Audio, p.FPS)
		if err != nil {
			return nil, err
		}
		return []track{without(first, flv.TagAudio), without(without(sound, flv.TagVideo), flv.TagData)}, nil
	}
	if err := g.begin(); err != nil {
		g.close()
		return nil, err
	}
	return g, nil
}

// file opens a file by what its name ends in.
func (g *footage) file(path string, fps float64) (track, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open what is to be published: %w", err)
	}
	g.files = append(g.files, f)
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".flv":
		return newFLVTrack(path, f), nil
	case ".h264", ".264", ".avc":
		return newVideoTrack(path, f, fps, false), nil
	case ".h265", ".265", ".hevc":
		return newVideoTrack(path, f, fps, true), nil
	case ".aac", ".adts":
		return newSoundTrack(path, f, false), nil
	case ".mp3":
		return newSoundTrack(path, f, true), nil
	default:
		return nil, &advice{
			err:  fmt.Errorf("%s is of a kind that cannot be published as it is", filepath.Base(path)),
			what: "Make an FLV file of it: ffmpeg -i " + filepath.Base(path) + " -c:v libx264 -c:a aac out.flv (or -c copy, if it has H.264 and AAC).",
		}
	}
}

// begin opens the files, from the first time on or once more.
func (g *footage) begin() error {
	g.close()
	tracks, err := g.open()
	if err != nil {
		return err
	}
	g.tracks, g.heads = tracks, make([]*flv.Tag, len(tracks))
	empty := true
	for i := range tracks {
		if err := g.advance(i); err != nil {
			return err
		}
		empty = empty && g.heads[i] == nil
	}
	if empty {
		return errors.New("there is no audio or video in it")
	}
	return nil
}

func (g *footage) advance(i int) error {
	tag, err := g.tracks[i].next()
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF): // cut off: what there is
		g.heads[i] = nil
		return nil
	case err != nil:
		return err
	}
	g.heads[i] = &tag
	return nil
}

// next returns the next tag, io.EOF at the end.
func (g *footage) next() (flv.Tag, error) {
	for {
		at := -1
		for i, head := range g.heads {
			if head != nil && (at < 0 || int32(head.Timestamp-g.heads[at].Timestamp) < 0) { // modulo 2^32 is what is meant
				at = i
			}
		}
		if at < 0 {
			if !g.loop {
				return flv.Tag{}, io.EOF
			}
			if err := g.again(); err != nil {
				return flv.Tag{}, err
			}
			continue
		}
		tag := *g.heads[at]
		if err := g.advance(at); err != nil {
			return flv.Tag{}, err
		}
		tag.Timestamp += g.from
		if !g.news(tag) {
			continue
		}
		return tag, nil
	}
}

// again begins the next round where the longest track ended.
func (g *footage) again() error {
	var longest uint32
	for _, t := range g.tracks {
		longest = max(longest, t.length())
	}
	if longest == 0 {
		return errors.New("what is to be repeated takes no time")
	}
	g.from += longest
	return g.begin()
}

// news reports whether a tag says something that was not said before: configurations
// and metadata are sent when they changed (and what comes at the end of a file is not
// the end of what is published).
func (g *footage) news(tag flv.Tag) bool {
	switch tag.Type {
	case flv.TagVideo:
		v, err := flv.ParseVideo(tag.Body)
		if err != nil {
			return true
		}
		if v.Packet == flv.VideoSequenceEnd {
			return !g.loop
		}
		if v.Packet != flv.VideoSequenceStart || v.Track != 0 {
			return true
		}
	case flv.TagAudio:
		a, err := flv.ParseAudio(tag.Body)
		if err != nil || a.Packet != flv.AudioSequenceStart || a.Track != 0 {
			return err != nil || a.Packet != flv.AudioSequenceEnd || !g.loop
		}
	}
	if bytes.Equal(g.told[tag.Type], tag.Body) {
		return false
	}
	g.told[tag.Type] = tag.Body
	return true
}

func (g *footage) describe() string {
	var all []string
	for _, t := range g.tracks {
		all = append(all, t.describe())
	}
	return strings.Join(all, ", ")
}

func (g *footage) close() {
	for _, f := range g.files {
		_ = f.Close()
	}
	g.files = nil
}

// filtered is a track without the tags of one type.
type filtered struct {
	track
	typ uint8
}

func without(t track, typ uint8) track { return &filtered{t, typ} }

func (f *filtered) next() (flv.Tag, error) {
	for {
		tag, err := f.track.next()
		if err != nil || tag.Type != f.typ {
			return tag, err
		}
	}
}
