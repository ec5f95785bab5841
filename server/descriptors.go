package server

import (
	"errors"
	"syscall"

	"github.com/penstock-media/penstock/server/config"
)

// affordable is how many sessions there may be when the process may have so many
// descriptors, of which 0 means unknown. Some are kept from sessions: for the database,
// the API and the dashboard, with which an operator sees what is going on.
func affordable(l config.Limits, descriptors int) int {
	if descriptors <= 0 {
		return l.MaxSessions
	}
	most := max(descriptors-l.ReservedDescriptors, descriptors/2)
	if l.MaxSessions == config.NoLimit {
		return most
	}
	return min(l.MaxSessions, most)
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
