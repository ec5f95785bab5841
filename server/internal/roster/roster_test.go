package roster

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
)

func TestLimitsOfARoster(t *testing.T) {
	r := New(Config{Keys: noKeys{}, Limits: config.Limits{MaxSessions: 3, MaxPerAddress: 2, MaxPending: 1}})
	refused := func(addr string) bool {
		_, _, err := r.Enter(t.Context(), RTMP, netip.MustParseAddrPort(addr))
		return errors.Is(err, config.ReasonLimit)
	}
	a, _ := enter(t, r, "192.0.2.1:1")
	if !refused("192.0.2.1:2") {
		t.Error("a second pending session of an address was let in")
	}
	a.Role(Player)
	b, _ := enter(t, r, "[::ffff:192.0.2.1]:2")
	b.Role(Player)
	if !refused("192.0.2.1:3") {
		t.Error("a third session of an address was let in")
	}
	c, _ := enter(t, r, "192.0.2.2:1")
	if !refused("192.0.2.3:1") {
		t.Error("a fourth session was let in")
	}
	for _, e := range []*Entry{a, b, c} {
		e.Leave(Ending{Reason: config.ReasonPeerClosed})
	}
	if len(r.byAddress) != 0 || r.Occupied() {
		t.Errorf("the book is not empty: %v", r.byAddress)
	}
	if got := r.Totals(); got.Refused["limit"] != 3 || got.Entered != 3 {
		t.Errorf("totals: %+v", got)
	}
	r.Close(Ending{Reason: config.ReasonShutdown})
	if _, _, err := r.Enter(t.Context(), RTMP, netip.AddrPort{}); !errors.Is(err, config.ReasonShutdown) {
		t.Errorf("a closed roster: %v", err)
	}
	r.Wait()
}

func TestTheFirstEndingCounts(t *testing.T) {
	r := New(Config{Keys: noKeys{}})
	e, ctx := enter(t, r, "192.0.2.1:1")
	e.End(config.ReasonKicked, "go away")
	e.End(config.ReasonIdle, "too late")
	end, ok := EndingOf(ctx)
	if !ok || end != (Ending{Reason: config.ReasonKicked, Detail: "go away"}) {
		t.Errorf("ending: %+v", end)
	}
	if !errors.Is(context.Cause(ctx), config.ReasonKicked) {
		t.Errorf("cause: %v", context.Cause(ctx))
	}
	e.Leave(end)
}

func TestDeadlines(t *testing.T) {
	r := New(Config{Keys: noKeys{}})
	e, ctx := enter(t, r, "192.0.2.1:1")
	defer e.Leave(Ending{})
	e.Expire(time.Nanosecond, config.ReasonIdle, "nothing came")
	e.Extend(time.Hour)
	r.Sample(time.Second)
	if ctx.Err() != nil {
		t.Fatal("ended before its time")
	}
	e.Expire(time.Nanosecond, config.ReasonIdle, "nothing came")
	e.Expire(0, "", "")
	r.Sample(time.Second)
	if ctx.Err() != nil {
		t.Fatal("ended without a deadline")
	}
	e.Extend(time.Nanosecond)
	r.Sample(time.Second)
	if ctx.Err() == nil {
		t.Errorf("cause: %v", context.Cause(ctx))
	}
}

func TestPermissionRunsOut(t *testing.T) {
	r := New(Config{Keys: noKeys{}})
	e, ctx := enter(t, r, "192.0.2.1:1")
	defer e.Leave(Ending{})
	v := config.NewVhost("a")
	e.admit(access.Request{}, access.Decision{Vhost: &v, Until: time.Now().Add(-time.Second)})
	r.Sample(time.Second)
	if !errors.Is(context.Cause(ctx), config.ReasonExpired) {
		t.Errorf("cause: %v", context.Cause(ctx))
	}
}

func TestRates(t *testing.T) { // S0-66
	r := New(Config{Keys: noKeys{}})
	e, _ := enter(t, r, "192.0.2.1:1")
	m := Meter{}
	e.Measure(func() Meter { return m }, nil)
	m = Meter{BytesIn: 1000, BytesOut: 4000, Video: "H.264"}
	r.Sample(2 * time.Second)
	s := r.Sessions()[0]
	if s.InKbps != 4 || s.OutKbps != 16 || s.Video != "H.264" {
		t.Errorf("session: %+v", s)
	}
	m.BytesOut = 5000
	e.Leave(Ending{Reason: config.ReasonPeerClosed})
	if got := r.Totals(); got.BytesOut != 5000 || got.BytesIn != 1000 || got.Sessions != 0 {
		t.Errorf("totals: %+v", got)
	}
}

