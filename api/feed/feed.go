// Package feed sends what changes on the server to dashboards, over websockets:
// a snapshot of each topic a client follows, then once a second what changed.
//
//	sources ──▶ Run: one goroutine owns every topic ──▶ client queue ──▶ writer ──▶ socket
//	  (1 s)      encodes each change once for all           │ full
//	                                                        └─▶ emptied; a fresh snapshot follows
package feed

import (
	"context"
	"errors"
	"hash/fnv"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// The limits of the feed.
const (
	maxSockets     = 8    // of one user
	maxAllSockets  = 2000 // of everybody
	maxTopics      = 32   // of one socket
	framesASecond  = 20
	queueLength    = 16 // messages a client may be behind before it gets a snapshot instead
	writePatience  = 10 * time.Second
	slowestBytes   = 32 << 10 // a second; a bigger message has longer
	pingEvery      = 20 * time.Second
	readPatience   = 60 * time.Second
	ringLength     = 64               // deltas kept for clients that come back
	topicKept      = 90 * time.Second // how long a topic nobody follows is kept up for them
	maxIdleTopics  = 200
	defaultTick    = time.Second
	defaultMessage = 16 << 10
	rightsEvery    = 500 * time.Millisecond // a user revoked on another node is seen in a second
	sourceDeadline = 2 * time.Second
)

// Item is one thing in a topic. Its Value is encoded as JSON and has the same id.
type Item struct {
	ID    string
	Value any
}

// Source gives the whole of a topic as an audience may see it: its items in
// order, and how many there would be if the source had not cut them. It is asked
// once a second while somebody of the audience follows the topic, and has to
// answer from memory or quickly.
type Source func(ctx context.Context, audience string) (items []Item, total int, err error)

// Viewer is who follows the feed.
type Viewer struct {
	ID string // whose sockets are counted together
	// Audience names those who may see the same and share what is sent. "" sees
	// all there is.
	Audience string
	IP       netip.Addr // the ticket is good from here only
	// Alive says whether the viewer may still look. It is asked twice a second,
	// and at once after Recheck. When it cannot be known it has to say yes.
	Alive func(ctx context.Context) bool
}

// Config configures a Feed.
type Config struct {
	// Topics are the topics there always are.
	Topics map[string]Source
	// Find gives the source of a topic that is named as "kind:id", and false when
	// there is none. Nil knows no such topics.
	Find func(ctx context.Context, topic string) (Source, bool)
	// Kinds are the names of such topics to tell clients: "stream:{id}".
	Kinds []string
	// MaxMessage is how long a client's message may be, in bytes. Zero is 16 KiB.
	MaxMessage int
	// Epoch tells this run of the server from others.
	Epoch string
	// CheckOrigin says whether a browser's request comes from our own pages.
	CheckOrigin func(*http.Request) bool
	// Logger takes the feed's log. Nil is silence.
	Logger *slog.Logger
	// Tick is the time between two looks at the sources. Zero is 1 s.
	Tick time.Duration
}

// Feed is the live feed. Its methods may be called from any goroutine.
type Feed struct {
	cfg      Config
	log      *slog.Logger
	upgrader websocket.Upgrader
	tickets  *tickets

	commands chan command
	recheck  chan struct{}
	stopped  chan struct{} // closed when Run has returned

	mu      sync.Mutex
	clients map[*client]struct{} // guarded by mu
	perUser map[string]int       // guarded by mu
	closing bool                 // guarded by mu
	sockets sync.WaitGroup
}

// command is something a client asks of Run.
type command struct {
	from  *client
	sub   Sub
	leave bool // the client is gone
}

// New returns a Feed that serves sockets once Run runs.
func New(cfg Config) *Feed {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Tick == 0 {
		cfg.Tick = defaultTick
	}
	if cfg.MaxMessage == 0 {
		cfg.MaxMessage = defaultMessage
	}
	return &Feed{
		cfg: cfg, log: cfg.Logger,
		upgrader: websocket.Upgrader{
			HandshakeTimeout: writePatience, CheckOrigin: cfg.CheckOrigin, EnableCompression: true,
		},
		tickets:  newTickets(),
		commands: make(chan command), recheck: make(chan struct{}, 1), stopped: make(chan struct{}),
		clients: map[*client]struct{}{}, perUser: map[string]int{},
	}
}

// Run serves the sockets until ctx ends. Then it tells the clients to come back,
// closes them, and returns when all their goroutines have ended.
func (f *Feed) Run(ctx context.Context) error {
	r := &run{feed: f, topics: map[topicKey]*topic{}}
	var rights sync.WaitGroup
	rights.Go(func() { f.watchRights(ctx) })
	defer rights.Wait()
	ticker := time.NewTicker(f.cfg.Tick)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			f.shut()
			close(f.stopped)
			f.sockets.Wait()
			return nil
		case c := <-f.commands:
			r.obey(ctx, c)
		case <-ticker.C:
			r.tick(ctx)
		}
	}
}

