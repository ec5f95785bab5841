package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/penstock-media/penstock/api/apply"
	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/web"
)

type serveCommand struct {
	RTMP              []string `default:":1935" placeholder:"ADDRESS" env:"PENSTOCK_RTMP" help:"Where to accept RTMP; may be given several times."`
	HTTP              []string `default:":8080" placeholder:"ADDRESS" env:"PENSTOCK_HTTP" help:"Where the dashboard, the API and HTTP-FLV are; may be given several times."`
	RTMPS             []string `name:"rtmps" placeholder:"ADDRESS" env:"PENSTOCK_RTMPS" help:"Where to accept RTMP over TLS, such as :443; may be given several times. Needs a certificate."`
	HTTPS             []string `name:"https" placeholder:"ADDRESS" env:"PENSTOCK_HTTPS" help:"Where the same as under --http is over TLS, such as :8443; may be given several times. Needs a certificate."`
	TLSCert           string   `name:"tls-cert" placeholder:"FILE" env:"PENSTOCK_TLS_CERT" help:"Certificate of --rtmps and --https, PEM with the chain. A renewed one is used without a restart."`
	TLSKey            string   `name:"tls-key" placeholder:"FILE" env:"PENSTOCK_TLS_KEY" help:"Key of the certificate, PEM."`
	ProxyProtocolFrom []string `placeholder:"CIDR" env:"PENSTOCK_PROXY_PROTOCOL_FROM" help:"Proxies in front of RTMP and RTMPS, which have to send a PROXY protocol header; may be given several times."`
	PublicURL         string   `placeholder:"URL" env:"PENSTOCK_PUBLIC_URL" help:"How people reach the dashboard, such as https://live.example.com. Default: as the request came."`
	PublicRTMP        string   `placeholder:"HOST:PORT" env:"PENSTOCK_PUBLIC_RTMP" help:"What encoders are told to connect to. Default: the request's host and the RTMP port."`
	PublicRTMPS       string   `name:"public-rtmps" placeholder:"HOST:PORT" env:"PENSTOCK_PUBLIC_RTMPS" help:"What encoders are told to connect to for RTMP over TLS. Default: the host of --public-rtmp or of the request, and the RTMPS port."`
	TrustedProxies    []string `placeholder:"CIDR" env:"PENSTOCK_TRUSTED_PROXIES" help:"Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed; may be given several times."`
	limitFlags        `embed:""`
	Node              string        `placeholder:"NAME" env:"PENSTOCK_NODE" help:"Name of this node. Default: the host's."`
	Drain             time.Duration `default:"10s" env:"PENSTOCK_DRAIN" help:"How long stopping waits for publishers and players."`
	ReconnectURL      string        `placeholder:"URL" env:"PENSTOCK_RECONNECT_URL" help:"Where RTMP peers that can reconnect are asked to go when this server stops. Default: where they are connected."`
}

// gateway is everything serve runs.
type gateway struct {
	log    *slog.Logger
	engine *server.Engine
	plane  *plane
	http   *http.Server
	web    []net.Listener
	secure []net.Listener // none without --https
}

