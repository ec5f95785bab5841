package api

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/penstock-media/penstock/api/store"
)

// The bounds of what the directory remembers.
const (
	maxDirectory     = 20_000
	directoryFor     = 30 * time.Second // a change made meanwhile drops it
	directoryTimeout = time.Second
)

// streamName names a stream as the engine does.
type streamName struct{ vhost, app, name string }

// directory finds the rows of live streams, of which the engine knows only the
// names. It answers from memory, also while the database is away.
type directory struct {
	store *store.Store

	mu         sync.Mutex
	entries    map[streamName]directoryEntry // guarded by mu
	names      map[string]directoryName      // guarded by mu: by id
	generation int                           // guarded by mu; grows with forget
}

type directoryEntry struct {
	row        *store.Stream // nil: there is none
	at         time.Time
	generation int
}

type directoryName struct {
	name       streamName
	generation int
}

func newDirectory(s *store.Store) *directory {
	return &directory{store: s, entries: map[streamName]directoryEntry{}, names: map[string]directoryName{}}
}

// forget makes the store be asked again.
func (d *directory) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.generation++
}

// name returns the name of the stream with that id. Once known it is answered
// from memory while the database is away.
func (d *directory) name(ctx context.Context, id string) (streamName, error) {
	d.mu.Lock()
	e, ok := d.names[id]
	generation := d.generation
	d.mu.Unlock()
	if ok && (e.generation == generation || !d.store.State().OK) {
		return e.name, nil
	}
	ctx, cancel := context.WithTimeout(ctx, directoryTimeout)
	defer cancel()
	row, err := d.store.Stream(ctx, id)
	if err != nil {
		return streamName{}, missing(err, "stream", id)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.names) >= maxDirectory {
		clear(d.names)
	}
	n := streamName{row.Vhost, row.App, row.Name}
	d.names[id] = directoryName{name: n, generation: generation}
	return n, nil
}

// find returns the row of a stream, nil when there is none or it cannot be known now.
func (d *directory) find(ctx context.Context, n streamName) *store.Stream {
	d.mu.Lock()
	e, ok := d.entries[n]
	generation := d.generation
	d.mu.Unlock()
	now := time.Now()
	if (ok && e.generation == generation && now.Sub(e.at) < directoryFor) || !d.store.State().OK {
		return e.row // asking a database that hangs would hold everybody up
	}
	ctx, cancel := context.WithTimeout(ctx, directoryTimeout)
	defer cancel()
	row, err := d.store.StreamByName(ctx, n.vhost, n.app, n.name)
	switch {
	case err == nil:
		e.row = &row
	case errors.Is(err, store.ErrNotFound):
		e.row = nil
	default: // what was known still is; ask again a little later
		now = now.Add(time.Second - directoryFor)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.entries) >= maxDirectory {
		clear(d.entries)
	}
	d.entries[n] = directoryEntry{row: e.row, at: now, generation: generation}
	return e.row
}
