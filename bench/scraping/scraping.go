// Package scraping measures plain scrapes of static pages through the API, the
// cache off: how many a second beside a bare loop that only fetches and parses,
// and whether memory stays where it was after many thousands.
package scraping

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/trawlhq/trawl/bench/house"
	"github.com/trawlhq/trawl/bench/house/load"
	"github.com/trawlhq/trawl/bench/house/process"
	"github.com/trawlhq/trawl/bench/scraping/pages"
	"github.com/trawlhq/trawl/bench/suite"
)

// Suites lists the measurements of this package.
func Suites() []suite.Suite {
	return []suite.Suite{
		{Name: "scraping-rate", Run: on(rate)},
		{Name: "scraping-memory", Run: on(memory)},
		{Name: "scraping-large", Run: on(large)},
	}
}

// The shape of the measurements.
const (
	atOnce    = 16
	roundTime = 2 * time.Second
	pageCount = 40
)

// stage is a trawl that runs and a site to scrape.
type stage struct {
	trawl     *process.Process
	addresses []string
	requests  [][]byte // one scrape of each address
}

// on runs a measurement on a stage of its own.
func on(measure func(context.Context, suite.Env, *stage) ([]suite.Result, error)) func(context.Context, suite.Env) ([]suite.Result, error) {
	return func(ctx context.Context, env suite.Env) (results []suite.Result, err error) {
		dir, err := os.MkdirTemp("", "trawl-bench-scraping-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		binary, err := process.Build(ctx, dir, "cmd/trawl")
		if err != nil {
			return nil, err
		}
		trawl, err := house.Serve(ctx, binary, filepath.Join(dir, "trawl-dir"))
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, trawl.Stop()) }()
		site := pages.Serve(pages.Make(pageCount))
		defer site.Close()
		s := &stage{trawl: trawl}
		if err := s.prepare(site.URL); err != nil {
			return nil, err
		}
		return measure(ctx, env, s)
	}
}

func (s *stage) prepare(site string) error {
	for i := range pageCount {
		address := fmt.Sprintf("%s/%d", site, i)
		request, err := load.Post(s.trawl.URL+"/v2/scrape", house.Key, fmt.Sprintf(`{"url":%q,"maxAge":0,"storeInCache":false}`, address))
		if err != nil {
			return err
		}
		s.addresses, s.requests = append(s.addresses, address), append(s.requests, request)
	}
	return nil
}

// scrape asks for the pages in turn.
func (s *stage) scrape(ctx context.Context, p load.Plan) (load.Result, error) {
	p.URL, p.Requests, p.Connections = s.trawl.URL, s.requests, atOnce
	return load.Run(ctx, p)
}
