// Command colly crawls a site as a Colly program does that only wants to have
// been there: fetch, find the links, throw the page away. It is the speed that
// bench/crawl holds trawl up to.
//
//	colly START PAGES AT-ONCE
//
// The last line it writes is {"pages":…,"seconds":…}.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gocolly/colly/v2"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "colly:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("want a start, a number of pages and how many at once")
	}
	limit, err := strconv.ParseInt(args[1], 10, 64)
	if err != nil {
		return fmt.Errorf("read number of pages: %w", err)
	}
	atOnce, err := strconv.Atoi(args[2])
	if err != nil {
		return fmt.Errorf("read how many at once: %w", err)
	}
	began := time.Now()
	pages, err := crawl(args[0], limit, atOnce)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"pages": pages, "seconds": time.Since(began).Seconds()})
}

// crawl visits up to limit pages below start and tells how many came.
func crawl(start string, limit int64, atOnce int) (int64, error) {
	c := colly.NewCollector(colly.Async(true))
	if err := c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: atOnce}); err != nil {
		return 0, fmt.Errorf("limit parallel requests: %w", err)
	}
	var taken, pages atomic.Int64
	taken.Store(1)
	c.OnResponse(func(*colly.Response) { pages.Add(1) })
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		if taken.Load() >= limit {
			return
		}
		address := e.Request.AbsoluteURL(e.Attr("href"))
		if !strings.HasPrefix(address, start) {
			return
		}
		if e.Request.Visit(address) == nil { // else it was visited before
			taken.Add(1)
		}
	})
	if err := c.Visit(start); err != nil {
		return 0, fmt.Errorf("visit %s: %w", start, err)
	}
	c.Wait()
	return pages.Load(), nil
}
