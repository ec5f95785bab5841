//go:build linux || darwin

package main

import "syscall"

// freeBytes is how much room there is where dir is.
func freeBytes(dir string) (uint64, bool) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return 0, false
	}
	return fs.Bavail * uint64(fs.Bsize), true //nolint:gosec,nolintlint // a block has a size above zero
}

// maxDescriptors is how many sockets and files this process may have at once.
func maxDescriptors() (uint64, bool) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0, false
	}
	return limit.Max, true
}
