package roster

import (
	"time"

	"github.com/penstock-media/penstock/server/internal/stream"
)

// Session is one accepted connection, live or just ended. It is a copy.
type Session struct {
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
	Dropped          uint64       // messages
	Drops            stream.Drops // the same by kind
	LagMS            int          // how far a player is behind the end of the log
	Video, Audio     string       // codec names
}

// The roles.
const (
	Publisher = "publisher"
	Player    = "player"
)

// The protocols.
const (
	RTMP    = "rtmp"
	RTMPS   = "rtmps"
	HTTPFLV = "http-flv"
	WSFLV   = "ws-flv"
)

// Meter is what a session has moved so far, read by the sampler once a second.
type Meter struct {
	BytesIn, BytesOut uint64
	Drops             stream.Drops
	Lag               time.Duration
	Video, Audio      string
}
