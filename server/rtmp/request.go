package rtmp

import (
	"strings"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// PublishRequest is a publish command.
type PublishRequest struct {
	// Name is the stream name as sent: with query, undecoded, a secret.
	Name string
	// Type is "live", "record", "append", something else, or missing.
	Type string
	// StreamID is the message stream it came on, where answers have to go.
	StreamID uint32
}

// PlayRequest is a play command.
type PlayRequest struct {
	// Name is the stream name as sent: with query, undecoded, a secret.
	Name string
	// Start is as sent: -2 or -2000 means live, else recorded. -2 if missing.
	Start float64
	// Duration is as sent; -1 if missing.
	Duration float64
	// Reset: the client asked to drop what it played before.
	Reset bool
	// StreamID is the message stream it came on, where answers have to go.
	StreamID uint32
}

func publishRequest(cmd message.Command, streamID uint32) *PublishRequest {
	r := &PublishRequest{StreamID: streamID}
	r.Name, _ = amf.String(cmd.Arg(0))
	r.Type, _ = amf.String(cmd.Arg(1))
	return r
}

func playRequest(cmd message.Command, streamID uint32) *PlayRequest {
	r := &PlayRequest{Start: -2, Duration: -1, StreamID: streamID}
	if ps, ok := amf.Properties(cmd.Arg(0)); ok { // play2
		r.Name, _ = amf.String(amf.Object(ps).Get("streamName"))
		return r
	}
	r.Name, _ = amf.String(cmd.Arg(0))
	if v, ok := amf.Number(cmd.Arg(1)); ok {
		r.Start = v
	}
	if v, ok := amf.Number(cmd.Arg(2)); ok {
		r.Duration = v
	}
	r.Reset = boolean(cmd.Arg(3), false)
	return r
}

// boolean reads a boolean, which some send as a number. What is neither is missing.
func boolean(v amf.Value, missing bool) bool {
	switch v := v.(type) {
	case bool:
		return v
	case float64:
		return v != 0
	}
	return missing
}

// common answers the commands that mean the same in every state. A call that
// nobody knows gets an empty result, as SRS gives it: some encoders hang up on an
// _error.
func (c *Conn) common(cmd message.Command) error {
	switch cmd.Name {
	case "createStream":
		ns := c.streams.create(c.cfg.MaxStreams)
		if ns == nil {
			s := Status{Level: LevelError, Code: CodeCallFailed, Description: "Too many streams."}
			return c.send(command(0, "_error", cmd.Transaction, nil, s.object()))
		}
		return c.send(command(0, "_result", cmd.Transaction, nil, float64(ns.id)))
	case "FCPublish":
		c.fcPublish, c.fmle = c.welcome.Profile != ProfileNginx, true
		if err := c.result(cmd); err != nil || !c.fcPublish || !c.streams.any(rolePublishing) {
			return err // onFCPublish says Publish.Start, so it waits for AcceptPublish
		}
		name, _ := amf.String(cmd.Arg(0))
		return c.send(onFCPublish(name))
	case "FCSubscribe":
		if err := c.result(cmd); err != nil || c.welcome.Profile == ProfileNginx {
			return err
		}
		// Who asks may wait for the event that players of Akamai's network get.
		name, _ := amf.String(cmd.Arg(0))
		return c.send(command(0, "onFCSubscribe", 0, nil, amf.Object{
			{Key: "level", Value: LevelStatus},
			{Key: "code", Value: CodePlayStart},
			{Key: "description", Value: name},
		}))
	case "_checkbw", "checkBandwidth":
		if err := c.result(cmd); err != nil || c.measured || c.welcome.Profile == ProfileNginx {
			return err // FFmpeg and librtmp ask again when they are told
		}
		c.measured = true
		return c.send(command(0, "onBWDone", 0, nil))
	case "connect":
		return c.connectAgain(cmd)
	}
	if strings.HasPrefix(cmd.Name, "_result") || strings.HasPrefix(cmd.Name, "_error") || strings.HasPrefix(cmd.Name, "on") {
		return nil // answers and events are not calls
	}
	// releaseStream must not end another's publication: anybody who guesses a name
	// could.
	c.fmle = c.fmle || cmd.Name == "releaseStream"
	return c.result(cmd)
}
