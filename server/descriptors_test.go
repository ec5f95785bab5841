package server

import (
	"testing"

	"github.com/penstock-media/penstock/server/config"
)

func TestAffordable(t *testing.T) {
	for _, c := range []struct{ wanted, descriptors, want int }{
		{0, 1 << 20, 20000},
		{0, 0, 20000},
		{config.NoLimit, 0, config.NoLimit},
		{config.NoLimit, 1024, 960},
		{0, 1024, 960},
		{100, 1024, 100},
		{0, 256, 192},
		{0, 100, 50},
	} {
		l := config.Limits{MaxSessions: c.wanted}.WithDefaults()
		if got := affordable(l, c.descriptors); got != c.want {
			t.Errorf("%d wanted with %d descriptors: %d, want %d", c.wanted, c.descriptors, got, c.want)
		}
	}
}
