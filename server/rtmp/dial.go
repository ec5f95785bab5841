package rtmp

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"github.com/penstock-media/penstock/server/amf"
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
	// Digest sends a handshake with digest. The simple one, which is the
	// default, works everywhere.
	Digest bool
	// Timeout is for each step: TCP and TLS, handshake, connect, publish or play.
	// Default 10 s.
	Timeout time.Duration
	// WriteTimeout is how long one write may take. Default 10 s.
	WriteTimeout time.Duration
	// ChunkSize is the outgoing chunk size after connect. Default 60000.
	ChunkSize int
	// MaxAudio, MaxVideo and MaxOther are the longest messages taken, in bytes:
	// 1 MiB, 8 MiB, 64 KiB by default.
	MaxAudio, MaxVideo, MaxOther int

	// Connect is what the client says of itself. App and TCURL, if empty, come
	// from the URL, SwfURL is TCURL, FlashVer is FMLE's. Object's properties are
	// sent after these, Args after the object.
	Connect Connect
}

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
	if c.Connect.FlashVer == "" {
		c.Connect.FlashVer = "FMLE/3.0 (compatible; Penstock)"
	}
	return c
}

// Dial connects to an RTMP server, up to its answer to connect. The URL's stream
// name is what Publish and Play use if they are given none. A refusal is a
// *StatusError.
func Dial(ctx context.Context, rawURL string, cfg DialConfig) (*Client, error) {
	addr, err := ParseAddress(rawURL)
	if err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	nc, err := dialNet(ctx, addr, cfg)
	if err != nil {
		return nil, err
	}
	base := Config{
		Logger: cfg.Logger, HandshakeTimeout: cfg.Timeout, WriteTimeout: cfg.WriteTimeout,
		MaxAudio: cfg.MaxAudio, MaxVideo: cfg.MaxVideo, MaxOther: cfg.MaxOther,
	}
	c := &Client{conn: newConn(nc, base.withDefaults()), timeout: cfg.Timeout, name: addr.Name, txn: 1}
	c.conn.unauth = -1
	err = c.step(ctx, func() error {
		if err := c.conn.clientHandshake(cfg.Digest); err != nil {
			return fmt.Errorf("rtmp: %w: %w", ErrHandshake, err)
		}
		c.conn.startChunks(chunk.Limits{
			Audio: c.conn.cfg.MaxAudio, Video: c.conn.cfg.MaxVideo, Other: c.conn.cfg.MaxOther, Eager: bufferMedia,
		})
		return c.connect(addr, cfg)
	})
	if err != nil {
		_ = c.conn.Close()
		return nil, err
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

// clientHandshake sends C2 as soon as S1 is there: some servers send S2 only
// after it.
func (c *Conn) clientHandshake(digest bool) error {
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
	c2, err := handshake.Reply(b[1:], rand.Reader, digest)
	if err != nil {
		return err
	}
	if err := put(c2); err != nil {
		return err
	}
	return get(b[1:]) // S2: whatever it is
}

// connect sends the connect command and waits for its answer. Fields that only
// a player has are left out: some servers take a publisher that sends them for
// one. Old servers want this order of properties.
func (c *Client) connect(addr Address, cfg DialConfig) error {
	says := cfg.Connect
	query := ""
	if addr.Query != "" {
		query = "?" + addr.Query
	}
	if says.App == "" {
		says.App = addr.App + query
	}
	if says.TCURL == "" {
		says.TCURL = addr.TCURL + query
	}
	if says.SwfURL == "" {
		says.SwfURL = says.TCURL
	}
	says.Object = says.command()
	c.conn.connect = says
	if err := c.conn.send(command(0, "connect", c.next(), says.Object, says.Args...)); err != nil {
		return err
	}
	if _, err := c.result(1, "connect"); err != nil {
		return err
	}
	return c.conn.send(
		number(message.TypeWindowAckSize, window),
		number(message.TypeSetChunkSize, uint32(min(cfg.ChunkSize, chunk.MaxLength))),
	)
}

// command is c as the command object of connect.
func (c Connect) command() amf.Object {
	o := amf.Object{
		{Key: "app", Value: c.App},
		{Key: "type", Value: "nonprivate"},
		{Key: "flashVer", Value: c.FlashVer},
		{Key: "swfUrl", Value: c.SwfURL},
		{Key: "tcUrl", Value: c.TCURL},
	}
	add := func(key string, v amf.Value) { o = append(o, amf.Property{Key: key, Value: v}) }
	if c.PageURL != "" {
		add("pageUrl", c.PageURL)
	}
	if c.ObjectEncoding != 0 {
		add("objectEncoding", c.ObjectEncoding)
	}
	if len(c.FourCCList) > 0 {
		list := make(amf.StrictArray, 0, len(c.FourCCList))
		for _, s := range c.FourCCList {
			list = append(list, s)
		}
		add("fourCcList", list)
	}
	if len(c.VideoFourCC) > 0 {
		add("videoFourCcInfoMap", fourCCObject(c.VideoFourCC))
	}
	if len(c.AudioFourCC) > 0 {
		add("audioFourCcInfoMap", fourCCObject(c.AudioFourCC))
	}
	if c.CapsEx != 0 {
		add("capsEx", float64(c.CapsEx))
	}
	return append(o, c.Object...)
}
