package stream

import "time"

// ID names a stream.
type ID struct{ Vhost, App, Name string }

// Framing is the form in which a player gets the stream's messages.
type Framing uint8

// The framings.
const (
	RTMP Framing = iota // RTMP chunks, a full header on each message
	FLV                 // FLV tags behind a file header, as HTTP-FLV and WebSocket-FLV use
)

// Defaults of Settings and SubscribeOptions, used where a field is zero.
const (
	DefaultQueue         = 3 * time.Second
	DefaultChunkSize     = 60_000
	DefaultMaxBytes      = 32 << 20
	DefaultMaxQueueBytes = 4 << 20
	DefaultMessageStream = 1
)

// Limits that are not settings.
const (
	// silence is how long a publication may bring no media before anybody may
	// take the stream over.
	silence = 5 * time.Second
	// blockLimit is the default of SubscribeOptions.BlockedTimeout.
	blockLimit = 10 * time.Second
	// lendLimit is how many bytes Next gives at once: little enough for a slow player
	// to take them within blockLimit.
	lendLimit = 64 << 10
	// maxControl bounds the control bytes waiting for a player.
	maxControl = 64 << 10
	// keepTime bounds how far back the log goes, in stream time: a GOP that is
	// longer than that is not kept.
	keepTime = 60 * time.Second
	// maxKept bounds the messages kept for new players: a message without content
	// costs memory too. It is twice what sixty seconds of many small ones come to.
	maxKept = 1 << 16
	// keepSound is how far back a log without video goes.
	keepSound = time.Second
	// keyPatience is how long a player, or a new publication's video, waits for a
	// key frame. After it the stream is taken for one that marks none.
	keyPatience = 10 * time.Second
	// configPatience is how long, in stream time, sound may come alone until a video
	// configuration without video counts as none.
	configPatience = 2 * time.Second
)

// Settings is how a stream is treated. All players and the publisher of a stream
// share them.
type Settings struct {
	// GOP gives a new player the stream from the newest key frame on. Without it
	// a new player's pictures start at the next key frame: later, and closer to live.
	// Sound does not wait for them.
	GOP bool
	// Queue is how far a player may be behind before it misses video up to the newest
	// key frame. 0 means DefaultQueue.
	Queue time.Duration
	// Merge is how long after the first undelivered message a pass over the
	// players waits, so that more is written at once. 0 writes at once.
	Merge time.Duration
	// MergeMin is how many undelivered messages end that wait early. 0: none do.
	MergeMin int
	// Gap is how long players are kept without a publisher. 0 ends them with it.
	Gap time.Duration
	// ChunkSize is the RTMP chunk size towards players in bytes. A change holds
	// for players that attach later. 0 means DefaultChunkSize.
	ChunkSize int
	// Timestamps and ATC say what players are told of the publisher's times. A change
	// holds from the next message on.
	Timestamps Timestamps
	ATC        ATC
	// ReduceHeaders withholds decoder configurations that are sent again unchanged.
	ReduceHeaders bool
	// MaxBytes bounds the payload bytes kept for new players; a GOP larger than
	// that is not kept. 0 means DefaultMaxBytes.
	MaxBytes int
}

// withDefaults fills in what is zero.
func (s Settings) withDefaults() Settings {
	if s.Queue <= 0 {
		s.Queue = DefaultQueue
	}
	if s.ChunkSize <= 0 {
		s.ChunkSize = DefaultChunkSize
	}
	if s.MaxBytes <= 0 {
		s.MaxBytes = DefaultMaxBytes
	}
	s.Merge, s.Gap = max(s.Merge, 0), max(s.Gap, 0)
	return s
}
