package stream

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/penstock-media/penstock/server/internal/media"
)

// SubscribeOptions says what a player wants.
type SubscribeOptions struct {
	// Settings make the stream if it does not exist yet.
	Settings Settings
	Framing  Framing
	// MessageStream is the RTMP message stream the player wants media on. 0 means
	// DefaultMessageStream, whose bytes are shared by nearly all; each other one
	// costs a framing of its own.
	MessageStream uint32
	// ChunkStreams are the RTMP chunk streams the player gets media on. The zero value
	// means DefaultChunkStreams.
	ChunkStreams ChunkStreams
	// Form is the form packets are wanted in. Each that is in use costs a framing.
	Form media.Form
	// Conn is the descriptor the shard writes to. Its write deadline must be
	// unset, and from Attach to Close nobody else may write to it. nil: the owner
	// takes the bytes with Next.
	Conn syscall.RawConn
	// Wire is, for a player without Conn, the TCP descriptor beneath what its owner
	// writes to, if there is one. Nothing is written to it: it tells whether the
	// player takes what was written.
	Wire syscall.RawConn
	// MaxQueueBytes is how many bytes a player may be behind before it jumps. 0
	// means DefaultMaxQueueBytes.
	MaxQueueBytes int
	// BlockedTimeout is how long a player may take no byte while some wait for it. One
	// that takes some, however few, stays and sees what it can. 0 means ten seconds.
	BlockedTimeout time.Duration
	// Audio and Video are the kinds wanted. Neither means both.
	Audio, Video bool
	// Closed is called at most once, from a goroutine that holds no lock, when a
	// write failed (with its error), the player took nothing for BlockedTimeout
	// (ErrSlow), or the stream ended and Settings.Gap passed (ErrEnded). It never begins after
	// Close returned. The owner then calls Close.
	Closed func(error)
}

// Subscription is one player of a stream: a position in its log.
type Subscription struct {
	// What a pass touches comes first.
	parked atomic.Bool // a goroutine of its own waits for the descriptor
	direct atomic.Bool // its shard writes on the descriptor; else its owner takes bytes with Next
	mu     sync.Mutex  // the right to write on the descriptor; guards all up to "fixed"
	run    runState
	mid    bool // the last write ended within a message
	narrow bool // not all kinds are wanted: messages are picked one by one
	// at is the cursor; at.seg is nil while the player waits for a place to begin.
	at      position
	rest    []byte // goes first: what remains of something already begun
	control []byte // whole control messages
	intro   []byte // prologue, before at
	out     []byte // what the raw write below writes
	wrote   int    // what it wrote
	fault   error  // and how it failed
	bytes   uint64
	raw     syscall.RawConn
	write   func(fd uintptr) // writes out: made once, so that a pass allocates nothing
	framing *framing         // nil before Start

	audio, video bool      // kinds wanted
	needKey      bool      // narrow: video only from a key frame on
	late         bool      // needKey because it was behind
	thin         bool      // narrow: no disposable frames up to a key frame, because it is behind
	headed       bool      // the FLV file header went out
	lent         int       // bytes of Next's last answer, not yet counted
	lentOf       int       // of so many that pending gave
	progress     time.Time // when it last took bytes, or Next gave them
	queued       int       // bytes the kernel held for it when that was last looked at
	err          error     // why nothing more comes

	// Where it begins, while at.seg is nil:
	back  arrival
	bare  bool   // no prologue went out yet
	epoch uint64 // of the stream, when it last found no place; look to try again
	next  uint64 // sequence number of the first message it has not had

	origin     uint32 // time, ms, of where it began for the first time
	placed     bool   // origin is known
	from       uint64 // sequence number of where the cursor was put
	slackBytes int64  // how far behind it was then: that is no fault of its own
	slackTime  time.Duration
	messages   uint64    // delivered before the cursor was put where it began
	keyFrom    uint64    // needKey ends at this message or a later one; 0: at any
	keySince   time.Time // since when a key frame is waited for
	drops      Drops

	// Fixed.
	stream   *Stream
	group    *group
	layout   layout
	maxBytes int64
	patience time.Duration   // BlockedTimeout
	wire     syscall.RawConn // beneath the player, or nil
	closed   func(error)
	ready    chan struct{} // Next waits on it; nil while direct
	told     atomic.Int32  // 0 not yet, 1 Closed was called, 2 closed by the owner
	pulls    bool          // counted in shard.pulls; the shard's own
	place    int           // in group.subs; the shard's own
	index    int           // in stream.subs; guarded by stream.mu
}

