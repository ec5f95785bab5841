package roster

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
	"github.com/penstock-media/penstock/server/internal/stream"
)

// Settings says a vhost's media settings in the stream's terms.
func Settings(m config.Media) stream.Settings {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	return stream.Settings{
		GOP: m.GOP, Queue: ms(m.QueueMS), Merge: ms(m.MergeMS), MergeMin: m.MergeMinMessages, Gap: ms(m.PublisherGapMS),
		ChunkSize: m.ChunkSize, Timestamps: timestamps(m.Timestamps), ATC: atc(m.ATC),
		ReduceHeaders: m.ReduceSequenceHeader,
	}
}

func timestamps(p config.TimestampPolicy) stream.Timestamps {
	switch p {
	case config.TimestampsZero:
		return stream.Zero
	case config.TimestampsOff:
		return stream.AsIs
	case config.TimestampsFull:
	}
	return stream.Full
}

func atc(a config.ATC) stream.ATC {
	switch a {
	case config.ATCOn:
		return stream.ATCOn
	case config.ATCAuto:
		return stream.ATCAuto
	case config.ATCOff:
	}
	return stream.ATCOff
}

// Duplicate says a vhost's duplicate policy in the stream's terms.
func Duplicate(p config.DuplicatePolicy) stream.Duplicate {
	switch p {
	case config.DuplicateTakeover:
		return stream.Takeover
	case config.DuplicateTakeoverSameKey:
		return stream.TakeoverSameOwner
	case config.DuplicateReject:
	}
	return stream.Reject
}

// StreamID names the stream that a decision is about.
func StreamID(d access.Decision) stream.ID {
	return stream.ID{Vhost: d.Vhost.Name, App: d.App, Name: d.Name}
}

// EndingFor says why a session is over whose stream or socket returned err.
func EndingFor(err error) Ending {
	end, ok := errors.AsType[*Ending](err)
	switch {
	case ok:
		return *end
	case errors.Is(err, stream.ErrReplaced):
		return Ending{Reason: config.ReasonReplaced, Detail: "Another publisher has taken this stream over."}
	case errors.Is(err, stream.ErrEnded):
		return Ending{Reason: config.ReasonStreamEnded, Detail: "The publisher has gone and did not come back."}
	case errors.Is(err, stream.ErrSlow), errors.Is(err, stream.ErrControlFull):
		return Ending{Reason: config.ReasonSlow, Detail: "The connection is too slow for this stream."}
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, net.ErrClosed):
		return Ending{Reason: config.ReasonPeerClosed, Detail: "The peer closed the connection."}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return Ending{Reason: config.ReasonIdle, Detail: "The peer took too long."}
	}
	return Ending{Reason: config.ReasonNetwork, Detail: "The connection failed: " + err.Error()}
}
