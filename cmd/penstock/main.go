// Command penstock runs the gateway and the tools around it: migrations, the
// first user, stream keys, tokens, vhosts and a check of the machine.
package main

import (
	"context"
	"os"
)

// version is set by the linker: -ldflags "-X main.version=v1.2.3".
var version = "devel"

func main() {
	os.Exit(run(context.Background(), os.Args[1:], environment{
		stdin:  os.Stdin,
		stdout: os.Stdout,
		stderr: os.Stderr,
	}))
}
