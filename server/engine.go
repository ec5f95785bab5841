package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"sync"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/httpflv"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/internal/session"
	"github.com/penstock-media/penstock/server/internal/stream"
)

// ErrNotFound is what a verb returns that names something that is not there.
var ErrNotFound = errors.New("server: not found")

// KeySource finds stream keys. The engine asks it on every publish and remembers
// the last answer for when it cannot be asked.
type KeySource interface {
	// Key returns the key with this hash, config.ErrNoKey when there is none, and
	// any other error when it cannot be looked up now.
	Key(ctx context.Context, hash config.KeyHash) (config.StreamKey, error)
}

// Config configures an Engine.
type Config struct {
	// Logger takes the engine's log. Nil is silence.
	Logger *slog.Logger
	// RTMP are the TCP addresses to accept RTMP on, such as ":1935".
	RTMP []string
	// RTMPS are the TCP addresses to accept RTMP over TLS on, such as ":443". They
	// need TLS.
	RTMPS []string
	// TLS is what those who come by RTMPS are met with. Older versions than TLS 1.2 are
	// not spoken, whatever it says.
	TLS *tls.Config
	// ProxyProtocolFrom are the addresses that have to begin every connection, on RTMP
	// and RTMPS, with a PROXY protocol header (version 1 or 2) that says whose it is.
	// Nobody else's is believed. None: nobody is a proxy.
	ProxyProtocolFrom []netip.Prefix
	// Keys finds stream keys. Nil knows none.
	Keys KeySource
	// Node names this engine to others. Empty is the host's name.
	Node string
	// Version is what RTMP clients of a vhost with the profile srs2 are told. Empty:
	// nothing.
	Version string
	// ReconnectURL is where Drain asks RTMP peers to reconnect to, whole or relative to
	// what they connected to. Empty: to the same address, where somebody else has to
	// be listening by then.
	ReconnectURL string
	// Limits bound what peers may cost. The zero Limits are the defaults; sessions are
	// never more than the process has descriptors for, less Limits.ReservedDescriptors.
	Limits config.Limits
	// Shards is how many goroutines write to players. Zero is one a CPU.
	Shards int
}

// Engine accepts publishers and players and moves media between them. Make one
// with New, give it its configuration with Apply, bind its addresses with Listen
// and let it live with Run. All methods may be called from any goroutine.
type Engine struct {
	cfg    Config
	log    *slog.Logger
	keys   *keyCache
	roster *roster.Roster
	hub    *stream.Hub
	board  *board
	rtmp   *session.Server
	flv    http.Handler

	applying sync.Mutex       // one Apply at a time
	applied  *config.Snapshot // guarded by applying
	serving  sync.WaitGroup   // one a connection that was accepted

	mu sync.Mutex
	// guarded by mu
	listeners []door
	started   bool

	// sessions is the context all sessions live in. It is a field because players
	// over HTTP arrive on a server that is not the engine's.
	sessions    context.Context //nolint:containedctx // the lifetime of what the engine owns
	endSessions context.CancelCauseFunc
}

// New returns an Engine that does nothing yet.
func New(cfg Config) (*Engine, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Node == "" {
		name, err := os.Hostname()
		if err != nil {
			return nil, fmt.Errorf("server: name the node: %w", err)
		}
		cfg.Node = name
	}
	for _, addr := range slices.Concat(cfg.RTMP, cfg.RTMPS) {
		if _, _, err := net.SplitHostPort(addr); err != nil {
			return nil, fmt.Errorf("server: RTMP address %q: %w", addr, err)
		}
	}
	if len(cfg.RTMPS) > 0 && cfg.TLS == nil {
		return nil, errors.New("server: RTMPS needs a TLS configuration")
	}
	if cfg.TLS != nil {
		cfg.TLS = cfg.TLS.Clone()
		cfg.TLS.MinVersion = max(cfg.TLS.MinVersion, tls.VersionTLS12)
	}
	if problems := cfg.Limits.Problems(); len(problems) > 0 {
		return nil, fmt.Errorf("server: limits: %w", problems)
	}
	cfg.Limits = cfg.Limits.WithDefaults()
	cfg.Limits.MaxSessions = affordable(cfg.Limits, maxDescriptors())
	e := &Engine{cfg: cfg, log: cfg.Logger, board: newBoard()}
	e.sessions, e.endSessions = context.WithCancelCause(context.Background())
	e.keys = newKeyCache(cfg.Keys)
	e.roster = roster.New(roster.Config{Logger: cfg.Logger, Keys: e.keys, Limits: cfg.Limits})
	e.hub = stream.NewHub(stream.Config{Logger: cfg.Logger, Shards: cfg.Shards})
	e.rtmp = session.New(session.Config{
		Logger: cfg.Logger, Hub: e.hub, Roster: e.roster, Monitor: e.board.monitor,
		Version: cfg.Version, ReconnectURL: cfg.ReconnectURL, Limits: cfg.Limits,
	})
	e.flv = httpflv.New(httpflv.Config{
		Logger: cfg.Logger, Hub: e.hub, Roster: e.roster, Context: e.sessions, Limits: cfg.Limits,
	})
	return e, nil
}

// Node returns the name of this engine among others.
func (e *Engine) Node() string { return e.cfg.Node }

// Run lets the engine live until ctx ends, and returns when every session has
// ended and every goroutine of the engine with it. It binds the addresses if
// Listen has not. It returns an error when it could not start or a listener
// failed; the end of ctx is none.
func (e *Engine) Run(ctx context.Context) error {
	e.mu.Lock()
	if e.started {
		e.mu.Unlock()
		return errors.New("server: the engine has been run already")
	}
	e.started = true
	e.mu.Unlock()
	if err := e.Listen(); err != nil { //nolint:contextcheck // binding does not wait
		return err
	}

	// The hub and the sampler outlive the sessions, which still use them while
	// they say goodbye.
	inner, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var rooms sync.WaitGroup
	hubErr := make(chan error, 1)
	rooms.Go(func() { hubErr <- e.hub.Run(inner) })
	rooms.Go(func() { e.sample(inner) })

	accepting, stopAccepting := context.WithCancel(ctx)
	defer stopAccepting()
	var doors sync.WaitGroup
	doorErr := make(chan error, len(e.bound()))
	for _, ln := range e.bound() {
		doors.Go(func() {
			if err := e.accept(ln); err != nil {
				doorErr <- err
				stopAccepting()
			}
		})
	}

	<-accepting.Done()
	e.closeListeners()
	doors.Wait()
	end := roster.Ending{Reason: config.ReasonShutdown, Detail: "The server is shutting down."}
	e.roster.Close(end)
	e.endSessions(&end)
	e.serving.Wait()
	e.roster.Wait() // those who came over HTTP
	stop()
	rooms.Wait()
	close(doorErr)
	errs := []error{<-hubErr}
	for err := range doorErr {
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// PlayHandler serves players over HTTP: GET /{app…}/{name}.flv is HTTP-FLV, and
// WebSocket-FLV when the request asks for an upgrade. The host, or ?vhost=,
// chooses the vhost and ?token= carries a token.
func (e *Engine) PlayHandler() http.Handler { return e.flv }
