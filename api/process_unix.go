//go:build unix

package api

import (
	"os"
	"syscall"
	"time"
)

// cpuTime is the processor time this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// openFiles is how many file descriptors are in use and how many may be; -1 for
// what cannot be known.
func openFiles() (used, most int) {
	used, most = -1, -1
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) == nil {
		most = int(min(uint64(l.Cur), 1<<31-1)) //nolint:unconvert // signed on some systems
	}
	d, err := os.Open("/proc/self/fd")
	if err != nil {
		return used, most
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return used, most
	}
	return len(names) - 1, most // without the directory itself
}
