// Package bandwidth measures what a peer can receive and send, in the way of SRS 2.0's
// check, whose clients are Flash pages and tools made for it.
package bandwidth

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// The times of a check.
const (
	Duration = 3 * time.Second        // of each direction
	Wait     = 6 * time.Second        // for each answer
	Final    = 600 * time.Millisecond // for the last word of a client that has the result
)

// The commands of a check. Flash never sends the last one but for its final packet: its
// queue is full by then.
const (
	startPlay       = "onSrsBandCheckStartPlayBytes"
	startingPlay    = "onSrsBandCheckStartingPlayBytes"
	playing         = "onSrsBandCheckPlaying"
	stopPlay        = "onSrsBandCheckStopPlayBytes"
	stoppedPlay     = "onSrsBandCheckStoppedPlayBytes"
	startPublish    = "onSrsBandCheckStartPublishBytes"
	startingPublish = "onSrsBandCheckStartingPublishBytes"
	stopPublish     = "onSrsBandCheckStopPublishBytes"
	stoppedPublish  = "onSrsBandCheckStoppedPublishBytes"
	finished        = "onSrsBandCheckFinished"
	final           = "finalClientPacket"
)

// padding is how many bytes one message towards the client has.
const padding = 4000

// Field is a named number, or text, of a command.
type Field struct {
	Name  string
	Value any // float64 or string
}

// Peer is the other end of the connection.
type Peer interface {
	// Call sends a command.
	Call(name string, fields ...Field) error
	// Heard returns the name of the next command, and how many bytes it took. It fails
	// when none has come by the deadline.
	Heard(deadline time.Time) (name string, bytes int, err error)
}

// Result is what was measured. Kbps are thousands of bits a second.
type Result struct {
	PlayKbps, PublishKbps   int
	PlayBytes, PublishBytes int
	PlayTime, PublishTime   time.Duration
}

// Check measures both directions, one after the other, at no more than limit kbps, and
// tells the client what came out. The error says which word did not come.
func Check(p Peer, limit int) (Result, error) {
	c := &check{Peer: p, limit: limit}
	var r Result
	var err error
	begun := time.Now()
	if r.PlayBytes, r.PlayTime, err = c.play(); err != nil {
		return r, err
	}
	if r.PublishBytes, r.PublishTime, err = c.publish(); err != nil {
		return r, err
	}
	r.PlayKbps, r.PublishKbps = kbps(r.PlayBytes, r.PlayTime), kbps(r.PublishBytes, r.PublishTime)
	err = p.Call(
		finished,
		Field{"start_time", float64(begun.UnixMilli())}, Field{"end_time", float64(time.Now().UnixMilli())},
		Field{"play_kbps", float64(r.PlayKbps)}, Field{"publish_kbps", float64(r.PublishKbps)},
		Field{"play_bytes", float64(r.PlayBytes)}, Field{"publish_bytes", float64(r.PublishBytes)},
		ms("play_time", r.PlayTime), ms("publish_time", r.PublishTime),
	)
	if err != nil {
		return r, err
	}
	_ = c.await(Final, final) // a courtesy: the client has all it wanted
	return r, nil
}

type check struct {
	Peer

	limit int // kbps
}

func kbps(bytes int, d time.Duration) int {
	if d <= 0 {
		return 0
	}
	return int(int64(bytes) * 8 / max(d.Milliseconds(), 1))
}

func ms(name string, d time.Duration) Field { return Field{name, float64(d.Milliseconds())} }

// play sends to the client for a while.
func (c *check) play() (bytes int, took time.Duration, err error) {
	if err := c.begin(startPlay, startingPlay); err != nil {
		return 0, 0, err
	}
	data := Field{"data", strings.Repeat("x", padding)}
	begun := time.Now()
	for took < Duration {
		if err := c.Call(playing, data); err != nil {
			return bytes, took, err
		}
		bytes += padding
		time.Sleep(min(c.due(bytes), Duration) - time.Since(begun))
		took = time.Since(begun)
	}
	return bytes, took, c.end(stopPlay, bytes, took, stoppedPlay)
}

// due is when so many bytes may have been moved, at the limit.
func (c *check) due(bytes int) time.Duration {
	return time.Duration(bytes) * 8 * time.Millisecond / time.Duration(c.limit)
}

// publish receives from the client for a while. It does not read faster than the limit:
// what is under way waits with the client.
func (c *check) publish() (bytes int, took time.Duration, err error) {
	if err := c.begin(startPublish, startingPublish); err != nil {
		return 0, 0, err
	}
	begun := time.Now()
	for took < Duration {
		_, n, err := c.Heard(begun.Add(Wait))
		if err != nil {
			return bytes, took, fmt.Errorf("bandwidth: waiting for data: %w", err)
		}
		bytes += n
		time.Sleep(min(c.due(bytes), Duration) - time.Since(begun))
		took = time.Since(begun)
	}
	return bytes, took, c.end(stopPublish, bytes, took, stoppedPublish, final)
}

func (c *check) begin(call, answer string) error {
	err := c.Call(call, Field{"limit_kbps", float64(c.limit)}, ms("duration_ms", Duration), Field{"interval_ms", 0.0})
	if err != nil {
		return err
	}
	return c.await(Wait, answer)
}

func (c *check) end(call string, bytes int, took time.Duration, answers ...string) error {
	err := c.Call(
		call, ms("duration_ms", Duration), Field{"interval_ms", 0.0},
		ms("duration_delta", took), Field{"bytes_delta", float64(bytes)},
	)
	if err != nil {
		return err
	}
	return c.await(Wait, answers...)
}

// await hears until one of these words, or until the time is over, whatever else comes.
func (c *check) await(d time.Duration, words ...string) error {
	deadline := time.Now().Add(d)
	for {
		name, _, err := c.Heard(deadline)
		if err != nil {
			return fmt.Errorf("bandwidth: waiting for %s: %w", words[0], err)
		}
		if slices.Contains(words, name) {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("bandwidth: waiting for %s: other commands came all the time", words[0])
		}
	}
}
