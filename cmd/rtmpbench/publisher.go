package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/rtmp"
)

// publisher sends one stream.
type publisher struct {
	client *rtmp.Client
	rate   rate
	start  time.Time // of the whole load: what stamps count from

	bytes   atomic.Int64 // of message payloads
	late    atomic.Int64 // the longest that a frame was sent behind its time, ns
	failure atomic.Pointer[error]
}

func newPublisher(ctx context.Context, url string, r rate, start time.Time) (*publisher, error) {
	c, err := rtmp.Dial(ctx, url, rtmp.DialConfig{})
	if err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	if err := c.Publish(ctx, ""); err != nil {
		_ = c.Close()
		return nil, fmt.Errorf("publish: %w", err)
	}
	return &publisher{client: c, rate: r, start: start}, nil
}

// run sends until ctx ends. What the server says meanwhile is read beside it.
func (p *publisher) run(ctx context.Context) {
	var reading sync.WaitGroup
	reading.Go(func() {
		for {
			if _, err := p.client.ReadMedia(); err != nil {
				if ctx.Err() == nil {
					p.fail(err)
				}
				return
			}
		}
	})
	if err := p.send(ctx); err != nil && ctx.Err() == nil {
		p.fail(err)
	}
	_ = p.client.Close()
	reading.Wait()
}

func (p *publisher) fail(err error) { p.failure.CompareAndSwap(nil, &err) }

// send sends audio and video in the order of their times, each at its time.
func (p *publisher) send(ctx context.Context) error {
	if err := p.write(flv.TagVideo, 0, avcConfig()); err != nil {
		return err
	}
	if p.rate.audio > 0 {
		if err := p.write(flv.TagAudio, 0, aacConfig()); err != nil {
			return err
		}
	}
	key, inter := p.rate.sizes()
	perGOP := max(int(p.rate.gop*time.Duration(p.rate.fps)/time.Second), 1)
	frameStep := time.Second / time.Duration(p.rate.fps)
	audio := audioBody(p.rate.audioSize())
	begun := time.Now()
	for v, a := 0, 0; ; {
		at, sound := time.Duration(v)*frameStep, time.Duration(a)*audioStep
		isAudio := p.rate.audio > 0 && sound < at
		if isAudio {
			at = sound
		}
		if !wait(ctx, begun.Add(at)) {
			return nil
		}
		p.behind(time.Since(begun) - at)
		ms := uint32(at.Milliseconds())
		var err error
		if isAudio {
			err = p.write(flv.TagAudio, ms, audio)
			a++
		} else {
			size := inter
			if v%perGOP == 0 {
				size = key
			}
			err = p.write(flv.TagVideo, ms, videoBody(size, v%perGOP == 0, time.Since(p.start)))
			v++
		}
		if err != nil {
			return err
		}
	}
}

func (p *publisher) write(typ uint8, ms uint32, body []byte) error {
	if err := p.client.WriteMedia(typ, ms, body); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	p.bytes.Add(int64(len(body)))
	return nil
}

func (p *publisher) behind(d time.Duration) {
	if int64(d) > p.late.Load() {
		p.late.Store(int64(d))
	}
}

// wait waits for a time; false is the end of ctx.
func wait(ctx context.Context, t time.Time) bool {
	d := time.Until(t)
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
