// Command trawl is the whole service: server, workers and terminal.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/trawlhq/trawl/internal/cli"
)

func main() {
	signal.Ignore(syscall.SIGXFSZ) // a file that may not grow is an error to report, not a reason to die
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Run(ctx, os.Args[1:], cli.OS())
	stop()
	os.Exit(code)
}
