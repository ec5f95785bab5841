package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock-media/penstock/server/flv"
)

// kind is what a tag is for a comparison of what went in with what came out.
type kind uint8

const (
	frame  kind = iota // coded audio or video
	setup              // decoder configuration
	aside              // metadata, end of sequence, empty bodies: not compared
	starts             // coded video at which a decoder can start
)

func kindOf(t flv.Tag) kind {
	switch t.Type {
	case flv.TagVideo:
		v, err := flv.ParseVideo(t.Body)
		if err != nil {
			return aside
		}
		switch v.Packet {
		case flv.VideoSequenceStart, flv.VideoMPEG2TSSequence:
			if len(v.Body) == 0 {
				return aside
			}
			return setup
		case flv.VideoSequenceEnd, flv.VideoMetadata:
			return aside
		}
		switch {
		case v.Frame == flv.CommandFrame || len(v.Body) == 0:
			return aside
		case v.Frame == flv.KeyFrame || v.Frame == flv.GeneratedKeyFrame:
			return starts
		}
		return frame
	case flv.TagAudio:
		a, err := flv.ParseAudio(t.Body)
		if err != nil {
			return aside
		}
		switch a.Packet {
		case flv.AudioSequenceStart:
			if len(a.Body) == 0 {
				return aside
			}
			return setup
		case flv.AudioSequenceEnd, flv.AudioMultichannelConfig:
			return aside
		}
		if len(a.Body) == 0 {
			return aside
		}
		return frame
	}
	return aside
}

// frames keeps the coded audio and video.
func frames(tags []flv.Tag) []flv.Tag {
	var kept []flv.Tag
	for _, t := range tags {
		if k := kindOf(t); k == frame || k == starts {
			kept = append(kept, t)
		}
	}
	return kept
}

// configurations keeps the decoder configurations of one tag type, each once.
func configurations(tags []flv.Tag, typ uint8) [][]byte {
	var kept [][]byte
	for _, t := range tags {
		if t.Type == typ && kindOf(t) == setup && (len(kept) == 0 || !containsBytes(kept, t.Body)) {
			kept = append(kept, t.Body)
		}
	}
	return kept
}

func containsBytes(all [][]byte, b []byte) bool {
	for _, have := range all {
		if bytes.Equal(have, b) {
			return true
		}
	}
	return false
}

// lateJoin is the most that a player which was there before the publisher may
// miss: what comes before the first key frame.
func lateJoin(in []flv.Tag) int {
	for i, t := range in {
		if kindOf(t) == starts {
			return i
		}
	}
	return 0
}

// compare says how what a player got differs from what was published: the same
// payloads from the first key frame (or earlier) to the end, in order, with the
// time moving on in each track as it did at the publisher.
func compare(published, played []flv.Tag) error {
	in, out := frames(published), frames(played)
	if len(in) == 0 {
		return errors.New("nothing was published")
	}
	skipped := len(in) - len(out)
	if skipped < 0 || skipped > lateJoin(in) {
		return fmt.Errorf("got %d frames of %d published; the first key frame is number %d", len(out), len(in), lateJoin(in))
	}
	want := in[skipped:]
	for i := range want {
		if want[i].Type != out[i].Type || !bytes.Equal(want[i].Body, out[i].Body) {
			return fmt.Errorf("frame %d of %d differs: got type %d, %d bytes; published type %d, %d bytes",
				i, len(want), out[i].Type, len(out[i].Body), want[i].Type, len(want[i].Body))
		}
	}
	for _, typ := range []uint8{flv.TagAudio, flv.TagVideo} {
		if err := compareTimes(want, out, typ); err != nil {
			return err
		}
		wantSetup, gotSetup := configurations(published, typ), configurations(played, typ)
		for _, b := range wantSetup {
			if !containsBytes(gotSetup, b) {
				return fmt.Errorf("a decoder configuration of type %d (%d bytes) did not arrive", typ, len(b))
			}
		}
	}
	return nil
}

// compareTimes wants the time of a track never to go back, and to advance by
// what the publisher's did wherever that was less than a second.
func compareTimes(want, out []flv.Tag, typ uint8) error {
	last := -1
	for i := range out {
		if out[i].Type != typ {
			continue
		}
		if last >= 0 {
			went := int64(out[i].Timestamp) - int64(out[last].Timestamp)
			if went < 0 {
				return fmt.Errorf("type %d: time goes back at frame %d, from %d to %d", typ, i, out[last].Timestamp, out[i].Timestamp)
			}
			meant := int64(want[i].Timestamp) - int64(want[last].Timestamp)
			if meant >= 0 && meant < 1000 && went != meant {
				return fmt.Errorf("type %d: time advances by %d ms at frame %d, published %d ms", typ, went, i, meant)
			}
		}
		last = i
	}
	return nil
}

