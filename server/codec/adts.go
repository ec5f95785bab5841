package codec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// SoundFrame is one frame of a raw audio file.
type SoundFrame struct {
	// Config is the decoder configuration (AAC), when another than before; else nil.
	Config     []byte
	Data       []byte
	Samples    int // a channel
	SampleRate int // Hz
	Channels   int
}

// SoundReader reads the frames of a raw audio file.
type SoundReader struct {
	r      source
	head   int // bytes of a frame's head
	parse  func(head []byte) (soundHead, error)
	config []byte
	begun  bool
}

// soundHead is what the head of a frame says.
type soundHead struct {
	size, skip int // of the whole frame, of what is not its data
	config     []byte
	samples    int
	rate       int
	channels   int
}

// errTag means that the bytes are no frame, but something that files have beside them.
var errTag = errors.New("tag")

// NewADTSReader reads AAC in ADTS frames (ISO/IEC 14496-3, 1.A.2.2).
func NewADTSReader(r io.Reader) *SoundReader {
	return &SoundReader{r: source{r: r}, head: 7, parse: parseADTS}
}

// NewMP3Reader reads MP3 (ISO/IEC 11172-3 and 13818-3, layer III).
func NewMP3Reader(r io.Reader) *SoundReader {
	return &SoundReader{r: source{r: r}, head: 4, parse: parseMP3}
}

// Next returns the next frame, io.EOF at the end, or ErrInvalid where there should be a
// frame and is none. A frame that is cut off by the end of the file is left out.
func (s *SoundReader) Next() (SoundFrame, error) {
	for {
		if err := s.skipID3(); err != nil {
			return SoundFrame{}, err
		}
		head, err := s.r.peek(s.head)
		if err != nil {
			return SoundFrame{}, err
		}
		h, err := s.parse(head)
		if errors.Is(err, errTag) {
			return SoundFrame{}, io.EOF
		}
		if err != nil {
			return SoundFrame{}, fmt.Errorf("codec: at byte %d: %w", s.r.off, err)
		}
		frame, err := s.r.take(h.size)
		if err != nil {
			return SoundFrame{}, err
		}
		first := !s.begun
		s.begun = true
		if first && h.config == nil && informs(frame) {
			continue
		}
		f := SoundFrame{Data: frame[h.skip:], Samples: h.samples, SampleRate: h.rate, Channels: h.channels}
		if !bytes.Equal(h.config, s.config) {
			s.config, f.Config = h.config, h.config
		}
		return f, nil
	}
}

// skipID3 skips what players show beside the music.
func (s *SoundReader) skipID3() error {
	for {
		b, err := s.r.peek(10)
		if err != nil || !bytes.HasPrefix(b, []byte("ID3")) {
			return nil //nolint:nilerr // what is too short for a tag may be a frame
		}
		size := 0
		for _, c := range b[6:10] {
			size = size<<7 | int(c&0x7F)
		}
		if b[5]&0x10 != 0 {
			size += 10 // a footer
		}
		if _, err := s.r.take(10 + size); err != nil {
			return err
		}
	}
}

// informs reports whether an MP3 frame is silence that carries a table of the file.
func informs(frame []byte) bool {
	head := frame[:min(len(frame), 64)]
	return bytes.Contains(head, []byte("Xing")) || bytes.Contains(head, []byte("Info")) || bytes.Contains(head, []byte("VBRI"))
}

// parseADTS reads the head of an ADTS frame:
//
//	syncword(12) id(1) layer(2) no CRC(1) profile(2) rate index(4) private(1) channels(3) … length(13) fullness(11) blocks(2)
func parseADTS(b []byte) (soundHead, error) {
	if b[0] != 0xFF || b[1]&0xF6 != 0xF0 {
		return soundHead{}, invalid("AAC", "no ADTS frame")
	}
	h := soundHead{skip: 7, samples: 1024, size: int(b[3]&3)<<11 | int(b[4])<<3 | int(b[5])>>5}
	if b[1]&1 == 0 {
		h.skip = 9
	}
	if b[6]&3 != 0 {
		return h, invalid("AAC", "an ADTS frame with %d blocks", b[6]&3+1)
	}
	object, rate, channels := b[2]>>6+1, b[2]>>2&15, b[2]&1<<2|b[3]>>6
	if h.size <= h.skip || rate > 12 || channels == 0 {
		return h, invalid("AAC", "an ADTS frame of %d bytes, rate %d, channels %d", h.size, rate, channels)
	}
	h.config = []byte{object<<3 | rate>>1, rate<<7 | channels<<3}
	c, err := ParseAAC(h.config)
	h.rate, h.channels = c.SampleRate, c.Channels
	return h, err
}

// parseMP3 reads the head of an MP3 frame:
//
//	syncword(11) version(2) layer(2) no CRC(1) bit rate(4) rate(2) padding(1) private(1) mode(2) …
func parseMP3(b []byte) (soundHead, error) {
	if bytes.HasPrefix(b, []byte("TAG")) || bytes.HasPrefix(b, []byte("APE")) {
		return soundHead{}, errTag
	}
	version, layer := b[1]>>3&3, b[1]>>1&3
	index, rate := b[2]>>4, b[2]>>2&3
	if b[0] != 0xFF || b[1]&0xE0 != 0xE0 || version == 1 || layer != 1 || index == 0 || index == 15 || rate == 3 {
		return soundHead{}, invalid("MP3", "no MP3 frame")
	}
	kbps := [15]int{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}[index]
	h := soundHead{rate: [3]int{44100, 48000, 32000}[rate], samples: 1152, channels: 2}
	switch version {
	case 3: // MPEG-1
		kbps = [15]int{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}[index]
	case 2:
		h.rate, h.samples = h.rate/2, 576
	default:
		h.rate, h.samples = h.rate/4, 576
	}
	h.size = h.samples/8*kbps*1000/h.rate + int(b[2]>>1&1)
	if b[3]>>6 == 3 {
		h.channels = 1
	}
	return h, nil
}

// source is a reader that can look ahead.
type source struct {
	r   io.Reader
	buf []byte
	off int64
}

// peek looks at the next n bytes.
func (s *source) peek(n int) ([]byte, error) {
	for len(s.buf) < n {
		more := make([]byte, max(4<<10, n-len(s.buf)))
		got, err := s.r.Read(more)
		s.buf = append(s.buf, more[:got]...)
		if err != nil && len(s.buf) < n {
			if errors.Is(err, io.EOF) {
				return nil, io.EOF
			}
			return nil, fmt.Errorf("codec: read: %w", err)
		}
	}
	return s.buf[:n], nil
}

// take takes the next n bytes, in a slice of their own.
func (s *source) take(n int) ([]byte, error) {
	b, err := s.peek(n)
	if err != nil {
		return nil, err
	}
	b = bytes.Clone(b)
	s.buf = s.buf[n:]
	s.off += int64(n)
	return b, nil
}
