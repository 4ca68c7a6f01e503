// Command testsite runs the test site for programs that are no Go tests. It
// prints the base address on one line and serves until it is interrupted.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/trawlhq/trawl/internal/testsite"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "listen address of the main origin")
	spa := flag.String("spa", "", "directory of a built single-page app to serve as an origin of its own")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, testsite.Options{Addr: *addr, SPA: *spa})
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "testsite:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, opts testsite.Options) error {
	site, err := testsite.Start(opts)
	if err != nil {
		return err
	}
	defer site.Close()
	fmt.Println(site.URL)
	<-ctx.Done()
	return nil
}
