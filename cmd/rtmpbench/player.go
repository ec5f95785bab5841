package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/rtmp"
)

// player takes one stream. A probe reads each message and looks for stamps; any
// other does so up to the first key frame and counts bytes from then on.
type player struct {
	probe bool
	start time.Time // what stamps count from

	bytes     atomic.Int64
	heard     atomic.Int64 // when bytes last came, ns since start
	gap       atomic.Int64 // the longest time without any while counting, ns
	counting  atomic.Bool
	first     atomic.Int64 // from asking to the first whole key frame, ns; 0: none yet
	latencies histogram
	failure   atomic.Pointer[error]
}

// source is where a player's media comes from.
type source interface {
	// next returns the next message.
	next() (typ uint8, body []byte, err error)
	// Read reads bytes as they come, after the last next.
	io.Reader
	io.Closer
}

// run plays until ctx ends.
func (p *player) run(ctx context.Context, url string) {
	if err := p.play(ctx, url); err != nil && ctx.Err() == nil {
		p.failure.CompareAndSwap(nil, &err)
	}
}

func (p *player) play(ctx context.Context, url string) error {
	asked := time.Now()
	src, err := open(ctx, url)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = src.Close() })
	defer stop()
	defer func() { _ = src.Close() }()
	for p.probe || p.first.Load() == 0 {
		typ, body, err := src.next()
		if err != nil {
			return fmt.Errorf("play: %w", err)
		}
		now := time.Since(p.start)
		p.came(len(body), now)
		sent, key, ok := stamp(typ, body)
		if !ok {
			continue
		}
		if key && p.first.Load() == 0 {
			p.first.Store(max(int64(time.Since(asked)), 1))
		}
		if p.counting.Load() {
			p.latencies.add(now - sent)
		}
	}
	buf := make([]byte, 16<<10)
	for {
		n, err := src.Read(buf)
		p.came(n, time.Since(p.start))
		if err != nil {
			return fmt.Errorf("play: %w", err)
		}
	}
}

// came counts bytes that came.
func (p *player) came(n int, now time.Duration) {
	last := p.heard.Swap(int64(now))
	if !p.counting.Load() {
		return
	}
	p.bytes.Add(int64(n))
	if gap := int64(now) - last; gap > p.gap.Load() {
		p.gap.Store(gap)
	}
}

// open asks for a stream over RTMP or HTTP-FLV.
func open(ctx context.Context, url string) (source, error) {
	if strings.HasPrefix(url, "http") {
		return openHTTP(ctx, url)
	}
	c, err := rtmp.Dial(ctx, url, rtmp.DialConfig{})
	if err != nil {
		return nil, fmt.Errorf("play: %w", err)
	}
	if err := c.Play(ctx, ""); err != nil {
		_ = c.Close()
		return nil, fmt.Errorf("play: %w", err)
	}
	return overRTMP{c}, nil
}

type overRTMP struct{ client *rtmp.Client }

func (s overRTMP) next() (uint8, []byte, error) {
	m, err := s.client.ReadMedia()
	return m.Type, m.Payload, err
}

// Read reads past the protocol: nobody parses what comes after it.
func (s overRTMP) Read(b []byte) (int, error) { return s.client.Conn().NetConn().Read(b) }

func (s overRTMP) Close() error { return s.client.Conn().Close() }

type overHTTP struct {
	body io.ReadCloser
	tags *flv.Reader
}

func openHTTP(ctx context.Context, url string) (source, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil) //nolint:gosec // whoever runs the tool chooses whom to ask
	if err != nil {
		return nil, errors.New("play: the URL cannot be read")
	}
	resp, err := http.DefaultClient.Do(req) //nolint:gosec // the same
	if err != nil {
		return nil, fmt.Errorf("play: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("play: the server says %s", resp.Status)
	}
	return overHTTP{resp.Body, flv.NewReader(resp.Body)}, nil
}

func (s overHTTP) next() (uint8, []byte, error) {
	t, err := s.tags.Next()
	return t.Type, t.Body, err
}

func (s overHTTP) Read(b []byte) (int, error) { return s.body.Read(b) }

func (s overHTTP) Close() error { return s.body.Close() }
