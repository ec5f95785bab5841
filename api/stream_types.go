package api

import "time"

// Stream is a named place to publish to, and what is live there.
type Stream struct {
	ID         string            `json:"id" doc:"Id; one that begins with live_ stands for a stream that is live without having been created" example:"st_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	Configured bool              `json:"configured" doc:"false for a stream that is live without having been created"`
	VhostID    string            `json:"vhost_id,omitempty" doc:"Id of its vhost" example:"vh_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	Vhost      string            `json:"vhost" doc:"Name of its vhost" example:"default"`
	App        string            `json:"app" doc:"First part of the path" example:"live"`
	Name       string            `json:"name" doc:"Name players use; never the secret" example:"match-day"`
	Enabled    bool              `json:"enabled" doc:"false refuses publishers and players"`
	ExternalID string            `json:"external_id,omitempty" doc:"Your own id for it"`
	Metadata   map[string]string `json:"metadata" doc:"Your own pairs, 50 at most"`
	URLs       *StreamURLs       `json:"urls,omitempty" doc:"Addresses to publish to and play from, with the host of the request; absent in the feed, which knows no request"`
	Live       *StreamLive       `json:"live,omitempty" doc:"What is live; absent while nobody publishes"`
	Waiting    int               `json:"waiting_players" doc:"Players that wait for a publisher"`
	CreatedAt  *time.Time        `json:"created_at,omitempty" doc:"When the stream was made; absent when it was not"`
	UpdatedAt  *time.Time        `json:"updated_at,omitempty" doc:"When it was last changed"`
	Revision   int64             `json:"revision" doc:"Grows with each change; the ETag is this number in quotes; 0 when it was not created"`
}

// StreamURLs are ready addresses, with the host the request came to.
type StreamURLs struct {
	RTMPServer  string `json:"rtmp_server" doc:"What an encoder calls Server; the stream key is the other field" example:"rtmp://live.example.com/live"`
	RTMPPlay    string `json:"rtmp_play" doc:"For RTMP players" example:"rtmp://live.example.com/live/match-day"`
	RTMPSServer string `json:"rtmps_server,omitempty" doc:"The same Server under TLS; absent where RTMPS is off" example:"rtmps://live.example.com/live"`
	RTMPSPlay   string `json:"rtmps_play,omitempty" doc:"For RTMP players, under TLS; absent where RTMPS is off" example:"rtmps://live.example.com/live/match-day"`
	HTTPFLV     string `json:"http_flv" doc:"For HTTP-FLV players" example:"https://live.example.com/live/match-day.flv"`
	WSFLV       string `json:"ws_flv" doc:"For WebSocket-FLV players" example:"wss://live.example.com/live/match-day.flv"`
}

// StreamLive is what the engine sees of a stream right now.
type StreamLive struct {
	StartedAt     time.Time       `json:"started_at" doc:"When the present publisher began"`
	Publisher     StreamPublisher `json:"publisher" doc:"Who publishes"`
	Video         *StreamVideo    `json:"video,omitempty" doc:"The picture, once its decoder configuration has arrived"`
	Audio         *StreamAudio    `json:"audio,omitempty" doc:"The sound, once its decoder configuration has arrived"`
	InKbps        int             `json:"in_kbps" doc:"Bit rate from the publisher" example:"4500"`
	OutKbps       int             `json:"out_kbps" doc:"Bit rate to all players together" example:"90000"`
	FPS           float64         `json:"fps" doc:"Frames a second" example:"29.97"`
	KeyIntervalMS int             `json:"key_interval_ms" doc:"Between the last two key frames; 0 while not known" example:"2000"`
	AVOffsetMS    int             `json:"av_offset_ms" doc:"How far audio is ahead of video by the publisher's clocks; negative: behind" example:"-20"`
	AVDriftMS     int             `json:"av_drift_ms" doc:"How far that has moved since the publisher began; 0 until a few seconds have passed" example:"3"`
	AudioDriftMS  int             `json:"audio_drift_ms" doc:"What the audio clock has gained on real time since the publisher began; negative: lost" example:"4"`
	VideoDriftMS  int             `json:"video_drift_ms" doc:"The same of the video clock" example:"1"`
	JitterMS      int             `json:"jitter_ms" doc:"How unevenly packets arrive, by their times" example:"6"`
	Jumps         uint64          `json:"timestamp_jumps" doc:"Steps of the publisher's times, back or far forward, that no time passed for"`
	BytesIn       uint64          `json:"bytes_in" doc:"Bytes from the publisher since it began"`
	BytesOut      uint64          `json:"bytes_out" doc:"Bytes to players since it began"`
	Players       int             `json:"players" doc:"Players attached now" example:"20"`
	Dropped       uint64          `json:"dropped_messages" doc:"Messages skipped for players that could not keep up"`
	Health        string          `json:"health" enum:"good,fair,bad" doc:"The worst of the findings"`
	Findings      []Finding       `json:"findings" doc:"What an operator should know, the worst first"`
}

