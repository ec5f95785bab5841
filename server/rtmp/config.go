package rtmp

import (
	"log/slog"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
)

// Config is how a server treats a connection. A zero field means the default
// named at it.
type Config struct {
	// Logger gets what peers do oddly, at debug level. Default: nothing is
	// logged.
	Logger *slog.Logger

	// FirstTimeout is the time until C0 and C1 are complete. Default 5 s.
	FirstTimeout time.Duration
	// HandshakeTimeout is the time until the handshake is complete, counted from
	// its beginning. Default 10 s.
	HandshakeTimeout time.Duration
	// RequestTimeout is the time from the handshake to connect, and again from
	// each call of NextRequest to its request. Default 10 s.
	RequestTimeout time.Duration
	// WriteTimeout is how long one write may take. Default 10 s.
	WriteTimeout time.Duration

	// ChunkSize is the outgoing chunk size until AcceptPlay sets another.
	// Default 4096.
	ChunkSize int
	// MaxAudio, MaxVideo and MaxOther are the longest messages taken after
	// AcceptPublish, in bytes: 1 MiB, 8 MiB, 64 KiB by default.
	MaxAudio, MaxVideo, MaxOther int

	// UnauthBytes, UnauthMessages and UnauthMessage are what a peer may send, in
	// all and in one message, before it was accepted as publisher or player.
	// Default 32 KiB, 20, 16 KiB.
	UnauthBytes    int
	UnauthMessages int
	UnauthMessage  int
	// ControlRate is how many messages other than media a peer may send in a
	// second, averaged over two. Default 100.
	ControlRate int
	// MaxStreams is how many message streams a peer may have. Default 8.
	MaxStreams int
	// ChunkStreams, Unfinished, UnfinishedBytes and MinChunkSize are what
	// chunk.Limits calls ChunkStreams, Unfinished, UnfinishedBytes and ChunkSize;
	// these are the defaults too. Before the peer was accepted UnauthBytes holds in
	// UnfinishedBytes' place.
	ChunkStreams, Unfinished, UnfinishedBytes, MinChunkSize int
	// AMF bounds the values of a command.
	AMF amf.Limits
}

func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	duration := func(v *time.Duration, d time.Duration) {
		if *v <= 0 {
			*v = d
		}
	}
	duration(&c.FirstTimeout, 5*time.Second)
	duration(&c.HandshakeTimeout, 10*time.Second)
	duration(&c.RequestTimeout, 10*time.Second)
	duration(&c.WriteTimeout, 10*time.Second)
	number := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	number(&c.ChunkSize, 4096)
	number(&c.MaxAudio, 1<<20)
	number(&c.MaxVideo, 8<<20)
	number(&c.MaxOther, 64<<10)
	number(&c.UnauthBytes, 32<<10)
	number(&c.UnauthMessages, 20)
	number(&c.UnauthMessage, 16<<10)
	number(&c.ControlRate, 100)
	number(&c.MaxStreams, 8)
	number(&c.UnfinishedBytes, 12<<20)
	return c
}

// forStrangers are the limits before the peer was accepted.
func (c Config) forStrangers() chunk.Limits {
	return c.forMessages(chunk.Limits{
		Audio: c.UnauthMessage, Video: c.UnauthMessage, Other: c.UnauthMessage, UnfinishedBytes: c.UnauthBytes,
	})
}

// forPublishers are the limits of a peer that sends media. maxVideo, if it is not 0,
// stands in for MaxVideo, and audio is never allowed more than video.
func (c Config) forPublishers(maxVideo int) chunk.Limits {
	l := chunk.Limits{Audio: c.MaxAudio, Video: c.MaxVideo, Other: c.MaxOther, UnfinishedBytes: c.UnfinishedBytes, Eager: bufferMedia}
	if maxVideo > 0 {
		l.Video, l.Audio = maxVideo, min(l.Audio, maxVideo)
	}
	if longest := max(l.Video, l.Other); longest > l.UnfinishedBytes {
		l.UnfinishedBytes = longest + l.Audio
	}
	return c.forMessages(l)
}

// forPlayers are the limits of a peer that takes media.
func (c Config) forPlayers() chunk.Limits {
	return c.forMessages(chunk.Limits{
		Audio: c.UnauthMessage, Video: c.UnauthMessage, Other: c.MaxOther, UnfinishedBytes: c.MaxOther,
	})
}

// forMessages adds what is the same for all.
func (c Config) forMessages(l chunk.Limits) chunk.Limits {
	l.ChunkStreams, l.Unfinished, l.ChunkSize = c.ChunkStreams, c.Unfinished, c.MinChunkSize
	return l
}
