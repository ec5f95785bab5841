package store

import (
	"context"
	"strconv"
	"time"
)

// Session is a session that has ended. Names are those of that time; text from
// the peer is kept as it was sent, as far as it is text.
type Session struct {
	ID                 string
	Node               string
	Role               string // "publisher", "player" or ""
	Protocol           string
	Peer               string // address:port
	Agent              string
	PageURL            string
	Vhost, App, Stream string
	KeyID, TokenID     string
	BytesIn, BytesOut  uint64
	Dropped            uint64 // messages
	Video, Audio       string // codec names
	StartedAt, EndedAt time.Time
	Reason, Detail     string
}

// Duration is how long the session lasted.
func (s *Session) Duration() time.Duration { return s.EndedAt.Sub(s.StartedAt) }

func sessionTable() table[Session] {
	return table[Session]{
		name: "sessions", noun: "session",
		columns: []string{
			"id", "node", "role", "protocol", "peer", "agent", "page_url", "vhost", "app", "stream", "key_id", "token_id",
			"bytes_in", "bytes_out", "dropped", "video", "audio", "started_at", "ended_at", "reason", "detail",
		},
		fields: func(v *Session) []any {
			return []any{
				&v.ID, &v.Node, &v.Role, &v.Protocol, &v.Peer, &v.Agent, &v.PageURL, &v.Vhost, &v.App, &v.Stream, &v.KeyID,
				&v.TokenID, &v.BytesIn, &v.BytesOut, &v.Dropped, &v.Video, &v.Audio,
				stamp{&v.StartedAt},
				stamp{&v.EndedAt},
				&v.Reason, &v.Detail,
			}
		},
		usual: "-ended_at", sorts: []string{"ended_at", "started_at", "bytes_in", "bytes_out"},
	}
}

// SaveSession keeps a session that has ended. Saving it again changes nothing.
func (s *Store) SaveSession(ctx context.Context, v Session) error {
	t := sessionTable()
	args, err := values(t.fields(&v))
	if err != nil {
		return err
	}
	var cols, marks string
	for i, c := range t.columns {
		if i > 0 {
			cols, marks = cols+", ", marks+", "
		}
		cols, marks = cols+c, marks+"$"+strconv.Itoa(i+1)
	}
	return s.exec(ctx, "save a session", "INSERT INTO sessions ("+cols+") VALUES ("+marks+") ON CONFLICT (id) DO NOTHING", args...)
}

// Session returns the ended session with that id.
func (s *Store) Session(ctx context.Context, id string) (Session, error) {
	return sessionTable().get(ctx, s, s.read, id)
}

// SessionFilter chooses ended sessions. Empty fields choose all.
type SessionFilter struct {
	Vhosts      []string // names
	App, Stream string
	Role        string
	Protocol    string
	Reason      string
	KeyID       string
	TokenID     string
	Search      string    // part of peer, agent or stream name
	From, To    time.Time // ended_at from, and before
}

// Sessions lists ended sessions, the last one first.
func (s *Store) Sessions(ctx context.Context, f SessionFilter, o ListOptions) (List[Session], error) {
	var w where
	w.in("vhost", f.Vhosts)
	w.equal("app", f.App)
	w.equal("stream", f.Stream)
	w.equal("role", f.Role)
	w.equal("protocol", f.Protocol)
	w.equal("reason", f.Reason)
	w.equal("key_id", f.KeyID)
	w.equal("token_id", f.TokenID)
	w.contains(f.Search, "peer", "agent", "stream")
	w.between("ended_at", f.From, f.To)
	return sessionTable().list(ctx, s, w, o)
}
