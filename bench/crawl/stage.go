package crawlbench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/bench/house"
	"github.com/trawlhq/trawl/bench/house/process"
	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/client"
)

// stage is everything that is set up once: the site and the binaries.
type stage struct {
	dir     string
	site    *site
	trawl   string
	colly   *rival // nil: not there
	crawlee *rival
}

// onStage sets the stage for a measurement and clears it away.
func onStage(measure func(context.Context, suite.Env, *stage) ([]suite.Result, error)) func(context.Context, suite.Env) ([]suite.Result, error) {
	return func(ctx context.Context, env suite.Env) (results []suite.Result, err error) {
		release, err := onTwoCores()
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, release()) }()
		s, err := setStage(ctx, env)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, s.clear()) }()
		return measure(ctx, env, s)
	}
}

func setStage(ctx context.Context, env suite.Env) (s *stage, err error) {
	s = &stage{}
	if s.dir, err = os.MkdirTemp("", "trawl-bench-crawl-"); err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.clear())
		}
	}()
	if s.trawl, err = process.Build(ctx, s.dir, "cmd/trawl"); err != nil {
		return nil, err
	}
	s.colly, s.crawlee = findRivals(ctx, env, s.dir)
	s.site, err = openSite(env)
	return s, err
}

func (s *stage) clear() error {
	if s.site != nil {
		s.site.close()
	}
	return os.RemoveAll(s.dir)
}

// audience is asked in while a crawl runs, and sent home when it is over.
type audience func(ctx context.Context, base, id string) (leave func() error)

func nobody(context.Context, string, string) func() error { return func() error { return nil } }

// crawl crawls with a trawl of its own on an empty data directory.
func (s *stage) crawl(ctx context.Context, pages int, invite audience) (l lap, err error) {
	dir, err := os.MkdirTemp(s.dir, "data-")
	if err != nil {
		return l, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	p, err := process.Start(ctx, filepath.Join(dir, "log"), s.trawl, "serve", "--addr=127.0.0.1:0", "--data-dir="+filepath.Join(dir, "data"),
		"--bootstrap-key="+house.Key, "--allow-private-networks=true", "--gov-sync=off", "--max-browsers="+strconv.Itoa(atOnce))
	if err != nil {
		return l, err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()
	if err := p.Ready(ctx); err != nil {
		return l, err
	}
	return s.lap(ctx, p, pages, invite)
}

// lap starts a crawl and watches it to its end.
func (s *stage) lap(ctx context.Context, p *process.Process, pages int, invite audience) (l lap, err error) {
	api, err := client.New(client.Options{BaseURL: p.URL, Key: house.Key})
	if err != nil {
		return l, err
	}
	cpu, err := p.CPU()
	if err != nil {
		return l, err
	}
	sent := s.site.sent.Load()
	begun, err := api.StartCrawl(ctx, trawl.CrawlRequest{URL: s.site.URL, CrawlOptions: trawl.CrawlOptions{Limit: pages}})
	if err != nil {
		return l, err
	}
	leave := invite(ctx, p.URL, begun.ID)
	end, memory, err := watch(ctx, api, p, begun.ID)
	if err = errors.Join(err, leave()); err != nil {
		return l, err
	}
	if end.Completed < pages*9/10 {
		return l, fmt.Errorf("only %d of %d pages came", end.Completed, pages)
	}
	after, err := p.CPU()
	took := time.Duration(*end.Duration * float64(time.Second))
	return lap{pages: end.Completed, took: took, cpu: after - cpu, memory: memory, sent: s.site.sent.Load() - sent}, err
}

// watch waits for the end of a crawl and gives the highest memory on the way.
func watch(ctx context.Context, api *client.Client, p *process.Process, id string) (*trawl.CrawlStatus, int64, error) {
	highest := int64(0)
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		status, err := api.CrawlStatus(ctx, id, trawl.Window{Limit: 1})
		if err != nil {
			return nil, 0, err
		}
		memory, err := p.Memory()
		if err != nil {
			return nil, 0, err
		}
		highest = max(highest, memory.Resident)
		if status.Ended() {
			return status, highest, nil
		}
		select {
		case <-ctx.Done():
			return nil, 0, ctx.Err()
		case <-ticker.C:
		}
	}
}
