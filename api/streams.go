package api

import (
	"cmp"
	"context"
	"errors"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

// StreamPath names a stream in a path.
type StreamPath struct {
	StreamID string `path:"stream_id" maxLength:"1024" doc:"Id of the stream" example:"st_01jx3v2v9ke8ra4nqk2m3b7xwz"`
}

type streamListInput struct {
	PageQuery
	CountQuery
	Vhost string `query:"vhost" maxLength:"128" doc:"Only of this vhost, by id or name"`
	App   string `query:"app" maxLength:"128" doc:"Only of this app"`
	Query string `query:"q" maxLength:"128" doc:"Only those whose name, app or external_id contains this"`
	Live  string `query:"live" enum:"true,false" doc:"Only live ones, or only those that are not"`
	Sort  string `query:"sort" enum:"created_at,-created_at,name,-name" default:"-created_at" doc:"Order of the created streams; live streams that were not created come first. live=true sorts by address"`
}

type streamCreateInput struct{ Body StreamCreate }

type streamUpdateInput struct {
	StreamPath
	Precondition
	Body StreamUpdate
}

type streamDeleteInput struct {
	StreamPath
	Precondition
}

func (a *API) registerStreams() {
	register(a, operation{
		id: "list-streams", method: get, path: "/streams", tag: "Streams", scope: auth.StreamsRead,
		summary: "List streams",
		about:   "Live state stands under live in each. A stream that is live without having been created is listed too.",
	}, a.listStreams)
	register(a, operation{
		id: "create-stream", method: post, path: "/streams", tag: "Streams", scope: auth.StreamsWrite, idempotent: true, status: 201,
		summary: "Create a stream",
		about:   "It has no key yet: POST /streams/{stream_id}/keys makes one.",
	}, a.createStream)
	register(a, operation{
		id: "get-stream", method: get, path: "/streams/{stream_id}", tag: "Streams", scope: auth.StreamsRead,
		summary: "Get a stream",
	}, a.getStream)
	register(a, operation{
		id: "update-stream", method: patch, path: "/streams/{stream_id}", tag: "Streams", scope: auth.StreamsWrite,
		summary: "Change a stream",
	}, a.updateStream)
	register(a, operation{
		id: "delete-stream", method: del, path: "/streams/{stream_id}", tag: "Streams", scope: auth.StreamsWrite,
		summary: "Delete a stream",
		about:   "Its keys go with it, and a publisher that used one of them is closed.",
	}, a.deleteStream)
	register(a, operation{
		id: "get-stream-history", method: get, path: "/streams/{stream_id}/history", tag: "Streams", scope: auth.StreamsRead,
		summary: "Get the recent past of a stream for charts",
	}, a.streamHistory)
}

func (a *API) createStream(ctx context.Context, in *streamCreateInput) (*single[Stream], error) {
	b := &in.Body
	v, err := a.vhost(ctx, cmp.Or(b.VhostID, config.DefaultVhost))
	if err != nil {
		return nil, err
	}
	row := store.Stream{
		VhostID: v.ID, App: cmp.Or(b.App, "live"), Name: b.Name, Enabled: true, ExternalID: b.ExternalID, Metadata: b.Metadata,
	}
	set(&row.Enabled, b.Enabled)
	row, err = a.store.CreateStream(ctx, actor(ctx), row)
	if err != nil {
		return nil, err
	}
	return a.streamReply(ctx, &row), nil
}

func (a *API) getStream(ctx context.Context, in *StreamPath) (*single[Stream], error) {
	row, name, err := a.stream(ctx, in.StreamID)
	if err != nil {
		return nil, err
	}
	if row != nil {
		return a.streamReply(ctx, row), nil
	}
	info := a.liveStream(name)
	if info == nil {
		return nil, newProblem("not_found", "There is no stream %s any more: it was never created, and nobody publishes it now.", in.StreamID)
	}
	s := streamOf(nil, info)
	s.URLs = a.streamURLs(ctx, name)
	return &single[Stream]{ETag: etag(0), Body: s}, nil
}

func (a *API) updateStream(ctx context.Context, in *streamUpdateInput) (*single[Stream], error) {
	row, err := a.streamAt(ctx, in.StreamID, in.Precondition)
	if err != nil {
		return nil, err
	}
	b := &in.Body
	set(&row.App, b.App)
	set(&row.Name, b.Name)
	set(&row.Enabled, b.Enabled)
	set(&row.ExternalID, b.ExternalID)
	set(&row.Metadata, b.Metadata)
	changed, err := a.store.UpdateStream(ctx, actor(ctx), *row)
	if err != nil {
		return nil, err
	}
	return a.streamReply(ctx, &changed), nil
}

func (a *API) deleteStream(ctx context.Context, in *streamDeleteInput) (*none, error) {
	row, err := a.streamAt(ctx, in.StreamID, in.Precondition)
	if err != nil {
		return nil, err
	}
	return nil, a.store.DeleteStream(ctx, actor(ctx), row.ID, row.Revision)
}

func (a *API) streamHistory(ctx context.Context, in *StreamPath) (*plain[StreamHistory], error) {
	_, n, err := a.stream(ctx, in.StreamID)
	if err != nil {
		return nil, err
	}
	points := a.engine.History(n.vhost, n.app, n.name)
	out := &plain[StreamHistory]{Body: StreamHistory{Items: make([]Point, len(points))}}
	for i, p := range points {
		out.Body.Items[i] = pointOf(p)
	}
	return out, nil
}

// stream returns the row of a stream, nil when it has none, and its name, if the
// caller may see it.
func (a *API) stream(ctx context.Context, id string) (*store.Stream, streamName, error) {
	reach := a.reachOf(ctx)
	n, live := readLiveID(id)
	if live && !reach.name(n.vhost) {
		return nil, n, outside("stream", id)
	}
	var row store.Stream
	var err error
	if live {
		row, err = a.store.StreamByName(ctx, n.vhost, n.app, n.name)
		if errors.Is(err, store.ErrNotFound) {
			return nil, n, nil
		}
	} else {
		row, err = a.store.Stream(ctx, id)
	}
	if err != nil {
		return nil, n, missing(err, "stream", id)
	}
	if !reach.id(row.VhostID) {
		return nil, n, outside("stream", id)
	}
	return &row, streamName{row.Vhost, row.App, row.Name}, nil
}

// created returns the row of a stream that has to have one.
func (a *API) created(ctx context.Context, id string) (*store.Stream, error) {
	row, _, err := a.stream(ctx, id)
	if err == nil && row == nil {
		err = newProblem("stream_not_configured", "Create it first: POST /api/v1/streams.")
	}
	return row, err
}

// streamAt returns it at the revision the caller has seen.
func (a *API) streamAt(ctx context.Context, id string, p Precondition) (*store.Stream, error) {
	row, err := a.created(ctx, id)
	if err != nil {
		return nil, err
	}
	row.Revision, err = p.revision(row.Revision)
	return row, err
}

func (a *API) streamReply(ctx context.Context, row *store.Stream) *single[Stream] {
	n := streamName{row.Vhost, row.App, row.Name}
	s := streamOf(row, a.liveStream(n))
	s.URLs = a.streamURLs(ctx, n)
	return &single[Stream]{ETag: etag(row.Revision), Body: s}
}
