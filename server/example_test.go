package server_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/signal"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
)

// An engine that lets anybody publish to rtmp://host/live/name and play there, or
// at http://host:8080/live/name.flv.
func ExampleEngine() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	engine, err := server.New(server.Config{RTMP: []string{":1935"}})
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
	web := &http.Server{Addr: ":8080", Handler: engine.PlayHandler()}
	go func() { fmt.Println(web.ListenAndServe()) }()
	if err := engine.Run(ctx); err != nil {
		fmt.Println(err)
	}
}
