// Package api is the control plane: it serves the REST API, the live feed, the
// documentation, health and metrics, and turns what is asked into changes of the
// store and verbs of the engine.
package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"golang.org/x/sync/errgroup"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/feed"
	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

// Config configures an API. Store, Engine, Auth and Applied are needed.
type Config struct {
	Store   *store.Store
	Engine  Engine
	Auth    *auth.Auth
	Applied Applied
	// Backlog tells what waits for the database. Nil: nothing does.
	Backlog Backlog
	// Logger takes the log. Nil is silence.
	Logger *slog.Logger
	// Version and Node are shown to people.
	Version, Node string
	// PublicURL is where browsers find this server, "https://live.example.com".
	// Empty: where each request came to.
	PublicURL string
	// PublicRTMP is where encoders find it, "live.example.com:1935". Empty: the
	// host of the request and the engine's first port.
	PublicRTMP string
	// PublicRTMPS is where they find it under TLS, "live.example.com:443". Empty: the
	// host of PublicRTMP or of the request, and the engine's first port for RTMPS.
	PublicRTMPS string
	// HTTPAddrs and HTTPSAddrs are what the API itself is served on, for people to see.
	HTTPAddrs, HTTPSAddrs []net.Addr
	// TrustedProxies are the ranges whose X-Forwarded-For, -Proto and -Host are
	// believed. None: nobody's.
	TrustedProxies []netip.Prefix
	// Limits bound requests. The zero Limits are the defaults.
	Limits config.Limits
}

// API is an http.Handler for /api, /docs, /healthz, /readyz and /metrics. What it
// shows over time it gathers while Run runs.
type API struct {
	store   *store.Store
	engine  Engine
	auth    *auth.Auth
	applied Applied
	backlog Backlog
	log     *slog.Logger
	version string
	node    string
	limits  config.Limits
	epoch   string
	started time.Time

	publicURL   *url.URL // nil: where the request came to
	publicRTMP  string
	publicRTMPS string
	httpAddrs   []net.Addr
	httpsAddrs  []net.Addr
	identifier  *identifier
	crossOrigin *http.CrossOriginProtection
	logins      *limiter
	directory   *directory
	sampler     *sampler
	feed        *feed.Feed
	draining    atomic.Bool

	huma    huma.API
	handler http.Handler
}

// New returns an API.
func New(cfg Config) (*API, error) {
	if cfg.Store == nil || cfg.Engine == nil || cfg.Auth == nil || cfg.Applied == nil {
		return nil, errors.New("api: store, engine, auth and applied are needed")
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	a := &API{
		store: cfg.Store, engine: cfg.Engine, auth: cfg.Auth, applied: cfg.Applied, backlog: cfg.Backlog,
		log: cfg.Logger, version: cfg.Version, node: cfg.Node, limits: cfg.Limits.WithDefaults(), publicRTMP: cfg.PublicRTMP,
		publicRTMPS: cfg.PublicRTMPS, httpAddrs: cfg.HTTPAddrs, httpsAddrs: cfg.HTTPSAddrs,
		started: time.Now().UTC(), crossOrigin: http.NewCrossOriginProtection(), logins: newLimiter(),
		directory: newDirectory(cfg.Store),
	}
	var err error
	if a.epoch, err = store.NewID("ep"); err != nil {
		return nil, fmt.Errorf("api: %w", err)
	}
	if a.identifier, err = newIdentifier(cfg.TrustedProxies); err != nil {
		return nil, fmt.Errorf("api: trusted proxies: %w", err)
	}
	if cfg.PublicURL != "" {
		if a.publicURL, err = url.Parse(cfg.PublicURL); err != nil || a.publicURL.Host == "" {
			return nil, fmt.Errorf("api: public URL %q: give it as https://live.example.com", cfg.PublicURL)
		}
		if err = a.crossOrigin.AddTrustedOrigin(a.publicURL.Scheme + "://" + a.publicURL.Host); err != nil {
			return nil, fmt.Errorf("api: public URL: %w", err)
		}
	}
	a.sampler = newSampler(a)
	a.feed = a.newFeed()
	a.mount()
	return a, nil
}

// ServeHTTP implements http.Handler.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }

// Run gathers figures and serves the live feed until ctx ends.
func (a *API) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return a.feed.Run(ctx) })
	g.Go(func() error { return a.sampler.run(ctx) })
	return g.Wait()
}

// Changed makes the API look again at what it remembers of the configuration.
// The apply loop calls it with each change. It does not wait.
func (a *API) Changed() {
	a.directory.forget()
	a.auth.Forget()
	a.feed.Recheck()
}

// Drain makes /readyz answer 503, so that no new work is sent here.
func (a *API) Drain() { a.draining.Store(true) }

// mount builds the handler.
func (a *API) mount() {
	root := chi.NewMux()
	root.Use(a.outermost, middleware.GetHead)
	root.NotFound(a.notFound)
	root.MethodNotAllowed(a.methodNotAllowed)
	a.operations(root)
	root.Get("/api/v1/feed", a.serveFeed)
	a.mountDocs(root)
	a.mountHealth(root)
	a.handler = root
}

// operations registers every operation, and with it makes the OpenAPI document.
func (a *API) operations(root chi.Router) {
	a.huma = humachi.New(root, a.config())
	a.huma.UseMiddleware(a.guard, a.idempotent)
	a.registerSetup()
	a.registerAuth()
	a.registerVhosts()
	a.registerStreams()
	a.registerKeys()
	a.registerTokens()
	a.registerRefererRules()
	a.registerIPRules()
	a.registerAccess()
	a.registerSessions()
	a.registerUsers()
	a.registerAPIKeys()
	a.registerAudit()
	a.registerSystem()
	a.registerFeed()
	schemas := a.huma.OpenAPI().Components.Schemas
	describeFeed(schemas)
	tidySchemas(schemas.Map())
}
