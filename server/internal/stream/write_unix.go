//go:build unix && !linux

package stream

import "syscall"

// directWrites: players with a Conn are written to on their descriptor.
const directWrites = true

// writeNow writes to a non-blocking descriptor without waiting and returns how
// many bytes it took: fewer than there are, or none, when it is full.
func writeNow(fd uintptr, b []byte) (int, error) {
	for {
		n, err := syscall.Write(int(fd), b)
		switch err {
		case nil:
			return n, nil
		case syscall.EAGAIN:
			return 0, nil
		case syscall.EINTR:
		default:
			return 0, err
		}
	}
}
