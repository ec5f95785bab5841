package main

import (
	"bytes"
	"encoding/binary"
	"time"

	"github.com/penstock-media/penstock/server/flv"
)

// mark is what a stamp follows.
const mark = "rtmpbench:"

// avcConfig is a decoder configuration of H.264 Main 3.1.
func avcConfig() []byte {
	return []byte{
		0x17, 0, 0, 0, 0,
		1, 0x4d, 0x00, 0x1f, 0xff, 0xe1, 0x00, 0x0a,
		0x67, 0x4d, 0x00, 0x1f, 0x96, 0x54, 0x02, 0x80, 0x2d, 0xc8,
		1, 0x00, 0x04, 0x68, 0xee, 0x3c, 0x80,
	}
}

// aacConfig is one of AAC-LC, 44.1 kHz, stereo.
func aacConfig() []byte { return []byte{0xaf, 0, 0x12, 0x10} }

const (
	headBytes  = 10 // FLV head, NAL length, NAL header
	stampBytes = 8
	audioStep  = 1024 * time.Second / 44100
)

// videoBody is one coded frame of so many bytes, stamped with a time.
func videoBody(size int, key bool, at time.Duration) []byte {
	size = max(size, headBytes+len(mark)+stampBytes)
	b := make([]byte, size)
	b[0], b[1] = 0x27, 1
	nal := byte(0x41)
	if key {
		b[0], nal = 0x17, 0x65
	}
	binary.BigEndian.PutUint32(b[5:], uint32(size-9))
	b[9] = nal
	n := copy(b[headBytes:], mark)
	binary.BigEndian.PutUint64(b[headBytes+n:], uint64(at))
	return b
}

// audioBody is one AAC frame of so many bytes.
func audioBody(size int) []byte {
	b := make([]byte, max(size, 8))
	b[0], b[1] = 0xaf, 1
	return b
}

// stamp reads the time that a video frame was sent at.
func stamp(typ uint8, body []byte) (at time.Duration, key, ok bool) {
	if typ != flv.TagVideo || len(body) < headBytes+len(mark)+stampBytes || body[1] != 1 {
		return 0, false, false
	}
	rest, ok := bytes.CutPrefix(body[headBytes:], []byte(mark))
	if !ok {
		return 0, false, false
	}
	return time.Duration(binary.BigEndian.Uint64(rest)), body[0]>>4 == 1, true
}

// sizes are the bytes of a key frame and of any other, for a bit rate: a key frame
// is as large as eight others.
func (r rate) sizes() (key, inter int) {
	frames := max(int(r.gop*time.Duration(r.fps)/time.Second), 1)
	bytes := int(int64(r.video) * 125 * int64(r.gop) / int64(time.Second))
	inter = bytes / (frames + 7)
	return 8 * inter, inter
}

func (r rate) audioSize() int {
	return int(int64(r.audio) * 125 * int64(audioStep) / int64(time.Second))
}
