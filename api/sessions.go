package api

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server"
)

// SessionPath names a session in a path.
type SessionPath struct {
	SessionID string `path:"session_id" maxLength:"64" doc:"Id of the session" example:"ses_01jx3v2v9ke8ra4nqk2m3b7xwz"`
}

type sessionListInput struct {
	PageQuery
	State    string `query:"state" enum:"live,ended" default:"live" doc:"Those connected now, or those that ended, newest first"`
	Role     string `query:"role" enum:"publisher,player" doc:"Only of this role"`
	Protocol string `query:"protocol" enum:"rtmp,rtmps,http-flv,ws-flv" doc:"Only of this protocol"`
	Vhost    string `query:"vhost" maxLength:"128" doc:"Only of this vhost, by name"`
	App      string `query:"app" maxLength:"128" doc:"Only of this app"`
	Name     string `query:"name" maxLength:"128" doc:"Only of the stream of this name"`
	KeyID    string `query:"key_id" maxLength:"64" doc:"Only those that showed this stream key"`
}

type sessionKickInput struct {
	SessionPath
	Reason     string `query:"reason" maxLength:"256" doc:"What the log and the event say" example:"wrong programme"`
	BanSeconds int    `query:"ban_seconds" minimum:"0" maximum:"86400" doc:"Refuse the peer's address for this long"`
}

