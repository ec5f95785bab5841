package api

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/penstock-media/penstock/api/feed"
)

// FeedTicket opens one websocket.
type FeedTicket struct {
	Ticket           string `json:"ticket" doc:"Use it once: GET /api/v1/feed?ticket=…"`
	ExpiresInSeconds int    `json:"expires_in_seconds" example:"30" doc:"How long it holds"`
	URL              string `json:"url" doc:"Path of the websocket with the ticket in it" example:"/api/v1/feed?ticket=…"`
}

// FeedStreamItem is an item of the topic stream:{id}: the stream itself, a
// point of its history, or one of its sessions. One of the three is there.
type FeedStreamItem struct {
	ID      string   `json:"id" doc:"stream, p and the time in Unix seconds, or the session's id" example:"p1773497824"`
	Kind    string   `json:"kind" enum:"stream,point,session" doc:"Which of the three it is"`
	Stream  *Stream  `json:"stream,omitempty" doc:"The stream"`
	Point   *Point   `json:"point,omitempty" doc:"A second of its history"`
	Session *Session `json:"session,omitempty" doc:"Its publisher, or a player"`
}

// FeedTopics maps each topic of the live feed to the type of its items.
type FeedTopics struct {
	Overview Overview       `json:"overview" doc:"One item"`
	Streams  Stream         `json:"streams" doc:"Live streams, and those with waiting players; not the ones that are only configured"`
	Stream   FeedStreamItem `json:"stream" doc:"For stream:{id}"`
	Sessions Session        `json:"sessions" doc:"Live sessions, publishers first, 200 at most"`
	Events   Event          `json:"events" doc:"The last 200"`
	Refusals Refusal        `json:"refusals" doc:"The last 200"`
	System   System         `json:"system" doc:"One item"`
}

// describeFeed puts the feed's messages into the OpenAPI components, so that
// clients get types for them too.
func describeFeed(r huma.Registry) {
	for name, t := range map[string]reflect.Type{
		"FeedHello": reflect.TypeFor[feed.Hello](), "FeedSub": reflect.TypeFor[feed.Sub](),
		"FeedSnap": reflect.TypeFor[feed.Snap](), "FeedDelta": reflect.TypeFor[feed.Delta](),
		"FeedError": reflect.TypeFor[feed.Error](), "FeedTopics": reflect.TypeFor[FeedTopics](),
	} {
		r.Schema(t, true, name)
	}
}
