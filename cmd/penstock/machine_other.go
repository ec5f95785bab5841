//go:build !linux && !darwin

package main

// freeBytes is not known here.
func freeBytes(string) (uint64, bool) { return 0, false }

// maxDescriptors is not known here.
func maxDescriptors() (uint64, bool) { return 0, false }
