package httpflv

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gorilla/websocket"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
	"github.com/penstock-media/penstock/server/internal/media"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/internal/stream"
)

const (
	writeTimeout = 10 * time.Second // an answer, or one write to a response
	pumpTimeout  = time.Minute      // one write to a player that has a writer; the stream ends slow ones before
	closeTimeout = time.Second      // saying goodbye over WebSocket
	retryAfter   = 5 * time.Second
)

// playerStopped is the detail of a player that said it stops.
const playerStopped = "The player stopped."

// player is one HTTP player from request to close.
type player struct {
	h        *Handler
	entry    *roster.Entry
	log      *slog.Logger
	protocol string
	can      roster.Abilities
	socket   *stream.Socket // once the connection is its own
	unwatch  func() bool    // undoes watch

	sub atomic.Pointer[stream.Subscription] // read by the engine's ticker too
}

// live decides, waits for a publisher, answers and plays.
func (p *player) live(ctx context.Context, w http.ResponseWriter, r *http.Request, ask access.Request) roster.Ending {
	d := p.h.cfg.Roster.Decide(ctx, p.entry, ask)
	if !d.Allow {
		end := roster.Ending{Reason: d.Reason, Detail: d.Detail}
		p.h.cfg.Roster.Refuse(p.entry, ask, d)
		say(w, end)
		return end
	}
	if end, ok := p.await(ctx, d); !ok {
		say(w, end)
		return end
	}
	if missing := p.missing(d.Vhost.Name, roster.StreamID(d)); missing != "" {
		d.Reason, d.Detail = config.ReasonCodec, missing
		p.h.cfg.Roster.Refuse(p.entry, ask, d)
		end := roster.Ending{Reason: d.Reason, Detail: d.Detail}
		say(w, end)
		return end
	}
	switch {
	case p.protocol == roster.WSFLV:
		return p.playWebSocket(ctx, w, r, d)
	case r.Method == http.MethodHead:
		w.Header().Set("Content-Type", contentType)
		return roster.Ending{Reason: config.ReasonPeerClosed, Detail: "Only the response's head was asked for."}
	case r.ProtoMajor > 1:
		return p.playResponse(ctx, w, d)
	}
	return p.playHijacked(ctx, w, r, d)
}

// watch ends the player when its request does. That holds until the connection is
// taken from the HTTP server, which notices when the peer goes.
func (p *player) watch(r *http.Request) {
	p.unwatch = context.AfterFunc(r.Context(), func() {
		p.entry.End(config.ReasonPeerClosed, "The peer closed the connection.")
	})
}

// missing says what of a stream the player cannot play, where its vhost asks that.
func (p *player) missing(vhost string, id stream.ID) string {
	return p.h.cfg.Roster.Missing(vhost, p.can, func(f media.Form) []uint32 { return p.h.cfg.Hub.Enhanced(id, f) })
}

// tend does from time to time what a running player needs.
func (p *player) tend(vhost string, id stream.ID) {
	if p.socket != nil {
		p.socket.Tune(p.h.cfg.Roster.Tuning(vhost))
	}
	if missing := p.missing(vhost, id); missing != "" {
		p.entry.End(config.ReasonCodec, missing)
	}
}

// await waits until somebody publishes the stream, for as long as the vhost
// allows.
func (p *player) await(ctx context.Context, d access.Decision) (roster.Ending, bool) {
	id := roster.StreamID(d)
	if p.h.cfg.Hub.Live(id) {
		return roster.Ending{}, true
	}
	sub, err := p.attach(d, nil, nil) // is what makes the player visible as one that waits
	if err != nil {
		return roster.EndingFor(err), false
	}
	defer p.detach()
	p.log.Debug("waits for a publisher", slog.String("vhost", id.Vhost), slog.String("app", id.App), slog.String("stream", id.Name))
	patience := time.Duration(d.Vhost.Media.PlayWaitMS) * time.Millisecond
	wait, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if sub.WaitLive(wait) == nil {
		return roster.Ending{}, true
	}
	if end, ok := roster.EndingOf(ctx); ok {
		return end, false
	}
	return roster.Ending{Reason: config.ReasonStreamNotFound, Detail: "Nobody publishes this stream."}, false
}

