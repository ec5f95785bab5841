package server_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// Whatever the policy, a stream has one publisher at a time: what a player sees of each
// is one run of pictures in order, and the book has each one's beginning before its end,
// under reject never two at once.
//
// S4-26.
func TestOnePublisherAtATime(t *testing.T) { // S0-44, S0-42
	t.Parallel()
	for _, policy := range []config.DuplicatePolicy{config.DuplicateReject, config.DuplicateTakeoverSameKey, config.DuplicateTakeover} {
		t.Run(string(policy), func(t *testing.T) {
			t.Parallel()
			l := newLab(t, vhost(func(v *config.Vhost) {
				v.PublishPolicy, v.DuplicatePolicy = config.PublishKey, policy
				v.Media.QueueMS = 60_000
			}))
			key := l.keys.add("key_a", "show")
			player := l.play("live/show")
			player.Conn().SetIdleTimeout(0)
			var pictures []int
			seen := make(chan struct{})
			go func() {
				defer close(seen)
				for {
					m, err := player.ReadMedia()
					if err != nil && err != rtmp.ErrUnpublished { //nolint:errorlint // it is returned as it is
						return
					}
					if m.Type == message.TypeVideo && len(m.Payload) >= 16 && m.Payload[1] == 1 {
						pictures = append(pictures, numberOf(m.Payload))
					}
				}
			}()
			const publishers, each = 50, 1000
			var all sync.WaitGroup
			var won atomic.Int64
			for i := range publishers {
				all.Go(func() {
					// Some at once, some a little later: encoders that come back.
					time.Sleep(time.Duration(i%10) * 10 * time.Millisecond)
					c, err := rtmp.Dial(t.Context(), l.url("live/"+key), rtmp.DialConfig{Timeout: patience})
					if err != nil {
						t.Error(err)
						return
					}
					defer func() { _ = c.Close() }()
					if c.Publish(t.Context(), "") != nil {
						return // refused, or taken over before it began
					}
					won.Add(1)
					(&publisher{Client: c}).configs(t)
					for n := range 10 { // one that was taken over writes into the void
						if c.WriteMedia(message.TypeVideo, uint32(n*40), frame(true, i*each+n, 50)) != nil {
							return
						}
						time.Sleep(time.Millisecond)
					}
				})
			}
			all.Wait()
			within(t, patience, "all publishers have left", func() bool { return l.engine.Totals().Publishers == 0 })
			_ = player.Close()
			<-seen

			runs, last := map[int]bool{}, -1
			for _, n := range pictures {
				who := n / each
				if last < 0 || who != last/each {
					if runs[who] {
						t.Errorf("publisher %d is seen again behind %d", who, last/each)
					}
					runs[who] = true
				} else if n <= last {
					t.Errorf("picture %d behind %d", n, last)
				}
				last = n
			}
			if len(runs) == 0 || won.Load() == 0 {
				t.Errorf("%d publishers were let in, %d seen", won.Load(), len(runs))
			}
			l.oneAtATime(policy == config.DuplicateReject, int(won.Load()))
		})
	}
}

// oneAtATime checks the book of publishers: each begins once and ends once, in this
// order, and strictly none begins before the one before it has ended.
func (l *lab) oneAtATime(strictly bool, atLeast int) {
	l.t.Helper()
	began, ended := map[string]bool{}, map[string]bool{}
	for _, e := range l.engine.Events(0) {
		switch e.Type {
		case "stream.published":
			if began[e.SessionID] {
				l.t.Errorf("%s begins twice", e.SessionID)
			}
			if strictly && len(began) != len(ended) {
				l.t.Errorf("%s begins while another is on", e.SessionID)
			}
			began[e.SessionID] = true
		case "stream.unpublished", "stream.taken_over":
			if !began[e.SessionID] || ended[e.SessionID] {
				l.t.Errorf("%s ends before it begins, or twice", e.SessionID)
			}
			ended[e.SessionID] = true
		}
	}
	if len(began) != len(ended) || len(began) < atLeast {
		l.t.Errorf("%d began and %d ended, at least %d", len(began), len(ended), atLeast)
	}
}
