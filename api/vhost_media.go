package api

import "github.com/penstock-media/penstock/server/config"

// VhostMedia is how streams of a vhost are treated. Durations are milliseconds.
type VhostMedia struct {
	GOP                  bool   `json:"gop" doc:"New players start at once from the last key frame; false makes them wait for the next one"`
	QueueMS              int    `json:"queue_ms" minimum:"200" maximum:"60000" doc:"A player further behind jumps to the newest key frame" example:"3000"`
	MergeMS              int    `json:"merge_ms" minimum:"0" maximum:"5000" doc:"Wait this long to write more at once; 0 writes at once" example:"0"`
	ChunkSizeBytes       int    `json:"chunk_size_bytes" minimum:"128" maximum:"65536" doc:"RTMP chunk size towards players" example:"60000"`
	PublisherIdleMS      int    `json:"publisher_idle_ms" minimum:"1000" maximum:"3600000" doc:"A publisher that sends nothing for this long is closed" example:"10000"`
	PublisherGapMS       int    `json:"publisher_gap_ms" minimum:"0" maximum:"3600000" doc:"Players are kept this long after their publisher left" example:"10000"`
	PlayWaitMS           int    `json:"play_wait_ms" minimum:"0" maximum:"3600000" doc:"A player waits this long for a stream nobody publishes" example:"10000"`
	MaxMessageBytes      int    `json:"max_message_bytes" minimum:"16384" maximum:"16777215" doc:"Largest media message accepted from a publisher" example:"8388608"`
	MergeMinMessages     int    `json:"merge_min_messages" minimum:"0" maximum:"1024" doc:"A wait for merge_ms ends early when this many messages are there; 0 waits the whole time" example:"0"`
	SendBufferBytes      int    `json:"send_buffer_bytes" minimum:"0" maximum:"67108864" doc:"Send buffer of a player's socket; 0 takes a size that fits merge_ms" example:"0"`
	TCPNoDelay           bool   `json:"tcp_nodelay" doc:"Send small writes at once"`
	FirstMediaMS         int    `json:"first_media_ms" minimum:"1000" maximum:"3600000" doc:"A publisher whose first message takes longer is closed" example:"10000"`
	RepublishMS          int    `json:"republish_ms" minimum:"1000" maximum:"3600000" doc:"A connection whose stream ended may take this long to the next" example:"180000"`
	Profile              string `json:"profile" enum:"modern,srs2,nginx" doc:"Whose habits the server has where servers differ"`
	StreamIdentity       string `json:"stream_identity" enum:"name,app" doc:"app: all who connect to one app share one stream, whatever name they send"`
	Timestamps           string `json:"timestamps" enum:"full,zero,off" doc:"full evens out jumps; zero starts the stream at 0 and leaves jumps forward; off leaves times as they came, so players may see them go back"`
	ATC                  string `json:"atc" enum:"off,on,auto" doc:"on leaves the encoder's clock as it is; auto does where metadata has bravo_atc"`
	ReduceSequenceHeader bool   `json:"reduce_sequence_header" doc:"A decoder configuration sent again unchanged is not passed on"`
	HEVCToPlayers        string `json:"hevc_to_players" enum:"auto,as_published,enhanced,legacy" doc:"Form in which players get HEVC: FourCC hvc1, codec id 12, as published, or what the player lists"`
	MultitrackToPlayers  string `json:"multitrack_to_players" enum:"auto,all,default_track" doc:"Tracks that players get; auto asks what the player can"`
	StrictCodecs         bool   `json:"strict_codecs" doc:"A player that did not list an Enhanced RTMP codec is refused a stream of it"`
}

