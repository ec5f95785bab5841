package server

import (
	"errors"
	"syscall"

	"github.com/penstock-media/penstock/server/internal/roster"
)

// reserved is how many descriptors are kept from sessions: for the database, the
// API and the dashboard, with which an operator sees what is going on.
const reserved = 64

// affordable is how many sessions there may be when so many are wanted (as in
// Config.MaxSessions) and the process may have so many descriptors, of which 0
// means unknown.
func affordable(wanted, descriptors int) int {
	if descriptors <= 0 {
		return wanted
	}
	most := max(descriptors-reserved, descriptors/2)
	if wanted == 0 {
		wanted = roster.DefaultMaxSessions
	}
	if wanted < 0 {
		return most
	}
	return min(wanted, most)
}

// outOfDescriptors reports whether accepting failed for a want that passes: of
// descriptors or of kernel memory, or because the peer had already gone.
func outOfDescriptors(err error) bool {
	for _, want := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED} {
		if errors.Is(err, want) {
			return true
		}
	}
	return false
}
