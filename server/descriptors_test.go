package server

import "testing"

func TestAffordable(t *testing.T) {
	for _, c := range []struct{ wanted, descriptors, want int }{
		{0, 1 << 20, 20000},
		{0, 0, 0},
		{-1, 0, -1},
		{-1, 1024, 960},
		{0, 1024, 960},
		{100, 1024, 100},
		{0, 256, 192},
		{0, 100, 50},
	} {
		if got := affordable(c.wanted, c.descriptors); got != c.want {
			t.Errorf("%d wanted with %d descriptors: %d, want %d", c.wanted, c.descriptors, got, c.want)
		}
	}
}