func TestNobodyIsLetInBeforeTheFirstConfiguration(t *testing.T) {
	r := New(Config{Keys: noKeys{}})
	d := r.Rehearse(t.Context(), access.Request{Action: access.Play, Peer: netip.MustParseAddr("192.0.2.1")})
	if d.Allow || d.Reason != config.ReasonRefusedNotReady {
		t.Errorf("decision: %+v", d)
	}
}

// A rule that changes while a session is being decided must not miss it.
func TestRulesThatChangeWhileDeciding(t *testing.T) {
	open := config.NewVhost(config.DefaultVhost)
	closed := open
	closed.PlayPolicy = config.PlayToken
	snapshot := func(n int64, v config.Vhost) *config.Snapshot {
		s, err := config.New(n, []config.Vhost{v}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	req := access.Request{
		Action: access.Play, VhostHost: "x", App: "live", Name: "a",
		Peer: netip.MustParseAddr("192.0.2.1"), Now: time.Now(),
	}
	let := 0
	for range 300 {
		r := New(Config{Keys: noKeys{}})
		r.Adopt(t.Context(), snapshot(1, open))
		e, ctx := enter(t, r, "192.0.2.1:1")
		var changing sync.WaitGroup
		changing.Go(func() { r.Adopt(t.Context(), snapshot(2, closed)) })
		allowed := r.Decide(t.Context(), e, req).Allow
		changing.Wait()
		// The rules refuse now: nobody may be inside.
		if allowed && ctx.Err() == nil {
			t.Fatal("a session outlived the rule that refuses it")
		}
		if allowed {
			let++
		}
		e.Leave(Ending{})
	}
	t.Logf("%d of 300 were let in and ended", let)
}

// usedOnce is a source that remembers tokens, and calls meanwhile when one is used.
type usedOnce struct {
	noKeys
	meanwhile func()
	used      bool
}

func (u *usedOnce) UseToken(context.Context, string, time.Time) error {
	if u.used {
		return config.ErrUsed
	}
	u.used = true
	u.meanwhile()
	return nil
}

// To be decided twice, because the rules changed meanwhile, uses a token up once.
func TestTokenForOneUseWhileRulesChange(t *testing.T) {
	v := config.NewVhost(config.DefaultVhost)
	v.PlayPolicy = config.PlayToken
	key := config.TokenKey{ID: "k", Secret: "a secret that signs"}
	snap, err := config.New(1, []config.Vhost{v}, []config.TokenKey{key})
	if err != nil {
		t.Fatal(err)
	}
	token, err := config.MintToken(key, config.TokenClaims{
		ID: "tok", Action: config.ActionPlay, Vhost: v.Name, App: "live", Stream: "a",
		ExpiresAt: time.Now().Add(time.Minute), SingleUse: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	keys := &usedOnce{}
	r := New(Config{Keys: keys})
	r.Adopt(t.Context(), snap)
	keys.meanwhile = func() { r.Adopt(t.Context(), snap) }
	e, _ := enter(t, r, "192.0.2.1:1")
	defer e.Leave(Ending{})
	req := access.Request{
		Action: access.Play, VhostHost: "x", App: "live", Name: "a", Token: config.Secret(token),
		Peer: netip.MustParseAddr("192.0.2.1"), Now: time.Now(),
	}
	if d := r.Decide(t.Context(), e, req); !d.Allow {
		t.Errorf("refused: %s", d.Detail)
	}
	if d := r.Decide(t.Context(), e, req); d.Allow {
		t.Error("the token works twice")
	}
}

// A stream key that stands where the app should is not written down.
func TestRefusalsHideKeys(t *testing.T) {
	r := New(Config{Keys: noKeys{}})
	e, _ := enter(t, r, "192.0.2.1:1")
	defer e.Leave(Ending{})
	key := config.NewStreamKeySecret().Reveal()
	req := access.Request{Action: access.Publish, App: "live/" + key + "/x", Name: key}
	r.Refuse(e, req, access.Decision{Reason: config.ReasonRefusedName, App: req.App})
	got := r.Refusals()[0]
	if got.App != "live/***/x" || got.Name != "" {
		t.Errorf("refusal of app %q, name %q", got.App, got.Name)
	}
	if event := r.Events.Since(0)[0]; event.App != got.App || event.Name != "" {
		t.Errorf("event of app %q, name %q", event.App, event.Name)
	}
}
