package flv

// FrameType is the first nibble of a video head.
type FrameType uint8

// The frame types. Encoders lie about them: see media.New.
const (
	KeyFrame          FrameType = 1
	InterFrame        FrameType = 2
	DisposableFrame   FrameType = 3 // Sorenson H.263 only
	GeneratedKeyFrame FrameType = 4
	CommandFrame      FrameType = 5 // the body is one byte: 0 start of seek, 1 end of seek
)

// VideoCodec is the codec id of a head that is not enhanced.
type VideoCodec uint8

// The codec ids. HEVC and AV1 are not in the specification, but HEVC is sent
// under 12 by cameras, phones and many Chinese services (interop case C-53).
const (
	VideoJPEG     VideoCodec = 1
	VideoSorenson VideoCodec = 2
	VideoScreen   VideoCodec = 3
	VideoVP6      VideoCodec = 4
	VideoVP6Alpha VideoCodec = 5
	VideoScreen2  VideoCodec = 6
	VideoAVC      VideoCodec = 7
	VideoHEVC     VideoCodec = 12
	VideoAV1      VideoCodec = 13
)

// VideoPacket says what a video body holds (Enhanced RTMP, VideoPacketType). The
// first three also are the packet types of AVC in the old head; codecs without
// packet types have CodedFrames only.
type VideoPacket uint8

// The video packet types.
const (
	VideoSequenceStart   VideoPacket = 0 // decoder configuration
	VideoCodedFrames     VideoPacket = 1
	VideoSequenceEnd     VideoPacket = 2
	VideoCodedFramesX    VideoPacket = 3 // coded frames, composition time 0
	VideoMetadata        VideoPacket = 4 // AMF0 "colorInfo" and an object
	VideoMPEG2TSSequence VideoPacket = 5
	videoMultitrack      VideoPacket = 6
)

const (
	enhancedVideo          = 0x80 // bit of byte 0
	legacyVideoPacketCount = 3
)

// Video is the head of a video body, and the body behind it.
type Video struct {
	// Enhanced: the head is Enhanced RTMP's. Then Codec is 0.
	Enhanced bool
	Frame    FrameType
	Codec    VideoCodec
	// FourCC is the enhanced codec, or the one the codec id stands for (AVC1, HVC1,
	// AV01), or 0 where there is none.
	FourCC FourCC
	Packet VideoPacket
	// CompositionTime is presentation minus decoding time in ms, and can be negative.
	CompositionTime int32
	// NanoOffset is added to the presentation time, in ns, 0 to 999 999.
	NanoOffset uint32
	// Multitrack: in multitrack framing, cut as Layout says. Track is 0 otherwise.
	Multitrack bool
	Layout     Layout
	Track      uint8
	// Body is what follows the head: NAL units, OBUs, a decoder configuration, …
	Body []byte

	rest []byte
}

// ParseVideo reads the head of a video body (PROTOCOL 12 and 13). In a body with
// several tracks it is the first track's; Next has the others. It returns
// ErrShort or ErrHead, and allocates nothing.
func ParseVideo(b []byte) (Video, error) {
	if len(b) == 0 {
		return Video{}, ErrShort
	}
	if b[0]&enhancedVideo == 0 {
		return parseLegacyVideo(b)
	}
	v := Video{Enhanced: true, Frame: FrameType(b[0] >> 4 & 0x07)}
	rest, packet, nano, err := modifiers(b[1:], b[0]&0x0F)
	if err != nil {
		return v, err
	}
	v.NanoOffset = nano
	// The packet type decides before the frame type: FFmpeg 8 marks its colour
	// metadata as a command frame (interop case C-49).
	if v.Packet = VideoPacket(packet); v.Frame == CommandFrame && v.Packet != VideoMetadata {
		if len(rest) < 1 {
			return v, ErrShort
		}
		v.Body = rest[:1]
		return v, nil
	}
	e, err := parseEnhanced(rest, packet, uint8(videoMultitrack))
	if err != nil {
		return v, err
	}
	return v.with(e)
}

