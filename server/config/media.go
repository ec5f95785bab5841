package config

import "fmt"

// Media is how a vhost treats the streams on it. Durations are milliseconds,
// sizes are bytes.
type Media struct {
	GOP             bool `json:"gop"`               // keep the log back to the last key frame for new players
	QueueMS         int  `json:"queue_ms"`          // a player further behind jumps to the newest key frame
	MergeMS         int  `json:"merge_ms"`          // wait this long to write more at once; 0 writes at once
	ChunkSize       int  `json:"chunk_size_bytes"`  // outgoing chunk size towards players
	PublisherIdleMS int  `json:"publisher_idle_ms"` // a publisher that sends nothing for this long is closed
	PublisherGapMS  int  `json:"publisher_gap_ms"`  // players are kept this long after their publisher left
	PlayWaitMS      int  `json:"play_wait_ms"`      // a player waits this long for a stream nobody publishes
	MaxMessageBytes int  `json:"max_message_bytes"` // largest media message accepted from a publisher

	MergeMinMessages int  `json:"merge_min_messages"` // a wait for merge_ms ends early at this many messages; 0: at the time only
	SendBufferBytes  int  `json:"send_buffer_bytes"`  // the socket's send buffer towards a player; 0: fits merge_ms
	TCPNoDelay       bool `json:"tcp_nodelay"`        // send small writes at once
	FirstMediaMS     int  `json:"first_media_ms"`     // a publisher whose first message takes longer is closed
	RepublishMS      int  `json:"republish_ms"`       // a connection whose stream ended may take this long to the next

	Profile              Profile         `json:"profile"`
	StreamIdentity       StreamIdentity  `json:"stream_identity"`
	Timestamps           TimestampPolicy `json:"timestamps"`
	ATC                  ATC             `json:"atc"`
	ReduceSequenceHeader bool            `json:"reduce_sequence_header"` // a decoder configuration sent again unchanged goes to nobody
	HEVCToPlayers        HEVCForm        `json:"hevc_to_players"`
	MultitrackToPlayers  Multitrack      `json:"multitrack_to_players"`
	StrictCodecs         bool            `json:"strict_codecs"` // a player that did not list an Enhanced RTMP codec is told so in place of getting it
}

// Profile says whose habits the server has where servers differ: the order of its
// answers and what it sends beside the media.
type Profile string

// StreamIdentity says what names a stream.
type StreamIdentity string

// TimestampPolicy says what becomes of a publisher's timestamps.
type TimestampPolicy string

// ATC says whether a publisher's timestamps are its encoder's clock, which nobody
// may touch ("absolute time code", SRS).
type ATC string

// HEVCForm says in which form players get HEVC.
type HEVCForm string

// Multitrack says which tracks players get.
type Multitrack string

// The closed lists of the types above.
const (
	ProfileModern Profile = "modern" // what today's encoders and players want
	ProfileSRS2   Profile = "srs2"   // as SRS 2.0
	ProfileNginx  Profile = "nginx"  // as nginx-rtmp

	IdentityName StreamIdentity = "name"
	IdentityApp  StreamIdentity = "app" // all who connect to one app share one stream

	TimestampsFull TimestampPolicy = "full" // jumps are evened out
	TimestampsZero TimestampPolicy = "zero" // the stream starts at 0, jumps forward stay
	TimestampsOff  TimestampPolicy = "off"  // as they came

	ATCOff  ATC = "off"
	ATCOn   ATC = "on"   // as with TimestampsOff
	ATCAuto ATC = "auto" // on where the metadata has bravo_atc

	HEVCAuto        HEVCForm = "auto"         // enhanced for players that list hvc1, else as published
	HEVCAsPublished HEVCForm = "as_published" // untouched
	HEVCEnhanced    HEVCForm = "enhanced"     // FourCC hvc1
	HEVCLegacy      HEVCForm = "legacy"       // codec id 12

	MultitrackAuto    Multitrack = "auto"          // all for players that say they can, else the default tracks
	MultitrackAll     Multitrack = "all"           // everything as published
	MultitrackDefault Multitrack = "default_track" // the default tracks only
)

// DefaultMedia returns how streams are treated unless somebody says otherwise.
func DefaultMedia() Media {
	return Media{
		GOP:             true,
		QueueMS:         3000,
		MergeMS:         0,
		ChunkSize:       60000,
		PublisherIdleMS: 10000,
		PublisherGapMS:  10000,
		PlayWaitMS:      10000,
		MaxMessageBytes: 8 << 20,

		TCPNoDelay:   true,
		FirstMediaMS: 10000,
		RepublishMS:  180_000,

		Profile:             ProfileModern,
		StreamIdentity:      IdentityName,
		Timestamps:          TimestampsFull,
		ATC:                 ATCAuto,
		HEVCToPlayers:       HEVCAuto,
		MultitrackToPlayers: MultitrackAuto,
	}
}

// problems checks the ranges of the media settings.
func (m Media) problems() Problems {
	var ps Problems
	between := func(field string, n, low, high int) {
		if n < low || n > high {
			ps = append(ps, Problem{"media." + field, fmt.Sprintf("use a value from %d to %d", low, high)})
		}
	}
	const minute, hour = 60_000, 3_600_000
	between("queue_ms", m.QueueMS, 200, minute)
	between("merge_ms", m.MergeMS, 0, 5000)
	between("chunk_size_bytes", m.ChunkSize, 128, 1<<16)
	between("publisher_idle_ms", m.PublisherIdleMS, 1000, hour)
	between("publisher_gap_ms", m.PublisherGapMS, 0, hour)
	between("play_wait_ms", m.PlayWaitMS, 0, hour)
	between("max_message_bytes", m.MaxMessageBytes, 16<<10, 16<<20-1)
	between("merge_min_messages", m.MergeMinMessages, 0, 1024)
	between("send_buffer_bytes", m.SendBufferBytes, 0, 64<<20)
	between("first_media_ms", m.FirstMediaMS, 1000, hour)
	between("republish_ms", m.RepublishMS, 1000, hour)
	oneOf(&ps, "media.profile", m.Profile, ProfileModern, ProfileSRS2, ProfileNginx)
	oneOf(&ps, "media.stream_identity", m.StreamIdentity, IdentityName, IdentityApp)
	oneOf(&ps, "media.timestamps", m.Timestamps, TimestampsFull, TimestampsZero, TimestampsOff)
	oneOf(&ps, "media.atc", m.ATC, ATCOff, ATCOn, ATCAuto)
	oneOf(&ps, "media.hevc_to_players", m.HEVCToPlayers, HEVCAuto, HEVCAsPublished, HEVCEnhanced, HEVCLegacy)
	oneOf(&ps, "media.multitrack_to_players", m.MultitrackToPlayers, MultitrackAuto, MultitrackAll, MultitrackDefault)
	return ps
}
