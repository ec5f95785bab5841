package server

import (
	"time"

	"github.com/penstock-media/penstock/server/internal/stream"
)

// StreamInfo is what the engine knows of a stream right now. It is a copy.
type StreamInfo struct {
	Vhost, App, Name string
	Live             bool      // a publisher is on; false while players wait for one
	Since            time.Time // when the present publication started
	PublisherID      string    // session id, empty while not live
	Publisher        string    // peer address of the publisher
	Agent            string    // what the publisher calls itself
	Video            *VideoInfo
	Audio            *AudioInfo
	InKbps, OutKbps  int
	FPS              float64
	KeyIntervalMS    int // between the last two key frames, 0 while not known
	Clocks           Clocks
	BytesIn          uint64
	BytesOut         uint64
	Players          int
	Dropped          uint64 // messages players skipped
	Health           string // "good", "fair" or "bad"
	Findings         []Finding
}

// Clocks is how a publisher's clocks run, in ms. Leads are smoothed over seconds, and
// 0 until they have settled.
type Clocks struct {
	AVOffset               int // how far audio is ahead of video; negative: behind
	AVDrift                int // how far that has moved since the publisher began
	AudioDrift, VideoDrift int // what the clock has gained on real time since then; negative: lost
	Jitter                 int // how unevenly packets arrive, by their times
	Jumps                  uint64
}

// VideoInfo is what the decoder configuration says of a video track.
type VideoInfo struct {
	Codec, Profile, Level string // "H.264", "High", "4.1"
	Width, Height         int
}

// AudioInfo is what the decoder configuration says of an audio track.
type AudioInfo struct {
	Codec, Profile string // "AAC", "LC"
	SampleRate     int    // Hz
	Channels       int
}

// Finding is something about a stream that an operator should know: a fact, a
// consequence and a next step.
type Finding struct {
	Code     string // stable, snake_case
	Severity string // "fair" or "bad"
	Text     string
}

// Point is one second of a stream's history.
type Point struct {
	Time            time.Time
	InKbps, OutKbps int
	FPS             float64
	KeyIntervalMS   int
	JumpMS          int // largest timestamp jump in that second
	AVDriftMS       int // see Clocks
	JitterMS        int
	Drops           int
	Players         int
}

// SessionInfo is one accepted connection, live or just ended. It is a copy.
type SessionInfo struct {
	ID               string
	Role             string // "publisher", "player" or "" before it said
	Protocol         string // "rtmp", "rtmps", "http-flv" or "ws-flv"
	Peer             string // address:port
	Agent            string
	PageURL          string
	TCURL            string // what it connected to, without query
	SwfURL           string // where its player comes from, without query
	Port             int    // of TCURL
	ObjectEncoding   int    // 0 or 3, as asked
	Edge             string // what an edge of SRS says of itself
	Vhost, App, Name string
	KeyID, TokenID   string
	StartedAt        time.Time
	EndedAt          time.Time // zero while live
	Reason           string    // why it ended
	Detail           string    // the reason in a sentence
	BytesIn          uint64
	BytesOut         uint64
	InKbps, OutKbps  int
	Dropped          uint64 // messages a player skipped
	Drops            Drops  // the same by kind
	LagMS            int    // how far a player is behind the end of the log
	Video, Audio     string // codec names
}

// Drops counts the messages that a player skipped, by kind.
type Drops = stream.Drops

// Event is something that happened. Seq grows by one from the engine's start.
type Event struct {
	Seq              uint64
	Type             string // "stream.published", "stream.unpublished", "stream.refused", "stream.taken_over", "session.play_started", "session.play_ended"
	Time             time.Time
	Vhost, App, Name string
	SessionID, Peer  string
	Reason, Detail   string
	// Session is the whole session for events that end one.
	Session *SessionInfo
}

// Refusal is a connection that was not let in, with every check made.
type Refusal struct {
	Time             time.Time
	Action           string // "publish" or "play"
	Protocol         string
	Vhost, App, Name string // Name is empty when the peer sent a stream key in its place
	Peer             string
	Agent            string
	Reason, Detail   string
	Checks           []Check
}

// Check is one step of an access decision.
type Check struct {
	Name   string // "vhost", "stream", "ip", "referer", "credential"
	Result string // "pass", "fail", "report" or "not_reached"
	RuleID string
	Detail string
	TookUS int64 // microseconds
}
