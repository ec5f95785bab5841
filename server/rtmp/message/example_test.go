package message_test

import (
	"fmt"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

func ExampleParseCommand() {
	payload := message.AppendCommand(nil, message.Command{Name: "publish", Transaction: 5, Args: []amf.Value{"cam1", "live"}})
	c, err := message.ParseCommand(message.TypeCommand, payload, amf.DefaultLimits())
	if err != nil {
		panic(err)
	}
	fmt.Println(c.Name, c.Transaction, c.Arg(0), c.Arg(1), c.Arg(2))
	// Output: publish 5 cam1 live <nil>
}