// look is an epoch that no stream has.
const look = ^uint64(0)

// runState says what a player may get.
type runState uint8

const (
	attached runState = iota // control only
	started
	paused // control only, after the end of the message under way
	over   // nothing any more
)

// SubscriptionStats is what is known of a player.
type SubscriptionStats struct {
	BytesOut uint64        // written, control and prologues too
	Messages uint64        // media messages delivered
	Dropped  uint64        // media messages skipped because the player was behind
	Drops    Drops         // the same by kind
	Lag      time.Duration // how far the player is behind the end of the log
	Played   time.Duration // media time from where the player began to where it is
}

// Attach adds a player to a stream, published or not. Nothing but Send's bytes
// goes out before Start.
func (h *Hub) Attach(id ID, o SubscribeOptions) (*Subscription, error) {
	if o.Conn != nil && !directWrites {
		return nil, ErrNoDirectWrites
	}
	if !o.Audio && !o.Video {
		o.Audio, o.Video = true, true
	}
	if o.MaxQueueBytes <= 0 {
		o.MaxQueueBytes = DefaultMaxQueueBytes
	}
	s := &Subscription{
		raw: o.Conn, closed: o.Closed, maxBytes: int64(o.MaxQueueBytes), patience: cmp.Or(o.BlockedTimeout, blockLimit),
		audio: o.Audio, video: o.Video, narrow: !o.Audio || !o.Video,
	}
	if s.wire = o.Wire; s.raw == nil {
		s.ready = make(chan struct{}, 1)
	} else {
		s.wire = s.raw
		s.direct.Store(true)
		s.write = func(fd uintptr) { s.wrote, s.fault = writeNow(fd, s.out) }
	}
	limitUnsent(s.wire)
	h.acquire(id, o.Settings).attach(s, layout{
		framing: o.Framing, stream: cmp.Or(o.MessageStream, DefaultMessageStream),
		on: cmp.Or(o.ChunkStreams, DefaultChunkStreams()), form: o.Form,
	})
	s.group.shard.players.Add(1)
	s.group.shard.ask(request{s, adopt})
	return s, nil
}

// Live reports whether somebody publishes the stream.
func (s *Subscription) Live() bool {
	s.stream.mu.Lock()
	defer s.stream.mu.Unlock()
	return s.stream.pub != nil
}

// WaitLive waits until somebody publishes the stream.
func (s *Subscription) WaitLive(ctx context.Context) error {
	s.stream.mu.Lock()
	live := s.stream.live
	s.stream.mu.Unlock()
	if live == nil {
		return nil
	}
	select {
	case <-live:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("stream: waiting for a publisher: %w", context.Cause(ctx))
	}
}

// ChunkSize is the RTMP chunk size of what the player gets: to be told to it
// before Start. 0 for FLV.
func (s *Subscription) ChunkSize() int { return s.layout.chunk }

// Start lets media go: the FLV file header, metadata, decoder configurations, then
// from the newest key frame on, or from the next.
func (s *Subscription) Start() {
	s.mu.Lock()
	if s.run != attached {
		s.mu.Unlock()
		return
	}
	s.run = started
	s.stream.join(s)
	s.mu.Unlock()
	s.group.shard.ask(request{s, visit})
}

