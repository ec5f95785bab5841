package flv

// FourCC names a codec in Enhanced RTMP: four ASCII characters, big-endian.
// Zero means none.
type FourCC uint32

// The codecs of Enhanced RTMP v2. The dot in ".mp3" and the case matter.
const (
	AVC1 FourCC = 'a'<<24 | 'v'<<16 | 'c'<<8 | '1'
	HVC1 FourCC = 'h'<<24 | 'v'<<16 | 'c'<<8 | '1'
	VVC1 FourCC = 'v'<<24 | 'v'<<16 | 'c'<<8 | '1'
	AV01 FourCC = 'a'<<24 | 'v'<<16 | '0'<<8 | '1'
	VP08 FourCC = 'v'<<24 | 'p'<<16 | '0'<<8 | '8'
	VP09 FourCC = 'v'<<24 | 'p'<<16 | '0'<<8 | '9'
	MP4A FourCC = 'm'<<24 | 'p'<<16 | '4'<<8 | 'a'
	MP3  FourCC = '.'<<24 | 'm'<<16 | 'p'<<8 | '3'
	Opus FourCC = 'O'<<24 | 'p'<<16 | 'u'<<8 | 's'
	FLAC FourCC = 'f'<<24 | 'L'<<16 | 'a'<<8 | 'C'
	AC3  FourCC = 'a'<<24 | 'c'<<16 | '-'<<8 | '3'
	EAC3 FourCC = 'e'<<24 | 'c'<<16 | '-'<<8 | '3'
)

// String returns the four characters, with '?' for those that are not printable
// ASCII, and "" for zero.
func (f FourCC) String() string {
	if f == 0 {
		return ""
	}
	b := [4]byte{byte(f >> 24), byte(f >> 16), byte(f >> 8), byte(f)}
	for i, c := range b {
		if c < 0x20 || c > 0x7E {
			b[i] = '?'
		}
	}
	return string(b[:])
}
