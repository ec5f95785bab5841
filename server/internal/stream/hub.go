package stream

import (
	"context"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/penstock-media/penstock/server/internal/media"
)

// Config is what a Hub is made of.
type Config struct {
	// Logger gets what is worth a line about the hub itself. nil discards.
	Logger *slog.Logger
	// Shards is the number of goroutines that write to players. 0 means one a CPU
	// (GOMAXPROCS).
	Shards int
	// Gather is the least time between a message's arrival and the pass that
	// delivers it, for streams whose Settings.Merge is less. Some milliseconds let
	// audio leave together with the video frame beside it. 0 waits for nothing.
	Gather time.Duration
}

// Hub holds the live streams of a node.
//
// Locks are taken in this order, and no I/O, log line or call-out happens under
// one, except that a Subscription's mutex, which is the right to write on its
// descriptor, is held around one non-blocking write:
//
//	Hub.mu          the map of streams and their reference counts
//	Subscription.mu a player's cursor and descriptor
//	Stream.mu       a stream's log, publication and players
//	shard.mu        what a shard has been asked to do
//
// Hub.mu is never held together with a Subscription's.
type Hub struct {
	cfg    Config
	shards []*shard

	mu      sync.Mutex
	streams map[ID]*Stream // guarded by mu
}

// NewHub returns a Hub. Its players get nothing until Run runs.
func NewHub(cfg Config) *Hub {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Shards <= 0 {
		cfg.Shards = runtime.GOMAXPROCS(0)
	}
	h := &Hub{cfg: cfg, streams: map[ID]*Stream{}}
	for range cfg.Shards {
		h.shards = append(h.shards, newShard(cfg.Gather))
	}
	return h
}

// Run writes to the players until ctx ends, and returns nil then. It does not
// wait for a parked player: what still waits for one to become writable ends
// when its owner closes the connection.
func (h *Hub) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	for _, sh := range h.shards {
		wg.Go(func() { sh.run(ctx) })
	}
	wg.Wait()
	h.stopGaps()
	return nil
}

// stopGaps stops the timers of streams that wait for their publisher's return.
func (h *Hub) stopGaps() {
	for _, st := range h.all() {
		st.mu.Lock()
		st.stopGap()
		st.mu.Unlock()
	}
}

// all returns the streams there are now.
func (h *Hub) all() []*Stream {
	h.mu.Lock()
	defer h.mu.Unlock()
	sts := make([]*Stream, 0, len(h.streams))
	for _, st := range h.streams {
		sts = append(sts, st)
	}
	return sts
}

// acquire returns the stream of an id, made with those settings if there is none,
// and counts one more user of it. release counts it off.
func (h *Hub) acquire(id ID, s Settings) *Stream {
	h.mu.Lock()
	defer h.mu.Unlock()
	st := h.streams[id]
	if st == nil {
		st = newStream(h, id, s)
		h.streams[id] = st
	}
	st.refs++
	return st
}

// release forgets the stream when nobody uses it any more.
func (h *Hub) release(st *Stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if st.refs--; st.refs > 0 {
		return
	}
	delete(h.streams, st.id)
	st.mu.Lock()
	st.stopGap()
	st.mu.Unlock()
}

// calmest returns the index of the shard with the fewest players.
func (h *Hub) calmest() int {
	best := 0
	for i, sh := range h.shards {
		if sh.players.Load() < h.shards[best].players.Load() {
			best = i
		}
	}
	return best
}

// Settle changes the settings of the streams of a vhost while they run.
func (h *Hub) Settle(vhost string, s Settings) {
	for _, st := range h.all() {
		if st.id.Vhost == vhost {
			st.settle(s)
		}
	}
}

// Live reports whether somebody publishes the stream.
func (h *Hub) Live(id ID) bool {
	h.mu.Lock()
	st := h.streams[id]
	h.mu.Unlock()
	if st == nil {
		return false
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.pub != nil
}

// Enhanced returns the FourCCs of a stream's default tracks that come to a player in
// Enhanced RTMP's heads when it takes them in a form: it has to know them. It is empty
// while nothing is known.
func (h *Hub) Enhanced(id ID, f media.Form) []uint32 {
	h.mu.Lock()
	st := h.streams[id]
	h.mu.Unlock()
	if st == nil {
		return nil
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	var codecs []uint32
	for _, kind := range []media.Kind{media.Video, media.Audio} {
		if p, ok := f.Apply(st.log.describe(kind)); ok && p.Enhanced() != 0 {
			codecs = append(codecs, p.Enhanced())
		}
	}
	return codecs
}

// Streams returns what is known of each stream that has a publisher or players,
// ordered by id.
func (h *Hub) Streams() []Info {
	infos := make([]Info, 0, 16)
	for _, st := range h.all() {
		infos = append(infos, st.info())
	}
	slices.SortFunc(infos, func(a, b Info) int { return a.ID.compare(b.ID) })
	return infos
}

// Info is what is known of a stream. It is a copy.
type Info struct {
	ID      ID
	Live    bool      // somebody publishes it
	Since   time.Time // when the present publication started; zero while not live
	Session string    // PublishOptions.Session of the present publication
	Players int       // attached players, waiting ones too
	// BytesIn counts payload bytes of all publications, BytesOut bytes written to
	// players, both since the stream was made.
	BytesIn, BytesOut uint64
	// Messages counts messages appended to the log, Dropped those that players
	// skipped because they were behind.
	Messages, Dropped uint64
	// Jumps counts discontinuities in publishers' timestamps that were evened out.
	Jumps uint64
	// Time is where the stream's own timeline is.
	Time time.Duration
	// LogBytes and LogMessages say what is kept for new players.
	LogBytes, LogMessages int
	// VideoConfig and AudioConfig are the present decoder configurations of the
	// default tracks, or, where a codec has none, the newest packet of that kind.
	// Payload is nil where there is neither.
	VideoConfig, AudioConfig media.Packet
	// Metadata is the newest onMetaData; Payload is nil where there is none.
	Metadata media.Packet
}
