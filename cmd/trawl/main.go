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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Run(ctx, os.Args[1:], cli.OS())
	stop()
	os.Exit(code)
}
