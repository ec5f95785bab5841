package feed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gorilla/websocket"
)

// run is what the goroutine of Run owns.
type run struct {
	feed   *Feed
	topics map[topicKey]*topic
	ticks  uint64
}

// topicKey names a topic as an audience sees it.
type topicKey struct{ audience, name string }

// topic is one topic as its followers know it.
type topic struct {
	topicKey

	source    Source
	seq       uint64
	order     []string // ids, in the source's order
	items     map[string]json.RawMessage
	total     int
	snap      *message // of this seq; nil until somebody needs it
	ring      []*message
	followers map[*client]struct{}
	lonely    time.Time // since when nobody follows it
}

// message is an encoded message, shared by all who get it.
type message struct {
	topic    string
	seq      uint64
	bytes    int
	prepared *websocket.PreparedMessage
}

func prepare(topic string, seq uint64, v any) (*message, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("feed: encode a message of %s: %w", topic, err)
	}
	p, err := websocket.NewPreparedMessage(websocket.TextMessage, b)
	if err != nil {
		return nil, fmt.Errorf("feed: prepare a message of %s: %w", topic, err)
	}
	return &message{topic: topic, seq: seq, bytes: len(b), prepared: p}, nil
}

// obey does what a client asks.
func (r *run) obey(ctx context.Context, c command) {
	switch {
	case c.leave:
		for _, t := range r.topics {
			t.drop(c.from)
		}
	case c.sub.Type == "unsub":
		if t := r.topics[c.from.key(c.sub.Topic)]; t != nil {
			t.drop(c.from)
		}
	default:
		r.follow(ctx, c.from, c.sub)
	}
}

func (t *topic) drop(c *client) {
	if _, ok := t.followers[c]; !ok {
		return
	}
	delete(t.followers, c)
	if len(t.followers) == 0 {
		t.lonely = time.Now()
	}
}

// follow adds a follower and brings it up to date: with the deltas it missed
// when it says which it saw last, with a snapshot otherwise.
func (r *run) follow(ctx context.Context, c *client, s Sub) {
	t := r.topics[c.key(s.Topic)]
	if t == nil {
		if t = r.open(ctx, c, s.Topic); t == nil {
			return
		}
	}
	if _, again := t.followers[c]; !again && r.following(c) >= maxTopics {
		c.complain(s.Topic, "too_many_topics", fmt.Sprintf("One socket may follow %d topics.", maxTopics))
		return
	}
	t.followers[c] = struct{}{}
	if s.Since != nil && s.Since.Epoch == r.feed.epoch(c.viewer.Audience) {
		if missed, ok := t.since(s.Since.Seq); ok {
			for _, m := range missed {
				c.push(m)
			}
			return
		}
	}
	r.pushSnap(c, t)
}

// open makes the topic of that name, or tells the client that there is none.
func (r *run) open(ctx context.Context, c *client, name string) *topic {
	source, ok := r.feed.find(ctx, name)
	if !ok {
		r.feed.log.Debug("feed: a client asks for a topic that there is none of", "topic", clip(name))
		c.complain(name, "unknown_topic", "There is no such topic. They are: "+fmt.Sprint(r.feed.names())+".")
		return nil
	}
	// The sequence starts at the number of ticks, which no topic of this name can
	// have gone beyond before it was forgotten.
	t := &topic{topicKey: c.key(name), source: source, seq: r.ticks, followers: map[*client]struct{}{}}
	switch err := t.look(ctx); {
	case errors.Is(err, ErrUnknown):
		r.feed.log.Debug("feed: a client asks for what is not there", "topic", clip(name))
		c.complain(name, "not_found", "There is no such topic, or not for you.")
		return nil
	case err != nil:
		r.feed.log.Warn("feed: open a topic", "topic", clip(name), "err", err)
		c.complain(name, "not_found", "The topic cannot be read now; ask again in a moment.")
		return nil
	}
	t.ring = nil
	r.topics[t.topicKey] = t
	return t
}

