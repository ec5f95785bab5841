//go:build !linux

package stream

import "syscall"

func limitUnsent(syscall.RawConn) {}

// unacknowledged: not known here; what is written counts as taken.
func unacknowledged(syscall.RawConn) (n int, ok bool) { return 0, false }
