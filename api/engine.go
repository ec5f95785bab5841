package api

import (
	"context"
	"net"
	"time"

	"github.com/penstock-media/penstock/api/apply"
	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
)

// Engine is what the API asks of *server.Engine. Every method answers from
// memory, with copies.
type Engine interface {
	Streams() []server.StreamInfo
	History(vhost, app, name string) []server.Point
	Sessions() []server.SessionInfo
	Kick(id, detail string, ban time.Duration) error
	Refusals() []server.Refusal
	Events(after uint64) []server.Event
	Explain(ctx context.Context, req server.ExplainRequest) (server.Explanation, error)
	Totals() server.Totals
	Addrs() []net.Addr
	SecureAddrs() []net.Addr
}

// Applied is what the API asks of *apply.Loop: the configuration in force.
type Applied interface {
	Status() apply.Status
	Snapshot() *config.Snapshot
}

// Backlog is what the API asks of *outbox.Recorder: how many ended sessions wait
// to be written, and how many were given up.
type Backlog interface {
	Waiting() (waiting int, lost uint64)
}