// clip bounds a name that a client chose, for the log.
func clip(name string) string {
	const longest = 64
	if len(name) > longest {
		return name[:longest] + "…"
	}
	return name
}

func (r *run) following(c *client) int {
	n := 0
	for _, t := range r.topics {
		if _, ok := t.followers[c]; ok {
			n++
		}
	}
	return n
}

// tick looks at every topic and sends what changed.
func (r *run) tick(ctx context.Context) {
	r.ticks++
	lonely := 0
	for key, t := range r.topics {
		if len(t.followers) == 0 {
			if lonely++; lonely > maxIdleTopics || time.Since(t.lonely) > topicKept {
				delete(r.topics, key)
				continue
			}
		}
		seq := t.seq
		switch err := t.look(ctx); {
		case errors.Is(err, ErrUnknown):
			continue // it has been deleted; who followed it is told by the list
		case err != nil:
			r.feed.log.Warn("feed: look at a topic", "topic", clip(t.name), "err", err)
			continue
		}
		if t.seq == seq {
			continue
		}
		m := t.ring[len(t.ring)-1]
		for c := range t.followers {
			c.push(m)
		}
	}
	r.rescue()
}

// rescue sends fresh snapshots to clients that had fallen behind and have
// written what they had.
func (r *run) rescue() {
	for _, c := range r.feed.everybody() {
		if !c.recovered() {
			continue
		}
		for _, t := range r.topics {
			if _, ok := t.followers[c]; ok {
				r.pushSnap(c, t)
			}
		}
	}
}

func (r *run) pushSnap(c *client, t *topic) {
	if t.snap == nil {
		s := Snap{Type: "snap", Topic: t.name, Epoch: r.feed.epoch(t.audience), Seq: t.seq, Items: make([]json.RawMessage, 0, len(t.order)), Total: t.total}
		for _, id := range t.order {
			s.Items = append(s.Items, t.items[id])
		}
		m, err := prepare(t.name, t.seq, s)
		if err != nil {
			r.feed.log.Error("feed: make a snapshot", "topic", t.name, "err", err)
			return
		}
		t.snap = m
	}
	c.push(t.snap)
}

// look asks the source, and when something changed counts seq up and adds the
// delta to the ring.
func (t *topic) look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, sourceDeadline)
	defer cancel()
	items, total, err := t.source(ctx, t.audience)
	if err != nil {
		return err
	}
	d := Delta{Type: "delta", Topic: t.name, Up: []json.RawMessage{}, Rm: []string{}, Total: total}
	now, order := make(map[string]json.RawMessage, len(items)), make([]string, 0, len(items))
	for _, it := range items {
		if _, twice := now[it.ID]; twice {
			continue
		}
		b, err := json.Marshal(it.Value)
		if err != nil {
			return fmt.Errorf("encode item %s: %w", it.ID, err)
		}
		now[it.ID], order = b, append(order, it.ID)
		if old, known := t.items[it.ID]; !known || !bytes.Equal(old, b) {
			d.Up = append(d.Up, b)
		}
	}
	for _, id := range t.order {
		if _, still := now[id]; !still {
			d.Rm = append(d.Rm, id)
		}
	}
	changed := len(d.Up) > 0 || len(d.Rm) > 0 || total != t.total
	t.items, t.order, t.total = now, order, total
	if !changed {
		return nil
	}
	d.Seq = t.seq + 1
	m, err := prepare(t.name, d.Seq, d)
	if err != nil {
		return err
	}
	t.seq, t.snap = d.Seq, nil
	if t.ring = append(t.ring, m); len(t.ring) > ringLength {
		t.ring = append([]*message(nil), t.ring[1:]...)
	}
	return nil
}

// since returns the deltas after seq, false when they are not all there.
func (t *topic) since(seq uint64) ([]*message, bool) {
	if seq == t.seq {
		return nil, true
	}
	if seq > t.seq || t.seq-seq > uint64(len(t.ring)) {
		return nil, false
	}
	return t.ring[len(t.ring)-int(t.seq-seq):], true
}
