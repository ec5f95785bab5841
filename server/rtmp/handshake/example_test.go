package handshake_test

import (
	"crypto/rand"
	"fmt"

	"github.com/penstock-media/penstock/server/rtmp/handshake"
)

func Example() {
	c0c1, err := handshake.Hello(0, rand.Reader, true)
	if err != nil {
		panic(err)
	}
	if err := handshake.CheckVersion(c0c1[0]); err != nil {
		panic(err)
	}
	s0s1s2, err := handshake.Respond(c0c1[1:], 0, rand.Reader)
	if err != nil {
		panic(err)
	}
	c2, err := handshake.Reply(s0s1s2[1:1+handshake.Size], rand.Reader, true)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(c0c1), len(s0s1s2), len(c2))
	// Output: 1537 3073 1536
}
