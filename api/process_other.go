//go:build !unix

package api

import "time"

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }

// openFiles are not known here.
func openFiles() (used, most int) { return -1, -1 }
