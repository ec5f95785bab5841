package session

import (
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/rtmp"
)

// rules are the limits of the connection under a session.
func (c *session) rules() rtmp.Config {
	l := c.srv.cfg.Limits
	return rtmp.Config{
		Logger: c.log, FirstTimeout: l.FirstTimeout, HandshakeTimeout: l.HandshakeTimeout, WriteTimeout: l.WriteTimeout,
		// How long a connection may wait for its first and for later requests is held by
		// the roster's deadlines: this is more than any of them.
		RequestTimeout: max(l.HandshakeTimeout, l.RequestTimeout, longestWait) + time.Second,
		ChunkSize:      l.ChunkSize,
		MaxAudio:       l.AudioMessage, MaxVideo: l.VideoMessage, MaxOther: l.OtherMessage,
		UnauthBytes: l.UnauthBytes, UnauthMessages: l.UnauthMessages, UnauthMessage: l.UnauthMessage,
		ControlRate: l.ControlRate, MaxStreams: l.MessageStreams,
		ChunkStreams: l.ChunkStreams, Unfinished: l.UnfinishedMessages, UnfinishedBytes: l.UnfinishedBytes, MinChunkSize: l.MinChunkSize,
		AMF: amf.Limits{Depth: l.AMFDepth, Properties: l.AMFProperties, Values: l.AMFValues, StringBytes: l.AMFStringBytes},
	}
}

const (
	longestWait = time.Hour // the most a vhost's republish_ms can be
	srsReplay   = 30 * time.Minute
)

// media is how a vhost treats its streams now. One that has just been removed, which
// ends the session, has the defaults.
func (c *session) media(vhost string) config.Media {
	if v := c.srv.cfg.Roster.Snapshot().Named(vhost); v != nil {
		return v.Media
	}
	return config.DefaultMedia()
}

// firstMedia is how long a publisher of a vhost may take to its first audio or video.
func (c *session) firstMedia(vhost string) time.Duration {
	return time.Duration(c.media(vhost).FirstMediaMS) * time.Millisecond
}

// idle is how long a publisher of a vhost may send nothing after that.
func (c *session) idle(vhost string) time.Duration {
	return time.Duration(c.media(vhost).PublisherIdleMS) * time.Millisecond
}

// republish is how long a connection whose last activity has ended may take to ask for
// something else, by the vhost that was on. SRS lets one that played take longer.
func (c *session) republish(last *activity) time.Duration {
	if c.profile == config.ProfileSRS2 && last.role == roster.Player {
		return srsReplay
	}
	return time.Duration(c.media(last.entry.Session().Vhost).RepublishMS) * time.Millisecond
}
