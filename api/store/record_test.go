package store

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server/config"
)

func TestSessions(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		at := now()
		want := Session{
			ID: "ses_1", Node: "n1", Role: "publisher", Protocol: "rtmp", Peer: "192.0.2.9:5000", Agent: "OBS", PageURL: "http://x",
			Vhost: "default", App: "live", Stream: "talk", KeyID: "key_1", TokenID: "tok_1", BytesIn: 1 << 40, BytesOut: 1<<63 - 1,
			Dropped: 3, Video: "H.264", Audio: "AAC", StartedAt: at.Add(-time.Minute), EndedAt: at, Reason: "kicked", Detail: "by Ingrid",
		}
		must(t, s.SaveSession(ctx, want))
		other := want
		other.Reason = "changed"
		must(t, s.SaveSession(ctx, other))
		if d := cmp.Diff(want, get(s.Session(ctx, "ses_1"))(t)); d != "" || want.Duration() != time.Minute {
			t.Fatalf("read back otherwise (-want +got):\n%s", d)
		}
		must(t, s.SaveSession(ctx, Session{ID: "ses_2", Vhost: "sport", Role: "player", EndedAt: at.Add(-time.Hour), BytesOut: 1 << 63}))
		for _, c := range []struct {
			f    SessionFilter
			want string
		}{
			{SessionFilter{}, "ses_1 ses_2"},
			{SessionFilter{Vhosts: []string{"sport", "x"}}, "ses_2"},
			{SessionFilter{App: "live", Stream: "talk", Role: "publisher", Protocol: "rtmp", Reason: "kicked", KeyID: "key_1", TokenID: "tok_1"}, "ses_1"},
			{SessionFilter{Search: "obs"}, "ses_1"},
			{SessionFilter{From: at}, "ses_1"},
			{SessionFilter{To: at}, "ses_2"},
		} {
			var ids []string
			for _, v := range get(s.Sessions(ctx, c.f, ListOptions{}))(t).Items {
				ids = append(ids, v.ID)
			}
			if got := strings.Join(ids, " "); got != c.want {
				t.Errorf("%+v finds %q", c.f, got)
			}
		}
		must(t, s.Prune(ctx, at))
		if list := get(s.Sessions(ctx, SessionFilter{}, ListOptions{Count: true}))(t); list.Total != 1 {
			t.Errorf("%d sessions after pruning", list.Total)
		}
	})
}

func TestAudit(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		v := get(s.CreateVhost(ctx, operator(), NewVhost("sport")))(t)
		v.Enabled = false
		get(s.UpdateVhost(ctx, operator(), v))(t)
		must(t, s.DeleteVhost(ctx, operator(), v.ID, 0))
		rows := get(s.AuditRows(ctx, AuditFilter{Resource: v.ID}, ListOptions{Sort: "created_at"}))(t).Items
		if len(rows) != 3 {
			t.Fatalf("%d rows", len(rows))
		}
		revision := get(s.Revision(ctx))(t)
		for i, want := range []struct {
			action        string
			before, after bool
		}{{"vhost.create", false, true}, {"vhost.update", true, true}, {"vhost.delete", true, false}} {
			r := rows[i]
			if r.Action != want.action || (r.Before != nil) != want.before || (r.After != nil) != want.after ||
				r.ActorID != "usr_1" || r.ActorName != "Ingrid" || r.IP != "192.0.2.1" || r.RequestID != "req-1" ||
				r.ConfigRevision != revision-2+int64(i) {
				t.Errorf("row %d: %+v", i, r)
			}
		}
		var before, after Vhost
		must(t, json.Unmarshal(rows[1].Before, &before))
		must(t, json.Unmarshal(rows[1].After, &after))
		if !before.Enabled || after.Enabled || after.Revision != 2 {
			t.Errorf("before %v, after %v", before.Enabled, after.Enabled)
		}
		must(t, s.RecordAudit(ctx, operator(), "session.kick", "ses_1", nil, map[string]string{"reason": "noise"}))
		kick := get(s.AuditRows(ctx, AuditFilter{Action: "session.kick"}, ListOptions{}))(t).Items
		if len(kick) != 1 || string(kick[0].After) != `{"reason":"noise"}` || get(s.Revision(ctx))(t) != revision {
			t.Errorf("the kick: %+v", kick)
		}
	})
}

