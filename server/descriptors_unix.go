//go:build linux || darwin

package server

import (
	"math"
	"syscall"
)

// maxDescriptors is how many descriptors the process may have, 0 if unknown.
func maxDescriptors() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return int(min(limit.Cur, math.MaxInt32))
}