// attach makes the player one of the stream's. Without a descriptor the bytes
// are taken with Next, and wire is what they go over in the end, if that is known.
func (p *player) attach(d access.Decision, conn, wire syscall.RawConn) (*stream.Subscription, error) {
	sub, err := p.h.cfg.Hub.Attach(roster.StreamID(d), stream.SubscribeOptions{
		Settings: roster.Settings(d.Vhost.Media), Framing: stream.FLV, Form: p.can.Form(d.Vhost.Media), Conn: conn, Wire: wire, Audio: true, Video: true,
		MaxQueueBytes: p.h.cfg.Limits.QueueBytes, BlockedTimeout: p.h.cfg.Limits.BlockedTimeout,
		Closed: func(err error) {
			end := roster.EndingFor(err)
			p.entry.End(end.Reason, end.Detail)
		},
	})
	if err == nil {
		p.sub.Store(sub)
	}
	return sub, err
}

func (p *player) detach() {
	if sub := p.sub.Swap(nil); sub != nil {
		sub.Close()
	}
}

// played is what surrounds the playing itself: the marks in the book and the log.
func (p *player) played(ctx context.Context, sub *stream.Subscription, play func()) roster.Ending {
	s := p.entry.Session()
	id := stream.ID{Vhost: s.Vhost, App: s.App, Name: s.Name}
	p.tend(s.Vhost, id)
	p.entry.Measure(func() roster.Meter {
		s := sub.Stats()
		return roster.Meter{BytesOut: s.BytesOut, Drops: s.Drops, Lag: s.Lag}
	}, func() { p.tend(s.Vhost, id) })
	p.entry.Role(roster.Player)
	p.h.cfg.Roster.Events.Add(roster.Event{
		Type: roster.PlayStarted, Vhost: s.Vhost, App: s.App, Name: s.Name, SessionID: s.ID, Peer: s.Peer,
	})
	p.log.Info("began", slog.String("role", roster.Player), slog.String("vhost", s.Vhost), slog.String("app", s.App), slog.String("stream", s.Name),
		slog.String("agent", s.Agent))
	play()
	end := roster.EndingFor(nil)
	if cause, ok := roster.EndingOf(ctx); ok {
		end = cause
	}
	last := p.entry.Ended(end)
	p.h.cfg.Roster.Events.Add(roster.Event{
		Type: roster.PlayEnded, Vhost: s.Vhost, App: s.App, Name: s.Name, SessionID: s.ID, Peer: s.Peer,
		Reason: last.Reason, Detail: last.Detail, Session: last,
	})
	return end
}

// pump hands what the player lacks to write until one of them ends.
func (p *player) pump(ctx context.Context, sub *stream.Subscription, write func([]byte) error) {
	for {
		b, err := sub.Next(ctx)
		if err == nil {
			err = write(b)
		}
		if err != nil {
			end := roster.EndingFor(err)
			p.entry.End(end.Reason, end.Detail)
			return
		}
	}
}

// playHijacked takes the connection out of the HTTP server and plays on it.
func (p *player) playHijacked(
	ctx context.Context, w http.ResponseWriter, r *http.Request, d access.Decision,
) roster.Ending {
	p.unwatch()
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil { // a ResponseWriter in between that cannot
		p.watch(r)
		return p.playResponse(ctx, w, d)
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(writeTimeout))
	if _, err := io.WriteString(conn, responseHead); err != nil {
		return roster.EndingFor(err)
	}
	_ = conn.SetDeadline(time.Time{})
	p.socket = stream.SocketOf(conn)
	raw := stream.Descriptor(conn)
	sub, err := p.attach(d, raw, stream.Beneath(conn))
	if err != nil {
		return roster.EndingFor(err)
	}
	return p.played(ctx, sub, func() {
		stop := context.AfterFunc(ctx, func() { _ = conn.SetReadDeadline(time.Unix(1, 0)) })
		defer stop()
		written := make(chan struct{})
		sub.Start()
		if raw != nil {
			close(written)
		} else {
			go func() {
				defer close(written)
				p.pump(ctx, sub, func(b []byte) error {
					_ = conn.SetWriteDeadline(time.Now().Add(pumpTimeout))
					_, err := conn.Write(b)
					return err
				})
			}()
		}
		p.left(untilGone(conn))
		p.detach()
		_ = conn.SetWriteDeadline(time.Unix(1, 0))
		<-written
	})
}

// untilGone returns when the peer has gone or reading was interrupted. What a player
// still says is of no interest; the buffer is small because there are many.
func untilGone(conn net.Conn) error {
	var sink [64]byte
	for {
		if _, err := conn.Read(sink[:]); err != nil {
			return err //nolint:wrapcheck // the caller asks which one it is
		}
	}
}