// Next returns the following track of a multitrack body, false after the last.
func (v Video) Next() (Video, bool) {
	if len(v.rest) == 0 {
		return Video{}, false
	}
	e, err := v.enhanced().next(v.rest)
	if err != nil {
		return Video{}, false
	}
	n, err := v.with(e)
	return n, err == nil
}

// AppendHead appends the head that ParseVideo reads as v, for a body of
// len(v.Body). Unknown modifiers are not kept. Several tracks in one body: the
// first gets the head, the following have to be appended by the caller.
func (v Video) AppendHead(dst []byte) []byte {
	if !v.Enhanced {
		dst = append(dst, byte(v.Frame)<<4|byte(v.Codec))
		if v.Codec.hasPackets() && v.Frame != CommandFrame {
			dst = append(dst, byte(v.Packet))
			dst = appendInt24(dst, v.CompositionTime)
		}
		return dst
	}
	b0 := enhancedVideo | byte(v.Frame)<<4
	if v.Frame == CommandFrame && v.Packet != VideoMetadata {
		if v.NanoOffset != 0 {
			n := v.NanoOffset
			return append(dst, b0|packetModEx, 2, byte(n>>16), byte(n>>8), byte(n), byte(v.Packet))
		}
		return append(dst, b0|byte(v.Packet))
	}
	size := len(v.Body)
	if v.hasCompositionTime() {
		size += 3
	}
	dst = v.enhanced().append(dst, b0, uint8(videoMultitrack), size)
	if v.hasCompositionTime() {
		dst = appendInt24(dst, v.CompositionTime)
	}
	return dst
}

func parseLegacyVideo(b []byte) (Video, error) {
	v := Video{
		Frame:  FrameType(b[0] >> 4),
		Codec:  VideoCodec(b[0] & 0x0F),
		Packet: VideoCodedFrames,
	}
	v.FourCC = v.Codec.fourCC()
	b = b[1:]
	if v.Frame == CommandFrame || !v.Codec.hasPackets() {
		v.Body = b
		return v, nil
	}
	if len(b) < 1 {
		return v, ErrShort
	}
	v.Packet = VideoPacket(b[0])
	if v.Packet >= legacyVideoPacketCount {
		return v, ErrHead
	}
	if len(b) < 4 {
		if v.Packet == VideoSequenceEnd {
			return v, nil // some senders leave its composition time out
		}
		return v, ErrShort
	}
	v.CompositionTime = int24(b[1:])
	v.Body = b[4:]
	return v, nil
}

func (v Video) with(e enhanced) (Video, error) {
	v.Packet, v.FourCC = VideoPacket(e.packet), e.fourCC
	v.Multitrack, v.Layout, v.Track = e.multitrack, e.layout, e.track
	v.Body, v.rest, v.CompositionTime = e.body, e.rest, 0
	if v.hasCompositionTime() {
		if len(v.Body) < 3 {
			return v, ErrShort
		}
		v.CompositionTime = int24(v.Body)
		v.Body = v.Body[3:]
	}
	return v, nil
}

func (v Video) enhanced() enhanced {
	return enhanced{
		packet: uint8(v.Packet), nano: v.NanoOffset, multitrack: v.Multitrack,
		layout: v.Layout, fourCC: v.FourCC, track: v.Track,
	}
}

// hasCompositionTime: only these three codecs reorder frames that way, and never
// in CodedFramesX (interop case C-47).
func (v Video) hasCompositionTime() bool {
	return v.Packet == VideoCodedFrames && (v.FourCC == AVC1 || v.FourCC == HVC1 || v.FourCC == VVC1)
}

func (c VideoCodec) hasPackets() bool {
	return c == VideoAVC || c == VideoHEVC || c == VideoAV1
}

func (c VideoCodec) fourCC() FourCC {
	switch c {
	case VideoAVC:
		return AVC1
	case VideoHEVC:
		return HVC1
	case VideoAV1:
		return AV01
	default:
		return 0
	}
}

func int24(b []byte) int32 {
	return int32(uint24(b)<<8) >> 8
}

func appendInt24(dst []byte, n int32) []byte {
	return append(dst, byte(n>>16), byte(n>>8), byte(n))
}
