package rtmp

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/handshake"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// DialConfig is how a client connects. A zero field means the default named at
// it.
type DialConfig struct {
	// Logger gets what the server does oddly, at debug level. Default: nothing
	// is logged.
	Logger *slog.Logger
	// DialContext opens the TCP connection. Default: a net.Dialer.
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)
	// TLS is for rtmps. Default: the system's roots, the URL's host name.
	TLS *tls.Config
	// Handshake is which of the two is made. Default: the simple one.
	Handshake Handshake
	// Timeout is for each step: TCP and TLS, handshake, connect, publish or play.
	// Default 10 s.
	Timeout time.Duration
	// WriteTimeout is how long one write may take. Default 10 s.
	WriteTimeout time.Duration
	// ReadTimeout is how long ReadMedia waits for the server's next byte, after
	// which its error is a timeout (IsTimeout). Default: for ever, which suits
	// publishers: many servers never say anything to them.
	ReadTimeout time.Duration
	// OnStatus is told, by whichever call reads it, each onStatus that does not end
	// what the client does: Play.Reset, Pause.Notify, Seek.Failed and so on. It must not
	// call the client. Default: nobody is.
	OnStatus func(Status)
	// ChunkSize is the outgoing chunk size after connect. Default 60000.
	ChunkSize int
	// MaxAudio, MaxVideo and MaxOther are the longest messages taken, in bytes:
	// 1 MiB, 8 MiB, 64 KiB by default.
	MaxAudio, MaxVideo, MaxOther int

	// Connect is what the client says of itself. App and TCURL, if empty, come
	// from the URL, SwfURL is TCURL, FlashVer is FMLE's, at which Adobe's servers ask
	// for a login. Object's properties are sent after these, or in the place of those
	// of the same name (but for app and tcUrl); Args after the object. CapsReconnect in CapsEx says that the
	// caller deals with a *ReconnectError.
	Connect Connect
	// Login is for servers that want a user and a password (Adobe's, Limelight's).
	// Default: user:password@ of the URL. It is used when the server asks, and only
	// in what is computed from it.
	Login Login
	// Redirects is how many times Dial lets itself be sent to another server.
	// Default 3; negative: never.
	Redirects int
}

// Handshake is which of RTMP's two handshakes a client makes.
type Handshake uint8

const (
	// HandshakeSimple makes the one without digest, which works everywhere.
	HandshakeSimple Handshake = iota
	// HandshakeDigest makes the one with digest, which some networks want of whoever
	// publishes to them. A server that answers without digest gets the rest of the
	// simple one, and one that hangs up gets it on a new connection.
	HandshakeDigest
	// HandshakeDigestOnly gives up where a server answers without digest.
	HandshakeDigestOnly
)

func (c DialConfig) withDefaults() DialConfig {
	if c.DialContext == nil {
		c.DialContext = new(net.Dialer).DialContext
	}
	if c.Timeout <= 0 {
		c.Timeout = 10 * time.Second
	}
	if c.ChunkSize <= 0 {
		c.ChunkSize = 60_000
	}
	if c.Redirects == 0 {
		c.Redirects = 3
	}
	if c.Connect.FlashVer == "" {
		c.Connect.FlashVer = "FMLE/3.0 (compatible; Penstock)"
	}
	return c
}

// Dial connects to an RTMP server, up to its answer to connect. The URL's stream
// name is what Publish and Play use if they are given none. A refusal is a
// *StatusError, one for want of the right user and password ErrLogin too, one that
// sends elsewhere once too often a *RedirectError.
func Dial(ctx context.Context, rawURL string, cfg DialConfig) (*Client, error) {
	addr, err := ParseAddress(rawURL)
	if err != nil {
		return nil, err
	}
	if cfg.Login == (Login{}) {
		cfg.Login = addr.Login
	}
	return dial(ctx, addr, cfg.withDefaults())
}

// dial connects, again where a server asks for a login, and elsewhere where it
// sends the client there.
func dial(ctx context.Context, addr Address, cfg DialConfig) (*Client, error) {
	auth := newAuth(cfg.Login)
	for hops := 0; ; {
		c, err := attempt(ctx, addr, cfg, auth)
		if err == nil {
			return c, nil
		}
		if cfg.Handshake == HandshakeDigest && errors.Is(err, ErrHandshake) && !IsTimeout(err) && ctx.Err() == nil {
			cfg.Handshake = HandshakeSimple // also for the connections that follow
			continue
		}
		to, ok := errors.AsType[*RedirectError](err)
		if !ok {
			if err := auth.again(err); err != nil {
				return nil, err
			}
			continue
		}
		if auth.args != "" {
			to.Status = *auth.tidy(&to.Status)
		}
		if hops++; hops > cfg.Redirects {
			return nil, fmt.Errorf("rtmp: connect: redirected more than %d times: %w", max(cfg.Redirects, 0), to)
		}
		addr, cfg, err = cfg.follow(addr, to.URL)
		if err != nil {
			return nil, fmt.Errorf("rtmp: connect: %w: %w", err, to)
		}
		auth = newAuth(cfg.Login)
	}
}

