// Package server is the engine's only door: it accepts publishers and players,
// moves media between them and says what it sees.
package server
