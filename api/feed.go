package api

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/feed"
	"github.com/penstock-media/penstock/server"
)

// The most items of a topic; REST has the rest.
const (
	maxFeedSessions = 200
	maxFeedEvents   = 200
)

func (a *API) registerFeed() {
	register(a, operation{
		id: "create-feed-ticket", method: post, path: "/feed-tickets", tag: "Feed", scope: auth.StreamsRead, status: http.StatusCreated,
		summary: "Get a ticket for the live feed",
		about:   "A ticket holds for 30 seconds and opens one websocket at GET /api/v1/feed?ticket=…, from the same address.",
	}, a.createFeedTicket)
}

func (a *API) createFeedTicket(ctx context.Context, _ *struct{}) (*uncached[FeedTicket], error) {
	p := auth.From(ctx)
	t, err := a.feed.Ticket(feed.Viewer{
		ID: p.ID, IP: requestOf(ctx).ip, Audience: audience(p), Alive: func(ctx context.Context) bool { return a.auth.Alive(ctx, p) },
	})
	if err != nil {
		return nil, newProblem("rate_limited", "Too many tickets wait to be used.").with("Retry-After", "30")
	}
	return &uncached[FeedTicket]{CacheControl: "no-store", Body: FeedTicket{
		Ticket: t, ExpiresInSeconds: int(feed.TicketLife / time.Second), URL: "/api/v1/feed?ticket=" + url.QueryEscape(t),
	}}, nil
}

// serveFeed opens the websocket.
func (a *API) serveFeed(w http.ResponseWriter, r *http.Request) {
	q := requestOf(r.Context())
	err := a.feed.Serve(w, r, r.URL.Query().Get("ticket"), q.ip)
	switch {
	case err == nil:
	case errors.Is(err, feed.ErrOrigin):
		writeProblem(w, q.id, newProblem("cross_origin", "The live feed answers only pages of this server."))
	case errors.Is(err, feed.ErrSockets):
		writeProblem(w, q.id, newProblem("rate_limited", "Too many feeds are open.").with("Retry-After", "10"))
	case errors.Is(err, feed.ErrClosed):
		writeProblem(w, q.id, newProblem("shutting_down", "The server is stopping.").with("Retry-After", "5"))
	default:
		writeProblem(w, q.id, newProblem("unauthorized", "The ticket is unknown, used, expired, or from another address. Get a new one."))
	}
}

// newFeed makes the feed with its topics.
func (a *API) newFeed() *feed.Feed {
	return feed.New(feed.Config{
		Epoch: a.epoch, Logger: a.log, CheckOrigin: a.sameOrigin, MaxMessage: a.limits.WebSocketMessage,
		Topics: map[string]feed.Source{
			"overview": a.overviewItems, "streams": a.streamItems, "sessions": a.sessionItems,
			"events": a.eventItems, "refusals": a.refusalItems, "system": a.systemItems,
		},
		Kinds: []string{"stream:{id}"},
		Find: func(_ context.Context, topic string) (feed.Source, bool) {
			id, ok := strings.CutPrefix(topic, "stream:")
			return func(ctx context.Context, who string) ([]feed.Item, int, error) {
				return a.oneStreamItems(ctx, a.reachOfAudience(who), id)
			}, ok
		},
	})
}

// sameOrigin says whether a browser's request comes from a page of this server.
// Programs send no Origin.
func (a *API) sameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	return strings.EqualFold(u.Host, requestOf(r.Context()).host) ||
		(a.publicURL != nil && strings.EqualFold(u.Host, a.publicURL.Host))
}

func (a *API) overviewItems(_ context.Context, who string) ([]feed.Item, int, error) {
	o := a.overview(time.Now(), a.reachOfAudience(who))
	return []feed.Item{{ID: o.ID, Value: o}}, 1, nil
}

func (a *API) systemItems(_ context.Context, who string) ([]feed.Item, int, error) {
	s := a.system(a.reachOfAudience(who))
	return []feed.Item{{ID: s.ID, Value: s}}, 1, nil
}

func (a *API) streamItems(ctx context.Context, who string) ([]feed.Item, int, error) {
	streams := a.activeStreams(ctx, a.reachOfAudience(who))
	items := make([]feed.Item, len(streams))
	for i, s := range streams {
		items[i] = feed.Item{ID: s.ID, Value: s}
	}
	return items, len(items), nil
}

