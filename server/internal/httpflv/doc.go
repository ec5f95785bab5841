// Package httpflv plays streams to HTTP clients as one endless FLV file, over
// plain HTTP and over WebSocket.
//
// The connection of a plain HTTP/1.1 player is taken out of the HTTP server
// after the response's head, so that the stream's fan-out writes the shared bytes
// straight to its descriptor; only a reader remains, which notices when the
// player goes. What cannot be written to like that (TLS, HTTP/2, WebSocket) has a
// writer that takes the same bytes from the same cursor.
package httpflv
