// Package media turns the body of an RTMP message or FLV tag into a Packet:
// immutable, and classified once.
package media

// Kind is the track a packet belongs to.
type Kind uint8

// The kinds.
const (
	Audio Kind = iota
	Video
	Data
)

// Packet is one audio, video or data message. After New returned it nobody
// writes to Payload, so it is shared by every consumer.
type Packet struct {
	Kind Kind
	// Time is the publisher's timestamp in ms, modulo 2^32.
	Time uint32
	// Payload is the message body, which is also the FLV tag body.
	Payload []byte
	// Key: a video packet at which a decoder can start.
	Key bool
	// Disposable: a video frame that no frame a decoder goes on with needs: nothing but
	// others of its kind, from the first that is left out to the next key frame.
	Disposable bool
	// Config: a decoder configuration (AVC, HEVC, AV1, VP9, AAC, Opus, FLAC sequence header).
	Config bool
	// Info: describes the track beside its configuration: Enhanced RTMP's colour
	// metadata (HDR) and channel layout. Whoever joins later wants the latest, behind
	// the configuration.
	Info bool
	// Meta: an onMetaData data message ("@setDataFrame" already removed).
	Meta bool
	// Clear: "@clearDataFrame" for onMetaData: the metadata that came before holds no
	// longer. It is Empty too.
	Clear bool
	// Empty: carries nothing a player needs (zero-length body, frame head
	// without a frame, empty decoder configuration). Never reaches players.
	Empty bool
	// Track is the Enhanced RTMP track id; 0 is the default track.
	Track uint8
	// Multitrack: in Enhanced RTMP multitrack framing.
	Multitrack bool
	// AAC is the AudioSpecificConfig that was in the ADTS header of a frame, or 0.
	AAC uint16
	// FourCC is the codec: Enhanced RTMP's, or the one that means the same as the
	// legacy codec id ("avc1", "hvc1", "mp4a", ".mp3"), or 0 where there is none.
	FourCC uint32
}
