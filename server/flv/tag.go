// Package flv reads and writes FLV files: the header, the tags, and the heads of
// audio and video bodies, which are also the bodies of RTMP's media messages.
//
// Heads come in two forms: the one of the FLV specification, version 10.1, with
// its numeric codec ids, and the one of Enhanced RTMP v1 and v2, with FourCCs,
// tracks and modifiers. ParseVideo and ParseAudio read both.
package flv

import "encoding/binary"

// The tag types. They equal the RTMP message types of the same content.
const (
	TagAudio uint8 = 8
	TagVideo uint8 = 9
	TagData  uint8 = 18
)

const (
	headerSize      = 9
	tagHeadSize     = 11
	backPointerSize = 4

	// MaxBody is the largest body a tag can have: its length is a 24-bit number.
	MaxBody = 1<<24 - 1
)

// Tag is one FLV tag.
type Tag struct {
	// Type is TagAudio, TagVideo, TagData or a number unknown to FLV (5 bits).
	Type uint8
	// Timestamp is in ms, modulo 2^32.
	Timestamp uint32
	Body      []byte
}

// AppendHeader appends the file header and the first back pointer, 13 bytes:
//
//	"FLV" version=1 flags(audio=4, video=1) offset=9 | back pointer=0
//
// Players treat the flags as a hint.
func AppendHeader(dst []byte, audio, video bool) []byte {
	var flags byte
	if audio {
		flags |= 0x04
	}
	if video {
		flags |= 0x01
	}
	return append(dst, 'F', 'L', 'V', 1, flags, 0, 0, 0, headerSize, 0, 0, 0, 0)
}

// AppendTag appends a tag with the back pointer that follows it:
//
//	type(1) length(3) time(3) time's top byte(1) stream id=0(3) body | 11+length(4)
//
// The timestamp is in ms. A body longer than MaxBody cannot be expressed; its
// rest is cut off, so that the file stays readable.
func AppendTag(dst []byte, typ uint8, timestamp uint32, body []byte) []byte {
	if len(body) > MaxBody {
		body = body[:MaxBody]
	}
	n := uint32(len(body))
	dst = append(dst, typ,
		byte(n>>16), byte(n>>8), byte(n),
		byte(timestamp>>16), byte(timestamp>>8), byte(timestamp), byte(timestamp>>24),
		0, 0, 0)
	dst = append(dst, body...)
	return binary.BigEndian.AppendUint32(dst, tagHeadSize+n)
}

// TagSize is the number of bytes AppendTag appends for a body of that length.
func TagSize(bodyLen int) int {
	return tagHeadSize + min(bodyLen, MaxBody) + backPointerSize
}
