package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/rtmp"
)

// silence is how long a player hears nothing until a stream counts as over: the
// server keeps players for a publisher that may come back.
const silence = 3 * time.Second

// patience is how long a test waits for what should happen at once.
const patience = 30 * time.Second

// player collects what a stream gives, as FLV tags.
type player struct {
	t    *testing.T
	stop func() // hangs up
	gone chan struct{}

	mu   sync.Mutex
	tags []flv.Tag // guarded by mu
	last time.Time // when the last tag came; guarded by mu
	err  error     // why it ended; guarded by mu
}

// newPlayer runs next until it fails, and hangs up at the end of the test.
func newPlayer(t *testing.T, hangUp func(), next func() (flv.Tag, error)) *player {
	t.Helper()
	p := &player{t: t, stop: hangUp, gone: make(chan struct{})}
	go func() {
		defer close(p.gone)
		for {
			tag, err := next()
			p.mu.Lock()
			if err != nil {
				p.err = err
				p.mu.Unlock()
				return
			}
			p.tags, p.last = append(p.tags, tag), time.Now()
			p.mu.Unlock()
		}
	}()
	t.Cleanup(p.close)
	return p
}

// over says whether nothing will come any more.
func (p *player) over() bool {
	if p == nil {
		return false
	}
	select {
	case <-p.gone:
		return true
	default:
		return false
	}
}

func (p *player) close() {
	p.stop()
	<-p.gone
}

// got is what came until now.
func (p *player) got() []flv.Tag {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clip(p.tags)
}

// collect waits until nothing comes any more, hangs up and returns what came.
func (p *player) collect() []flv.Tag {
	p.t.Helper()
	for start := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		p.mu.Lock()
		heard := p.last
		p.mu.Unlock()
		if heard.IsZero() {
			heard = start.Add(7 * time.Second) // it may still begin
		}
		if !p.over() && time.Since(heard) < silence {
			continue
		}
		p.close()
		return p.got()
	}
}

// joining returns what waits until a player that is made meanwhile is one of the
// stream's: it gets the first message that is published from then on. One that is
// refused is not waited for; one that is another program is nil.
func (p *program) joining(t *testing.T, rawURL string) func(*player) *player {
	t.Helper()
	u, err := url.Parse(rawURL)
	if err != nil {
		t.Fatal(err)
	}
	stream := strings.TrimSuffix(path.Base(u.Path), ".flv")
	count := func() int {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.players[stream]
	}
	before := count()
	return func(pl *player) *player {
		t.Helper()
		eventually(t, patience, "a player joins "+stream, func() bool {
			return count() > before || pl.over()
		})
		return pl
	}
}

// playRTMP plays a stream over RTMP. The stream may begin later.
func (p *program) playRTMP(ctx context.Context, t *testing.T, rawURL string) *player {
	t.Helper()
	joined := p.joining(t, rawURL)
	client, err := rtmp.Dial(ctx, rawURL, rtmp.DialConfig{Timeout: 20 * time.Second})
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	playing := false
	return joined(newPlayer(t, func() { _ = client.Conn().Close() }, func() (flv.Tag, error) {
		if !playing {
			playing = true
			if err := client.Play(ctx, ""); err != nil {
				return flv.Tag{}, fmt.Errorf("play: %w", err)
			}
			client.Conn().SetIdleTimeout(0)
		}
		for {
			m, err := client.ReadMedia()
			if errors.Is(err, rtmp.ErrUnpublished) {
				continue // the next publisher may come
			}
			if err != nil {
				return flv.Tag{}, err
			}
			return flv.Tag{Type: m.Type, Timestamp: m.Timestamp, Body: m.Payload}, nil
		}
	}))
}

// playHTTP plays a stream over HTTP-FLV, under TLS by any certificate. The stream may
// begin later.
func (p *program) playHTTP(ctx context.Context, t *testing.T, rawURL string) *player {
	t.Helper()
	joined := p.joining(t, rawURL)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, rawURL, nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DialContext: (&net.Dialer{}).DialContext, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	var body io.ReadCloser
	var reader *flv.Reader
	ctx, cancel := context.WithCancel(ctx)
	request = request.WithContext(ctx)
	return joined(newPlayer(t, cancel, func() (flv.Tag, error) {
		if reader == nil {
			response, err := transport.RoundTrip(request)
			if err != nil {
				return flv.Tag{}, err
			}
			body = response.Body
			if response.StatusCode != http.StatusOK {
				said, _ := io.ReadAll(io.LimitReader(body, 1<<10))
				_ = body.Close()
				return flv.Tag{}, fmt.Errorf("%s: %s", response.Status, said)
			}
			reader = flv.NewReader(body)
		}
		tag, err := reader.Next()
		if err != nil {
			_ = body.Close()
			transport.CloseIdleConnections()
		}
		return tag, err
	}))
}

// startPublishing publishes with our own client, under TLS by any certificate. What the server says meanwhile
// is read: over gives its last word.
func startPublishing(ctx context.Context, t *testing.T, rawURL string) (client *rtmp.Client, over <-chan error, err error) {
	t.Helper()
	client, err = rtmp.Dial(ctx, rawURL, rtmp.DialConfig{TLS: &tls.Config{InsecureSkipVerify: true}})
	if err != nil {
		return nil, nil, err
	}
	if err := client.Publish(ctx, ""); err != nil {
		_ = client.Close()
		return nil, nil, err
	}
	client.Conn().SetIdleTimeout(0)
	said := make(chan error, 1)
	go func() {
		for {
			if _, err := client.ReadMedia(); err != nil {
				said <- err
				return
			}
		}
	}()
	return client, said, nil
}

// publish sends tags with our own client, speed times as fast as they were made.
func publish(ctx context.Context, t *testing.T, rawURL string, tags []flv.Tag, speed float64) {
	t.Helper()
	client, over, err := startPublishing(ctx, t, rawURL)
	if err != nil {
		t.Errorf("publish: %v", err)
		return
	}
	defer func() {
		_ = client.Unpublish()
		time.Sleep(100 * time.Millisecond)
		_ = client.Close()
		<-over
	}()
	start, played := time.Now(), time.Duration(0)
	for i, tag := range tags {
		if i > 0 {
			// A jump in the file is not waited for.
			if step := int64(tag.Timestamp) - int64(tags[i-1].Timestamp); step > 0 && step < 1000 {
				played += time.Duration(step) * time.Millisecond
			}
		}
		if ahead := time.Duration(float64(played)/speed) - time.Since(start); ahead > 0 {
			time.Sleep(ahead)
		}
		if err := client.WriteMedia(tag.Type, tag.Timestamp, tag.Body); err != nil {
			t.Errorf("publish tag %d: %v", i, err)
			return
		}
	}
}

// flv is the address of a stream over HTTP-FLV.
func (p *program) flv(name string) string {
	return "http://" + p.http + "/live/" + url.PathEscape(name) + ".flv"
}
