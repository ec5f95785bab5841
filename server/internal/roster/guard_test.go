package roster

import (
	"net/netip"
	"testing"
	"time"
)

func TestGuard(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	g := guard{now: func() time.Time { return now }}
	a, neighbour := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	blocked := func(a netip.Addr) bool { _, b := g.blocked(a); return b }

	for range guessesAddress - 1 {
		g.failed(a)
	}
	if blocked(a) {
		t.Fatal("blocked too early")
	}
	now = now.Add(guessWindow + time.Second) // the window begins anew
	g.failed(a)
	if blocked(a) {
		t.Fatal("blocked by failures of the last window")
	}
	for range guessesAddress {
		g.failed(a)
	}
	if !blocked(a) || blocked(neighbour) {
		t.Fatal("the guesser alone should be blocked")
	}
	for range guessesNetwork {
		g.failed(netip.MustParseAddr("192.0.2.77"))
	}
	if !blocked(neighbour) || blocked(netip.MustParseAddr("192.0.3.1")) {
		t.Fatal("the guessers' network alone should be blocked")
	}
	now = now.Add(guessBlock)
	if blocked(a) || blocked(neighbour) {
		t.Fatal("blocked for too long")
	}
	g.sweep()
	if len(g.suspects) != 0 {
		t.Errorf("%d suspects are remembered for ever", len(g.suspects))
	}
}

// An IPv6 host owns its /64, so it must not get ten tries for each address in it;
// an IPv4 address is the same in both spellings.
func TestGuardPrefixes(t *testing.T) {
	same := func(a, b string) bool {
		return address(netip.MustParseAddr(a)) == address(netip.MustParseAddr(b))
	}
	if !same("2001:db8::1", "2001:db8::ffff:1") || same("2001:db8::1", "2001:db8:0:1::1") {
		t.Error("IPv6 is not counted by /64")
	}
	if !same("::ffff:192.0.2.1", "192.0.2.1") || same("192.0.2.1", "192.0.2.2") {
		t.Error("IPv4 is not counted by address")
	}
}

func TestGuardIsBounded(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	g := guard{now: func() time.Time { return now }}
	for i := range maxSuspects {
		g.failed(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}))
	}
	g.failed(netip.MustParseAddr("192.0.2.1"))
	if len(g.suspects) > maxSuspects {
		t.Errorf("%d suspects", len(g.suspects))
	}
}

func TestBan(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	g := guard{now: func() time.Time { return now }}
	a := netip.MustParseAddr("192.0.2.1")
	g.ban(netip.MustParseAddr("::ffff:192.0.2.1"), time.Minute)
	if _, ok := g.banned(a); !ok {
		t.Error("not banned")
	}
	now = now.Add(time.Minute)
	if _, ok := g.banned(a); ok {
		t.Error("banned for too long")
	}
	g.sweep()
	if len(g.bans) != 0 {
		t.Error("the ban is remembered for ever")
	}
}
