package main

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/rtmp"
)

// publishEndless publishes one tiny picture 25 times a second until the server
// ends it, and returns how it did.
func publishEndless(t *testing.T, rawURL string) <-chan error {
	t.Helper()
	ctx := within(t, time.Minute)
	client, over, err := startPublishing(ctx, t, rawURL)
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	ended, stop := make(chan error, 1), make(chan struct{})
	var sending sync.WaitGroup
	sending.Go(func() {
		for i := 0; ; i++ {
			// A failure to write is reported by the reader with the server's reason.
			_ = client.WriteMedia(flv.TagVideo, uint32(i)*40, picture(i))
			select {
			case err := <-over:
				ended <- err
				return
			case <-stop:
				_ = client.Close()
				<-over
				return
			case <-time.After(40 * time.Millisecond):
			}
		}
	})
	t.Cleanup(func() {
		close(stop)
		sending.Wait()
		_ = client.Close()
	})
	return ended
}

// picture is the smallest video message that looks like H.264; every 25th is a
// key frame.
func picture(i int) []byte {
	if i%25 == 0 {
		return []byte{0x17, 1, 0, 0, 0, 0, 0, 0, 2, 0x65, 1}
	}
	return []byte{0x27, 1, 0, 0, 0, 0, 0, 0, 2, 0x41, 1}
}

// TestWrongKeyIsRefused: a publisher with a wrong key is told before publishing
// starts, and the refusal is listed without the key.
func TestWrongKeyIsRefused(t *testing.T) {
	for place, database := range places(t) {
		t.Run(place, func(t *testing.T) {
			p := prepareOn(t, database(t)).withAdmin()
			secret := p.newKey("live/stage")
			wrong := p.plant(secret[:len(secret)-4] + "AAAA")
			p.start()
			ctx := within(t, time.Minute)
			for name, publish := range map[string]string{
				"no key at all":            "stage",
				"a wrong key as the name":  wrong,
				"a wrong key in the query": "stage?key=" + wrong,
				"a key of another stream":  "other?key=" + secret,
			} {
				err := tryPublish(ctx, t, p.url(publish))
				var status *rtmp.StatusError
				switch {
				case err == nil:
					t.Errorf("%s: publishing starts", name)
				case !errors.As(err, &status):
					t.Errorf("%s: refused with %v, not with a status", name, err)
				case status.Level != "error" || strings.Contains(status.Description, "sk_"):
					t.Errorf("%s: refused with %+v", name, status)
				}
			}
			a := p.signIn(t)
			var listed int
			for _, r := range a.refusals() {
				if r.Action == "publish" && r.Reason != "" && r.Detail != "" && len(r.Checks) > 0 {
					listed++
				}
				if strings.Contains(r.Name+r.Detail, "sk_") {
					t.Errorf("a refusal shows a key: %+v", r)
				}
			}
			if listed != 4 {
				t.Errorf("%d refusals are listed, want 4: %+v", listed, a.refusals())
			}
			// The right key, both ways.
			for _, publish := range []string{secret, "stage?key=" + secret} {
				if err := tryPublish(ctx, t, p.url(publish)); err != nil {
					t.Errorf("the right key is refused: %v", err)
				}
			}
		})
	}
}

