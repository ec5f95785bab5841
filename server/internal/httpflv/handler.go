package httpflv

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/internal/stream"
)

// Config configures a Handler. Hub, Roster and Context are required.
type Config struct {
	// Logger takes the players' log. Nil is silence.
	Logger *slog.Logger
	Hub    *stream.Hub
	Roster *roster.Roster
	// Context is what players live in besides their request: its end ends them.
	Context context.Context //nolint:containedctx // the engine's lifetime, not a request's
	// Limits are those of players.
	Limits config.Limits
}

// Handler is the http.Handler of players.
type Handler struct {
	cfg      Config
	upgrader websocket.Upgrader
}

// New returns a Handler.
func New(cfg Config) *Handler {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	cfg.Limits = cfg.Limits.WithDefaults()
	return &Handler{cfg: cfg, upgrader: websocket.Upgrader{
		HandshakeTimeout: writeTimeout,
		ReadBufferSize:   512, WriteBufferSize: 512,
		// Who may play from which page is decided by the vhost's referer rules.
		CheckOrigin: func(*http.Request) bool { return true },
		Error: func(w http.ResponseWriter, _ *http.Request, status int, reason error) {
			http.Error(w, reason.Error(), status)
		},
	}}
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("Access-Control-Allow-Origin", "*")
	head.Set("Cache-Control", "no-store")
	head.Set("X-Content-Type-Options", "nosniff")
	if most := h.cfg.Limits.HTTPURLBytes; len(r.RequestURI) > most {
		http.Error(w, fmt.Sprintf("The URL has %d bytes; %d are the most.", len(r.RequestURI), most), http.StatusRequestURITooLong)
		return
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
	case http.MethodOptions:
		head.Set("Access-Control-Allow-Methods", "GET, HEAD")
		head.Set("Access-Control-Allow-Headers", "Range")
		head.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
		return
	default:
		head.Set("Allow", "GET, HEAD, OPTIONS")
		http.Error(w, "Play with GET.", http.StatusMethodNotAllowed)
		return
	}
	app, name, ok := split(r.URL)
	if !ok {
		http.Error(w, "Play a stream as /app/name.flv.", http.StatusNotFound)
		return
	}
	h.play(w, r, app, name) //nolint:contextcheck // a player outlives its request: it lives in the engine
}

// split takes "/app/instance/name.flv" apart.
func split(u *url.URL) (app, name string, ok bool) {
	path, ok := strings.CutSuffix(strings.TrimPrefix(u.Path, "/"), ".flv")
	i := strings.LastIndexByte(path, '/')
	if !ok || i <= 0 || i == len(path)-1 {
		return "", "", false
	}
	return path[:i], path[i+1:], true
}

// play lives one player from request to close.
func (h *Handler) play(w http.ResponseWriter, r *http.Request, app, name string) {
	protocol := roster.HTTPFLV
	if websocket.IsWebSocketUpgrade(r) {
		protocol = roster.WSFLV
	}
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	entry, ctx, err := h.cfg.Roster.Enter(h.cfg.Context, protocol, peer)
	if err != nil {
		w.Header().Set("Retry-After", "5")
		http.Error(w, roster.EndingFor(err).Detail, http.StatusServiceUnavailable)
		return
	}
	referer := r.Referer()
	if referer == "" {
		referer = r.Header.Get("Origin")
	}
	entry.Describe(func(s *roster.Session) { s.Agent, s.PageURL = clip(r.UserAgent()), pageOf(referer) })
	p := &player{
		h: h, entry: entry, protocol: protocol, can: abilities(r.URL.Query()),
		log: h.cfg.Logger.With(slog.String("session", entry.ID()), slog.String("peer", entry.Peer().String())),
	}
	p.watch(r)
	end := p.live(ctx, w, r, ask(r, app, name, referer, entry))
	p.unwatch()
	last := entry.Session()
	entry.Leave(end)
	p.log.Info("closed", "reason", string(end.Reason), "detail", end.Detail, "role", last.Role,
		"bytes_in", last.BytesIn, "bytes_out", last.BytesOut, "dropped", last.Dropped,
		"duration_ms", time.Since(last.StartedAt).Milliseconds())
}

// ask is what the request asks for, in the terms of access.
func ask(r *http.Request, app, name, referer string, entry *roster.Entry) access.Request {
	q := r.URL.Query()
	vhost := r.Host
	if v := first(q, "vhost", "domain"); v != "" {
		vhost = v
	}
	s := entry.Session()
	return access.Request{
		Action: access.Play, VhostHost: vhost, App: app, Name: name,
		Key:   config.Secret(first(q, "key", "secret")),
		Token: config.Secret(first(q, "token", "jwt")),
		Peer:  entry.Peer().Addr(), Referer: referer, Now: time.Now(), Protocol: s.Protocol,
	}
}

func first(q url.Values, names ...string) string {
	for _, n := range names {
		if v := q.Get(n); v != "" {
			return v
		}
	}
	return ""
}

// abilities is what a player says of itself with codecs=hvc1,av01: the FourCCs it
// knows, and "multitrack".
func abilities(q url.Values) roster.Abilities {
	var a roster.Abilities
	for codec := range strings.SplitSeq(q.Get("codecs"), ",") {
		switch codec {
		case "":
		case "multitrack":
			a.Multitrack = true
		default:
			a.Codecs = append(a.Codecs, codec)
		}
	}
	return a
}

// pageOf is a referer without its query, which may hold anything.
func pageOf(referer string) string {
	u, err := url.Parse(referer)
	if err != nil {
		return ""
	}
	u.RawQuery, u.Fragment, u.User = "", "", nil
	return clip(u.String())
}

// clip bounds what is remembered of what a peer says of itself.
func clip(s string) string {
	const longest = 256
	if len(s) > longest {
		return strings.ToValidUTF8(s[:longest], "") + "…"
	}
	return strings.ToValidUTF8(s, "")
}

// statusOf is how a refusal is said in HTTP.
func statusOf(reason config.Reason) int {
	switch reason {
	case config.ReasonRefusedGuessing:
		return http.StatusTooManyRequests
	case config.ReasonRefusedNotReady, config.ReasonShutdown, config.ReasonLimit:
		return http.StatusServiceUnavailable
	case config.ReasonStreamNotFound, config.ReasonStreamEnded:
		return http.StatusNotFound
	case config.ReasonCodec:
		return http.StatusNotAcceptable
	default:
		return http.StatusForbidden
	}
}

// say answers with the ending's status and sentence.
func say(w http.ResponseWriter, end roster.Ending) {
	status := statusOf(end.Reason)
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter.Seconds())))
	}
	w.Header().Set("X-Penstock-Reason", string(end.Reason))
	http.Error(w, end.Detail, status)
}
