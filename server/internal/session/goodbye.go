package session

import (
	"log/slog"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/rtmp"
)

// began writes down that the session publishes or plays now.
func (c *session) began(a *activity, event string) {
	c.role = a.role
	a.entry.Role(a.role)
	s := a.entry.Session()
	c.srv.cfg.Roster.Events.Add(roster.Event{
		Type: event, Vhost: s.Vhost, App: s.App, Name: s.Name, SessionID: s.ID, Peer: s.Peer,
	})
	c.log.Info("began", slog.String("role", a.role), slog.String("vhost", s.Vhost), slog.String("app", s.App),
		slog.String("stream", s.Name), slog.String("agent", s.Agent), slog.String("line", s.ID), slog.Bool("gop", c.media(s.Vhost).GOP))
}

// ended writes down that it does not any more.
func (c *session) ended(a *activity, event string, end roster.Ending) {
	s := a.entry.Ended(end)
	c.srv.cfg.Roster.Events.Add(roster.Event{
		Type: event, Vhost: s.Vhost, App: s.App, Name: s.Name, SessionID: s.ID, Peer: s.Peer,
		Reason: s.Reason, Detail: s.Detail, Session: s,
	})
	c.log.Info("ended", slog.String("role", a.role), slog.String("vhost", s.Vhost), slog.String("app", s.App),
		slog.String("stream", s.Name), slog.String("reason", s.Reason))
}

// goodbye ends what the peer does and tells it why, ends our side of the connection,
// and gives the peer a moment to read that. A player is told behind its last whole
// message, when the fan-out has let go of the connection.
func (c *session) goodbye(end roster.Ending) {
	acts := c.acts
	c.acts = nil
	said := len(acts) > 0
	switch end.Reason {
	case config.ReasonPeerClosed, config.ReasonNetwork, config.ReasonSlow:
		said = false
	default: // whoever is there can be told
	}
	for _, a := range acts {
		was := a.gone.Load() || !a.begun.Load()
		said = said && settle(a)
		c.end(a, end)
		if said && !was {
			said = c.say(a, end) == nil
		}
	}
	if said {
		_ = c.nc.CloseWrite() // fails on a connection that reading finds broken too
		c.nc.linger()
	}
}

// publishError says an ending in the words that encoders know.
func publishError(end roster.Ending) *rtmp.StatusError {
	e := &rtmp.StatusError{Level: rtmp.LevelError, Code: rtmp.CodePublishDenied, Description: end.Detail}
	switch end.Reason {
	case config.ReasonStreamBusy, config.ReasonReplaced, config.ReasonRefusedName:
		e.Code = rtmp.CodePublishBadName
	default: // denied
	}
	if e.Description == "" {
		e.Description = string(end.Reason)
	}
	return e
}

// playError says an ending in the words that players know.
func playError(end roster.Ending) *rtmp.StatusError {
	e := &rtmp.StatusError{Level: rtmp.LevelError, Code: rtmp.CodePlayFailed, Description: end.Detail}
	switch end.Reason {
	case config.ReasonStreamNotFound:
		e.Code = rtmp.CodePlayStreamNotFound
	case config.ReasonCodec:
		e.Code = rtmp.CodePlayNoTrack
	case config.ReasonCompleted:
		e.Level, e.Code = rtmp.LevelStatus, rtmp.CodePlayStop
	case config.ReasonStreamEnded, config.ReasonShutdown:
		e.Level, e.Code = rtmp.LevelStatus, rtmp.CodePlayUnpublishNotify
	default: // failed
	}
	if e.Description == "" {
		e.Description = string(end.Reason)
	}
	return e
}
