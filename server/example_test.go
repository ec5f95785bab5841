package server_test

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
)

// An engine that lets anybody publish to rtmp://host/live/name and play there, and
// at http://host/live/name.flv once its PlayHandler is served.
func ExampleEngine() {
	engine, err := server.New(server.Config{RTMP: []string{"127.0.0.1:0"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	vhost := config.NewVhost(config.DefaultVhost)
	vhost.PublishPolicy = config.PublishOpen
	snapshot, err := config.New(1, []config.Vhost{vhost}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := engine.Apply(snapshot); err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", engine.PlayHandler())

	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- engine.Run(ctx) }()

	would, err := engine.Explain(ctx, server.ExplainRequest{
		Action: "publish", URL: "rtmp://live.example.com/live/show", IP: netip.MustParseAddr("192.0.2.1"),
	})
	fmt.Println(would.Allow, would.Vhost, would.App, would.Name, err)
	stop()
	fmt.Println(<-done)
	// Output:
	// true default live show <nil>
	// <nil>
}
