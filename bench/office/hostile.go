package officebench

import (
	"context"
	"fmt"
	"time"

	"github.com/trawlhq/trawl/bench/suite"
)

const hostileLimit = 10 * time.Second

// hostile measures whether broken office files end well: with a result or a
// clean error, and in time. The PDFs of the same set are measured elsewhere.
func hostile() suite.Suite {
	const set = "hostile-files"
	return suite.Suite{Name: "hostile-office", Data: set, Run: func(ctx context.Context, env suite.Env) ([]suite.Result, error) {
		items, err := load(suite.Env{Data: env.Data}, set)
		if err != nil {
			return nil, err
		}
		safe, read, total := 0, 0, 0
		for _, it := range items {
			if it.Kind == "pdf" {
				continue
			}
			total++
			limited, cancel := context.WithTimeout(ctx, hostileLimit)
			began := time.Now()
			md, err := markdownOf(limited, it.File, it.body)
			cancel()
			took := time.Since(began)
			if took < hostileLimit {
				safe++
			}
			if err == nil && md != "" {
				read++
			}
			if env.Log != nil {
				_, _ = fmt.Fprintf(env.Log, "%s %v %d bytes of text, %v\n", it.File, took.Round(time.Millisecond), len(md), err) // a log line
			}
		}
		n := float64(max(total, 1))
		return []suite.Result{
			{Name: "hostile-office.safe", Value: float64(safe) / n, Unit: "share", Note: fmt.Sprintf("%d files", total)},
			{Name: "hostile-office.read", Value: float64(read) / n, Unit: "share", Note: "with some text"},
		}, nil
	}}
}
