// Package roster keeps the book of everybody at the door: who is connected, who
// was refused and why, who has left and what happened since the engine started.
//
// Every way into the engine (RTMP, HTTP-FLV, WebSocket-FLV) enters here, has its
// right decided here and leaves here, so that limits, bans, refusals and events
// are one thing whatever the protocol. The roster owns no socket and no
// goroutine: it ends a session by cancelling the context it gave it.
package roster
