package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// ticksPerSecond is the kernel's USER_HZ, the same on every Linux that Go runs on.
const ticksPerSecond = 100

// spent is the CPU time that a process has used, proc(5) stat fields 14 and 15; 0
// for one that cannot be seen.
func spent(pid int) time.Duration {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat")) //nolint:gosec // a number makes no path
	if err != nil {
		return 0
	}
	// The name of the program, in parentheses, may hold anything.
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(string(fields[11]), 10, 64)
	system, _ := strconv.ParseInt(string(fields[12]), 10, 64)
	return time.Duration(user+system) * time.Second / ticksPerSecond
}

// resident is the memory of a process in kB, 0 for one that cannot be seen.
func resident(pid int) int64 {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "statm")) //nolint:gosec // the same
	if err != nil {
		return 0
	}
	fields := bytes.Fields(b)
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize()) / 1024
}
