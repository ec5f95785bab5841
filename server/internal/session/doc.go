// Package session lives one RTMP connection from accept to close. It is the one
// place where the protocol meets streams and policy, and it reads from top to
// bottom:
//
//	Serve                      enter the book, write the "closed" line
//	 └ doCycle                 TLS, handshake, connect
//	    └ serviceCycle         until the peer goes: what does it want?
//	       ├ publishCycle      decide ─▶ take the stream ─▶ accept ─▶ receive
//	       └ playCycle         decide ─▶ attach ─▶ accept ─▶ watch
//	                           goodbye: say why it ends, let it be read, close
//
// The session's goroutine is the connection's reader, and there is no other: what
// a player receives is written by the stream's fan-out, and what has to happen
// from time to time is done by the engine's one ticker. To end a session from
// outside its context is cancelled, which interrupts the read; the session then
// says goodbye itself.
package session
