package chunk_test

import (
	"bytes"
	"fmt"

	"github.com/penstock-media/penstock/server/rtmp/chunk"
)

func Example() {
	h := chunk.Header{CSID: chunk.AudioCSID, Timestamp: 40, Type: 8, StreamID: 1}
	wire := chunk.AppendMessage(nil, h, []byte{0xAF, 0x01, 0x21}, chunk.DefaultSize)
	fmt.Printf("%x\n", wire)

	r := chunk.NewReader(bytes.NewReader(wire), 4096, chunk.Limits{})
	m, err := r.Next()
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d at %d ms: %x\n", m.Type, m.Timestamp, m.Payload)
	// Output:
	// 040000280000030801000000af0121
	// 8 at 40 ms: af0121
}
