package access

import (
	"context"

	"github.com/penstock-media/penstock/server/config"
)

// Greet answers whether a connection may be here at all, as far as that is known before
// it says what it wants: by its vhost, and by the referer rules of scope "all". Whoever
// is greeted is still held against everything in Decide.
//
// SRS refuses by these already at connect. There the peer sees a connection that is
// hung up on, where later it can be told why, so this is for vhosts that ask for it.
func Greet(ctx context.Context, snap *config.Snapshot, req Request) Decision {
	req.Action = "" // no rule but one of scope all is for that
	return decide(ctx, snap, nil, req, []step{
		{"vhost", (*run).vhost},
		{"referer", (*run).referer},
	})
}
