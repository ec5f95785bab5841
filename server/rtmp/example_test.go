package rtmp_test

import (
	"context"
	"fmt"
	"net"

	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

func ExampleParseTarget() {
	t, err := rtmp.ParseTarget("rtmp://live.example.com:1935/live", "live", "cam1?token=abc")
	if err != nil {
		panic(err)
	}
	fmt.Println(t.Vhost, t.App, t.Name, t.Args.Get("token"))
	// Output: live.example.com live cam1 abc
}

// A server that takes one publisher, and a client that is it.
func ExampleAccept() {
	var lc net.ListenConfig
	l, err := lc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		c, err := rtmp.Dial(context.Background(), "rtmp://"+l.Addr().String()+"/live/cam1", rtmp.DialConfig{})
		if err != nil {
			panic(err)
		}
		if err := c.Publish(context.Background(), ""); err != nil {
			panic(err)
		}
		_ = c.WriteMedia(message.TypeAudio, 40, []byte{0xAF, 1, 0x21})
		_ = c.Close()
	}()

	nc, err := l.Accept()
	if err != nil {
		panic(err)
	}
	c, err := rtmp.Accept(context.Background(), nc, rtmp.Config{})
	if err != nil {
		panic(err)
	}
	defer func() { _ = c.Close() }()
	if err := c.AcceptConnect(); err != nil {
		panic(err)
	}
	for {
		e, err := c.Next()
		if err != nil {
			panic(err)
		}
		switch e.Kind {
		case rtmp.EventPublish:
			fmt.Println(c.Connect().App, e.Publish.Name)
			err = c.AcceptPublish(e.Publish)
		case rtmp.EventMedia:
			fmt.Println(e.Media.Type, e.Media.Timestamp, len(e.Media.Payload))
		case rtmp.EventUnpublished:
			fmt.Println("the publisher is done")
			return
		default: // plays, which this server does not let it
			return
		}
		if err != nil {
			panic(err)
		}
	}
	// Output:
	// live cam1
	// 8 40 3
	// the publisher is done
}