// left ends a player whose connection gave err, unless it has been ended before: that
// interrupts reading too. A WebSocket may say that it stops; without a word a
// connection is closed, whoever of reading and writing notices first.
func (p *player) left(err error) {
	end := roster.EndingFor(err)
	if said, ok := errors.AsType[*websocket.CloseError](err); ok {
		end = roster.EndingFor(nil)
		if said.Code != websocket.CloseAbnormalClosure { // stands for none
			end.Detail = playerStopped
		}
	}
	p.entry.End(end.Reason, end.Detail)
}

// playResponse plays into a response, where the connection cannot be had: HTTP/2.
func (p *player) playResponse(ctx context.Context, w http.ResponseWriter, d access.Decision) roster.Ending {
	sub, err := p.attach(d, nil, nil)
	if err != nil {
		say(w, roster.EndingFor(err))
		return roster.EndingFor(err)
	}
	defer p.detach()
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	return p.played(ctx, sub, func() {
		sub.Start()
		p.pump(ctx, sub, func(b []byte) error {
			_ = control.SetWriteDeadline(time.Now().Add(writeTimeout)) // not every writer has one
			if _, err := w.Write(b); err != nil {                      //nolint:gosec // media, with a type that says so
				return err
			}
			return control.Flush()
		})
	})
}

// playWebSocket plays as binary messages. Players take them as one flow of bytes.
func (p *player) playWebSocket(ctx context.Context, w http.ResponseWriter, r *http.Request, d access.Decision) roster.Ending {
	p.unwatch()
	ws, err := p.h.upgrader.Upgrade(w, r, nil) // answers by itself when it fails
	if err != nil {
		return roster.Ending{Reason: config.ReasonProtocol, Detail: "The WebSocket handshake failed: " + err.Error()}
	}
	defer func() { _ = ws.Close() }()
	ws.SetReadLimit(int64(p.h.cfg.Limits.WebSocketMessage))
	p.socket = stream.SocketOf(ws.NetConn())
	sub, err := p.attach(d, nil, stream.Beneath(ws.NetConn()))
	if err != nil {
		return roster.EndingFor(err)
	}
	return p.played(ctx, sub, func() {
		stop := context.AfterFunc(ctx, func() { _ = ws.SetReadDeadline(time.Unix(1, 0)) })
		defer stop()
		written := make(chan struct{})
		sub.Start()
		go func() {
			defer close(written)
			p.pump(ctx, sub, func(b []byte) error {
				_ = ws.SetWriteDeadline(time.Now().Add(pumpTimeout))
				err := ws.WriteMessage(websocket.BinaryMessage, b)
				if errors.Is(err, websocket.ErrCloseSent) { // the player said so, and has been answered
					end := roster.Ending{Reason: config.ReasonPeerClosed, Detail: playerStopped}
					return &end
				}
				return err
			})
		}()
		for {
			if _, _, err := ws.NextReader(); err != nil {
				p.left(err)
				break
			}
		}
		p.detach()
		_ = ws.NetConn().SetWriteDeadline(time.Now().Add(closeTimeout))
		<-written
		p.closeWebSocket(ctx, ws)
	})
}

// closeWebSocket says why in the closing handshake.
func (p *player) closeWebSocket(ctx context.Context, ws *websocket.Conn) {
	end, _ := roster.EndingOf(ctx)
	code := websocket.ClosePolicyViolation
	switch end.Reason {
	case config.ReasonPeerClosed:
		return
	case config.ReasonStreamEnded:
		code = websocket.CloseNormalClosure
	case config.ReasonShutdown:
		code = websocket.CloseGoingAway
	default: // it was ended
	}
	message := websocket.FormatCloseMessage(code, string(end.Reason))
	_ = ws.WriteControl(websocket.CloseMessage, message, time.Now().Add(closeTimeout))
}

const contentType = "video/x-flv"

// responseHead is what a hijacked connection is answered with: a body without
// length, ended by the end of the connection.
const responseHead = "HTTP/1.1 200 OK\r\n" +
	"Content-Type: " + contentType + "\r\n" +
	"Cache-Control: no-store\r\n" +
	"Access-Control-Allow-Origin: *\r\n" +
	"X-Content-Type-Options: nosniff\r\n" +
	"Connection: close\r\n\r\n"
