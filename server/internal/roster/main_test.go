package roster

import (
	"context"
	"net/netip"
	"testing"

	"go.uber.org/goleak"

	"github.com/penstock-media/penstock/server/config"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noKeys knows no key.
type noKeys struct{}

func (noKeys) Key(context.Context, config.KeyHash) (config.StreamKey, error) {
	return config.StreamKey{}, config.ErrNoKey
}

func enter(t *testing.T, r *Roster, addr string) (*Entry, context.Context) {
	t.Helper()
	e, ctx, err := r.Enter(t.Context(), RTMP, netip.MustParseAddrPort(addr))
	if err != nil {
		t.Fatal(err)
	}
	return e, ctx
}
