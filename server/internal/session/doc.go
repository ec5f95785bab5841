// Package session lives one RTMP connection from accept to close. It is the one
// place where the protocol meets streams and policy, and it reads from top to
// bottom:
//
//	Serve                      enter the book, write the "closed" line
//	 └ doCycle                 TLS, handshake, connect
//	    └ serviceCycle         until the peer goes: what does it do next?
//	       ├ publish           decide ─▶ take the stream ─▶ accept
//	       │   └ receive       each message into the stream's log
//	       ├ play              decide ─▶ attach ─▶ accept
//	       │   └ steer         pause, kinds of media
//	       └ stop              it says that it is done, and may go on
//	    goodbye                say why it ends, let it be read, close
//
// A connection may publish and play several streams at once, each on a message
// stream of its own. Each of these is an activity with its own decision, its own
// events and its own line in the book: the first has the connection's, and ends
// with it; a further one may be ended alone.
//
// The session's goroutine is the connection's reader, and there is no other: what
// a player receives is written by the stream's fan-out, and what has to happen
// from time to time is done by the engine's one ticker. To end a session from
// outside its context is cancelled, which interrupts the read; the session then
// says goodbye itself. Only where a connection plays several streams, or has no
// descriptor to write to, each playing has a writer of its own, and they take turns.
package session
