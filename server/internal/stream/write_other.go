//go:build !unix

package stream

// directWrites: Attach refuses a Conn; players use Next.
const directWrites = false

func writeNow(uintptr, []byte) (int, error) { return 0, ErrNoDirectWrites }