func (a *API) sessionItems(_ context.Context, who string) ([]feed.Item, int, error) {
	live := a.publishersFirst(a.reachOfAudience(who), func(*Session) bool { return true })
	items := make([]feed.Item, 0, min(len(live), maxFeedSessions))
	for _, s := range live[:min(len(live), maxFeedSessions)] {
		items = append(items, feed.Item{ID: s.ID, Value: s})
	}
	return items, len(live), nil
}

// publishersFirst are the live sessions within reach, publishers first and then
// the newest.
func (a *API) publishersFirst(r reach, want func(*Session) bool) []Session {
	var live []Session
	for _, info := range a.sessions(r) {
		if s := a.liveSession(info); want(&s) {
			live = append(live, s)
		}
	}
	slices.SortFunc(live, func(a, b Session) int {
		return cmp.Or(cmp.Compare(rank(a.Role), rank(b.Role)), b.StartedAt.Compare(a.StartedAt), cmp.Compare(a.ID, b.ID))
	})
	return live
}

func rank(role string) int {
	if role == "publisher" {
		return 0
	}
	return 1
}

func (a *API) eventItems(_ context.Context, who string) ([]feed.Item, int, error) {
	r := a.reachOfAudience(who)
	events := slices.DeleteFunc(a.engine.Events(0), func(e server.Event) bool { return !r.name(e.Vhost) })
	events = events[max(0, len(events)-maxFeedEvents):]
	items := make([]feed.Item, len(events))
	for i, e := range events {
		v := a.eventOf(e)
		items[i] = feed.Item{ID: v.ID, Value: v}
	}
	return items, len(items), nil
}

func (a *API) refusalItems(_ context.Context, who string) ([]feed.Item, int, error) {
	refusals := a.refusals(a.reachOfAudience(who))
	refusals = refusals[:min(len(refusals), maxFeedEvents)]
	items := make([]feed.Item, len(refusals))
	for i, r := range refusals {
		v := refusalOf(r)
		items[i] = feed.Item{ID: v.ID, Value: v}
	}
	return items, len(items), nil
}

// oneStreamItems is the topic of one stream: itself, its history, its sessions.
func (a *API) oneStreamItems(ctx context.Context, r reach, id string) ([]feed.Item, int, error) {
	n, live := readLiveID(id)
	if !live {
		var err error
		if n, err = a.directory.name(ctx, id); err != nil {
			if p, ok := errors.AsType[*Problem](err); ok && p.Status == http.StatusNotFound {
				err = feed.ErrUnknown
			}
			return nil, 0, err
		}
	}
	if !r.name(n.vhost) {
		return nil, 0, feed.ErrUnknown
	}
	s := a.namedStream(ctx, n)
	items := []feed.Item{{ID: "stream", Value: FeedStreamItem{ID: "stream", Kind: "stream", Stream: &s}}}
	for _, p := range a.engine.History(n.vhost, n.app, n.name) {
		point := pointOf(p)
		key := "p" + strconv.FormatInt(p.Time.Unix(), 10)
		items = append(items, feed.Item{ID: key, Value: FeedStreamItem{ID: key, Kind: "point", Point: &point}})
	}
	sessions := a.publishersFirst(r, func(s *Session) bool { return s.fullName() == n })
	total := len(items) + len(sessions)
	for i := range sessions[:min(len(sessions), maxFeedSessions)] {
		one := &sessions[i]
		items = append(items, feed.Item{ID: one.ID, Value: FeedStreamItem{ID: one.ID, Kind: "session", Session: one}})
	}
	return items, total, nil
}

// namedStream is a stream by its name, whether or not it has a row or is live.
func (a *API) namedStream(ctx context.Context, n streamName) Stream {
	row, info := a.directory.find(ctx, n), a.liveStream(n)
	if row == nil && info == nil {
		return Stream{ID: liveID(n), Vhost: n.vhost, App: n.app, Name: n.name, Enabled: true, Metadata: map[string]string{}}
	}
	return streamOf(row, info)
}

func (s *Session) fullName() streamName { return streamName{s.Vhost, s.App, s.Name} }
