package server

import (
	"errors"
	"syscall"
)

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
