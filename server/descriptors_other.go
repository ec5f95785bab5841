//go:build !linux && !darwin

package server

// maxDescriptors is how many descriptors the process may have, 0 if unknown.
func maxDescriptors() int { return 0 }
