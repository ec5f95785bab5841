package session

import (
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/internal/stream"
	"github.com/penstock-media/penstock/server/rtmp"
)

// describe writes down what the peer's connect says of it.
func (c *session) describe() {
	hello := c.conn.Connect()
	_, port := place(hello.TCURL)
	c.entry.Describe(func(s *roster.Session) {
		s.Agent, s.PageURL = printable(hello.FlashVer), printable(withoutSecrets(hello.PageURL))
		s.TCURL, s.SwfURL = printable(withoutSecrets(hello.TCURL)), printable(withoutSecrets(hello.SwfURL))
		s.Port, s.Edge = port, edge(hello.Args)
		if hello.ObjectEncoding == 3 {
			s.ObjectEncoding = 3
		}
	})
}

// welcome answers connect, by the habits of the vhost that tcUrl and app name. A vhost
// that the stream's name names later decides who may do what, but what was said here has
// been said. So all but a ban is decided when the peer has said what it wants, except on
// a vhost with the profile srs2.
func (c *session) welcome(ctx context.Context) error {
	if d, banned := c.srv.cfg.Roster.Banned(ctx, c.entry); banned {
		return c.sendAway(d)
	}
	hello := c.conn.Connect()
	w := rtmp.Welcome{Identity: rtmp.Identity{Server: serverName, Connection: c.entry.ID()}}
	c.profile = config.ProfileModern
	v := c.host(hello)
	if v != nil {
		c.profile, w.ChunkSize = v.Media.Profile, v.Media.ChunkSize
	}
	c.connected(hello, v)
	switch c.profile {
	case config.ProfileSRS2:
		if d := c.greet(ctx, hello); !d.Allow {
			return c.sendAway(d)
		}
		w.Profile, w.Identity = rtmp.ProfileSRS2, c.identity()
	case config.ProfileNginx:
		w.Profile = rtmp.ProfileNginx
	case config.ProfileModern:
	}
	if v != nil && v.BandwidthCheck.Enabled {
		return c.measure(ctx, hello, v, w)
	}
	if err := c.conn.AcceptConnectAs(w); err != nil {
		return err
	}
	c.movable(hello)
	return nil
}

// movable lets a peer that can reconnect be asked to.
func (c *session) movable(hello rtmp.Connect) {
	if hello.CapsEx&rtmp.CapsReconnect == 0 {
		return
	}
	// Once for the connection, however much is done on it.
	c.entry.Movable(sync.OnceValue(func() bool {
		return c.conn.RequestReconnect(c.srv.cfg.ReconnectURL, "The server is shutting down.") == nil
	}))
}

// host is the vhost that a connect names: nil if it names none, or there is no
// configuration yet.
func (c *session) host(hello rtmp.Connect) *config.Vhost {
	snap := c.srv.cfg.Roster.Snapshot()
	t, err := rtmp.ParseTarget(hello.TCURL, hello.App, "any")
	if snap == nil || err != nil {
		return nil
	}
	return snap.Vhost(t.Vhost)
}

// connected writes the line that says what a peer asked for. Of edges of SRS, which
// name themselves, it writes another, by which a viewer there can be found here.
func (c *session) connected(hello rtmp.Connect, v *config.Vhost) {
	s := c.entry.Session()
	schema, _, _ := strings.Cut(s.TCURL, "://")
	vhost := ""
	if v != nil {
		vhost = v.Name
	}
	asked := ""
	if t, err := rtmp.ParseTarget(hello.TCURL, hello.App, "any"); err == nil {
		asked = t.Vhost
	}
	c.log.Info("connected", slog.String("tc_url", s.TCURL), slog.String("page_url", s.PageURL), slog.String("swf_url", s.SwfURL),
		slog.String("schema", schema), slog.String("host", printable(roster.WithoutKeys(asked))), slog.String("vhost", vhost), slog.Int("port", s.Port),
		slog.String("app", printable(withoutSecrets(hello.App))), slog.Bool("args", len(hello.Args) > 0))
	if s.Edge != "" {
		c.log.Info("edge", slog.String("edge", s.Edge))
	}
}

