package session

import (
	"log/slog"

	"github.com/penstock-media/penstock/server/internal/media"
)

// firsts notes which kinds a publisher has sent, so that the first message of each
// stands in the log: what an encoder begins with explains much of what players see.
type firsts struct{ audio, video bool }

func (f *firsts) log(logger *slog.Logger, pkt media.Packet) {
	kind, codec, seen := "audio", media.AudioCodecName, &f.audio
	if pkt.Kind == media.Video {
		kind, codec, seen = "video", media.VideoCodecName, &f.video
	}
	if *seen {
		return
	}
	*seen = true
	logger.Debug(
		"first media", slog.String("kind", kind), slog.String("codec", codec(pkt)), slog.Int64("timestamp", int64(pkt.Time)),
		slog.Bool("config", pkt.Config), slog.Bool("key", pkt.Key),
	)
}
