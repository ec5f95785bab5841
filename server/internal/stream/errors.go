package stream

import "errors"

// What ends a publication or a subscription, or keeps one from beginning.
var (
	// ErrBusy: the stream has a publisher and the duplicate policy keeps it.
	ErrBusy = errors.New("stream: already published")
	// ErrReplaced: another publisher took the stream over.
	ErrReplaced = errors.New("stream: publisher replaced by another")
	// ErrEnded: the stream has no publisher, and the gap passed.
	ErrEnded = errors.New("stream: ended")
	// ErrSlow: the player took no byte for too long although some waited for it.
	ErrSlow = errors.New("stream: player too slow")
	// ErrClosed: the publication or subscription was closed by its owner.
	ErrClosed = errors.New("stream: closed")
	// ErrControlFull: too many control bytes wait for the player.
	ErrControlFull = errors.New("stream: control queue full")
	// ErrNoDirectWrites: this platform has no non-blocking write on a raw
	// descriptor; attach without a Conn and use Next.
	ErrNoDirectWrites = errors.New("stream: no direct writes on this platform")
)
