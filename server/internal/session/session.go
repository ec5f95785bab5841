package session

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/internal/stream"
	"github.com/penstock-media/penstock/server/rtmp"
)

// session is one RTMP connection from accept to close. All fields but the last
// group belong to its goroutine.
type session struct {
	srv   *Server
	entry *roster.Entry
	log   *slog.Logger
	nc    *wire
	conn  *rtmp.Conn
	acts  []*activity // what it does now, in the order of their beginning

	profile config.Profile // of the vhost that connect named
	role    string         // what it did last
	verbose bool           // somebody reads what the log says at debug level

	socket *stream.Socket   // since it plays
	can    roster.Abilities // what the peer says that it can play

	voice sync.Mutex             // guards subs, and that a playing is counted once
	subs  []*stream.Subscription // what it plays; the last carries what the connection says
	mouth sync.Mutex             // the turn to write a whole message, of playings with a writer

	// Read by the engine's ticker too.
	past      atomic.Uint64 // bytes of what it played before
	pastDrops atomic.Pointer[stream.Drops]
	elsewhere atomic.Uint64 // bytes that came in for activities with a line of their own
}

// doCycle makes a connected RTMP peer out of a TCP connection, and serves it. The
// steps are functions of their own, so that what they need is off the stack while
// a player sits in the last one for hours.
func (c *session) doCycle(ctx context.Context) error {
	if err := c.handshake(ctx); err != nil {
		return err
	}
	if err := c.welcome(ctx); err != nil {
		return err
	}
	return c.serviceCycle(ctx)
}

// handshake goes up to the peer's connect command.
func (c *session) handshake(ctx context.Context) error {
	c.entry.Expire(c.srv.cfg.Limits.HandshakeTimeout, config.ReasonHandshake,
		"The peer did not finish the handshake in time.")
	if err := c.secure(ctx); err != nil {
		return err
	}
	conn, err := rtmp.Accept(ctx, c.nc, c.rules())
	if err != nil {
		return handshakeError(err)
	}
	c.conn = conn
	c.can = abilities(conn.Connect())
	c.describe()
	return nil
}

// serviceCycle does what the peer asks for until it goes: most publish or play
// once, some publish again on the same connection, a few do several things at once.
func (c *session) serviceCycle(ctx context.Context) error {
	c.entry.Expire(c.srv.cfg.Limits.RequestTimeout, config.ReasonIdle, "The peer neither published nor played.")
	for {
		e, err := c.conn.Next()
		if err == nil {
			err = c.serve(ctx, e)
		}
		if err != nil {
			return err
		}
	}
}

// serve deals with what the peer did next.
func (c *session) serve(ctx context.Context, e rtmp.Event) error {
	a := c.on(e.StreamID)
	switch {
	case e.Kind == rtmp.EventPublish:
		return c.publish(ctx, e.Publish)
	case e.Kind == rtmp.EventPlay:
		return c.play(ctx, e.Play)
	case a == nil:
		return nil
	case a.gone.Load():
		c.drop(a)
		return nil
	case e.Kind == rtmp.EventMedia:
		return c.receive(a, e.Media)
	case e.Kind == rtmp.EventUnpublished, e.Kind == rtmp.EventStopped:
		return c.stop(a)
	}
	return c.steer(a, e)
}

// stop ends an activity because the peer is done with it. A player leaves the
// connection fit for more.
func (c *session) stop(a *activity) error {
	end := roster.Ending{Reason: config.ReasonUnpublished, Detail: "The encoder ended its stream."}
	if a.role == roster.Player {
		end = roster.Ending{Reason: config.ReasonPeerClosed, Detail: "The player stopped."}
	}
	fit := settle(a)
	c.end(a, end)
	c.drop(a)
	if !fit {
		return &end
	}
	return nil
}

// ask turns what the peer sent into the question for access. The error is a
// sentence for the peer.
func (c *session) ask(action access.Action, name string) (access.Request, error) {
	hello := c.conn.Connect()
	req, err := request(hello.TCURL, hello.App, name)
	req.Action, req.Protocol = action, c.entry.Protocol()
	req.Peer, req.Referer, req.Now = c.entry.Peer().Addr(), hello.PageURL, time.Now()
	if action == access.Play {
		req.Name = c.nameToPlay(req)
	}
	return req, err
}

