package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
)

// handlers are the three rooms behind one HTTP address.
type handlers struct {
	play http.Handler // GET /{app…}/{name}.flv
	api  http.Handler // /api, /docs, health, metrics
	web  http.Handler // the dashboard

	maxURL int // bytes; play and api have their own answers to longer ones
}

// ServeHTTP implements http.Handler.
func (h handlers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; {
	case isAPI(path):
		h.api.ServeHTTP(w, r)
	case strings.HasSuffix(path, ".flv"):
		h.play.ServeHTTP(w, r)
	case len(r.RequestURI) > h.maxURL:
		http.Error(w, fmt.Sprintf("The URL has %d bytes; %d are the most.", len(r.RequestURI), h.maxURL), http.StatusRequestURITooLong)
	default:
		h.web.ServeHTTP(w, r)
	}
}

func isAPI(path string) bool {
	for _, root := range []string{"/api", "/docs", "/problems", "/healthz", "/readyz", "/metrics"} {
		if rest, ok := strings.CutPrefix(path, root); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

// httpSlack is what net/http allows in a head besides MaxHeaderBytes.
const httpSlack = 4096

// newHTTPServer makes the server for everything that is not RTMP. conf is for those
// who come by HTTPS, nil without. Players take the connection over (HTTP-FLV and
// WebSocket-FLV are hijacked, the feed is a websocket), so that the times for reading
// and writing bound everything else and no stream.
func newHTTPServer(handler http.Handler, conf *tls.Config, l config.Limits, log *slog.Logger) *http.Server {
	l = l.WithDefaults()
	if conf != nil {
		conf = conf.Clone()
		// Said here because both doors share a server: if the plain one is served first
		// and this is not said, net/http offers HTTP/2 and does not speak it.
		conf.NextProtos = []string{"h2", "http/1.1"}
	}
	return &http.Server{
		Handler:           handler,
		TLSConfig:         conf,
		ReadHeaderTimeout: l.HTTPHeaderTimeout,
		ReadTimeout:       l.HTTPReadTimeout,
		WriteTimeout:      l.HTTPWriteTimeout,
		IdleTimeout:       l.HTTPIdleTimeout,
		MaxHeaderBytes:    max(l.HTTPHeaderBytes-httpSlack, 1),
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// listen binds addresses of HTTP: all of them, or none.
func listen(ctx context.Context, engine *server.Engine, addrs []string) ([]net.Listener, error) {
	var bound []net.Listener
	for _, addr := range addrs {
		ln, err := engine.ListenTCP(ctx, addr)
		if err != nil {
			for _, ln := range bound {
				_ = ln.Close()
			}
			return nil, fmt.Errorf("listen for HTTP on %s: %w", addr, err)
		}
		bound = append(bound, ln)
	}
	return bound, nil
}

// serveTLS is how HTTPS is served: with the certificate of the server's configuration.
func serveTLS(server *http.Server) func(net.Listener) error {
	return func(ln net.Listener) error { return server.ServeTLS(ln, "", "") }
}

// serveHTTP serves until the server is shut down.
func serveHTTP(serve func(net.Listener) error, ln net.Listener) error {
	if err := serve(ln); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve HTTP on %s: %w", ln.Addr(), err)
	}
	return nil
}
