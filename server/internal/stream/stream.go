package stream

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/penstock-media/penstock/server/internal/media"
)

// compare orders ids by vhost, app and name.
func (a ID) compare(b ID) int {
	return cmp.Or(strings.Compare(a.Vhost, b.Vhost), strings.Compare(a.App, b.App), strings.Compare(a.Name, b.Name))
}

// Stream is one live stream: its log, the publication that appends to it and the
// players that read it. It outlives publications as long as players stay.
type Stream struct {
	hub  *Hub
	id   ID
	refs int // publications and subscriptions; guarded by hub.mu

	// delay is how long a pass waits after the first undelivered append, ns.
	delay atomic.Int64
	// enough is how many undelivered appends end that wait; 0: none do.
	enough atomic.Int64
	// epoch grows when a player that waits for a place to begin may have found one.
	epoch atomic.Uint64

	mu       sync.Mutex
	settings Settings        // guarded by mu, as is all that follows
	pub      *Publication    // nil while nobody publishes
	live     chan struct{}   // closed when somebody publishes; nil while pub is set
	gap      *time.Timer     // runs while players wait for a publisher to return
	subs     []*Subscription // attached players, in no order
	groups   []*group        // the players by shard; nil where a shard has none
	log      log
	bytesIn  uint64
}

func newStream(h *Hub, id ID, s Settings) *Stream {
	st := &Stream{hub: h, id: id, live: make(chan struct{}), groups: make([]*group, len(h.shards))}
	st.apply(s)
	return st
}

// apply takes settings over. mu is held, or the stream is new.
func (st *Stream) apply(s Settings) {
	st.settings = s.withDefaults()
	st.delay.Store(int64(max(st.settings.Merge, st.hub.cfg.Gather)))
	st.enough.Store(int64(st.settings.MergeMin))
}

func (st *Stream) settle(s Settings) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.apply(s)
}

// publish makes p the publication, unless the present one stays. It returns the
// one that p replaced.
func (st *Stream) publish(p *Publication) (*Publication, error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	old := st.pub
	if old != nil && !old.yields(p) {
		return nil, ErrBusy
	}
	if old != nil {
		old.err = ErrReplaced
	} else {
		close(st.live)
		st.live = nil
	}
	st.stopGap()
	st.apply(p.opts.Settings)
	st.pub = p
	st.log.restart()
	return old, nil
}

// yields reports whether p may be replaced by q.
func (p *Publication) yields(q *Publication) bool {
	switch q.opts.Duplicate {
	case Takeover:
		return true
	case TakeoverSameOwner:
		if p.opts.Owner != "" && p.opts.Owner == q.opts.Owner {
			return true
		}
	case Reject:
	}
	return q.since.Sub(p.last) >= silence
}

// unpublish ends the publication if it is the present one, and reports that.
func (st *Stream) unpublish(p *Publication) bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.pub != p {
		return false
	}
	p.err = ErrClosed
	st.pub = nil
	st.live = make(chan struct{})
	st.log.restart()
	st.stopGap()
	var gap *time.Timer
	gap = time.AfterFunc(st.settings.Gap, func() { st.ended(&gap) })
	st.gap = gap
	return true
}

// stopGap stops the wait for a publisher's return. mu is held.
func (st *Stream) stopGap() {
	if st.gap != nil {
		st.gap.Stop()
		st.gap = nil
	}
}

// ended tells all players that the stream is over, if the gap is still the one
// that began with that timer.
func (st *Stream) ended(gap **time.Timer) {
	st.mu.Lock()
	if st.gap == nil || st.gap != *gap {
		st.mu.Unlock()
		return
	}
	st.gap = nil
	subs := slices.Clone(st.subs)
	st.mu.Unlock()
	for _, s := range subs {
		s.end()
	}
}

// append puts a packet into the log and reports whether players have something
// new. mu is held.
func (st *Stream) append(pkt media.Packet) bool {
	was := st.log.media
	if !st.log.append(pkt, st.settings) {
		return false
	}
	if !was && st.log.media {
		st.epoch.Add(1)
	}
	return true
}

// attach adds a player, on the shard that has the fewest. Its layout stays what the
// settings say now.
func (st *Stream) attach(s *Subscription, l layout) {
	st.mu.Lock()
	defer st.mu.Unlock()
	s.stream = st
	s.next = st.log.seq // what comes before it starts is for it, too
	if l.framing == RTMP {
		l.chunk = st.settings.ChunkSize
	} else {
		l.stream, l.on = 0, ChunkStreams{}
	}
	s.layout = l
	i := st.hub.calmest()
	if st.groups[i] == nil {
		st.groups[i] = &group{stream: st, shard: st.hub.shards[i]}
	}
	s.group = st.groups[i]
	s.index = len(st.subs)
	st.subs = append(st.subs, s)
}

// join readies the framing of a player that starts. Its mu is held.
func (st *Stream) join(s *Subscription) {
	st.mu.Lock()
	defer st.mu.Unlock()
	s.framing = st.log.framing(s.layout)
	s.back, s.bare, s.epoch = atNext, true, look
	if st.settings.GOP {
		s.back = atNewest
	}
}

// detach removes a player.
func (st *Stream) detach(s *Subscription, f *framing) {
	st.mu.Lock()
	last := len(st.subs) - 1
	st.subs[s.index] = st.subs[last]
	st.subs[s.index].index = s.index
	st.subs[last] = nil
	st.subs = st.subs[:last]
	if f != nil {
		st.log.leave(f)
	}
	st.mu.Unlock()
	st.hub.release(st)
}

// wake tells the shards that have players of the stream. mu is held.
func (st *Stream) wake(now time.Time) {
	for _, g := range st.groups {
		if g != nil {
			g.mark(now)
		}
	}
}

// info returns what is known of the stream.
func (st *Stream) info() Info {
	st.mu.Lock()
	defer st.mu.Unlock()
	i := Info{
		ID: st.id, Live: st.pub != nil, Players: len(st.subs),
		BytesIn: st.bytesIn, Messages: st.log.seq,
		Jumps: st.log.timeline.jumps, Time: time.Duration(st.log.timeline.now()) * time.Millisecond,
		LogBytes: st.log.bytes, LogMessages: st.log.kept.len(),
		VideoConfig: st.log.describe(media.Video), AudioConfig: st.log.describe(media.Audio),
		Metadata: st.log.heads.meta,
	}
	if st.pub != nil {
		i.Since, i.Session = st.pub.since, st.pub.opts.Session
	}
	for _, g := range st.groups {
		if g != nil {
			i.BytesOut += g.bytes.Load()
			i.Dropped += g.dropped.Load()
		}
	}
	return i
}