// StreamPublisher is who publishes a stream.
type StreamPublisher struct {
	SessionID string `json:"session_id" doc:"Its session; DELETE it to kick" example:"ses_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	Peer      string `json:"peer" doc:"Address and port" example:"203.0.113.40:51612"`
	Agent     string `json:"agent" doc:"What it calls itself; not to be trusted" example:"OBS Studio 32.0"`
}

// StreamVideo is what the decoder configuration says of the picture.
type StreamVideo struct {
	Codec   string `json:"codec" example:"H.264" doc:"Name of the codec"`
	Profile string `json:"profile,omitempty" example:"High" doc:"Profile of the codec"`
	Level   string `json:"level,omitempty" example:"4.1" doc:"Level of the codec"`
	Width   int    `json:"width_px" example:"1920" doc:"Width of the picture; 0 while not known"`
	Height  int    `json:"height_px" example:"1080" doc:"Height of the picture; 0 while not known"`
}

// StreamAudio is what the decoder configuration says of the sound.
type StreamAudio struct {
	Codec      string `json:"codec" example:"AAC" doc:"Name of the codec"`
	Profile    string `json:"profile,omitempty" example:"LC" doc:"Profile of the codec"`
	SampleRate int    `json:"sample_rate_hz" example:"48000" doc:"Samples a second; 0 while not known"`
	Channels   int    `json:"channels" example:"2" doc:"Number of channels; 0 while not known"`
}

// Finding is something an operator should know about a stream: a fact, a
// consequence and a next step.
type Finding struct {
	Code     string `json:"code" doc:"Stable name" example:"key_interval_long"`
	Severity string `json:"severity" enum:"fair,bad" doc:"How much it matters"`
	Text     string `json:"text" doc:"The fact, what follows, and what to do" example:"A key frame every 9.8 s. New players wait up to 10 s. Set Keyframe Interval to 2 s in OBS → Settings → Output."`
}

// Point is one second of a stream's history.
type Point struct {
	Time          time.Time `json:"time" doc:"The second it is about"`
	InKbps        int       `json:"in_kbps" doc:"Bit rate from the publisher"`
	OutKbps       int       `json:"out_kbps" doc:"Bit rate to all players together"`
	FPS           float64   `json:"fps" doc:"Frames a second"`
	KeyIntervalMS int       `json:"key_interval_ms" doc:"Between the last two key frames; 0 while not known"`
	JumpMS        int       `json:"jump_ms" doc:"Largest timestamp jump within that second"`
	AVDriftMS     int       `json:"av_drift_ms" doc:"How far the lead of audio over video has moved since the publisher began"`
	JitterMS      int       `json:"jitter_ms" doc:"How unevenly packets arrive, by their times"`
	Drops         int       `json:"drops" doc:"Messages skipped for slow players within that second"`
	Players       int       `json:"players" doc:"Players attached"`
}

// StreamHistory is the recent past of a stream, one point a second.
type StreamHistory struct {
	Items []Point `json:"items" doc:"Oldest first; a second without media is a gap"`
}

// StreamCreate makes a stream.
type StreamCreate struct {
	VhostID    string            `json:"vhost_id,omitempty" maxLength:"128" doc:"Id or name of its vhost; default when left out" example:"default"`
	App        string            `json:"app,omitempty" maxLength:"128" doc:"First part of the path; live when left out" example:"live"`
	Name       string            `json:"name" minLength:"1" maxLength:"128" doc:"Name players use, unique within vhost and app" example:"match-day"`
	Enabled    *bool             `json:"enabled,omitempty" doc:"true when left out"`
	ExternalID string            `json:"external_id,omitempty" maxLength:"256" doc:"Your own id for it"`
	Metadata   map[string]string `json:"metadata,omitempty" maxProperties:"50" doc:"Your own pairs"`
}

// StreamUpdate changes a stream. What is left out stays.
type StreamUpdate struct {
	App        *string            `json:"app,omitempty" minLength:"1" maxLength:"128" doc:"First part of the path"`
	Name       *string            `json:"name,omitempty" minLength:"1" maxLength:"128" doc:"Name players use"`
	Enabled    *bool              `json:"enabled,omitempty" doc:"false ends what is live within a second and refuses publishers and players"`
	ExternalID *string            `json:"external_id,omitempty" maxLength:"256" doc:"Your own id for it"`
	Metadata   *map[string]string `json:"metadata,omitempty" maxProperties:"50" doc:"All pairs; those left out are removed"`
}