// VhostMediaEdit is some of VhostMedia. What is left out stays as it is.
type VhostMediaEdit struct {
	GOP                  *bool   `json:"gop,omitempty" doc:"New players start at once from the last key frame"`
	QueueMS              *int    `json:"queue_ms,omitempty" minimum:"200" maximum:"60000" doc:"A player further behind jumps to the newest key frame"`
	MergeMS              *int    `json:"merge_ms,omitempty" minimum:"0" maximum:"5000" doc:"Wait this long to write more at once"`
	ChunkSizeBytes       *int    `json:"chunk_size_bytes,omitempty" minimum:"128" maximum:"65536" doc:"RTMP chunk size towards players"`
	PublisherIdleMS      *int    `json:"publisher_idle_ms,omitempty" minimum:"1000" maximum:"3600000" doc:"A publisher that sends nothing for this long is closed"`
	PublisherGapMS       *int    `json:"publisher_gap_ms,omitempty" minimum:"0" maximum:"3600000" doc:"Players are kept this long after their publisher left"`
	PlayWaitMS           *int    `json:"play_wait_ms,omitempty" minimum:"0" maximum:"3600000" doc:"A player waits this long for a stream nobody publishes"`
	MaxMessageBytes      *int    `json:"max_message_bytes,omitempty" minimum:"16384" maximum:"16777215" doc:"Largest media message accepted from a publisher"`
	MergeMinMessages     *int    `json:"merge_min_messages,omitempty" minimum:"0" maximum:"1024" doc:"A wait for merge_ms ends early when this many messages are there; 0 waits the whole time"`
	SendBufferBytes      *int    `json:"send_buffer_bytes,omitempty" minimum:"0" maximum:"67108864" doc:"Send buffer of a player's socket; 0 takes a size that fits merge_ms"`
	TCPNoDelay           *bool   `json:"tcp_nodelay,omitempty" doc:"Send small writes at once"`
	FirstMediaMS         *int    `json:"first_media_ms,omitempty" minimum:"1000" maximum:"3600000" doc:"A publisher whose first message takes longer is closed"`
	RepublishMS          *int    `json:"republish_ms,omitempty" minimum:"1000" maximum:"3600000" doc:"A connection whose stream ended may take this long to the next"`
	Profile              *string `json:"profile,omitempty" enum:"modern,srs2,nginx" doc:"Whose habits the server has where servers differ"`
	StreamIdentity       *string `json:"stream_identity,omitempty" enum:"name,app" doc:"app: all who connect to one app share one stream, whatever name they send"`
	Timestamps           *string `json:"timestamps,omitempty" enum:"full,zero,off" doc:"full evens out jumps; zero starts the stream at 0 and leaves jumps forward; off leaves times as they came, so players may see them go back"`
	ATC                  *string `json:"atc,omitempty" enum:"off,on,auto" doc:"on leaves the encoder's clock as it is; auto does where metadata has bravo_atc"`
	ReduceSequenceHeader *bool   `json:"reduce_sequence_header,omitempty" doc:"A decoder configuration sent again unchanged is not passed on"`
	HEVCToPlayers        *string `json:"hevc_to_players,omitempty" enum:"auto,as_published,enhanced,legacy" doc:"Form in which players get HEVC: FourCC hvc1, codec id 12, as published, or what the player lists"`
	MultitrackToPlayers  *string `json:"multitrack_to_players,omitempty" enum:"auto,all,default_track" doc:"Tracks that players get; auto asks what the player can"`
	StrictCodecs         *bool   `json:"strict_codecs,omitempty" doc:"A player that did not list an Enhanced RTMP codec is refused a stream of it"`
}

// apply changes what is not left out.
func (e *VhostMediaEdit) apply(m *config.Media) {
	if e == nil {
		return
	}
	set(&m.GOP, e.GOP)
	set(&m.QueueMS, e.QueueMS)
	set(&m.MergeMS, e.MergeMS)
	set(&m.ChunkSize, e.ChunkSizeBytes)
	set(&m.PublisherIdleMS, e.PublisherIdleMS)
	set(&m.PublisherGapMS, e.PublisherGapMS)
	set(&m.PlayWaitMS, e.PlayWaitMS)
	set(&m.MaxMessageBytes, e.MaxMessageBytes)
	set(&m.MergeMinMessages, e.MergeMinMessages)
	set(&m.SendBufferBytes, e.SendBufferBytes)
	set(&m.TCPNoDelay, e.TCPNoDelay)
	set(&m.FirstMediaMS, e.FirstMediaMS)
	set(&m.RepublishMS, e.RepublishMS)
	setName(&m.Profile, e.Profile)
	setName(&m.StreamIdentity, e.StreamIdentity)
	setName(&m.Timestamps, e.Timestamps)
	setName(&m.ATC, e.ATC)
	set(&m.ReduceSequenceHeader, e.ReduceSequenceHeader)
	setName(&m.HEVCToPlayers, e.HEVCToPlayers)
	setName(&m.MultitrackToPlayers, e.MultitrackToPlayers)
	set(&m.StrictCodecs, e.StrictCodecs)
}

func mediaOf(m config.Media) VhostMedia {
	return VhostMedia{
		GOP: m.GOP, QueueMS: m.QueueMS, MergeMS: m.MergeMS, ChunkSizeBytes: m.ChunkSize,
		PublisherIdleMS: m.PublisherIdleMS, PublisherGapMS: m.PublisherGapMS,
		PlayWaitMS: m.PlayWaitMS, MaxMessageBytes: m.MaxMessageBytes,
		MergeMinMessages:     m.MergeMinMessages,
		SendBufferBytes:      m.SendBufferBytes,
		TCPNoDelay:           m.TCPNoDelay,
		FirstMediaMS:         m.FirstMediaMS,
		RepublishMS:          m.RepublishMS,
		Profile:              string(m.Profile),
		StreamIdentity:       string(m.StreamIdentity),
		Timestamps:           string(m.Timestamps),
		ATC:                  string(m.ATC),
		ReduceSequenceHeader: m.ReduceSequenceHeader,
		HEVCToPlayers:        string(m.HEVCToPlayers),
		MultitrackToPlayers:  string(m.MultitrackToPlayers),
		StrictCodecs:         m.StrictCodecs,
	}
}