// tryPublish asks to publish and hangs up.
func tryPublish(ctx context.Context, t *testing.T, rawURL string) error {
	t.Helper()
	client, err := rtmp.Dial(ctx, rawURL, rtmp.DialConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	return client.Publish(ctx, "")
}

// TestFFmpegIsToldOfARefusal: ffmpeg ends by itself when its key is wrong.
func TestFFmpegIsToldOfARefusal(t *testing.T) {
	needs(t, "ffmpeg")
	p := prepare(t)
	p.start()
	publisher := ffmpeg(t, "-re", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=10", "-c:v", "flv", "-f", "flv", p.url("nobody"))
	select {
	case done := <-publisher:
		if done.err == nil {
			t.Error("ffmpeg thinks that it published")
		}
	case <-time.After(15 * time.Second):
		t.Fatal("ffmpeg does not end")
	}
}

// TestChangesReachLiveSessions: what is switched off ends at once, whoever
// switched it off and where.
func TestChangesReachLiveSessions(t *testing.T) {
	type change struct {
		what   string
		do     func(t *testing.T, p *program, a *admin, stream, secret string)
		reason []string
	}
	changes := []change{
		{"key disabled by the API", func(_ *testing.T, _ *program, a *admin, stream, secret string) {
			streamID, keyID := a.keyID(stream, secret)
			a.change("/streams/"+streamID+"/keys/"+keyID, map[string]any{"enabled": false})
		}, []string{"key_revoked", "refused_key"}},
		{"key revoked on the command line", func(_ *testing.T, p *program, a *admin, stream, secret string) {
			_, keyID := a.keyID(stream, secret)
			p.tool("key", "revoke", keyID)
		}, []string{"key_revoked", "refused_key"}},
		{"stream disabled by the API", func(_ *testing.T, _ *program, a *admin, stream, secret string) {
			streamID, _ := a.keyID(stream, secret)
			a.change("/streams/"+streamID, map[string]any{"enabled": false})
		}, []string{"stream_disabled", "refused_stream", "key_revoked"}},
		{"kicked", func(t *testing.T, p *program, _ *admin, stream, _ string) {
			t.Helper()
			p.kick(t, stream, "publisher")
		}, []string{"kicked"}},
		{"vhost disabled on the command line", func(t *testing.T, p *program, _ *admin, _, _ string) {
			t.Helper()
			p.tool("vhost", "set", "default", "enabled=false")
		}, []string{"vhost_removed", "refused_vhost"}},
	}
	for place, database := range places(t) {
		t.Run(place, func(t *testing.T) {
			p := prepareOn(t, database(t)).withAdmin()
			secrets := map[string]string{}
			for i := range changes {
				secrets[name0(i)] = p.newKey("live/" + name0(i))
			}
			p.start()
			a := p.signIn(t)
			for i, c := range changes {
				t.Run(c.what, func(t *testing.T) {
					stream := name0(i)
					publisher := publishEndless(t, p.url(secrets[stream]))
					eventually(t, 5*time.Second, "the publisher is listed", func() bool { return len(a.sessions("live", stream)) == 1 })
					began := time.Now()
					c.do(t, p, a, stream, secrets[stream])
					select {
					case <-publisher:
						t.Logf("ended after %v", time.Since(began).Round(time.Millisecond))
					case <-time.After(4 * time.Second):
						t.Fatal("the publisher is still on")
					}
					eventually(t, 5*time.Second, "the ended session is listed with its reason", func() bool {
						ended := a.sessions("ended", stream)
						return len(ended) == 1 && slices.Contains(c.reason, ended[0].Reason)
					})
				})
			}
		})
	}
}

func name0(i int) string { return "stream" + string(rune('a'+i)) }

// TestKickEndsFFmpeg: an operator's kick ends ffmpeg, and the events say why.
func TestKickEndsFFmpeg(t *testing.T) {
	needs(t, "ffmpeg")
	p := prepare(t).withAdmin()
	secret := p.newKey("live/stage")
	p.start()
	publisher := ffmpeg(t, "-re", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=10", "-c:v", "flv", "-f", "flv", p.url(secret))
	a := p.signIn(t)
	var live []liveSession
	eventually(t, 10*time.Second, "the publisher is listed", func() bool {
		live = a.sessions("live", "stage")
		return len(live) == 1
	})
	if live[0].Role != "publisher" || live[0].KeyID == "" {
		t.Errorf("listed as %+v", live[0])
	}
	a.call(http.MethodDelete, "/sessions/"+url.PathEscape(live[0].ID), "", nil, nil)
	select {
	case <-publisher:
	case <-time.After(10 * time.Second):
		t.Fatal("ffmpeg does not end")
	}
	eventually(t, 5*time.Second, "the events say why", func() bool {
		var events struct {
			Items []struct {
				Type, Reason string
				SessionID    string `json:"session_id"`
			}
		}
		a.call(http.MethodGet, "/events?limit=200", "", nil, &events)
		for _, e := range events.Items {
			if e.Type == "stream.unpublished" && e.SessionID == live[0].ID && e.Reason == "kicked" {
				return true
			}
		}
		return false
	})
}

// TestTokens: a token minted on the command line plays where the vhost wants one,
// and nothing else does.
func TestTokens(t *testing.T) {
	p := prepare(t).withAdmin()
	p.tool("vhost", "set", "default", "publish_policy=open", "play_policy=token")
	p.start()
	publishEndless(t, p.url("stage"))
	right := p.plant(p.tool("token", "mint", "play", "live/stage", "--expires", "10m"))
	other := p.plant(p.tool("token", "mint", "play", "live/other", "--expires", "10m"))
	if said := p.tool("token", "inspect", right); !strings.Contains(said, "live/stage") || strings.Contains(said, right) {
		t.Errorf("token inspect says:\n%s", said)
	}
	ctx := within(t, 30*time.Second)
	for query, ok := range map[string]bool{"?token=" + right: true, "?token=" + other: false, "": false, "?token=nonsense": false} {
		player := p.playRTMP(ctx, t, p.url("stage")+query)
		if ok {
			eventually(t, 10*time.Second, "a player with a token gets media over RTMP", func() bool { return len(player.got()) > 10 })
		} else if len(player.collect()) > 0 {
			t.Errorf("a player with %.20q gets media over RTMP", query)
		}
		web := p.playHTTP(ctx, t, p.flv("stage")+query)
		if ok {
			eventually(t, 10*time.Second, "a player with a token gets media over HTTP", func() bool { return len(web.got()) > 10 })
		} else if len(web.collect()) > 0 {
			t.Errorf("a player with %.20q gets media over HTTP", query)
		}
	}
}
