package roster

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"

	"github.com/penstock-media/penstock/server/config"
)

// A proxy on the same machine brings all its clients from one address.
func TestRoomForThisMachine(t *testing.T) {
	for addr, want := range map[string]int{"127.0.0.1": 5, "[::1]": 5, "[::ffff:127.0.0.1]": 5, "127.0.0.2": 1, "192.0.2.1": 1} {
		r := New(Config{Keys: noKeys{}, Limits: config.Limits{MaxPerAddress: 1, MaxPending: 1}})
		in := 0
		for i := range 5 {
			e, _, err := r.Enter(t.Context(), RTMP, netip.MustParseAddrPort(fmt.Sprintf("%s:%d", addr, i+1)))
			switch {
			case err == nil:
				in++
				defer e.Leave(Ending{Reason: config.ReasonPeerClosed})
			case !errors.Is(err, config.ReasonLimit):
				t.Errorf("%s: %v", addr, err)
			}
		}
		if in != want {
			t.Errorf("%s: %d sessions were let in, want %d", addr, in, want)
		}
	}
}
