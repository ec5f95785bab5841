package api_test

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/penstock-media/penstock/api"
	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
)

// estate is a vhost with one of everything, all of whose names have its name in
// them, so that any reply that tells of it can be found out.
type estate struct {
	name                                    string
	vhost, stream, key, refererRule, ipRule string // ids
	live, kickable                          string // ids of sessions
}

func (h *house) estate(name string) estate {
	h.Helper()
	ctx, system := h.Context(), store.System()
	v := store.NewVhost(name)
	v, err := h.store.CreateVhost(ctx, system, v)
	h.ok(err)
	s, k, err := h.store.CreateStreamWithKey(ctx, system, store.Stream{VhostID: v.ID, App: name, Name: name, Enabled: true},
		store.Key{Label: name, Enabled: true}, config.NewStreamKeySecret())
	h.ok(err)
	r, err := h.store.CreateRefererRule(ctx, system, store.RefererRule{
		VhostID: v.ID, Scope: "all", Action: "deny", Pattern: name + ".example", Note: name,
	})
	h.ok(err)
	i, err := h.store.CreateIPRule(ctx, system, store.IPRule{
		VhostID: v.ID, Scope: "all", Action: "deny", CIDR: netip.MustParsePrefix("192.0.2.0/24"), Note: name,
	})
	h.ok(err)
	e := estate{
		name: name, vhost: v.ID, stream: s.ID, key: k.ID, refererRule: r.ID, ipRule: i.ID,
		live: "ses_live_" + name, kickable: "ses_kick_" + name,
	}
	at := time.Now().UTC()
	h.ok(h.store.SaveSession(ctx, store.Session{
		ID: "ses_ended_" + name, Role: "player", Protocol: "rtmp", Vhost: name, App: name, Stream: name,
		StartedAt: at, EndedAt: at, Reason: "peer_closed",
	}))
	h.engine.mu.Lock()
	defer h.engine.mu.Unlock()
	for _, stream := range []string{name, name + "-guest"} {
		h.engine.streams = append(h.engine.streams, server.StreamInfo{Vhost: name, App: name, Name: stream, Live: true, Players: 1, InKbps: 7})
	}
	for _, id := range []string{e.live, e.kickable} {
		h.engine.sessions = append(h.engine.sessions, server.SessionInfo{
			ID: id, Role: "player", Protocol: "rtmp", Vhost: name, App: name, Name: name, KeyID: e.key, StartedAt: at,
		})
	}
	h.engine.refusals = append(h.engine.refusals, server.Refusal{
		Time: at, Action: "play", Protocol: "rtmp", Vhost: name, App: name, Name: name, Reason: "refused_ip",
	})
	h.engine.events = append(h.engine.events, server.Event{
		Seq: uint64(len(h.engine.events) + 1), Type: "stream.published", Time: at, Vhost: name, App: name, Name: name, SessionID: e.live,
	})
	return e
}

// request is an operation about the estate. One whose body is not known here
// fails the test with 422.
func (e estate) request(o api.Operation, token string) call {
	rule, session := e.ipRule, e.live
	if strings.Contains(o.Path, "referer-rules") {
		rule = e.refererRule
	}
	if o.ID == "kick-session" {
		session = e.kickable
	}
	path := strings.NewReplacer("{vhost_id}", e.vhost, "{stream_id}", e.stream, "{key_id}", e.key, "{rule_id}", rule,
		"{session_id}", session, "{token_id}", "tok_1", "{user_id}", "usr_1", "{api_key_id}", "ak_1").Replace(o.Path)
	c := call{method: o.Method, path: path, token: token, header: http.Header{"If-Match": {"*"}}}
	switch {
	case !o.Body:
	case bodies(e)[o.ID] != nil:
		c.body = bodies(e)[o.ID]
	default:
		c.body = map[string]any{}
	}
	return c
}

// bodies are those of operations that need more than {}.
func bodies(e estate) map[string]map[string]any {
	return map[string]map[string]any{
		"create-stream":       {"name": "another", "vhost_id": e.vhost},
		"create-token":        {"action": "play", "stream": "x", "vhost": e.name},
		"verify-token":        {"token": "nonsense"},
		"explain-access":      {"url": "rtmp://" + e.name + "/live/x", "action": "play"},
		"create-referer-rule": {"action": "deny", "pattern": "copycat.example"},
		"create-ip-rule":      {"action": "deny", "cidr": "192.0.2.7"},
	}
}

// aboutOne says whether an operation is about one vhost, by its path or its body.
func aboutOne(o api.Operation) bool {
	return strings.Contains(o.Path, "{") || slices.Contains([]string{"create-stream", "create-token", "explain-access"}, o.ID)
}

