// Command rtmpbench loads an RTMP server with publishers and players and says
// what each player got: how much, how late, and how long until the first picture.
//
//	rtmpbench --url rtmp://127.0.0.1/live/bench --players 500 --duration 20s
//
// Frames are synthetic, look like H.264 and AAC, and carry the time they were
// sent at, so publishers and players have to run in this one process.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the command: 0 when every player got what was published, 1 when one
// did not, 2 when the load could not be made.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	l, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "rtmpbench: %v\n", err)
		return 2
	}
	r, err := l.run(ctx, func(format string, a ...any) {
		if !l.json {
			_, _ = fmt.Fprintf(stderr, format+"\n", a...)
		}
	})
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "rtmpbench: %v\n", err)
		return 2
	}
	if l.json {
		out := json.NewEncoder(stdout)
		out.SetIndent("", "  ")
		err = out.Encode(r)
	} else {
		err = r.print(stdout)
	}
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "rtmpbench: write the result: %v\n", err)
		return 2
	}
	if !r.whole() {
		return 1
	}
	return 0
}
