// Package stream keeps each live stream as one append-only log and hands it to
// any number of players, each of which is a position in it.
//
// A publisher appends and never waits. Every message is framed once for each
// framing in use (RTMP chunks, FLV tags) and lies contiguous, so that what a
// player lacks reaches it in one system call. The GOP cache is how far back the
// log is kept; joining places a cursor at the newest key frame, and falling
// behind moves it forward to one.
//
// The package knows nothing of connections or policy: it writes on descriptors
// it is given and calls back when a player is over.
package stream