// attempt is one connection up to the answer to connect.
func attempt(ctx context.Context, addr Address, cfg DialConfig, auth *auth) (*Client, error) {
	nc, err := dialNet(ctx, addr, cfg)
	if err != nil {
		return nil, err
	}
	base := Config{
		Logger: cfg.Logger, HandshakeTimeout: cfg.Timeout, WriteTimeout: cfg.WriteTimeout,
		MaxAudio: cfg.MaxAudio, MaxVideo: cfg.MaxVideo, MaxOther: cfg.MaxOther,
	}.withDefaults()
	c := &Client{conn: newConn(nc, base), cfg: cfg, addr: addr, name: addr.Name, txn: 1}
	c.conn.unauth = -1
	err = c.step(ctx, func() error {
		if err := c.conn.clientHandshake(cfg.Handshake); err != nil {
			return fmt.Errorf("rtmp: %w: %w", ErrHandshake, c.unanswered(err))
		}
		c.conn.startChunks(chunk.Limits{
			Audio: base.MaxAudio, Video: base.MaxVideo, Other: base.MaxOther, Eager: bufferMedia,
		})
		return c.connect(auth)
	})
	if err != nil {
		_ = c.conn.Close()
		return nil, err
	}
	if auth.args != "" {
		c.login = auth.login
	}
	return c, nil
}

func dialNet(ctx context.Context, addr Address, cfg DialConfig) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, cfg.Timeout)
	defer cancel()
	nc, err := cfg.DialContext(ctx, "tcp", addr.Host)
	if err != nil {
		return nil, fmt.Errorf("rtmp: dial: %w", err)
	}
	if tcp, ok := nc.(*net.TCPConn); ok {
		_ = tcp.SetNoDelay(true)
	}
	if !addr.TLS {
		return nc, nil
	}
	conf := cfg.TLS.Clone()
	if conf == nil {
		conf = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	if conf.ServerName == "" {
		conf.ServerName, _, _ = net.SplitHostPort(addr.Host)
	}
	secure := tls.Client(nc, conf)
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = nc.Close()
		return nil, fmt.Errorf("rtmp: TLS: %w", err)
	}
	return secure, nil
}

// errNoDigest is what HandshakeDigestOnly fails with.
var errNoDigest = errors.New("the server answers without digest")

// clientHandshake sends C2 as soon as S1 is there: some servers send S2 only
// after it.
func (c *Conn) clientHandshake(which Handshake) error {
	digest := which != HandshakeSimple
	hello, err := handshake.Hello(uint32(time.Since(c.begun).Milliseconds()), rand.Reader, digest)
	if err != nil {
		return err
	}
	put := func(b []byte) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.write(b)
	}
	get := func(b []byte) error {
		n, err := io.ReadFull(c.nc, b)
		c.in.Add(uint64(n))
		return err
	}
	if err := put(hello); err != nil {
		return err
	}
	var b [1 + handshake.Size]byte
	if err := get(b[:1]); err != nil {
		return err
	}
	if err := handshake.CheckVersion(b[0]); err != nil {
		return err
	}
	if err := get(b[1:]); err != nil {
		return err
	}
	if which == HandshakeDigestOnly && !handshake.HasDigest(b[1:]) {
		return errNoDigest
	}
	c2, err := handshake.Reply(b[1:], rand.Reader, digest)
	if err != nil {
		return err
	}
	if err := put(c2); err != nil {
		return err
	}
	return get(b[1:]) // S2: whatever it is
}

// connect sends the connect command, with the login's arguments behind app and
// tcUrl, and waits for its answer.
func (c *Client) connect(auth *auth) error {
	says := c.cfg.Connect
	query := ""
	if c.addr.Query != "" {
		query = "?" + c.addr.Query
	}
	if says.App == "" {
		says.App = c.addr.App + query
	}
	if says.TCURL == "" {
		says.TCURL = c.addr.TCURL + query
	}
	if says.SwfURL == "" {
		says.SwfURL = says.TCURL
	}
	auth.app, c.tcURL = says.App, says.TCURL
	sent := says
	sent.App, sent.TCURL = withArgs(says.App, auth.args), withArgs(says.TCURL, auth.args)
	says.Object = says.command() // what is kept, and may be shown, is without the login's
	c.conn.connect = says
	txn := c.next()
	if err := c.conn.send(command(0, "connect", txn, sent.command(), says.Args...)); err != nil {
		return err
	}
	answer, err := c.result("connect", txn)
	if err != nil {
		return err
	}
	c.server = parseServerInfo(answer)
	c.server.log(c.cfg.Logger)
	return c.conn.send(
		number(message.TypeWindowAckSize, Welcome{}.window()),
		number(message.TypeSetChunkSize, uint32(min(c.cfg.ChunkSize, chunk.MaxLength))),
	)
}