type eventListInput struct {
	After uint64 `query:"after" doc:"last_seq of the reply before; 0 begins with the oldest that is kept"`
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"200" doc:"How many at most"`
}

func (a *API) registerSessions() {
	register(a, operation{
		id: "list-sessions", method: get, path: "/sessions", tag: "Sessions", scope: auth.StreamsRead,
		summary: "List sessions",
	}, a.listSessions)
	register(a, operation{
		id: "get-session", method: get, path: "/sessions/{session_id}", tag: "Sessions", scope: auth.StreamsRead,
		summary: "Get a session",
	}, a.getSession)
	register(a, operation{
		id: "kick-session", method: del, path: "/sessions/{session_id}", tag: "Sessions", scope: auth.SessionsKick,
		summary: "Kick a publisher or player",
	}, a.kickSession)
	register(a, operation{
		id: "list-events", method: get, path: "/events", tag: "Sessions", scope: auth.StreamsRead,
		summary: "List what happened",
		about:   "The last 1000 events of this node since its start.",
	}, a.listEvents)
}

func (a *API) listSessions(ctx context.Context, in *sessionListInput) (*listOutput[Session], error) {
	r := a.reachOf(ctx)
	if in.State == "ended" {
		f := store.SessionFilter{App: in.App, Stream: in.Name, Role: in.Role, Protocol: in.Protocol, KeyID: in.KeyID, Vhosts: r.names}
		if in.Vhost != "" && r.name(in.Vhost) {
			f.Vhosts = []string{in.Vhost}
		}
		if !r.name(in.Vhost) && (in.Vhost != "" || len(r.names) == 0) {
			return &listOutput[Session]{Body: List[Session]{Items: []Session{}}}, nil // an empty filter would be none
		}
		l, err := a.store.Sessions(ctx, f, store.ListOptions{Limit: in.Limit, Cursor: in.Cursor})
		if err != nil {
			return nil, err
		}
		return pageOf(l, false, endedSession), nil
	}
	var after string
	if err := decodeCursor(in.Cursor, &after); err != nil {
		return nil, err
	}
	var live []Session
	for _, s := range a.sessions(r) {
		if in.matches(&s) {
			live = append(live, a.liveSession(s))
		}
	}
	slices.SortFunc(live, func(a, b Session) int { return cmp.Compare(a.ID, b.ID) })
	page, last := keyset(live, func(s Session) string { return s.ID }, after, in.Limit)
	out := &listOutput[Session]{Body: List[Session]{Items: page}}
	if last != "" {
		out.Body.NextCursor = encodeCursor(last)
	}
	return out, nil
}

// matches says whether a live session is one of those asked for.
func (in *sessionListInput) matches(s *server.SessionInfo) bool {
	for _, f := range [][2]string{
		{in.Role, s.Role}, {in.Protocol, s.Protocol}, {in.Vhost, s.Vhost}, {in.App, s.App}, {in.Name, s.Name}, {in.KeyID, s.KeyID},
	} {
		if f[0] != "" && f[0] != f[1] {
			return false
		}
	}
	return true
}

// sessions are the live ones within reach.
func (a *API) sessions(r reach) []server.SessionInfo {
	return slices.DeleteFunc(a.engine.Sessions(), func(s server.SessionInfo) bool { return !r.name(s.Vhost) })
}

// live returns a live session within reach, nil for none.
func (a *API) live(r reach, id string) *server.SessionInfo {
	all := a.sessions(r)
	i := slices.IndexFunc(all, func(s server.SessionInfo) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return &all[i]
}

func (a *API) getSession(ctx context.Context, in *SessionPath) (*plain[Session], error) {
	r := a.reachOf(ctx)
	if s := a.live(r, in.SessionID); s != nil {
		return &plain[Session]{Body: a.liveSession(*s)}, nil
	}
	s, err := a.store.Session(ctx, in.SessionID)
	if err != nil {
		return nil, missing(err, "session", in.SessionID)
	}
	if !r.name(s.Vhost) {
		return nil, outside("session", in.SessionID)
	}
	return &plain[Session]{Body: endedSession(s)}, nil
}

func (a *API) kickSession(ctx context.Context, in *sessionKickInput) (*none, error) {
	if p := auth.From(ctx); p.Limited() && in.BanSeconds > 0 {
		return nil, wholeServer(p, "A ban")
	}
	err := server.ErrNotFound
	if a.live(a.reachOf(ctx), in.SessionID) != nil {
		err = a.engine.Kick(in.SessionID, in.Reason, time.Duration(in.BanSeconds)*time.Second)
	}
	if errors.Is(err, server.ErrNotFound) {
		return nil, newProblem("not_found", "No session %s is live.", in.SessionID)
	}
	if err != nil {
		return nil, err
	}
	what := map[string]any{"reason": in.Reason, "ban_seconds": in.BanSeconds}
	if err := a.store.RecordAudit(ctx, actor(ctx), "session.kick", in.SessionID, nil, what); err != nil {
		a.log.Warn("note a kick", "session", in.SessionID, "err", err) // it is done, with or without the note
	}
	return &none{}, nil
}

func (a *API) listEvents(ctx context.Context, in *eventListInput) (*plain[EventList], error) {
	r, events := a.reachOf(ctx), a.engine.Events(in.After)
	out := EventList{Items: make([]Event, 0, min(len(events), in.Limit)), LastSeq: in.After, Epoch: a.epoch}
	for _, e := range events {
		if len(out.Items) == in.Limit {
			break
		}
		if r.name(e.Vhost) {
			out.Items = append(out.Items, a.eventOf(e))
		}
		out.LastSeq = e.Seq
	}
	return &plain[EventList]{Body: out}, nil
}

func (a *API) eventOf(e server.Event) Event {
	return Event{
		ID: a.epoch + "." + strconv.FormatUint(e.Seq, 10), Seq: e.Seq, Type: e.Type, OccurredAt: e.Time.UTC(),
		Vhost: e.Vhost, App: e.App, Name: e.Name, SessionID: e.SessionID, Peer: e.Peer, Reason: e.Reason, Detail: e.Detail,
	}
}

func (a *API) liveSession(s server.SessionInfo) Session {
	return Session{
		ID: s.ID, State: "live", Node: a.node, Role: cmp.Or(s.Role, "unknown"), Protocol: s.Protocol, Peer: s.Peer, Agent: s.Agent,
		PageURL: s.PageURL, Vhost: s.Vhost, App: s.App, Name: s.Name, KeyID: s.KeyID, TokenID: s.TokenID,
		StartedAt: s.StartedAt.UTC(), DurationMS: time.Since(s.StartedAt).Milliseconds(),
		BytesIn: s.BytesIn, BytesOut: s.BytesOut, InKbps: s.InKbps, OutKbps: s.OutKbps, Dropped: s.Dropped, Drops: (*Drops)(&s.Drops), LagMS: s.LagMS,
		VideoCodec: s.Video, AudioCodec: s.Audio,
		TCURL: s.TCURL, SwfURL: s.SwfURL, Port: s.Port, ObjectEncoding: s.ObjectEncoding, Edge: s.Edge,
	}
}

func endedSession(s store.Session) Session {
	kbps := func(bytes uint64) int {
		ms := s.Duration().Milliseconds()
		if ms <= 0 {
			return 0
		}
		return int(bytes * 8 / uint64(ms))
	}
	return Session{
		ID: s.ID, State: "ended", Node: s.Node, Role: cmp.Or(s.Role, "unknown"), Protocol: s.Protocol, Peer: s.Peer, Agent: s.Agent,
		PageURL: s.PageURL, Vhost: s.Vhost, App: s.App, Name: s.Stream, KeyID: s.KeyID, TokenID: s.TokenID,
		StartedAt: s.StartedAt, EndedAt: timeOrNil(s.EndedAt), DurationMS: s.Duration().Milliseconds(),
		Reason: s.Reason, Detail: s.Detail, BytesIn: s.BytesIn, BytesOut: s.BytesOut,
		InKbps: kbps(s.BytesIn), OutKbps: kbps(s.BytesOut), Dropped: s.Dropped, VideoCodec: s.Video, AudioCodec: s.Audio,
	}
}
