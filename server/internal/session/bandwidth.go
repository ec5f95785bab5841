package session

import (
	"context"
	"crypto/subtle"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
	"github.com/penstock-media/penstock/server/internal/bandwidth"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/rtmp"
)

// turns remembers when a vhost's bandwidth was last measured: one at a time, and none
// within its interval, whoever asks.
type turns struct {
	mu   sync.Mutex
	last map[string]time.Time // guarded by mu; by the vhost's name
}

// take reports whether it is somebody's turn, and counts it.
func (t *turns) take(vhost string, interval time.Duration, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if last, ok := t.last[vhost]; ok && now.Sub(last) < interval {
		return false
	}
	if t.last == nil {
		t.last = make(map[string]time.Time)
	}
	t.last[vhost] = now
	return true
}

// measure serves a peer of a vhost that measures bandwidth and does nothing else.
func (c *session) measure(ctx context.Context, hello rtmp.Connect, v *config.Vhost, w rtmp.Welcome) error {
	if d := c.mayMeasure(hello, v); !d.Allow {
		return c.sendAway(d)
	}
	if err := c.conn.AcceptConnectAs(w); err != nil {
		return err
	}
	c.entry.Expire(0, "", "") // each wait has its own time
	c.conn.Calls()
	r, err := bandwidth.Check(caller{c.conn}, v.BandwidthCheck.LimitKbps)
	if err != nil {
		if end, ok := roster.EndingOf(ctx); ok {
			return &end
		}
		if rtmp.IsTimeout(err) {
			return &roster.Ending{Reason: config.ReasonIdle, Detail: "The peer did not answer in time while its bandwidth was measured."}
		}
		return err
	}
	c.log.Info("bandwidth", slog.String("vhost", v.Name), slog.Int("play_kbps", r.PlayKbps), slog.Int("publish_kbps", r.PublishKbps),
		slog.Int("play_bytes", r.PlayBytes), slog.Int("publish_bytes", r.PublishBytes))
	return &roster.Ending{Reason: config.ReasonCompleted, Detail: "The bandwidth has been measured."}
}

// mayMeasure decides by the vhost, the key in tcUrl, and whose turn it is.
func (c *session) mayMeasure(hello rtmp.Connect, v *config.Vhost) access.Decision {
	refuse := func(reason config.Reason, check, detail string) access.Decision {
		return access.Decision{Reason: reason, Detail: detail, Vhost: v, Checks: []access.Check{
			{Name: check, Result: access.Fail, Detail: detail},
		}}
	}
	if !v.Enabled {
		return refuse(config.ReasonRefusedVhost, "vhost", fmt.Sprintf("the vhost %q is disabled", v.Name))
	}
	t, err := rtmp.ParseTarget(hello.TCURL, hello.App, "any")
	got := config.HashKey(t.Args.Get("key"))
	want := v.BandwidthCheck.Key
	if err != nil || want == (config.KeyHash{}) || subtle.ConstantTimeCompare(got[:], want[:]) == 0 {
		return refuse(config.ReasonRefusedKey, "credential", "the key for measuring bandwidth is missing or wrong: add ?key= to the URL")
	}
	interval := time.Duration(v.BandwidthCheck.IntervalMS) * time.Millisecond
	if !c.srv.turns.take(v.Name, interval, time.Now()) {
		return refuse(config.ReasonLimit, "interval", fmt.Sprintf("rejected: bandwidth is measured once in %v here; try again later", interval))
	}
	return access.Decision{Allow: true, Vhost: v}
}

// caller is a connection as bandwidth sees it.
type caller struct{ *rtmp.Conn }

// Call implements bandwidth.Peer.
func (c caller) Call(name string, fields ...bandwidth.Field) error {
	o := make(amf.Object, 0, len(fields))
	for _, f := range fields {
		o = append(o, amf.Property{Key: f.Name, Value: f.Value})
	}
	return c.Conn.Call(name, o)
}
