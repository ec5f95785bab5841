package api

import (
	"cmp"
	"context"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server"
)

// livePrefix begins the id of a stream that is live without having been created.
// The rest is its name, so that the id leads back to it.
const livePrefix = "live_"

// liveID makes such an id.
func liveID(n streamName) string {
	return livePrefix + base64.RawURLEncoding.EncodeToString([]byte(n.key()))
}

// readLiveID reads such an id.
func readLiveID(id string) (streamName, bool) {
	rest, ok := strings.CutPrefix(id, livePrefix)
	if !ok {
		return streamName{}, false
	}
	b, err := base64.RawURLEncoding.DecodeString(rest)
	parts := strings.Split(string(b), "\x00")
	if err != nil || len(parts) != 3 {
		return streamName{}, false
	}
	return streamName{parts[0], parts[1], parts[2]}, true
}

// key orders streams by vhost, app and name. No name has a zero byte.
func (n streamName) key() string { return n.vhost + "\x00" + n.app + "\x00" + n.name }

func nameOfInfo(i *server.StreamInfo) streamName { return streamName{i.Vhost, i.App, i.Name} }

// liveStreams is what the engine has, by name.
func (a *API) liveStreams() map[streamName]*server.StreamInfo {
	infos := a.engine.Streams()
	byName := make(map[streamName]*server.StreamInfo, len(infos))
	for i := range infos {
		byName[nameOfInfo(&infos[i])] = &infos[i]
	}
	return byName
}

// liveStream is what the engine has of one stream, nil for nothing.
func (a *API) liveStream(n streamName) *server.StreamInfo { return a.liveStreams()[n] }

// streamOf makes a stream of its row and of what is live there; one of them may
// be nil.
func streamOf(row *store.Stream, info *server.StreamInfo) Stream {
	var s Stream
	if row != nil {
		s = Stream{
			ID: row.ID, Configured: true, VhostID: row.VhostID, Vhost: row.Vhost, App: row.App, Name: row.Name,
			Enabled: row.Enabled, ExternalID: row.ExternalID, Metadata: row.Metadata,
			CreatedAt: timeOrNil(row.CreatedAt), UpdatedAt: timeOrNil(row.UpdatedAt), Revision: row.Revision,
		}
	} else {
		s = Stream{ID: liveID(nameOfInfo(info)), Vhost: info.Vhost, App: info.App, Name: info.Name, Enabled: true}
	}
	if s.Metadata == nil {
		s.Metadata = map[string]string{}
	}
	switch {
	case info == nil:
	case info.Live:
		s.Live = liveOf(info)
	default:
		s.Waiting = info.Players
	}
	return s
}

func liveOf(i *server.StreamInfo) *StreamLive {
	l := &StreamLive{
		StartedAt: i.Since.UTC(), Publisher: StreamPublisher{SessionID: i.PublisherID, Peer: i.Publisher, Agent: i.Agent},
		InKbps: i.InKbps, OutKbps: i.OutKbps, FPS: i.FPS, KeyIntervalMS: i.KeyIntervalMS,
		AVOffsetMS: i.Clocks.AVOffset, AVDriftMS: i.Clocks.AVDrift, AudioDriftMS: i.Clocks.AudioDrift, VideoDriftMS: i.Clocks.VideoDrift,
		JitterMS: i.Clocks.Jitter, Jumps: i.Clocks.Jumps,
		BytesIn: i.BytesIn, BytesOut: i.BytesOut, Players: i.Players, Dropped: i.Dropped,
		Health: cmp.Or(i.Health, "good"), Findings: make([]Finding, len(i.Findings)),
	}
	if v := i.Video; v != nil {
		l.Video = &StreamVideo{Codec: v.Codec, Profile: v.Profile, Level: v.Level, Width: v.Width, Height: v.Height}
	}
	if v := i.Audio; v != nil {
		l.Audio = &StreamAudio{Codec: v.Codec, Profile: v.Profile, SampleRate: v.SampleRate, Channels: v.Channels}
	}
	for n, f := range i.Findings {
		l.Findings[n] = Finding(f)
	}
	slices.SortStableFunc(l.Findings, func(a, b Finding) int { return cmp.Compare(a.Severity, b.Severity) }) // "bad" before "fair"
	return l
}

func pointOf(p server.Point) Point {
	return Point{
		Time: p.Time.UTC(), InKbps: p.InKbps, OutKbps: p.OutKbps, FPS: p.FPS, KeyIntervalMS: p.KeyIntervalMS,
		JumpMS: p.JumpMS, AVDriftMS: p.AVDriftMS, JitterMS: p.JitterMS, Drops: p.Drops, Players: p.Players,
	}
}

// activeStreams are the streams within reach that the engine has, with their rows
// where they have one, by name.
func (a *API) activeStreams(ctx context.Context, r reach) []Stream {
	infos := a.engine.Streams()
	out := make([]Stream, 0, len(infos))
	for i := range infos {
		if r.name(infos[i].Vhost) {
			out = append(out, streamOf(a.directory.find(ctx, nameOfInfo(&infos[i])), &infos[i]))
		}
	}
	slices.SortFunc(out, func(a, b Stream) int { return cmp.Compare(a.fullName().key(), b.fullName().key()) })
	return out
}

func (s *Stream) fullName() streamName { return streamName{s.Vhost, s.App, s.Name} }
