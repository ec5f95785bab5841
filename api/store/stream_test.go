package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server/config"
)

func defaultVhost(t *testing.T, s *Store) Vhost {
	t.Helper()
	return get(s.VhostByName(t.Context(), config.DefaultVhost))(t)
}

func newStream(t *testing.T, s *Store, name string) Stream {
	t.Helper()
	return get(s.CreateStream(t.Context(), operator(), Stream{
		VhostID: defaultVhost(t, s).ID, App: "live", Name: name, Enabled: true,
	}))(t)
}

func TestStreams(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		made := get(s.CreateStream(ctx, operator(), Stream{
			VhostID: defaultVhost(t, s).ID, App: "live/eu", Name: "talk", Enabled: true, ExternalID: "42",
			Metadata: map[string]string{"season": "3"},
		}))(t)
		got := get(s.StreamByName(ctx, "default", "live/eu", "talk"))(t)
		if d := cmp.Diff(made, got); d != "" || got.Vhost != "default" {
			t.Fatalf("read back otherwise (-made +got):\n%s", d)
		}
		_, err := s.CreateStream(ctx, operator(), Stream{VhostID: got.VhostID, App: "live/eu", Name: "talk"})
		refused(t, ErrConflict, err)
		_, err = s.CreateStream(ctx, operator(), Stream{VhostID: "vh_none", App: "live", Name: "talk"})
		refused(t, ErrNotFound, err)
		got.VhostID, got.Name = "vh_other", "talk 2"
		got = get(s.UpdateStream(ctx, operator(), got))(t)
		if got.VhostID != made.VhostID || got.Name != "talk 2" || got.Revision != 2 {
			t.Fatalf("after the update: %+v", got)
		}
		must(t, s.DeleteStream(ctx, operator(), got.ID, 2))
		_, err = s.Stream(ctx, got.ID)
		refused(t, ErrNotFound, err)
	})
}

func TestStreamFieldsAreChecked(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		pairs := map[string]string{}
		for i := range 51 {
			pairs[fmt.Sprint(i)] = ""
		}
		for pointer, change := range map[string]func(*Stream){
			"/app":         func(v *Stream) { v.App = "a//b" },
			"/name":        func(v *Stream) { v.Name = "a/b" },
			"/name ":       func(v *Stream) { v.Name = config.NewStreamKeySecret().Reveal() },
			"/external_id": func(v *Stream) { v.ExternalID = strings.Repeat("x", 257) },
			"/metadata":    func(v *Stream) { v.Metadata = pairs },
			"/metadata ":   func(v *Stream) { v.Metadata = map[string]string{"a": "b\n"} },
		} {
			v := Stream{VhostID: defaultVhost(t, s).ID, App: "live", Name: "talk"}
			change(&v)
			_, err := s.CreateStream(ctx, operator(), v)
			if fields := FieldErrors(err); len(fields) != 1 || fields[0].Pointer != strings.TrimSpace(pointer) {
				t.Errorf("%s: %v", pointer, err)
			}
			if err != nil && strings.Contains(err.Error(), "sk_") {
				t.Errorf("the error shows a key: %v", err)
			}
		}
	})
}

// TestListPages walks every order in small pages, with rows that share their
// sort value, and wants each row once.
func TestListPages(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		const n = 23
		for i := range n {
			v := newStream(t, s, fmt.Sprintf("Stream %c%d", "aB"[i%2], i))
			if i%3 == 0 {
				v.App = "other"
				get(s.UpdateStream(ctx, operator(), v))(t)
			}
		}
		for _, order := range []string{"", "created_at", "-created_at", "name", "-name", "app", "-app", "updated_at"} {
			seen := map[string]bool{}
			var names []string
			o := ListOptions{Limit: 4, Sort: order, Count: true}
			for {
				page := get(s.Streams(ctx, StreamFilter{}, o))(t)
				if page.Total != n || len(page.Items) > 4 {
					t.Fatalf("%q: total %d, page of %d", order, page.Total, len(page.Items))
				}
				for _, v := range page.Items {
					if seen[v.ID] {
						t.Fatalf("%q: %s twice", order, v.Name)
					}
					seen[v.ID] = true
					names = append(names, v.Name)
				}
				if o.Cursor = page.Next; o.Cursor == "" {
					break
				}
			}
			if len(seen) != n {
				t.Errorf("%q: %d of %d rows", order, len(seen), n)
			}
			if order == "name" && names[0] != "Stream B1" { // by bytes, in both
				t.Errorf("by name the first is %q", names[0])
			}
		}
		if page := get(s.Streams(ctx, StreamFilter{App: "other"}, ListOptions{Limit: 1000}))(t); len(page.Items) != 8 || page.Next != "" {
			t.Errorf("%d rows of the app", len(page.Items))
		}
	})
}

