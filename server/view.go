package server

import (
	"cmp"
	"slices"
	"time"

	"github.com/penstock-media/penstock/server/internal/health"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/internal/stream"
)

// Totals are the engine's sums.
type Totals struct {
	Streams             int // live, or waited for by players
	Live                int // streams with a publisher
	Publishers, Players int
	Sessions            int // connections, whatever they do
	InKbps, OutKbps     int
	BytesIn, BytesOut   uint64            // since the engine's start
	SessionsTotal       uint64            // since the engine's start
	RefusalsTotal       map[string]uint64 // by reason, since the engine's start
	EndingsTotal        map[string]uint64 // ended sessions by reason, since the engine's start
	HandshakesTotal     map[string]uint64 // failed handshakes by what was wrong, since the engine's start
	JumpsTotal          uint64            // of publishers' times, since the engine's start
}

// Totals returns the sums.
func (e *Engine) Totals() Totals {
	r := e.roster.Totals()
	t := Totals{
		Publishers: r.Publishers, Players: r.Players, Sessions: r.Sessions,
		InKbps: r.InKbps, OutKbps: r.OutKbps, BytesIn: r.BytesIn, BytesOut: r.BytesOut,
		SessionsTotal: r.Entered, RefusalsTotal: r.Refused, EndingsTotal: r.Ended, HandshakesTotal: r.Handshakes,
	}
	t.JumpsTotal = e.board.jumps()
	for _, s := range e.hub.Streams() {
		t.Streams++
		if s.Live {
			t.Live++
		}
	}
	return t
}

// Streams returns every stream that is published or waited for, by name.
func (e *Engine) Streams() []StreamInfo {
	publishers := make(map[string]roster.Session)
	for _, s := range e.roster.Sessions() {
		if s.Role == roster.Publisher {
			publishers[s.ID] = s
		}
	}
	now := time.Now()
	streams := e.hub.Streams()
	out := make([]StreamInfo, 0, len(streams))
	for _, s := range streams {
		out = append(out, e.streamInfo(s, publishers[s.Session], now))
	}
	slices.SortFunc(out, func(a, b StreamInfo) int {
		return cmp.Or(cmp.Compare(a.Vhost, b.Vhost), cmp.Compare(a.App, b.App), cmp.Compare(a.Name, b.Name))
	})
	return out
}

func (e *Engine) streamInfo(s stream.Info, p roster.Session, now time.Time) StreamInfo {
	info := StreamInfo{
		Vhost: s.ID.Vhost, App: s.ID.App, Name: s.ID.Name, Live: s.Live,
		BytesIn: s.BytesIn, BytesOut: s.BytesOut, Players: s.Players, Dropped: s.Dropped,
		Health: "good",
	}
	if s.Live {
		info.Since, info.PublisherID, info.Publisher, info.Agent = s.Since, s.Session, p.Peer, p.Agent
	}
	m := e.board.find(s.ID)
	if m == nil {
		m = health.New()
		m.Sample(health.Outside{Players: s.Players}, now)
	}
	r := m.Report(now)
	info.InKbps, info.OutKbps, info.FPS, info.KeyIntervalMS = r.InKbps, r.OutKbps, r.FPS, r.KeyIntervalMS
	info.Clocks, info.Health = Clocks(r.Clocks), r.Health
	for _, f := range r.Findings {
		info.Findings = append(info.Findings, Finding(f))
	}
	if s.Live {
		info.Video, info.Audio = tracks(r)
	}
	return info
}

// tracks says what the decoder configurations say. A codec without one, such as
// MP3, shows its name alone.
func tracks(r health.Report) (*VideoInfo, *AudioInfo) {
	var video *VideoInfo
	if r.VideoCodec != "" {
		video = &VideoInfo{Codec: r.VideoCodec}
		if r.Video != nil {
			if c, ok := r.Video.VideoConfig(); ok {
				video = &VideoInfo{c.Codec, c.Profile, c.Level, c.Width, c.Height}
			}
		}
	}
	var audio *AudioInfo
	if r.AudioCodec != "" {
		audio = &AudioInfo{Codec: r.AudioCodec}
		if r.Audio != nil {
			if c, ok := r.Audio.AudioConfig(); ok {
				audio = &AudioInfo{c.Codec, c.Profile, c.SampleRate, c.Channels}
			}
		}
	}
	return video, audio
}

// History returns the last 15 minutes of a stream in points of one second,
// oldest first; none when the stream has not been published in that time.
func (e *Engine) History(vhost, app, name string) []Point {
	m := e.board.find(stream.ID{Vhost: vhost, App: app, Name: name})
	if m == nil {
		return nil
	}
	points := m.History()
	out := make([]Point, len(points))
	for i, p := range points {
		out[i] = Point(p)
	}
	return out
}

// Sessions returns every live session, newest first.
func (e *Engine) Sessions() []SessionInfo {
	sessions := e.roster.Sessions()
	out := make([]SessionInfo, len(sessions))
	for i, s := range sessions {
		out[i] = SessionInfo(s)
	}
	return out
}

// Refusals returns the last 500 refusals, newest first.
func (e *Engine) Refusals() []Refusal {
	refusals := e.roster.Refusals()
	out := make([]Refusal, len(refusals))
	for i, r := range refusals {
		out[i] = Refusal{
			Time: r.Time, Action: r.Action, Protocol: r.Protocol, Vhost: r.Vhost, App: r.App, Name: r.Name,
			Peer: r.Peer, Agent: r.Agent, Reason: r.Reason, Detail: r.Detail, Checks: checks(r.Checks),
		}
	}
	return out
}

func checks(in []roster.Check) []Check {
	out := make([]Check, len(in))
	for i, c := range in {
		out[i] = Check(c)
	}
	return out
}
