package roster

import (
	"context"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
)

func TestGuard(t *testing.T) {
	for _, limits := range []config.Limits{config.DefaultLimits(), {
		KeyFailures: 3, KeyFailuresNetwork: 50, KeyWindow: 5 * time.Second, KeyBlock: 8 * time.Second,
	}} {
		testGuard(t, limits)
	}
}

func testGuard(t *testing.T, limits config.Limits) {
	t.Helper()
	now := time.Unix(1_000_000, 0)
	g := guard{now: func() time.Time { return now }, limits: limits}
	a, neighbour := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	blocked := func(a netip.Addr) bool { _, b := g.blocked(a); return b }

	for range g.limits.KeyFailures - 1 {
		g.failed(a)
	}
	if blocked(a) {
		t.Fatal("blocked too early")
	}
	now = now.Add(g.limits.KeyWindow + time.Second) // the window begins anew
	g.failed(a)
	if blocked(a) {
		t.Fatal("blocked by failures of the last window")
	}
	for range g.limits.KeyFailures {
		g.failed(a)
	}
	if !blocked(a) || blocked(neighbour) {
		t.Fatal("the guesser alone should be blocked")
	}
	for i := range g.limits.KeyFailuresNetwork { // each of them a few times
		g.failed(netip.AddrFrom4([4]byte{192, 0, 2, byte(70 + i%40)}))
	}
	if !blocked(neighbour) || blocked(netip.MustParseAddr("192.0.3.1")) {
		t.Fatal("the guessers' network alone should be blocked")
	}
	now = now.Add(g.limits.KeyBlock)
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
	g := guard{now: func() time.Time { return now }, limits: config.DefaultLimits()}
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
	g := guard{now: func() time.Time { return now }, limits: config.DefaultLimits()}
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

// wrongTogether knows no key, and says so to n tries at once.
type wrongTogether struct{ waiting *sync.WaitGroup }

func (w wrongTogether) Key(context.Context, config.KeyHash) (config.StreamKey, error) {
	w.waiting.Done()
	w.waiting.Wait()
	return config.StreamKey{}, config.ErrNoKey
}

// Tries at once learn no more than tries one by one, and viewers are not guessers.
func TestGuessesAtOnce(t *testing.T) {
	const tries = 40
	var waiting, all sync.WaitGroup
	waiting.Add(tries)
	r := New(Config{Keys: wrongTogether{&waiting}})
	v := config.NewVhost(config.DefaultVhost)
	snap, err := config.New(1, []config.Vhost{v}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Adopt(t.Context(), snap)
	e, _ := enter(t, r, "192.0.2.1:1")
	defer e.Leave(Ending{})
	hurried, cancel := context.WithCancel(t.Context())
	cancel() // nobody sits the wait out
	ask := access.Request{
		Action: access.Publish, VhostHost: "x", App: "live", Key: config.NewStreamKeySecret(),
		Name: "a", Peer: netip.MustParseAddr("192.0.2.1"), Now: time.Now(),
	}
	var honest atomic.Int64
	for range tries {
		all.Go(func() {
			if r.Decide(hurried, e, ask).Reason == config.ReasonRefusedKey {
				honest.Add(1)
			}
		})
	}
	all.Wait()
	if got, want := int(honest.Load()), config.DefaultLimits().KeyFailures; got != want {
		t.Errorf("%d tries were answered, want %d", got, want)
	}
	ask.Action, ask.Key = access.Play, ""
	if d := r.Decide(hurried, e, ask); !d.Allow {
		t.Errorf("a viewer behind the same address: %s", d.Detail)
	}
}

// A key that is cut off is a wrong one: it is answered and counted as one.
func TestCutOffKeysAreGuesses(t *testing.T) {
	r := New(Config{Keys: noKeys{}})
	snap, err := config.New(1, []config.Vhost{config.NewVhost(config.DefaultVhost)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Adopt(t.Context(), snap)
	e, _ := enter(t, r, "192.0.2.1:1")
	defer e.Leave(Ending{})
	hurried, cancel := context.WithCancel(t.Context())
	cancel() // nobody sits the wait out
	ask := access.Request{
		Action: access.Publish, VhostHost: "x", App: "live", Name: "sk_abc", Peer: netip.MustParseAddr("192.0.2.1"), Now: time.Now(),
	}
	for i := range config.DefaultLimits().KeyFailures {
		if d := r.Decide(hurried, e, ask); d.Reason != config.ReasonRefusedKey || d.Detail != "the stream key is not accepted" {
			t.Fatalf("try %d: %s, %s", i, d.Reason, d.Detail)
		}
	}
	if d := r.Decide(hurried, e, ask); d.Reason != config.ReasonRefusedGuessing {
		t.Errorf("one try too many: %s, %s", d.Reason, d.Detail)
	}
}
