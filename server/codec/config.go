// Package codec reads decoder configurations: what the sequence headers of AVC,
// HEVC, AV1, VP9, AAC, Opus and FLAC say of a stream.
//
// Each parser takes the configuration record alone, without the FLV head in
// front of it, and reads no further than it has to for the facts below.
package codec

import (
	"errors"
	"fmt"
)

// ErrInvalid means that the bytes are not a configuration of that codec. The errors of all
// parsers wrap it. What was read before is returned with them.
var ErrInvalid = errors.New("invalid decoder configuration")

// VideoConfig is what a video decoder configuration says.
type VideoConfig struct {
	// Codec is "H.264", "H.265", "AV1" or "VP9".
	Codec string
	// Profile is the profile's name in its specification: "High", "Main 10".
	Profile string
	// Level is "4.1"; "" when the configuration does not tell.
	Level string
	// Width and Height are the size of the picture that is shown, in pixels. 0 when
	// the configuration does not tell: VP9's never does, AVC's without an SPS.
	Width, Height int
	// BitDepth is that of luma, 0 when the configuration does not tell.
	BitDepth int
	// LengthSize is how many bytes the length in front of a NAL unit has, 1 to 4. 0
	// for codecs without NAL units.
	LengthSize int
}

// AudioConfig is what an audio decoder configuration says.
type AudioConfig struct {
	// Codec is "AAC", "Opus" or "FLAC".
	Codec string
	// Profile is "LC", "HE-AAC", "HE-AACv2", …; "" for codecs without profiles.
	Profile string
	// SampleRate is that of the sound that comes out of the decoder, in Hz: for HE-AAC
	// twice the rate of its core.
	SampleRate int
	// Channels come out of the decoder. 0 when the configuration does not tell.
	Channels int
}

func invalid(codec, format string, args ...any) error {
	return fmt.Errorf("codec: %s: %w: %s", codec, ErrInvalid, fmt.Sprintf(format, args...))
}

// maxSide bounds what a configuration may claim of a picture.
const maxSide = 1 << 16
