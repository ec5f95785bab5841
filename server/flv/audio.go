package flv

// AudioFormat is the first nibble of an audio head.
type AudioFormat uint8

// The audio formats. 13 is not in the specification.
const (
	AudioPCM           AudioFormat = 0 // byte order of the sender's machine
	AudioADPCM         AudioFormat = 1
	AudioMP3           AudioFormat = 2
	AudioPCMLE         AudioFormat = 3
	AudioNellymoser16k AudioFormat = 4
	AudioNellymoser8k  AudioFormat = 5
	AudioNellymoser    AudioFormat = 6
	AudioALaw          AudioFormat = 7
	AudioMuLaw         AudioFormat = 8
	AudioAAC           AudioFormat = 10
	AudioSpeex         AudioFormat = 11
	AudioOpus          AudioFormat = 13
	AudioMP3At8k       AudioFormat = 14
	AudioDevice        AudioFormat = 15
	enhancedAudio      AudioFormat = 9
)

// AudioPacket says what an audio body holds (Enhanced RTMP, AudioPacketType). The
// first two also are the packet types of AAC in the old head; formats without
// packet types have CodedFrames only.
type AudioPacket uint8

// The audio packet types.
const (
	AudioSequenceStart      AudioPacket = 0 // decoder configuration
	AudioCodedFrames        AudioPacket = 1
	AudioSequenceEnd        AudioPacket = 2
	AudioMultichannelConfig AudioPacket = 4
	audioMultitrack         AudioPacket = 5
)

const legacyAudioPacketCount = 2

// Audio is the head of an audio body, and the body behind it.
type Audio struct {
	// Enhanced: the head is Enhanced RTMP's. Then Format, Rate, Wide and Stereo are 0.
	Enhanced bool
	Format   AudioFormat
	// Rate (0 to 3), Wide (16-bit samples) and Stereo mean nothing for AAC, whose
	// configuration has the truth: see SampleRate and Channels for the others.
	Rate   uint8
	Wide   bool
	Stereo bool
	// FourCC is the enhanced codec, or the one the format stands for (MP4A, MP3,
	// Opus), or 0 where there is none.
	FourCC FourCC
	Packet AudioPacket
	// NanoOffset is added to the presentation time, in ns, 0 to 999 999.
	NanoOffset uint32
	// Multitrack: in multitrack framing, cut as Layout says. Track is 0 otherwise.
	Multitrack bool
	Layout     Layout
	Track      uint8
	// Body is what follows the head.
	Body []byte

	rest []byte
}

// ParseAudio reads the head of an audio body (PROTOCOL 12 and 13). In a body with
// several tracks it is the first track's; Next has the others. It returns
// ErrShort or ErrHead, and allocates nothing.
func ParseAudio(b []byte) (Audio, error) {
	if len(b) == 0 {
		return Audio{}, ErrShort
	}
	if AudioFormat(b[0]>>4) != enhancedAudio {
		return parseLegacyAudio(b)
	}
	rest, packet, nano, err := modifiers(b[1:], b[0]&0x0F)
	if err != nil {
		return Audio{Enhanced: true}, err
	}
	e, err := parseEnhanced(rest, packet, uint8(audioMultitrack))
	e.nano = nano
	return audioOf(e), err
}

// Next returns the following track of a multitrack body, false after the last.
func (a Audio) Next() (Audio, bool) {
	if len(a.rest) == 0 {
		return Audio{}, false
	}
	e, err := a.enhanced().next(a.rest)
	return audioOf(e), err == nil
}

// AppendHead appends the head that ParseAudio reads as a, for a body of
// len(a.Body). Unknown modifiers are not kept. Several tracks in one body: the
// first gets the head, the following have to be appended by the caller.
func (a Audio) AppendHead(dst []byte) []byte {
	if a.Enhanced {
		return a.enhanced().append(dst, byte(enhancedAudio)<<4, uint8(audioMultitrack), len(a.Body))
	}
	b0 := byte(a.Format)<<4 | a.Rate&3<<2
	if a.Wide {
		b0 |= 2
	}
	if a.Stereo {
		b0 |= 1
	}
	dst = append(dst, b0)
	if a.Format == AudioAAC {
		dst = append(dst, byte(a.Packet))
	}
	return dst
}

// SampleRate is the sample rate in Hz that the head tells, 0 when it does not: in
// an enhanced head, for AAC and for what is not in the specification.
func (a Audio) SampleRate() int {
	if a.Enhanced {
		return 0
	}
	switch a.Format {
	case AudioNellymoser16k, AudioSpeex:
		return 16000
	case AudioNellymoser8k, AudioALaw, AudioMuLaw, AudioMP3At8k:
		return 8000
	case AudioAAC, AudioOpus, AudioDevice:
		return 0
	default:
		return [4]int{5512, 11025, 22050, 44100}[a.Rate&3]
	}
}

// Channels is the number of channels that the head tells, 0 when it does not.
func (a Audio) Channels() int {
	if a.Enhanced {
		return 0
	}
	switch a.Format {
	case AudioNellymoser16k, AudioNellymoser8k, AudioSpeex:
		return 1
	case AudioAAC, AudioOpus, AudioDevice:
		return 0
	default:
		if a.Stereo {
			return 2
		}
		return 1
	}
}

func parseLegacyAudio(b []byte) (Audio, error) {
	a := Audio{
		Format: AudioFormat(b[0] >> 4),
		Rate:   b[0] >> 2 & 3,
		Wide:   b[0]&2 != 0,
		Stereo: b[0]&1 != 0,
		Packet: AudioCodedFrames,
	}
	a.FourCC = a.Format.fourCC()
	b = b[1:]
	if a.Format == AudioAAC {
		if len(b) < 1 {
			return a, ErrShort
		}
		a.Packet = AudioPacket(b[0])
		if a.Packet >= legacyAudioPacketCount {
			return a, ErrHead
		}
		b = b[1:]
	}
	a.Body = b
	return a, nil
}

func audioOf(e enhanced) Audio {
	return Audio{
		Enhanced: true, FourCC: e.fourCC, Packet: AudioPacket(e.packet), NanoOffset: e.nano,
		Multitrack: e.multitrack, Layout: e.layout, Track: e.track, Body: e.body, rest: e.rest,
	}
}

func (a Audio) enhanced() enhanced {
	return enhanced{
		packet: uint8(a.Packet), nano: a.NanoOffset, multitrack: a.Multitrack,
		layout: a.Layout, fourCC: a.FourCC, track: a.Track,
	}
}

func (f AudioFormat) fourCC() FourCC {
	switch f {
	case AudioAAC:
		return MP4A
	case AudioMP3, AudioMP3At8k:
		return MP3
	case AudioOpus:
		return Opus
	default:
		return 0
	}
}
