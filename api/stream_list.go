package api

import (
	"context"
	"errors"
	"strings"

	"github.com/penstock-media/penstock/api/store"
)

// streamCursor is where a list of streams goes on: among the live ones, after
// the one named, or among the created ones.
type streamCursor struct {
	Live string `json:"l,omitempty"`
	Rows string `json:"r,omitempty"`
	Next bool   `json:"n,omitempty"` // begin with the created ones
}

func (a *API) listStreams(ctx context.Context, in *streamListInput) (*listOutput[Stream], error) {
	var c streamCursor
	if err := decodeCursor(in.Cursor, &c); err != nil {
		return nil, err
	}
	f := store.StreamFilter{VhostIDs: a.reachOf(ctx).ids, App: in.App, Search: in.Query}
	vhost := ""
	if in.Vhost != "" {
		v, err := a.vhost(ctx, in.Vhost)
		if err != nil {
			return nil, err
		}
		f.VhostIDs, vhost = []string{v.ID}, v.Name
	}
	live, hidden := a.matching(ctx, in, vhost)
	out := &listOutput[Stream]{Body: List[Stream]{Items: []Stream{}}}
	if c.Rows == "" && !c.Next {
		page, last := keyset(live, func(s Stream) string { return s.fullName().key() }, c.Live, in.Limit)
		out.Body.Items = page
		if last != "" {
			out.Body.NextCursor = encodeCursor(streamCursor{Live: last})
		}
	}
	total := int64(len(live))
	if in.Live != "true" {
		rows, err := a.addRows(ctx, in, f, c, out)
		if err != nil {
			return nil, err
		}
		total += rows - hidden
	}
	if in.Count {
		out.Body.Total = &total
	}
	for i := range out.Body.Items {
		s := &out.Body.Items[i]
		s.URLs = a.streamURLs(ctx, s.fullName())
	}
	return out, nil
}

// matching are the live streams the list has by itself: all of them when only
// live ones are wanted, those without a row otherwise. hidden is how many rows
// the list leaves out because they are live.
func (a *API) matching(ctx context.Context, in *streamListInput, vhost string) (own []Stream, hidden int64) {
	for _, s := range a.activeStreams(ctx, a.reachOf(ctx)) {
		switch {
		case s.Live == nil, vhost != "" && s.Vhost != vhost, in.App != "" && s.App != in.App, !s.contains(in.Query):
		case in.Live == "false" && s.Configured:
			hidden++
		case in.Live == "true", in.Live == "" && !s.Configured:
			own = append(own, s)
		}
	}
	return own, hidden
}

// contains is the search the store does, for streams without a row.
func (s *Stream) contains(text string) bool {
	text = strings.ToLower(text)
	for _, field := range []string{s.Name, s.App, s.ExternalID} {
		if strings.Contains(strings.ToLower(field), text) {
			return true
		}
	}
	return false
}

// addRows fills the page up with created streams, and returns how many there are.
func (a *API) addRows(ctx context.Context, in *streamListInput, f store.StreamFilter, c streamCursor, out *listOutput[Stream]) (int64, error) {
	room := in.Limit - len(out.Body.Items)
	if (out.Body.NextCursor != "" || room == 0) && !in.Count {
		if out.Body.NextCursor == "" {
			out.Body.NextCursor = encodeCursor(streamCursor{Next: true})
		}
		return 0, nil
	}
	full := out.Body.NextCursor != "" || room == 0
	rows, err := a.store.Streams(ctx, f, store.ListOptions{Limit: max(room, 1), Cursor: c.Rows, Sort: in.Sort, Count: in.Count})
	if errors.Is(err, store.ErrCursor) {
		return 0, invalid("query/cursor", "not a cursor of this list and order; leave it out to begin again")
	}
	if err != nil {
		return 0, err
	}
	if full {
		if out.Body.NextCursor == "" && len(rows.Items) > 0 {
			out.Body.NextCursor = encodeCursor(streamCursor{Next: true})
		}
		return rows.Total, nil
	}
	live := a.liveStreams()
	for i := range rows.Items {
		row := &rows.Items[i]
		s := streamOf(row, live[streamName{row.Vhost, row.App, row.Name}])
		if in.Live == "false" && s.Live != nil {
			continue
		}
		out.Body.Items = append(out.Body.Items, s)
	}
	if rows.Next != "" {
		out.Body.NextCursor = encodeCursor(streamCursor{Rows: rows.Next})
	}
	return rows.Total, nil
}
