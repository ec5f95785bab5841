package session

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"runtime/debug"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/health"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/internal/stream"
)

// Times nobody sets.
const (
	silentPings     = 3           // ping intervals without a byte after which a player is gone
	pumpTimeout     = time.Minute // one write to a player that has a writer; the stream ends slow ones before
	finishStep      = 10 * time.Millisecond
	farewellTimeout = time.Second            // for saying why a session ends
	lingerFor       = 200 * time.Millisecond // for the peer to read it
)

// Config configures a Server. Hub, Roster and Monitor are required.
type Config struct {
	// Logger takes the sessions' log. Nil is silence.
	Logger *slog.Logger
	Hub    *stream.Hub
	Roster *roster.Roster
	// Monitor returns the health monitor of a stream.
	Monitor func(stream.ID) *health.Monitor
	// Version is what clients of a vhost with the profile srs2 are told. Empty: nothing.
	Version string
	// ReconnectURL is where peers are asked to reconnect to. Empty: where they are.
	ReconnectURL string
	// Limits are those of a connection.
	Limits config.Limits
}

// Server serves RTMP connections.
type Server struct {
	cfg   Config
	turns turns // at measuring bandwidth
}

// New returns a Server.
func New(cfg Config) *Server {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	cfg.Limits = cfg.Limits.WithDefaults()
	return &Server{cfg: cfg}
}

// Serve lives a connection from accept to close; a *tls.Conn has its TLS handshake
// still before it, which is the first thing then. It returns when the connection
// is closed, which is when the peer goes, ctx ends or the session is ended
// through the roster.
func (s *Server) Serve(ctx context.Context, nc net.Conn) {
	defer func() { _ = nc.Close() }()
	protocol := roster.RTMP
	if _, secure := nc.(*tls.Conn); secure {
		protocol = roster.RTMPS
	}
	entry, ctx, err := s.cfg.Roster.Enter(ctx, protocol, addrPort(nc.RemoteAddr()))
	if err != nil {
		s.cfg.Logger.Debug("connection not taken", "peer", nc.RemoteAddr(), "err", err)
		return
	}
	c := &session{
		srv: s, entry: entry, nc: newWire(nc),
		log: s.cfg.Logger.With(slog.String("session", entry.ID()), slog.String("peer", entry.Peer().String())),
	}
	c.verbose = c.log.Enabled(ctx, slog.LevelDebug)
	c.log.Info("accepted", "protocol", protocol)
	end := c.live(ctx)
	_ = c.nc.Close()
	c.closed(end)
}

// closed strikes the session off and writes its one last line.
func (c *session) closed(end roster.Ending) {
	last := c.entry.Session()
	c.entry.Leave(end)
	unread := int(c.nc.unread.Load())
	if c.conn != nil {
		unread += c.conn.Unread()
	}
	write := c.log.Info // what peers do every day, and what somebody wanted
	switch end.Reason {
	case config.ReasonInternal:
		write = c.log.Error
	case config.ReasonProtocol, config.ReasonTooLarge:
		write = c.log.Warn
	default: // not worth a warning
	}
	write("closed",
		"reason", string(end.Reason), "detail", end.Detail, "role", c.role,
		"bytes_in", last.BytesIn, "bytes_out", last.BytesOut, "dropped", last.Dropped, "unread", unread,
		"duration_ms", time.Since(last.StartedAt).Milliseconds())
}

// live runs the connection's life and says goodbye. A panic, which would be a
// defect of ours, ends this session and no other.
func (c *session) live(ctx context.Context) (end roster.Ending) {
	stop := context.AfterFunc(ctx, c.nc.interrupt)
	defer stop()
	defer func() {
		for _, a := range c.acts {
			c.end(a, end)
		}
	}()
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("session panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			end = roster.Ending{Reason: config.ReasonInternal, Detail: "The server made a mistake; its log has the details."}
		}
	}()
	c.entry.Measure(c.meter, nil)
	end = c.ending(ctx, c.doCycle(ctx))
	c.goodbye(end)
	return end
}

func addrPort(a net.Addr) netip.AddrPort {
	if t, ok := a.(*net.TCPAddr); ok {
		return t.AddrPort()
	}
	ap, _ := netip.ParseAddrPort(a.String())
	return ap
}