// TestAuditHoldsNoSecret plants secrets in every kind of row that has one and
// looks for them in all that was written down.
func TestAuditHoldsNoSecret(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		st := newStream(t, s, "talk")
		keySecret, next, apiSecret := config.NewStreamKeySecret(), config.NewStreamKeySecret(), config.NewSecret("ak")
		k := get(s.CreateKey(ctx, operator(), Key{StreamID: st.ID}, keySecret))(t)
		get(s.RotateKey(ctx, operator(), k.ID, 1, next, now().Add(time.Hour)))(t)
		get(s.CreateAPIKey(ctx, operator(), APIKey{Name: "x", Scopes: []string{"admin"}}, apiSecret))(t)
		get(s.CreateHook(ctx, operator(), Hook{
			Mode: "tell", Events: []string{"x"}, URL: "http://x.example", Dialect: "penstock", Secret: "whsec_planted", TimeoutMS: 1000, OnError: "deny",
		}))(t)
		get(s.CreateTokenKey(ctx, operator(), TokenKey{Secret: "planted, and long enough to sign with"}))(t)
		get(s.CreateUser(ctx, operator(), User{Email: "a@example.com", PasswordHash: "$argon2id$planted", Role: RoleAdmin}))(t)

		rows := get(s.AuditRows(ctx, AuditFilter{}, ListOptions{Limit: 200}))(t).Items
		if len(rows) < 9 {
			t.Fatalf("only %d rows", len(rows))
		}
		secrets := []string{"planted"}
		for _, sec := range []config.Secret{keySecret, next, apiSecret} {
			secrets = append(secrets, sec.Reveal(), config.HashKey(sec.Reveal()).String())
		}
		for _, r := range rows {
			for _, sec := range secrets {
				if strings.Contains(string(r.Before)+string(r.After), sec) {
					t.Errorf("%s holds a secret: %s %s", r.Action, r.Before, r.After)
				}
			}
		}
	})
}

func TestIdempotency(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		r := IdempotencyRecord{Scope: "ak_1", Key: "k", RequestHash: "h", ExpiresAt: now().Add(time.Hour)}
		var began atomic.Int32
		race(6, func(int) {
			_, mine, err := s.BeginIdempotent(ctx, r)
			if err != nil {
				t.Error(err)
			}
			if mine {
				began.Add(1)
			}
		})
		if began.Load() != 1 {
			t.Fatalf("%d carry the request out", began.Load())
		}
		if got, mine, err := s.BeginIdempotent(ctx, r); err != nil || mine || got.State != IdempotencyRunning || got.RequestHash != "h" {
			t.Fatalf("while it runs: %+v %v %v", got, mine, err)
		}
		must(t, s.FinishIdempotent(ctx, "ak_1", "k", 201, `{"id":"st_1"}`))
		must(t, s.AbandonIdempotent(ctx, "ak_1", "k")) // too late
		if got, mine, err := s.BeginIdempotent(ctx, r); err != nil || mine || got.State != IdempotencyDone || got.Status != 201 || got.Response != `{"id":"st_1"}` {
			t.Fatalf("when it is done: %+v %v %v", got, mine, err)
		}
		other := r
		other.Scope = "ak_2"
		if _, mine, err := s.BeginIdempotent(ctx, other); err != nil || !mine {
			t.Fatalf("another's key of that name: %v %v", mine, err)
		}
		must(t, s.AbandonIdempotent(ctx, "ak_2", "k"))
		other.ExpiresAt = now()
		if _, mine, err := s.BeginIdempotent(ctx, other); err != nil || !mine {
			t.Fatalf("after it was abandoned: %v %v", mine, err)
		}
		if _, mine, err := s.BeginIdempotent(ctx, other); err != nil || !mine {
			t.Fatalf("after it expired: %v %v", mine, err)
		}
		// One that runs for too long belonged to a process that is gone.
		must(t, s.exec(ctx, "age", "UPDATE idempotency SET created_at = $1, expires_at = $2 WHERE scope = 'ak_2'",
			micros(now().Add(-time.Hour)), micros(now().Add(time.Hour))))
		if _, mine, err := s.BeginIdempotent(ctx, other); err != nil || !mine {
			t.Fatalf("after its process died: %v %v", mine, err)
		}
	})
}

func TestPrune(t *testing.T) {
	onBoth(t, func(e env) {
		t, s, ctx := e.t, e.s, e.t.Context()
		past, future := now().Add(-time.Hour), now().Add(time.Hour)
		must(t, s.UseToken(ctx, "old", past))
		must(t, s.UseToken(ctx, "new", future))
		must(t, s.RevokeToken(ctx, operator(), "old", past))
		for age, id := range map[time.Duration]string{auditKept - time.Hour: "aud_young", auditKept + time.Hour: "aud_old"} {
			must(t, auditTable().insert(ctx, s, s.write, &Audit{ID: id, CreatedAt: now().Add(-age), Resource: "x"}))
		}
		must(t, s.Prune(ctx, time.Time{}))
		if rows := get(s.AuditRows(ctx, AuditFilter{Resource: "x"}, ListOptions{}))(t).Items; len(rows) != 1 || rows[0].ID != "aud_young" {
			t.Errorf("of the audit this is left: %+v", rows)
		}
		must(t, s.UseToken(ctx, "old", past))
		refused(t, ErrUsed, s.UseToken(ctx, "new", future))
		if get(s.TokenRevoked(ctx, "old"))(t) {
			t.Error("an expired token is remembered")
		}
	})
}
