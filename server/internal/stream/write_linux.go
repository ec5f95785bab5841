package stream

import (
	"syscall"
	"unsafe"
)

// directWrites: players with a Conn are written to on their descriptor.
const directWrites = true

// writeNow writes to a non-blocking descriptor without waiting and returns how
// many bytes it took: fewer than there are, or none, when it is full.
//
// The raw call skips the scheduler's bookkeeping around a system call that may
// block, which this one cannot.
func writeNow(fd uintptr, b []byte) (int, error) {
	for {
		n, _, errno := syscall.RawSyscall(syscall.SYS_WRITE, fd, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b))) //nolint:gosec // the kernel reads b within the call
		switch errno {
		case 0:
			return int(n), nil
		case syscall.EAGAIN:
			return 0, nil
		case syscall.EINTR:
		default:
			return 0, errno
		}
	}
}