func TestCursorsAreOurs(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		for i := range 3 {
			newStream(t, s, fmt.Sprint("s", i))
		}
		next := get(s.Streams(ctx, StreamFilter{}, ListOptions{Limit: 1}))(t).Next
		for name, o := range map[string]ListOptions{
			"made up":       {Cursor: "abc"},
			"changed":       {Cursor: next[:len(next)-2] + "AA"},
			"not base64":    {Cursor: "'; DROP TABLE streams; --"},
			"another order": {Cursor: next, Sort: "name"},
			"no such order": {Sort: "metadata"},
			"injected":      {Sort: "name; DROP TABLE streams"},
		} {
			if _, err := s.Streams(ctx, StreamFilter{}, o); err == nil {
				t.Errorf("%s: taken", name)
			} else {
				refused(t, ErrCursor, err)
			}
		}
		_, err := s.Keys(ctx, "", ListOptions{Cursor: next})
		refused(t, ErrCursor, err)
		get(s.Streams(ctx, StreamFilter{}, ListOptions{Cursor: next}))(t)
	})
}

func TestSearch(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		for _, n := range []string{"Match Day", "100%", "a_b", "axb", "100 more", "quote'"} {
			newStream(t, s, n)
		}
		off := newStream(t, s, "off")
		off.Enabled = false
		get(s.UpdateStream(ctx, operator(), off))(t)
		no := false
		for _, c := range []struct {
			f    StreamFilter
			want int
		}{
			{StreamFilter{Search: "match"}, 1},
			{StreamFilter{Search: "0%"}, 1},
			{StreamFilter{Search: "a_b"}, 1},
			{StreamFilter{Search: "%"}, 1},
			{StreamFilter{Search: "'"}, 1},
			{StreamFilter{Search: `\`}, 0},
			{StreamFilter{Name: "axb"}, 1},
			{StreamFilter{Enabled: &no}, 1},
			{StreamFilter{VhostIDs: []string{"vh_x", off.VhostID}}, 7},
			{StreamFilter{VhostIDs: []string{"vh_x"}}, 0},
		} {
			if page := get(s.Streams(ctx, c.f, ListOptions{}))(t); len(page.Items) != c.want {
				t.Errorf("%+v finds %d, not %d", c.f, len(page.Items), c.want)
			}
		}
	})
}

// TestHostileText: text that means something elsewhere is kept as it is, and
// what no database can keep is kept as far as it can be.
func TestHostileText(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		for i, text := range []string{
			"'; DROP TABLE streams; --", `" OR ""="`, "' OR '1'='1", "$1", "${x}", "%s%n", "`id`", "<img onerror=alert(1)>",
			`\'; SELECT pg_sleep(9) --`, "' UNION SELECT secret FROM token_keys --", "\u76f4\u64ad", "E'\\x41'", "$$x$$", "NULL",
		} {
			v := Stream{
				VhostID: defaultVhost(t, s).ID, App: "live", Name: fmt.Sprint("s", i), ExternalID: text,
				Metadata: map[string]string{text: text},
			}
			if config.ValidName(text) == nil {
				v.Name = text
			}
			made := get(s.CreateStream(ctx, Actor{Kind: "user", ID: text, Name: text, RequestID: text}, v))(t)
			got := get(s.StreamByName(ctx, "default", "live", v.Name))(t)
			if d := cmp.Diff(made, got); d != "" || got.ExternalID != text || got.Metadata[text] != text {
				t.Errorf("%q is kept otherwise:\n%s", text, d)
			}
			if page := get(s.Streams(ctx, StreamFilter{ExternalID: text, Search: text}, ListOptions{}))(t); len(page.Items) != 1 {
				t.Errorf("%q finds %d rows", text, len(page.Items))
			}
			rows := get(s.AuditRows(ctx, AuditFilter{ActorID: text}, ListOptions{}))(t)
			if len(rows.Items) != 1 || rows.Items[0].ActorName != text {
				t.Errorf("%q is not in the audit as it is: %+v", text, rows.Items)
			}
		}
		odd := Session{ID: "ses_1", Agent: "a\x00b\xffc\r\nd", EndedAt: now()}
		must(t, s.SaveSession(ctx, odd))
		if got := get(s.Session(ctx, "ses_1"))(t); got.Agent != "a\uFFFDb\uFFFDc\r\nd" {
			t.Errorf("the agent is kept as %q", got.Agent)
		}
		_, err := s.Stream(ctx, "st_\x00'")
		refused(t, ErrNotFound, err)
	})
}
