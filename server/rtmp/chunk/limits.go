package chunk

// Message types whose size is limited by what they carry.
const (
	typeAudio     = 8
	typeVideo     = 9
	typeAggregate = 22
)

// Limits bound what a Reader keeps for a peer. A zero field means the default
// named at it; the defaults are those for a peer that may send media.
type Limits struct {
	// ChunkStreams is the number of chunk streams a peer may use. Default 64.
	ChunkStreams int
	// Unfinished is the number of messages that may be under way at one time.
	// Default 8.
	Unfinished int
	// UnfinishedBytes is what these may hold together. Default 12 MiB.
	UnfinishedBytes int
	// Audio, Video and Other are the longest message of the kind, in bytes:
	// default 1 MiB, 8 MiB (aggregates too), 64 KiB (everything else).
	Audio, Video, Other int
	// ChunkSize is the smallest chunk size a peer may set. Default 1.
	ChunkSize int
	// Eager is how much is allocated for a message on its header's word alone.
	// Default 4 KiB. What is longer grows with what has arrived.
	Eager int
}

func (l Limits) withDefaults() Limits {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.ChunkStreams, 64)
	def(&l.Unfinished, 8)
	def(&l.UnfinishedBytes, 12<<20)
	def(&l.Audio, 1<<20)
	def(&l.Video, 8<<20)
	def(&l.Other, 64<<10)
	def(&l.ChunkSize, 1)
	def(&l.Eager, 4<<10)
	return l
}

// message is the longest message of a type.
func (l Limits) message(typ uint8) int {
	switch typ {
	case typeAudio:
		return l.Audio
	case typeVideo, typeAggregate:
		return l.Video
	default:
		return l.Other
	}
}