// nameToPlay takes ".flv" off a name that nobody publishes as it is: FFmpeg and
// librtmp do that themselves, and people copy the address of HTTP-FLV.
func (c *session) nameToPlay(req access.Request) string {
	name, ok := strings.CutSuffix(req.Name, ".flv")
	snap := c.srv.cfg.Roster.Snapshot()
	if !ok || name == "" || snap == nil {
		return req.Name
	}
	v := snap.Vhost(req.VhostHost)
	if v != nil && c.srv.cfg.Hub.Live(stream.ID{Vhost: v.Name, App: req.App, Name: req.Name}) {
		return req.Name
	}
	return name
}

// decide asks whether the peer may, which a name that cannot be read may not.
func (c *session) decide(ctx context.Context, entry *roster.Entry, action access.Action, name string) (access.Request, access.Decision) {
	req, err := c.ask(action, name)
	if err != nil {
		detail := strings.TrimPrefix(err.Error(), "rtmp: ")
		return req, access.Decision{
			Reason: config.ReasonRefusedName, Detail: detail, App: req.App,
			Checks: []access.Check{{Name: "name", Result: access.Fail, Detail: detail}},
		}
	}
	return req, c.srv.cfg.Roster.Decide(ctx, entry, req)
}

// meter reads the connection's counters, for the engine's ticker.
func (c *session) meter() roster.Meter {
	return roster.Meter{
		BytesIn: c.nc.in.Load() - c.elsewhere.Load(), BytesOut: c.nc.out.Load() + c.past.Load(),
		Drops: c.drops(),
	}
}

// drops counts what playings missed that are over.
func (c *session) drops() stream.Drops {
	if d := c.pastDrops.Load(); d != nil {
		return *d
	}
	return stream.Drops{}
}

// ending says why the session is over: what ended its context, if something did,
// and what happened on the connection otherwise.
func (c *session) ending(ctx context.Context, err error) roster.Ending {
	if end, ok := roster.EndingOf(ctx); ok {
		return end
	}
	if end, ok := errors.AsType[*roster.Ending](err); ok {
		return *end
	}
	switch {
	case errors.Is(err, rtmp.ErrTooLarge):
		return roster.Ending{Reason: config.ReasonTooLarge, Detail: err.Error()}
	case errors.Is(err, rtmp.ErrHandshake), errors.Is(err, rtmp.ErrNotRTMP):
		return roster.Ending{Reason: config.ReasonHandshake, Detail: err.Error()}
	case errors.Is(err, rtmp.ErrProtocol):
		return roster.Ending{Reason: config.ReasonProtocol, Detail: err.Error()}
	case rtmp.IsTimeout(err):
		return roster.Ending{Reason: config.ReasonIdle, Detail: "The peer was silent for too long."}
	}
	return roster.EndingFor(err)
}

// handshakeError is why a connection never became an RTMP one. A peer that went,
// or never said a word, has made no mistake.
func handshakeError(err error) error {
	end := roster.EndingFor(err)
	if other, ok := errors.AsType[*rtmp.NotRTMPError](err); ok {
		return notRTMP(other)
	}
	switch {
	case rtmp.IsTimeout(err):
		return &roster.Ending{
			Reason: config.ReasonHandshake, Handshake: roster.HandshakeTimeout, Detail: "The peer did not finish the handshake in time.",
		}
	case errors.Is(err, rtmp.ErrTooLarge):
		return err
	case end.Reason == config.ReasonPeerClosed:
		return &end
	}
	return &roster.Ending{Reason: config.ReasonHandshake, Detail: err.Error()}
}

// withoutQuery cuts off what may hold a secret.
func withoutQuery(s string) string {
	s, _, _ = strings.Cut(s, "?")
	return s
}

// printable bounds what a peer says of itself and takes control characters out
// of it.
func printable(s string) string {
	const longest = 256
	if len(s) > longest {
		s = s[:longest] + "…"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}
