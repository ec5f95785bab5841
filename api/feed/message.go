package feed

import (
	"encoding/json"
	"time"
)

// Hello is the first message of the server.
type Hello struct {
	Type       string    `json:"type" enum:"hello" doc:"Kind of message"`
	Epoch      string    `json:"epoch" doc:"Changes when the server restarts; sequences of another epoch mean nothing" example:"01jx3v2v9k"`
	ServerTime time.Time `json:"server_time" doc:"The server's clock"`
	TickMS     int       `json:"tick_ms" doc:"Time between two deltas" example:"1000"`
	Topics     []string  `json:"topics" doc:"Topics there are; stream:{id} stands for one topic per stream"`
}

// Sub is what a client sends to follow a topic, or to stop.
type Sub struct {
	Type  string `json:"type" enum:"sub,unsub" doc:"sub follows, unsub stops"`
	Topic string `json:"topic" maxLength:"1024" doc:"overview, streams, stream:{id}, sessions, events, refusals or system" example:"streams"`
	Since *Since `json:"since,omitempty" doc:"The last message seen before a reconnect; what was missed follows as deltas, or a fresh snap when that is not possible"`
}

// Since names a message of a topic.
type Since struct {
	Epoch string `json:"epoch" maxLength:"64" doc:"From hello"`
	Seq   uint64 `json:"seq" doc:"From the last snap or delta of the topic"`
}

// Snap is the whole of a topic. It replaces what the client had.
type Snap struct {
	Type  string            `json:"type" enum:"snap" doc:"Kind of message"`
	Topic string            `json:"topic" doc:"The topic"`
	Epoch string            `json:"epoch" doc:"As in hello"`
	Seq   uint64            `json:"seq" doc:"Number of this state of the topic"`
	Items []json.RawMessage `json:"items" doc:"Every item; FeedTopics says of which type"`
	Total int               `json:"total" doc:"How many there are; more than items where a topic is cut, REST has the rest"`
}

// Delta is what changed in a topic since the message before.
type Delta struct {
	Type  string            `json:"type" enum:"delta" doc:"Kind of message"`
	Topic string            `json:"topic" doc:"The topic"`
	Seq   uint64            `json:"seq" doc:"One more than the message before; otherwise messages were missed: send sub again"`
	Up    []json.RawMessage `json:"up" doc:"Items that are new or changed, whole"`
	Rm    []string          `json:"rm" doc:"Ids of items that are gone"`
	Total int               `json:"total" doc:"How many there are now"`
}

// Error says why the server did not do what a client asked. The socket stays open.
type Error struct {
	Type   string `json:"type" enum:"error" doc:"Kind of message"`
	Topic  string `json:"topic,omitempty" doc:"The topic it is about"`
	Code   string `json:"code" enum:"bad_message,unknown_topic,too_many_topics,not_found" doc:"Stable name"`
	Detail string `json:"detail" doc:"What was wrong"`
}
