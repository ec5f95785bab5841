package stream

import (
	"time"

	"github.com/penstock-media/penstock/server/internal/media"
)

// Duplicate says what a second publisher of a stream may do.
type Duplicate uint8

// The duplicate policies. Whatever the policy, a publication that brought no
// media for five seconds may be taken over by anybody.
const (
	Reject            Duplicate = iota // the first one stays
	TakeoverSameOwner                  // the second one replaces it if both have the same Owner
	Takeover                           // the second one replaces it
)

// PublishOptions says who publishes and how.
type PublishOptions struct {
	Settings Settings
	// Owner is compared by TakeoverSameOwner: the id of the key or token that let
	// the publisher in. Empty equals nobody.
	Owner     string
	Duplicate Duplicate
	// Session is shown in Info.
	Session string
	// Replaced is called once, from a goroutine that holds no lock, when another
	// publisher took the stream over.
	Replaced func()
}

// Publication is the right to append to a stream.
type Publication struct {
	stream *Stream
	opts   PublishOptions
	since  time.Time

	// Guarded by stream.mu.
	last time.Time // when it last brought media
	err  error     // why it may not append any more
}

// Publish gives the right to append to a stream, or ErrBusy. Of any number of
// callers at once exactly one has it.
func (h *Hub) Publish(id ID, o PublishOptions) (*Publication, error) {
	o.Settings = o.Settings.withDefaults()
	st := h.acquire(id, o.Settings)
	now := time.Now()
	p := &Publication{stream: st, opts: o, since: now, last: now}
	old, err := st.publish(p)
	if err != nil {
		h.release(st)
		return nil, err
	}
	if old != nil {
		h.release(st)
		if old.opts.Replaced != nil {
			go old.opts.Replaced()
		}
	}
	return p, nil
}

// Write appends a packet and tells the shards. It never waits for a player.
// After it nobody may write to pkt.Payload. It returns ErrReplaced or ErrClosed
// when the publication is over. One goroutine calls it.
func (p *Publication) Write(pkt media.Packet) error {
	now := time.Now()
	st := p.stream
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.pub != p {
		return p.err
	}
	p.last = now
	st.bytesIn += uint64(len(pkt.Payload))
	if st.append(pkt) {
		st.wake(now)
	}
	return nil
}

// Close ends the publication. Players stay for Settings.Gap. It may be called
// more than once.
func (p *Publication) Close() {
	if p.stream.unpublish(p) {
		p.stream.hub.release(p.stream)
	}
}
