package api

import "time"

// Drops counts messages that a player skipped, by kind.
type Drops struct {
	Disposable uint64 `json:"disposable" doc:"Frames that no other needs: the first to go"`
	Video      uint64 `json:"video" doc:"Other messages of video"`
	Audio      uint64 `json:"audio" doc:"Messages of audio: the last to go"`
	Data       uint64 `json:"data" doc:"Other messages"`
}

// Session is one accepted connection, live or ended.
type Session struct {
	ID         string     `json:"id" doc:"Id of the session" example:"ses_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	State      string     `json:"state" enum:"live,ended" doc:"Whether it is still connected"`
	Node       string     `json:"node" doc:"The node it connected to" example:"ams-1"`
	Role       string     `json:"role" enum:"publisher,player,unknown" doc:"What it does; unknown before it said"`
	Protocol   string     `json:"protocol" doc:"rtmp, rtmps, http-flv or ws-flv" example:"rtmp"`
	Peer       string     `json:"peer" doc:"Address and port" example:"203.0.113.40:51612"`
	Agent      string     `json:"agent" doc:"What it calls itself; not to be trusted" example:"OBS Studio 32.0"`
	PageURL    string     `json:"page_url,omitempty" doc:"The page it says it plays on; not to be trusted"`
	Vhost      string     `json:"vhost" doc:"Name of the vhost" example:"default"`
	App        string     `json:"app" doc:"First part of the path" example:"live"`
	Name       string     `json:"name" doc:"Name of the stream" example:"match-day"`
	KeyID      string     `json:"key_id,omitempty" doc:"The stream key it showed"`
	TokenID    string     `json:"token_id,omitempty" doc:"The token it showed"`
	StartedAt  time.Time  `json:"started_at" doc:"When it connected"`
	EndedAt    *time.Time `json:"ended_at,omitempty" doc:"When it ended"`
	DurationMS int64      `json:"duration_ms" doc:"How long it lasted, or lasts so far"`
	Reason     string     `json:"reason,omitempty" doc:"Why it ended" example:"kicked"`
	Detail     string     `json:"detail,omitempty" doc:"The reason in a sentence"`
	BytesIn    uint64     `json:"bytes_in" doc:"Bytes from the peer"`
	BytesOut   uint64     `json:"bytes_out" doc:"Bytes to the peer"`
	InKbps     int        `json:"in_kbps" doc:"Bit rate from the peer"`
	OutKbps    int        `json:"out_kbps" doc:"Bit rate to the peer"`
	Dropped    uint64     `json:"dropped_messages" doc:"Messages skipped because it could not keep up"`
	Drops      *Drops     `json:"dropped,omitempty" doc:"The same by kind, while it is live"`
	LagMS      int        `json:"lag_ms" doc:"How far a player is behind"`
	VideoCodec string     `json:"video_codec,omitempty" example:"H.264" doc:"Codec of the picture"`
	AudioCodec string     `json:"audio_codec,omitempty" example:"AAC" doc:"Codec of the sound"`

	// Of RTMP sessions, while they are live.

	TCURL          string `json:"tc_url,omitempty" doc:"What it connected to, without query; not to be trusted" example:"rtmp://live.example.com/live"`
	SwfURL         string `json:"swf_url,omitempty" doc:"Where it says its player comes from, without query; not to be trusted"`
	Port           int    `json:"port,omitempty" doc:"Port in tc_url; 1935, or 443 for rtmps, when it names none" example:"1935"`
	ObjectEncoding int    `json:"object_encoding,omitempty" doc:"3 for a peer that asked for AMF3"`
	Edge           string `json:"edge,omitempty" doc:"What an edge server of SRS says of itself, to find a viewer there; not to be trusted" example:"192.0.2.7, version 2.0.263, pid 4711, id 105"`
}

// Event is something that happened.
type Event struct {
	ID         string    `json:"id" doc:"Unique: epoch and sequence" example:"01jx3v2v9k.42"`
	Seq        uint64    `json:"seq" doc:"Grows by one from the start of the server" example:"42"`
	Type       string    `json:"type" doc:"What happened" example:"stream.published"`
	OccurredAt time.Time `json:"occurred_at" doc:"When"`
	Vhost      string    `json:"vhost,omitempty" doc:"Name of the vhost"`
	App        string    `json:"app,omitempty" doc:"First part of the path"`
	Name       string    `json:"name,omitempty" doc:"Name of the stream"`
	SessionID  string    `json:"session_id,omitempty" doc:"The session it is about"`
	Peer       string    `json:"peer,omitempty" doc:"Address and port of the peer"`
	Reason     string    `json:"reason,omitempty" doc:"Why, as a stable name" example:"kicked"`
	Detail     string    `json:"detail,omitempty" doc:"Why, in a sentence"`
}

// EventList is what happened after some point.
type EventList struct {
	Items   []Event `json:"items" doc:"Oldest first"`
	LastSeq uint64  `json:"last_seq" doc:"Pass it as after next time"`
	Epoch   string  `json:"epoch" doc:"Changes when the server restarts; begin again with after=0 then" example:"01jx3v2v9k"`
}

// Refusal is a connection that was not let in, with every check made.
type Refusal struct {
	ID         string        `json:"id" doc:"Unique" example:"ref_1zx3v2v9k"`
	OccurredAt time.Time     `json:"occurred_at" doc:"When"`
	Action     string        `json:"action" enum:"publish,play" doc:"What it wanted"`
	Protocol   string        `json:"protocol" doc:"rtmp, rtmps, http-flv or ws-flv" example:"rtmp"`
	Vhost      string        `json:"vhost" doc:"Name of the vhost"`
	App        string        `json:"app" doc:"First part of the path"`
	Name       string        `json:"name" doc:"Name of the stream; empty when a stream key stood in its place"`
	Peer       string        `json:"peer" doc:"Address and port" example:"198.51.100.61:40112"`
	Agent      string        `json:"agent" doc:"What it calls itself; not to be trusted"`
	Reason     string        `json:"reason" doc:"Why, as a stable name" example:"refused_key"`
	Detail     string        `json:"detail" doc:"Why, in a sentence" example:"The key expired on 1 March."`
	Checks     []AccessCheck `json:"checks" doc:"Every check in order"`
}

// AccessCheck is one step of a decision.
type AccessCheck struct {
	Name   string `json:"name" doc:"vhost, stream, ip, referer, credential …" example:"ip"`
	Result string `json:"result" enum:"pass,fail,report,not_reached" doc:"How it went; report: a report-only rule would have refused"`
	RuleID string `json:"rule_id,omitempty" doc:"The rule that decided"`
	Detail string `json:"detail" doc:"In a sentence" example:"198.51.100.7 matches no deny rule for play."`
	TookUS int64  `json:"took_us" doc:"How long it took, microseconds"`
}

// AccessQuestion asks whether somebody would be let in.
type AccessQuestion struct {
	URL     string     `json:"url" minLength:"1" maxLength:"4096" doc:"The address as a peer would use it, with its key or token" example:"rtmp://live.example.com/live/match-day"`
	Action  string     `json:"action" enum:"publish,play" doc:"What the peer wants"`
	IP      string     `json:"ip,omitempty" format:"ip" doc:"The peer's address; the caller's own when left out" example:"198.51.100.7"`
	Referer string     `json:"referer,omitempty" maxLength:"2048" doc:"The page the peer says it is on" example:"https://copycat.example/watch"`
	At      *time.Time `json:"at,omitempty" doc:"At this time; now when left out"`
}

// AccessAnswer is the decision, with every check.
type AccessAnswer struct {
	Allow     bool          `json:"allow" doc:"Whether it would be let in"`
	Reason    string        `json:"reason,omitempty" doc:"Why not, as a stable name" example:"refused_referer"`
	Detail    string        `json:"detail" doc:"In a sentence"`
	Vhost     string        `json:"vhost,omitempty" doc:"The vhost the address leads to"`
	App       string        `json:"app,omitempty" doc:"First part of the path"`
	Name      string        `json:"name,omitempty" doc:"The stream"`
	KeyID     string        `json:"key_id,omitempty" doc:"The stream key that was shown"`
	TokenID   string        `json:"token_id,omitempty" doc:"The token that was shown"`
	Live      bool          `json:"live" doc:"Whether the stream has a publisher now"`
	Checks    []AccessCheck `json:"checks" doc:"Every check in order, also those not reached"`
	ExpiresAt *time.Time    `json:"expires_at,omitempty" doc:"When the permission would end"`
}
