package web

import (
	"bytes"
	"context"
	"math"
	"runtime"
	"time"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/document/htmldoc"
)

// speedRounds is how often each page is gone through. Its fastest time counts,
// because whatever else runs on the machine only ever adds to it.
const speedRounds = 7

// speed measures bytes to Markdown, metadata and links in units of html.Parse
// over the same pages, in one goroutine.
func speed(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	pages, err := readPages(env, "web-main-articles")
	if err != nil {
		return nil, err
	}
	rounds := speedRounds
	if env.Quick {
		rounds = 2
	}
	var size int
	var parse, whole time.Duration
	for _, body := range pages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		runtime.GC() // so that no page pays for the one before
		p, w, err := fastest(body, rounds)
		if err != nil {
			return nil, err
		}
		parse, whole, size = parse+p, whole+w, size+len(body)
	}
	return []suite.Result{
		{Name: "web-speed.ratio", Value: whole.Seconds() / parse.Seconds(), Unit: "x", Lower: true, Note: "time of html.Parse"},
		{Name: "web-speed.throughput", Value: float64(size) / 1e6 / whole.Seconds(), Unit: "MB/s", Note: "bytes to Markdown, one core"},
	}, nil
}

// fastest times both on one page, in turns.
func fastest(body []byte, rounds int) (parse, whole time.Duration, err error) {
	parse, whole = math.MaxInt64, math.MaxInt64
	for range rounds {
		began := time.Now()
		if err := parseOnly(body); err != nil {
			return 0, 0, err
		}
		parse = min(parse, time.Since(began))
		began = time.Now()
		if err := pipeline(body); err != nil {
			return 0, 0, err
		}
		whole = min(whole, time.Since(began))
	}
	return parse, whole, nil
}

func parseOnly(body []byte) error {
	_, err := html.Parse(bytes.NewReader(body))
	return err
}

func pipeline(body []byte) error {
	a, err := scrape(body, "https://pages.test/")
	if err != nil {
		return err
	}
	htmldoc.Links(a.view, "https://pages.test/")
	return nil
}