// guarded lists the operations that need a credential, deleting ones last and
// keys before their streams.
func (h *house) guarded() []api.Operation {
	all := slices.DeleteFunc(h.api.Operations(), func(o api.Operation) bool { return o.Public })
	last := func(o api.Operation) int {
		if o.Method == http.MethodDelete {
			return 1
		}
		return 0
	}
	slices.SortFunc(all, func(a, b api.Operation) int {
		return cmp.Or(last(a)-last(b), len(b.Path)-len(a.Path), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// limited makes a credential that is limited to one vhost.
func (h *house) limited(kind, vhost, admin string) string {
	h.Helper()
	if kind != "api key" {
		h.create(store.User{Email: kind + "@ours.example", Role: kind, Vhosts: []string{vhost}})
		return h.login(kind + "@ours.example")
	}
	body := map[string]any{"name": "backend", "scopes": []string{"admin"}, "vhost_ids": []string{vhost}}
	return read[api.APIKeySecret](h.do(call{method: "POST", path: "/api/v1/api-keys", token: admin, body: body}).want(201)).Secret
}

// estates makes two, in force. Replies to who is limited to the first must not
// have any of the texts returned.
func (h *house) estates() (ours, theirs estate, secret []string) {
	h.Helper()
	ours, theirs = h.estate("ours-k3w"), h.estate("theirs-x7q")
	h.eventually("the vhosts are in force", func() bool {
		h.engine.mu.Lock()
		defer h.engine.mu.Unlock()
		return h.engine.applied.Named(theirs.name) != nil
	})
	// The fake engine's first stream is on the default vhost, which is outside too.
	return ours, theirs, []string{theirs.name, theirs.vhost, theirs.stream, theirs.key, "match-day", "ses_publisher"}
}

// TestNobodySeesBeyondTheirVhosts walks every operation with every kind of
// credential that is limited to one vhost, about another and about its own.
func TestNobodySeesBeyondTheirVhosts(t *testing.T) {
	for _, kind := range []string{"admin", "operator", "viewer", "api key"} {
		t.Run(kind, func(t *testing.T) {
			h := newHouse(t)
			admin := h.admin()
			ours, theirs, secret := h.estates()
			token := h.limited(kind, ours.vhost, admin)
			for _, o := range h.guarded() {
				if o.Whole || !permitted(kind, o.Scope) {
					h.do(theirs.request(o, token)).problem(403, "forbidden")
					continue
				}
				r := h.do(theirs.request(o, token))
				switch {
				case o.ID == "create-token":
					r.problem(422, "validation_failed")
				case aboutOne(o):
					r.problem(404, "not_found")
				}
				tells(r, o, theirs, secret)
				r = h.do(ours.request(o, token))
				if r.status >= 300 {
					t.Errorf("%s about their own vhost: got %d %s", o.ID, r.status, r.body)
				}
				tells(r, o, ours, secret)
				if slices.Contains([]string{"list-vhosts", "list-streams", "list-sessions", "list-refusals", "list-events"}, o.ID) &&
					!strings.Contains(string(r.body), ours.name) {
					t.Errorf("%s does not list what is theirs: %s", o.ID, r.body)
				}
			}
			// Without a limit the same requests go through: they are good ones.
			for _, o := range h.guarded() {
				if r := h.do(theirs.request(o, admin)); aboutOne(o) && !o.Whole && r.status >= 300 {
					t.Errorf("%s without a limit: got %d %s", o.ID, r.status, r.body)
				}
			}
		})
	}
}

// permitted says whether a role has a scope.
func permitted(kind, scope string) bool {
	switch kind {
	case "viewer":
		return scope == "streams:read" || scope == ""
	case "operator":
		return scope != "admin"
	}
	return true
}

// tells fails the test when a reply has something in it that was not asked with.
func tells(r reply, o api.Operation, asked estate, secret []string) {
	r.t.Helper()
	c := asked.request(o, "")
	said, err := json.Marshal([]any{c.path, c.body})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, s := range secret {
		if strings.Contains(string(r.body), s) && !strings.Contains(string(said), s) {
			r.t.Errorf("%s tells of %s: %s", o.ID, s, r.body)
		}
	}
}

func TestListsEndAtTheLimit(t *testing.T) {
	h := newHouse(t)
	ours, theirs, secret := h.estates()
	token := h.limited("viewer", ours.vhost, "")
	for _, path := range []string{
		"/sessions?state=ended", "/sessions?state=ended&vhost=" + theirs.name, "/sessions?vhost=" + theirs.name, "/sessions?limit=1",
		"/streams?live=true&count=true", "/streams?limit=1", "/refusals?q=x7q", "/refusals?vhost=" + theirs.name, "/events?limit=1", "/overview",
	} {
		r := h.do(call{method: "GET", path: "/api/v1" + path, token: token}).want(200)
		for _, s := range secret {
			if strings.Contains(string(r.body), s) {
				t.Errorf("%s tells of %s: %s", path, s, r.body)
			}
		}
	}
	if n := *read[api.List[api.Stream]](h.do(call{method: "GET", path: "/api/v1/streams?count=true", token: token}).want(200)).Total; n != 2 {
		t.Errorf("%d streams", n)
	}
	if o := read[api.OverviewHistory](h.do(call{method: "GET", path: "/api/v1/overview", token: token}).want(200)); o.Now.Streams != 2 || o.Now.Players != 2 || o.Now.Refusals != 1 {
		t.Errorf("the overview is %+v", o.Now)
	}
	h.do(call{method: "GET", path: "/api/v1/streams?vhost=" + theirs.vhost, token: token}).problem(404, "not_found")
	// The events that are not shown are not asked for again.
	l := read[api.EventList](h.do(call{method: "GET", path: "/api/v1/events", token: token}).want(200))
	if len(l.Items) != 1 || l.LastSeq != 3 {
		t.Errorf("got %+v", l)
	}
}

// TestSingleThingsOutsideAreNotFound is about what the walk does not name.
func TestSingleThingsOutsideAreNotFound(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	ours, theirs, _ := h.estates()
	token := h.limited("operator", ours.vhost, admin)
	guest := func(e estate) string { // the id of a live stream without a row
		return "live_" + base64.RawURLEncoding.EncodeToString([]byte(e.name+"\x00"+e.name+"\x00"+e.name+"-guest"))
	}
	for _, path := range []string{"/streams/%s", "/streams/%s/history"} {
		h.do(call{method: "GET", path: "/api/v1" + fmt.Sprintf(path, guest(ours)), token: token}).want(200)
		h.do(call{method: "GET", path: "/api/v1" + fmt.Sprintf(path, guest(theirs)), token: token}).problem(404, "not_found")
	}
	h.do(call{method: "GET", path: "/api/v1/sessions/ses_ended_" + ours.name, token: token}).want(200)
	h.do(call{method: "GET", path: "/api/v1/sessions/ses_ended_" + theirs.name, token: token}).problem(404, "not_found")
	for e, valid := range map[estate]bool{ours: true, theirs: false} {
		body := map[string]any{"action": "play", "stream": e.name, "app": e.name, "vhost": e.name}
		minted := read[api.Token](h.do(call{method: "POST", path: "/api/v1/tokens", token: admin, body: body}).want(201))
		r := h.do(call{method: "POST", path: "/api/v1/tokens:verify", token: token, body: map[string]any{"token": minted.Token}}).want(200)
		if a := read[api.TokenAnswer](r); a.Valid != valid || strings.Contains(string(r.body), theirs.name) {
			t.Errorf("a token for %s: %s", e.name, r.body)
		}
	}
}

// TestALimitNeverTurnsIntoNone: with the last of their vhosts gone they see
// nothing, not all.
func TestALimitNeverTurnsIntoNone(t *testing.T) {
	h := newHouse(t)
	ours, _, secret := h.estates()
	token := h.limited("viewer", ours.vhost, "")
	h.ok(h.store.DeleteVhost(t.Context(), store.System(), ours.vhost, 0))
	h.eventually("the vhost is gone", func() bool {
		h.engine.mu.Lock()
		defer h.engine.mu.Unlock()
		return h.engine.applied.Named(ours.name) == nil
	})
	for _, path := range []string{"/vhosts", "/streams", "/sessions", "/sessions?state=ended", "/refusals", "/events"} {
		r := h.do(call{method: "GET", path: "/api/v1" + path, token: token}).want(200)
		if !strings.Contains(string(r.body), `"items":[]`) {
			t.Errorf("%s: got %s", path, r.body)
		}
		for _, s := range secret {
			if strings.Contains(string(r.body), s) {
				t.Errorf("%s tells of %s", path, s)
			}
		}
	}
}

func TestLimitedAdminsChangeNothingForOthers(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	ours, _, _ := h.estates()
	token := h.limited("admin", ours.vhost, admin)
	path := "/api/v1/vhosts/" + ours.vhost
	patch := func(body map[string]any) reply {
		return h.do(call{method: "PATCH", path: path, token: token, header: ifMatch("*"), body: body})
	}
	patch(map[string]any{"name": "other"}).problem(403, "forbidden")
	patch(map[string]any{"hostnames": []string{"live.example.com"}}).problem(403, "forbidden")
	patch(map[string]any{"name": ours.name, "hostnames": []string{}, "play_policy": "token"}).want(200)
	h.do(call{method: "DELETE", path: "/api/v1/sessions/" + ours.kickable + "?ban_seconds=60", token: token}).problem(403, "forbidden")
	h.do(call{method: "DELETE", path: "/api/v1/sessions/" + ours.kickable, token: token}).want(204)
	// They do not count as the admin that has to be there.
	me := read[api.Me](h.do(call{method: "GET", path: "/api/v1/auth/me", token: admin}).want(200)).User
	h.do(call{method: "PATCH", path: "/api/v1/users/" + me.ID, token: admin, header: ifMatch("*"), body: map[string]any{"vhost_ids": []string{ours.vhost}}}).
		problem(409, "conflict")
	h.do(call{method: "DELETE", path: "/api/v1/users/" + me.ID, token: admin, header: ifMatch("*")}).problem(409, "conflict")
}

func TestLimitsOfUsersAndAPIKeys(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	ours, theirs, _ := h.estates()
	body := map[string]any{"email": "olga@example.com", "role": "viewer", "password": password, "vhost_ids": []string{ours.name, ours.vhost}}
	u := read[api.User](h.do(call{method: "POST", path: "/api/v1/users", token: admin, body: body}).want(201))
	if !slices.Equal(u.VhostIDs, []string{ours.vhost}) {
		t.Errorf("limited to %v", u.VhostIDs)
	}
	token := h.login("olga@example.com")
	if me := read[api.Me](h.do(call{method: "GET", path: "/api/v1/auth/me", token: token}).want(200)); !slices.Equal(me.User.VhostIDs, u.VhostIDs) {
		t.Errorf("me is %+v", me.User)
	}
	// Another limit signs her out, also from the feed, and holds at the next sign-in.
	h.do(call{method: "PATCH", path: "/api/v1/users/" + u.ID, token: admin, header: ifMatch("*"), body: map[string]any{"vhost_ids": []string{theirs.name}}}).want(200)
	h.do(call{method: "GET", path: "/api/v1/vhosts", token: token}).problem(401, "unauthorized")
	token = h.login("olga@example.com")
	h.do(call{method: "GET", path: "/api/v1/vhosts/" + ours.vhost, token: token}).problem(404, "not_found")
	h.do(call{method: "GET", path: "/api/v1/vhosts/" + theirs.vhost, token: token}).want(200)

	body = map[string]any{"email": "x@example.com", "role": "viewer", "password": password, "vhost_ids": []string{"default", "nowhere"}}
	if p := h.do(call{method: "POST", path: "/api/v1/users", token: admin, body: body}).problem(422, "validation_failed"); p.Errors[0].Pointer != "/vhost_ids/1" {
		t.Errorf("got %+v", p.Errors)
	}
	body = map[string]any{"name": "x", "scopes": []string{"admin"}, "vhost_ids": []string{"nowhere"}}
	h.do(call{method: "POST", path: "/api/v1/api-keys", token: admin, body: body}).problem(422, "validation_failed")
}

func TestTheFeedEndsAtTheLimit(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	ours, theirs, secret := h.estates()
	watch := func(token string) (func(topic string) map[string]any, string) {
		c, err := h.socket(token, nil)
		if err != nil {
			t.Fatal(err)
		}
		hello := h.fromFeed(c)
		return func(topic string) map[string]any {
			h.ok(c.Write(t.Context(), websocket.MessageText, []byte(`{"type":"sub","topic":"`+topic+`"}`)))
			for {
				if m := h.fromFeed(c); m["topic"] == topic && m["type"] != "delta" {
					return m
				}
			}
		}, hello["epoch"].(string)
	}
	limited, epoch := watch(h.limited("viewer", ours.vhost, admin))
	all, other := watch(admin)
	if epoch == other {
		t.Error("both have the same epoch")
	}
	for _, topic := range []string{"overview", "streams", "sessions", "events", "refusals", "system", "stream:" + ours.stream} {
		everything := all(topic) // what was made for others is not theirs
		m := limited(topic)
		b, err := json.Marshal(m)
		h.ok(err)
		for _, s := range secret {
			if strings.Contains(string(b), s) {
				t.Errorf("%s tells of %s: %s", topic, s, b)
			}
		}
		if m["type"] != "snap" || m["epoch"] != epoch || len(m["items"].([]any)) == 0 || everything["type"] != "snap" {
			t.Errorf("%s: got %s", topic, b)
		}
	}
	if m := limited("stream:" + theirs.stream); m["type"] != "error" || m["code"] != "not_found" {
		t.Errorf("the topic of another's stream is %v", m)
	}
}
