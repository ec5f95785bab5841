package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/rtmp"
)

// sent is what a pacer has sent.
type sent struct {
	media        time.Duration
	video, audio int
	bytes        int64
}

// pacer sends tags when their time has come.
type pacer struct {
	client *rtmp.Client
	rate   float64
	begun  time.Time
	last   uint32        // time of the tag before
	at     time.Duration // of it, since the beginning, without jumps
	sent   sent
}

func newPacer(client *rtmp.Client, rate float64) *pacer { return &pacer{client: client, rate: rate} }

// run sends footage to its end. What the server says meanwhile is read beside it: it
// may end the stream, and has the reason.
func (p *pacer) run(ctx context.Context, f *footage) (sent, error) {
	over := make(chan error, 1)
	go func() {
		for {
			_, err := p.client.ReadMedia()
			if move, ok := errors.AsType[*rtmp.ReconnectError](err); ok && move != nil {
				continue
			}
			if err != nil && !errors.Is(err, rtmp.ErrUnpublished) {
				over <- err
				return
			}
		}
	}()
	err := p.send(ctx, f, over)
	if err == nil {
		err = p.client.Unpublish()
	}
	// What the server says of the end, or of why it does not take more.
	const courtesy = 300 * time.Millisecond
	var last error
	select {
	case last = <-over:
	case <-time.After(courtesy):
		_ = p.client.Close()
		last = <-over
	}
	if _, said := errors.AsType[*rtmp.StatusError](last); said && err != nil {
		err = last
	}
	return p.sent, err
}

func (p *pacer) send(ctx context.Context, f *footage, over chan error) error {
	for first := true; ; first = false {
		tag, err := f.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if first {
			p.begun, p.last = time.Now(), tag.Timestamp
		}
		if err := p.wait(ctx, tag.Timestamp, over); err != nil {
			return err
		}
		if err := p.client.WriteMedia(tag.Type, tag.Timestamp, tag.Body); err != nil {
			return err
		}
		p.count(tag)
	}
}

// wait waits until a tag is due. Jumps take no time.
func (p *pacer) wait(ctx context.Context, stamp uint32, over chan error) error {
	const jump = 10 * time.Second
	step := time.Duration(int32(stamp-p.last)) * time.Millisecond // modulo 2^32 is what is meant
	p.last = stamp
	if step > -jump && step < jump {
		p.at += step
	}
	p.sent.media = max(p.sent.media, p.at)
	if p.rate <= 0 {
		return ctx.Err()
	}
	due := p.begun.Add(time.Duration(float64(p.at) / p.rate))
	timer := time.NewTimer(max(time.Until(due), 0))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case err := <-over:
		over <- err // for run
		return fmt.Errorf("the server ended the stream: %w", err)
	}
}

func (p *pacer) count(tag flv.Tag) {
	p.sent.bytes += int64(len(tag.Body))
	switch tag.Type {
	case flv.TagVideo:
		p.sent.video++
	case flv.TagAudio:
		p.sent.audio++
	}
}
