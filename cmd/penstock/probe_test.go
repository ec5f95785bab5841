package main

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/penstock-media/penstock/server/flv"
)

// probed is what ffprobe says of a stream.
type probed struct {
	Streams []struct {
		Index     int    `json:"index"`
		CodecType string `json:"codec_type"`
		FPS       string `json:"r_frame_rate"`
		Width     int    `json:"width"`
		Height    int    `json:"height"`
	} `json:"streams"`
	Packets []struct {
		CodecType string `json:"codec_type"`
		DTS       string `json:"dts_time"`
		Flags     string `json:"flags"`
	} `json:"packets"`
}

// check wants the tracks of gen/h264_bframes_aac.flv and nothing besides: no track of
// data that nobody published, each frame once, the time they took, and a key frame first.
func (p probed) check(published []flv.Tag) error {
	var kinds []string
	for _, s := range p.Streams {
		kinds = append(kinds, s.CodecType)
		if s.CodecType == "video" && (s.FPS != "25/1" || size(s.Width, s.Height) != "320x180") {
			return fmt.Errorf("the picture is %s at %s", size(s.Width, s.Height), s.FPS)
		}
	}
	if got := strings.Join(kinds, " "); got != "video audio" && got != "audio video" {
		return fmt.Errorf("its tracks are %q", got)
	}
	for kind, typ := range map[string]uint8{"video": flv.TagVideo, "audio": flv.TagAudio} {
		var want []flv.Tag
		for _, t := range frames(published) {
			if t.Type == typ {
				want = append(want, t)
			}
		}
		n, first, last := 0, 0.0, 0.0
		for _, packet := range p.Packets {
			if packet.CodecType != kind {
				continue
			}
			at, err := strconv.ParseFloat(packet.DTS, 64)
			if err != nil {
				return fmt.Errorf("%s packet %d: %w", kind, n, err)
			}
			if n == 0 {
				if first = at; !strings.HasPrefix(packet.Flags, "K") {
					return fmt.Errorf("the first %s packet is no key frame", kind)
				}
			}
			n, last = n+1, at
		}
		// The sound before the first key frame is not played.
		if n > len(want) || n < len(want)-lateJoin(frames(published)) {
			return fmt.Errorf("%d %s packets of %d", n, kind, len(want))
		}
		want = want[len(want)-n:]
		took := float64(want[n-1].Timestamp-want[0].Timestamp) / 1000
		if math.Abs(last-first-took) > 0.05 {
			return fmt.Errorf("the %s took %.3f s, published in %.3f s", kind, last-first, took)
		}
	}
	return nil
}

// samePictures wants each published picture to have been shown once; all have one size.
func samePictures(published []flv.Tag, shown map[string]int) error {
	want := 0
	for _, t := range frames(published) {
		if t.Type == flv.TagVideo {
			want++
		}
	}
	if len(shown) != 1 || shown["320x180"] != want {
		return fmt.Errorf("%d pictures were published, and %v shown", want, shown)
	}
	return nil
}

// remuxed is for programs that write what they got with their own muxer: it counts
// composition time otherwise, and VLC's puts the parameter sets in front of the first
// key frame and begins its sound some packets late, with a file as with a live stream.
func remuxed(published, played []flv.Tag) error {
	for typ, missed := range map[uint8]int{flv.TagVideo: 2, flv.TagAudio: 20} {
		var in, out [][]byte
		for _, t := range frames(published) {
			if t.Type == typ {
				in = append(in, t.Body[tagHead(t):])
			}
		}
		for _, t := range frames(played) {
			if t.Type == typ {
				out = append(out, t.Body[tagHead(t):])
			}
		}
		if len(out) < len(in)-missed || len(out) > len(in) {
			return fmt.Errorf("type %d: %d frames of %d", typ, len(out), len(in))
		}
		next := 0
		for i, body := range out {
			for next < len(in) && !bytes.HasSuffix(body, in[next]) {
				next++
			}
			if next == len(in) {
				return fmt.Errorf("type %d: frame %d of %d was not published, or not in this order", typ, i, len(out))
			}
			next++
		}
	}
	return nil
}

// tagHead is how many bytes of a tag another muxer may write otherwise: the flags and
// the composition time.
func tagHead(t flv.Tag) int {
	if t.Type == flv.TagVideo {
		return 5
	}
	return 2
}