// greet decides, as SRS does at connect, by the form of tcUrl, by the vhost, and by the
// page. Its codes are in what the peer and the operator are told.
func (c *session) greet(ctx context.Context, hello rtmp.Connect) access.Decision {
	const badURL, badVhost, badPage = 2006, 2014, 2015
	code := func(d access.Decision, n int) access.Decision {
		d.Detail += fmt.Sprintf(" (code %d)", n)
		return d
	}
	t, err := rtmp.ParseTarget(hello.TCURL, hello.App, "any")
	if host, _ := place(hello.TCURL); host == "" || err != nil || strings.Trim(withoutQuery(hello.App), " /") == "" {
		detail := "the tcUrl is missing, or has no scheme, host or app"
		return code(access.Decision{Reason: config.ReasonRefusedName, Detail: detail, Checks: []access.Check{
			{Name: "name", Result: access.Fail, Detail: detail},
		}}, badURL)
	}
	d := access.Greet(ctx, c.srv.cfg.Roster.Snapshot(), access.Request{
		VhostHost: t.Vhost, App: t.App, Protocol: c.entry.Protocol(), Peer: c.entry.Peer().Addr(), Referer: hello.PageURL,
	})
	switch d.Reason {
	case config.ReasonRefusedVhost:
		return code(d, badVhost)
	case config.ReasonRefusedReferer:
		return code(d, badPage)
	default:
		return d
	}
}

// sendAway refuses a connect.
func (c *session) sendAway(d access.Decision) error {
	app := withoutSecrets(c.conn.Connect().App)
	c.srv.cfg.Roster.Refuse(c.entry, access.Request{App: app, Protocol: c.entry.Protocol()}, d)
	_ = c.conn.RejectConnect(&rtmp.StatusError{
		Level: rtmp.LevelError, Code: rtmp.CodeConnectRejected, Description: d.Detail,
	})
	return &roster.Ending{Reason: d.Reason, Detail: d.Detail}
}

// identity is what SRS tells of itself, and its tools trace a client by. On a modern
// vhost peers are told no more than the product and their session.
func (c *session) identity() rtmp.Identity {
	id := rtmp.Identity{Server: serverName, Version: c.srv.cfg.Version, PID: os.Getpid(), Connection: c.entry.ID()}
	if host, _, err := net.SplitHostPort(c.nc.LocalAddr().String()); err == nil {
		id.Address = host
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(id.Connection)) // never fails
	id.Number = int(h.Sum32() >> 1)
	return id
}

// chunkStreams are those a player gets media on.
func (c *session) chunkStreams() stream.ChunkStreams {
	if c.profile == config.ProfileNginx {
		return stream.ChunkStreams{Audio: 6, Video: 7, Data: 5}
	}
	return stream.DefaultChunkStreams()
}

// place is the host and the port of a tcUrl; none if it is none.
func place(tcURL string) (host string, port int) {
	scheme, rest, ok := strings.Cut(strings.Trim(tcURL, ` '"`), "://")
	if !ok || scheme == "" {
		return "", 0
	}
	rest = withoutQuery(rest)
	rest, _, _ = strings.Cut(rest, "/")
	u, err := url.Parse("rtmp://" + rest)
	if err != nil || u.Hostname() == "" {
		return "", 0
	}
	if port, err = strconv.Atoi(u.Port()); err == nil {
		return u.Hostname(), port
	}
	const usual, secure = 1935, 443
	if strings.EqualFold(scheme, "rtmps") {
		return u.Hostname(), secure
	}
	return u.Hostname(), usual
}

// edge is what an edge of SRS says of itself in the arguments of its connect.
func edge(args []amf.Value) string {
	if len(args) == 0 {
		return ""
	}
	ps, _ := amf.Properties(args[0])
	o := amf.Object(ps)
	text := func(key string) string {
		s, _ := amf.String(o.Get(key))
		return printable(s)
	}
	whole := func(key string) int {
		f, _ := amf.Number(o.Get(key))
		if !(f > 0 && f < 1<<31) {
			return 0
		}
		return int(f)
	}
	pid := whole("srs_pid")
	if pid == 0 {
		return ""
	}
	return fmt.Sprintf("%s, version %s, pid %d, id %d", text("srs_server_ip"), text("srs_version"), pid, whole("srs_id"))
}

// withoutSecrets is a URL or path without its query, user and password, and what may be
// a stream key.
func withoutSecrets(s string) string {
	s = withoutQuery(s)
	if scheme, rest, ok := strings.Cut(s, "://"); ok {
		host, path, _ := strings.Cut(rest, "/")
		if i := strings.LastIndexByte(host, '@'); i >= 0 {
			host = host[i+1:]
		}
		s = scheme + "://" + host
		if path != "" {
			s += "/" + path
		}
	}
	return roster.WithoutKeys(s)
}