// Send sends a whole control message between two media messages. It does not wait;
// the bytes are copied. It returns ErrControlFull when too many already wait.
func (s *Subscription) Send(frame []byte) error {
	s.mu.Lock()
	if s.run == over {
		defer s.mu.Unlock()
		return s.err
	}
	if len(s.control)+len(frame) > maxControl {
		s.mu.Unlock()
		return ErrControlFull
	}
	s.control = append(s.control, frame...)
	s.flush()
	return nil
}

// Pause holds media back, or lets it go on: from where it stopped if that is still
// the present GOP, else from the newest key frame.
func (s *Subscription) Pause(on bool) {
	s.mu.Lock()
	switch {
	case on && s.run == started:
		s.run = paused
	case !on && s.run == paused:
		s.run = started
	}
	s.flush()
}

// Receive chooses the kinds of media. Video that is switched on begins with the
// next key frame.
func (s *Subscription) Receive(audio, video bool) {
	s.mu.Lock()
	if s.run != over {
		s.receive(audio, video)
	}
	s.flush()
}

// flush writes what there is, on the caller's goroutine, and unlocks.
func (s *Subscription) flush() {
	if !s.direct.Load() {
		s.mu.Unlock()
		s.signal()
		return
	}
	if !s.parked.Load() {
		s.pump(time.Now())
	}
	s.mu.Unlock()
}

// Close ends the subscription. Afterwards nobody touches the descriptor, and
// Closed is not called any more, though a call may be under way. It may be called
// more than once.
func (s *Subscription) Close() {
	if s.told.Swap(2) == 2 {
		return
	}
	s.mu.Lock()
	s.stop(ErrClosed)
	s.messages, s.at, s.intro, s.control = s.delivered(), position{}, nil, nil
	f := s.framing
	s.mu.Unlock()
	s.stream.detach(s, f)
	s.group.shard.players.Add(-1)
	s.group.shard.ask(request{s, abandon})
	s.signal()
}

// Busy reports whether bytes have to go out before anybody else can write on the
// connection: the rest of a message or control messages. It is for a subscription
// that is paused: others may be about to begin a message.
func (s *Subscription) Busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mid || len(s.rest) > 0 || len(s.control) > 0 || s.lent > 0
}

// Stats returns what is known of the player.
func (s *Subscription) Stats() SubscriptionStats {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := SubscriptionStats{BytesOut: s.bytes, Messages: s.delivered(), Dropped: s.drops.Total(), Drops: s.drops}
	if s.at.seg != nil {
		s.stream.mu.Lock()
		_, st.Lag = s.behind()
		passed := int32(uint32(s.stream.log.timeline.now()) - s.origin) // modulo 2^32 is what is meant
		st.Played = max(time.Duration(passed)*time.Millisecond-st.Lag, 0)
		s.stream.mu.Unlock()
	}
	return st
}

// end tells the player that its stream is over. Bytes that still wait go out.
func (s *Subscription) end() {
	s.mu.Lock()
	if s.err == nil {
		s.err = ErrEnded
	}
	s.mu.Unlock()
	s.signal()
	s.tell(ErrEnded)
}

// stop makes the player get nothing any more. mu is held.
func (s *Subscription) stop(err error) {
	if s.run == over {
		return
	}
	s.run, s.err = over, err
}

// fail ends the player because of an error. mu is held.
func (s *Subscription) fail(err error) {
	if s.run == over {
		return
	}
	s.stop(err)
	s.signal()
	go s.tell(err)
}

// tell calls Closed, unless that was done or the owner closed the subscription.
func (s *Subscription) tell(err error) {
	if s.told.CompareAndSwap(0, 1) && s.closed != nil {
		s.closed(err)
	}
}

// signal wakes Next.
func (s *Subscription) signal() {
	if s.direct.Load() {
		return
	}
	select {
	case s.ready <- struct{}{}:
	default:
	}
}
