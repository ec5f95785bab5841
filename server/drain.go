package server

import (
	"context"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/roster"
)

// drainStep is how often draining looks whether everybody has gone.
const drainStep = 50 * time.Millisecond

// Drain empties the engine before Run's context is ended: nobody new is let in,
// every publisher and player is told, and Drain returns when the last has gone or
// ctx ends, whichever is first. Its error is ctx's. RTMP peers that can reconnect
// (Enhanced RTMP) are asked to, and have until ctx ends to do that at a time that costs
// no picture; all others are ended.
func (e *Engine) Drain(ctx context.Context) error {
	const detail = "The server is shutting down."
	e.closeListeners()
	e.roster.Close(roster.Ending{Reason: config.ReasonShutdown, Detail: detail})
	e.roster.MoveAll(config.ReasonShutdown, detail)
	tick := time.NewTicker(drainStep)
	defer tick.Stop()
	for e.roster.Occupied() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return nil
}
