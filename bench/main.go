// Command bench measures how well and how fast trawl works, and fails where a
// number is worse than bench/floors.json allows.
//
//	go run ./bench [-quick] [-raise] [-data ../shared/data] [-out build/bench] [suite…]
//
// A suite is chosen by its name or, where none has that name, by the beginning of
// it: house is house-start and house-cached. Without names all of them run, one
// after another.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/trawlhq/trawl/bench/browserbench"
	crawlbench "github.com/trawlhq/trawl/bench/crawl"
	"github.com/trawlhq/trawl/bench/crawlrules"
	govbench "github.com/trawlhq/trawl/bench/gov"
	"github.com/trawlhq/trawl/bench/house"
	officebench "github.com/trawlhq/trawl/bench/office"
	pdfbench "github.com/trawlhq/trawl/bench/pdf"
	"github.com/trawlhq/trawl/bench/queue"
	"github.com/trawlhq/trawl/bench/scraping"
	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/bench/web"
)

// suites are all measurements in the order they run. A new package of them is one
// line here.
func suites() []suite.Suite {
	return slices.Concat(
		house.Suites(),
		scraping.Suites(),
		queue.Suites(),
		browserbench.Suites(),
		web.Suites(),
		crawlrules.Suites(),
		pdfbench.Suites(),
		officebench.Suites(),
		crawlbench.Suites(),
		govbench.Suites(),
	)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], suites(), os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// exitUsage is the exit code of a command line that cannot be understood.
const exitUsage = 2

// run carries out one command line and gives the exit code.
func run(ctx context.Context, args []string, all []suite.Suite, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	quick := flags.Bool("quick", false, "fewer items and rounds; scores of a part are shown but not held to their floors")
	raise := flags.Bool("raise", false, "raise the floors of scores to what is measured now; they are never lowered")
	data := flags.String("data", "../shared/data", "folder of the data sets")
	out := flags.String("out", "build/bench", "folder for details, one JSON line per item")
	file := flags.String("floors", "bench/floors.json", "file of the floors")
	if err := flags.Parse(args); err != nil {
		return exitUsage
	}
	if *quick && *raise {
		fmt.Fprintln(stderr, "bench: -raise needs whole measurements, so not -quick")
		return exitUsage
	}
	chosen, err := choose(all, flags.Args())
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return exitUsage
	}
	b := &bench{file: *file, raise: *raise, report: stdout, env: suite.Env{Data: *data, Out: *out, Log: stderr, Quick: *quick}}
	fine, err := b.run(ctx, chosen)
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
	}
	if err != nil || !fine {
		return 1
	}
	return 0
}