// Recheck makes the feed ask at once whether each viewer may still look.
func (f *Feed) Recheck() {
	select {
	case f.recheck <- struct{}{}:
	default: // it is going to
	}
}

// ErrUnknown is what a Source returns when the thing its topic is about does not
// exist, or not for that audience. That is the client's affair and no fault here.
var ErrUnknown = errors.New("feed: no such topic")

// Ticket makes a ticket that lets v open one socket within TicketLife.
func (f *Feed) Ticket(v Viewer) (string, error) { return f.tickets.issue(v, time.Now()) }

// The refusals of Redeem and Serve, before there is a socket.
var (
	// ErrTicket: no such ticket, or used, expired, or from another address.
	ErrTicket = errors.New("feed: the ticket is not valid")
	// ErrSockets: the viewer has as many sockets as one may have.
	ErrSockets = errors.New("feed: too many sockets")
	// ErrClosed: the server is stopping.
	ErrClosed = errors.New("feed: closed")
	// ErrOrigin: the request comes from a page of another origin.
	ErrOrigin = errors.New("feed: request from another site")
)

// Serve turns the request into a socket and serves it until it ends. ip is the
// address the request comes from. An error means that there is no socket and
// nothing has been answered; the ticket is used up except on ErrOrigin.
func (f *Feed) Serve(w http.ResponseWriter, r *http.Request, ticket string, ip netip.Addr) error {
	if !f.cfg.CheckOrigin(r) {
		return ErrOrigin
	}
	v, ok := f.tickets.redeem(ticket, ip, time.Now())
	if !ok || !v.Alive(r.Context()) {
		return ErrTicket
	}
	c := newClient(f, v)
	if err := f.enter(c); err != nil {
		return err
	}
	defer f.sockets.Done()
	conn, err := f.upgrader.Upgrade(w, r, nil)
	if err != nil {
		f.leave(c)
		f.log.Debug("feed: no websocket", "err", err)
		return nil // the upgrader has answered
	}
	c.serve(conn)
	f.leave(c)
	return nil
}

// enter counts a client in.
func (f *Feed) enter(c *client) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.closing:
		return ErrClosed
	case f.perUser[c.viewer.ID] >= maxSockets || len(f.clients) >= maxAllSockets:
		return ErrSockets
	}
	f.clients[c] = struct{}{}
	f.perUser[c.viewer.ID]++
	f.sockets.Add(1)
	return nil
}

// leave counts a client out and makes Run forget it.
func (f *Feed) leave(c *client) {
	f.mu.Lock()
	delete(f.clients, c)
	if f.perUser[c.viewer.ID]--; f.perUser[c.viewer.ID] <= 0 {
		delete(f.perUser, c.viewer.ID)
	}
	f.mu.Unlock()
	f.ask(command{from: c, leave: true})
}

// ask hands a command to Run, and says whether Run took it.
func (f *Feed) ask(c command) bool {
	select {
	case f.commands <- c:
		return true
	case <-f.stopped:
		return false
	}
}

// everybody returns the clients there are.
func (f *Feed) everybody() []*client {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make([]*client, 0, len(f.clients))
	for c := range f.clients {
		out = append(out, c)
	}
	return out
}

// watchRights closes the sockets of viewers who may not look any more. It has its
// own goroutine because asking can take as long as a database that hangs.
func (f *Feed) watchRights(ctx context.Context) {
	ticker := time.NewTicker(rightsEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.recheck:
		case <-ticker.C:
		}
		for _, c := range f.everybody() {
			if ctx.Err() == nil && !c.viewer.Alive(ctx) {
				c.close(websocket.ClosePolicyViolation, "signed out")
			}
		}
	}
}

// shut closes all sockets and lets no new ones in.
func (f *Feed) shut() {
	f.mu.Lock()
	f.closing = true
	f.mu.Unlock()
	for _, c := range f.everybody() {
		c.close(websocket.CloseServiceRestart, "reconnect")
	}
}

// epoch is the epoch an audience is told. Each has its own: who comes back with
// other rights begins with a snapshot, not with what others have seen.
func (f *Feed) epoch(audience string) string {
	if audience == "" {
		return f.cfg.Epoch
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(audience)) // never fails
	return f.cfg.Epoch + "." + strconv.FormatUint(h.Sum64(), 36)
}

// names are the topics to tell clients.
func (f *Feed) names() []string {
	names := slices.Clone(f.cfg.Kinds)
	for name := range f.cfg.Topics {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// find gives the source of a topic.
func (f *Feed) find(ctx context.Context, name string) (Source, bool) {
	if s, ok := f.cfg.Topics[name]; ok {
		return s, true
	}
	if f.cfg.Find == nil || !strings.Contains(name, ":") {
		return nil, false
	}
	return f.cfg.Find(ctx, name)
}