// Run serves until the process is told to stop, and ends with everything closed
// in order: nobody new is let in, players and publishers are told, what is
// still there after the drain time is cut off, the database is closed. A second
// signal ends the process at once.
func (s serveCommand) Run(c *command) (err error) {
	log := c.logger()
	ctx, stop := signal.NotifyContext(c.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // from then on a signal does what it always did

	limits, err := s.limits(c)
	if err != nil {
		return err
	}
	db, err := c.openStore(ctx, store.Options{Logger: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()

	g, err := s.build(ctx, db, limits, log)
	if err != nil {
		return err
	}
	up := started{
		rtmp: g.engine.Addrs(), rtmps: g.engine.SecureAddrs(), http: addrsOf(g.web), https: addrsOf(g.secure),
		database: c.globals.databaseName(), public: s.dashboard(g),
	}
	if up.setup, err = g.plane.setupLink(ctx, up.public); err != nil {
		return errors.Join(err, g.unbind())
	}
	up.say(c, log)
	return g.run(ctx, s.Drain)
}

// build makes all parts and binds every port, so that a start that cannot work
// ends here.
func (s serveCommand) build(ctx context.Context, db *store.Store, limits config.Limits, log *slog.Logger) (_ *gateway, err error) {
	cert, err := s.certificate(log)
	if err != nil {
		return nil, err
	}
	balancers, err := prefixes(s.ProxyProtocolFrom)
	if err != nil {
		return nil, fmt.Errorf("--proxy-protocol-from: %w", err)
	}
	node := s.Node
	if node == "" {
		node, _ = os.Hostname()
	}
	if len(s.HTTP)+len(s.HTTPS) == 0 {
		return nil, &advice{err: errors.New("nowhere to serve the dashboard and the API"), what: "Give an address to --http or --https."}
	}
	limits = shareDescriptors(limits)
	keys := apply.NewKeys(db)
	engine, err := server.New(server.Config{
		Logger: log, RTMP: s.RTMP, RTMPS: s.RTMPS, TLS: cert, ProxyProtocolFrom: balancers, Keys: keys, Node: node, Limits: limits,
		Version: version, ReconnectURL: s.ReconnectURL,
	})
	if err != nil {
		return nil, err
	}
	if err := engine.Listen(); err != nil { //nolint:contextcheck // binding does not wait
		return nil, err
	}
	g := &gateway{log: log, engine: engine}
	defer func() {
		if err != nil {
			err = errors.Join(err, g.unbind())
		}
	}()
	if g.web, err = listen(ctx, engine, s.HTTP); err != nil {
		return nil, err
	}
	if g.secure, err = listen(ctx, engine, s.HTTPS); err != nil {
		return nil, err
	}
	if g.plane, err = newPlane(ctx, s, planeParts{
		store: db, keys: keys, engine: engine, limits: limits, log: log, node: node, http: addrsOf(g.web), https: addrsOf(g.secure),
	}); err != nil {
		return nil, err
	}
	play, err := behindProxies(g.plane.proxies, engine.PlayHandler())
	if err != nil {
		return nil, err
	}
	g.http = newHTTPServer(handlers{play: play, api: g.plane.api, web: web.Handler(), maxURL: limits.HTTPURLBytes}, cert, limits, log)
	g.http.ConnState = newDoorkeeper(limits, g.plane.proxies, log).state
	return g, nil
}

// unbind frees the ports of HTTP.
func (g *gateway) unbind() error {
	var errs []error
	for _, ln := range slices.Concat(g.web, g.secure) {
		errs = append(errs, ln.Close())
	}
	return errors.Join(errs...)
}

// run runs the rooms of the gateway until ctx ends or one of them fails.
func (g *gateway) run(ctx context.Context, drain time.Duration) error {
	// The rooms outlive the signal: they are told in order.
	living, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	rooms, failed := errgroup.WithContext(living)
	rooms.Go(func() error { return g.engine.Run(living) })
	for _, ln := range g.web {
		rooms.Go(func() error { return serveHTTP(g.http.Serve, ln) })
	}
	for _, ln := range g.secure {
		rooms.Go(func() error { return serveHTTP(serveTLS(g.http), ln) })
	}
	for _, room := range g.plane.rooms {
		rooms.Go(func() error { return room(living) })
	}
	select {
	case <-ctx.Done():
		g.log.Info("stopping")
	case <-failed.Done():
		g.log.Error("a part has failed: stopping")
	}
	g.leave(living, drain)
	end()
	err := rooms.Wait()
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	g.log.Info("stopped")
	return err
}

// leave empties the house within a bounded time.
func (g *gateway) leave(ctx context.Context, drain time.Duration) {
	g.plane.api.Drain()
	bounded, cancel := context.WithTimeout(ctx, drain)
	defer cancel()
	if err := g.engine.Drain(bounded); err != nil {
		g.log.Warn("some sessions had to be cut off", "err", err)
	}
	if err := g.http.Shutdown(bounded); err != nil {
		_ = g.http.Close()
	}
}

// dashboard is the address of the dashboard for somebody on this machine, or the
// public one where it is known.
func (s serveCommand) dashboard(g *gateway) string {
	switch {
	case s.PublicURL != "":
		return s.PublicURL
	case len(g.web) == 0:
		return "https://" + reachable(g.secure[0].Addr())
	}
	return "http://" + reachable(g.web[0].Addr())
}