// readFLV reads all whole tags of a file. A tail that is cut off is left out.
func readFLV(t *testing.T, path string) []flv.Tag {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return readTags(t, bytes.NewReader(data))
}

func readTags(t *testing.T, r io.Reader) []flv.Tag {
	t.Helper()
	var tags []flv.Tag
	reader := flv.NewReader(r)
	for {
		tag, err := reader.Next()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return tags
		case err != nil:
			t.Fatal(err)
		}
		tags = append(tags, tag)
	}
}

// samples lists the sample files that match a pattern below ../shared/samples,
// beside the repository or where PENSTOCK_SHARED says.
func samples(t *testing.T, patterns ...string) []string {
	t.Helper()
	root := os.Getenv("PENSTOCK_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	var files []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(root, "samples", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Skipf("no sample media at %s (set PENSTOCK_SHARED)", filepath.Join(root, "samples"))
	}
	return files
}

func TestCompareBites(t *testing.T) {
	config := flv.Tag{Type: flv.TagVideo, Body: []byte{0x17, 0, 0, 0, 0, 1}}
	key := flv.Tag{Type: flv.TagVideo, Timestamp: 40, Body: []byte{0x17, 1, 0, 0, 0, 9}}
	inter := flv.Tag{Type: flv.TagVideo, Timestamp: 80, Body: []byte{0x27, 1, 0, 0, 0, 8}}
	sound := flv.Tag{Type: flv.TagAudio, Timestamp: 20, Body: []byte{0x2f, 7}}
	published := []flv.Tag{config, sound, key, inter}

	shifted := []flv.Tag{config, key, inter}
	for i := range shifted {
		shifted[i].Timestamp += 1000
	}
	back := []flv.Tag{config, key, inter}
	back[2].Timestamp = 0
	other := []flv.Tag{config, key, {Type: flv.TagVideo, Timestamp: 80, Body: []byte{0x27, 1, 0, 0, 0, 7}}}

	for _, c := range []struct {
		name   string
		played []flv.Tag
		ok     bool
	}{
		{"everything", published, true},
		{"from the key frame", []flv.Tag{config, key, inter}, true},
		{"another time base", shifted, true},
		{"after the key frame", []flv.Tag{config, inter}, false},
		{"end missing", []flv.Tag{config, key}, false},
		{"no configuration", []flv.Tag{key, inter}, false},
		{"time goes back", back, false},
		{"other bytes", other, false},
		{"nothing", nil, false},
	} {
		if err := compare(published, c.played); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// comparePayloads wants each track of played to be what was published, in order
// and to the end. Another program wrote played: it may mix the tracks otherwise.
func comparePayloads(published, played []flv.Tag) error { return compareTracks(published, played, 0.9) }

// compareTracks is comparePayloads for a program that comes late: of each track at
// least a share was played.
func compareTracks(published, played []flv.Tag, share float64) error {
	for _, typ := range []uint8{flv.TagAudio, flv.TagVideo} {
		var in, out [][]byte
		for _, t := range frames(published) {
			if t.Type == typ {
				in = append(in, t.Body)
			}
		}
		for _, t := range frames(played) {
			if t.Type == typ {
				out = append(out, t.Body)
			}
		}
		if len(out) == 0 || len(out) > len(in) || float64(len(out)) < float64(len(in))*share {
			return fmt.Errorf("type %d: got %d frames of %d", typ, len(out), len(in))
		}
		for i := range out {
			if !bytes.Equal(out[i], in[len(in)-len(out)+i]) {
				return fmt.Errorf("type %d: frame %d of %d differs", typ, i, len(out))
			}
		}
	}
	return nil
}

// neverBack wants the time of a track never to go back.
func neverBack(tags []flv.Tag, typ uint8) error {
	var last uint32
	for i, tag := range tags {
		if tag.Type != typ {
			continue
		}
		if tag.Timestamp < last {
			return fmt.Errorf("type %d: time goes back at frame %d, from %d to %d", typ, i, last, tag.Timestamp)
		}
		last = tag.Timestamp
	}
	return nil
}
