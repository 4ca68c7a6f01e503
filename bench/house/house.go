// Package house measures what the service costs before it does any work: how
// soon it is there, how much memory it takes while it waits, and what the rules
// every request passes (key, limits, log, traces in the store) take of its speed.
// It is the real binary that is measured, from outside.
package house

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trawlhq/trawl/bench/house/process"
	"github.com/trawlhq/trawl/bench/suite"
)

// Suites lists the measurements of this package.
func Suites() []suite.Suite {
	return []suite.Suite{
		{Name: "house-start", Run: startUp},
		{Name: "house-cached", Run: cached},
	}
}

// Key opens the servers that Serve starts.
const Key = "fc-00000000000000000000000000000000"

// plans limits everything that can be limited, so high that nothing is refused:
// what is measured is the counting.
const plans = `plans:
  bench:
    concurrency: 64
    credits: 1000000000000
    rpm: {scrape: 1000000000, account: 1000000000}
`

// Serve starts trawl with authentication, limits and logging on, in a folder of
// its own. It may fetch from this machine.
func Serve(ctx context.Context, binary, dir string) (*process.Process, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	file := filepath.Join(dir, "plans.yaml")
	if err := os.WriteFile(file, []byte(plans), 0o600); err != nil {
		return nil, fmt.Errorf("write plans: %w", err)
	}
	return process.Start(ctx, filepath.Join(dir, "log"), binary, "serve", "--addr=127.0.0.1:0", "--data-dir="+filepath.Join(dir, "data"),
		"--plans="+file, "--default-plan=bench", "--bootstrap-key="+Key, "--allow-private-networks=true", "--gov-sync=off")
}

// startUp measures the time to the first 200 of /readyz on an empty data
// directory, and the memory of a server that was only asked that.
func startUp(ctx context.Context, env suite.Env) (results []suite.Result, err error) {
	dir, err := os.MkdirTemp("", "trawl-bench-house-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binary, err := process.Build(ctx, dir, "cmd/trawl")
	if err != nil {
		return nil, err
	}
	starts := 9
	if env.Quick {
		starts = 3
	}
	took, idle := make([]float64, starts), make([]float64, starts)
	var last process.Memory
	for i := range starts {
		began := time.Now()
		var memory process.Memory
		took[i], memory, err = once(ctx, binary, filepath.Join(dir, fmt.Sprint(i)), began)
		if err != nil {
			return nil, err
		}
		idle[i], last = mib(memory.Resident), memory
	}
	fmt.Fprintf(env.Log, "house-start: ready after %s ms, %s MiB\n", join(took), join(idle))
	return []suite.Result{
		{Name: "house-start.ready", Value: Median(took), Unit: "ms", Lower: true, Note: fmt.Sprintf("empty data directory to /readyz 200; median of %d", starts)},
		{Name: "house-start.idle", Value: Median(idle), Unit: "MiB", Lower: true, Note: fmt.Sprintf("resident, no browser; proportional %.1f", mib(last.Proportional))},
	}, nil
}

// once starts a server, waits until it is ready, weighs it and stops it.
func once(ctx context.Context, binary, dir string, began time.Time) (ms float64, m process.Memory, err error) {
	p, err := Serve(ctx, binary, dir)
	if err != nil {
		return 0, m, err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()
	if err := p.Ready(ctx); err != nil {
		return 0, m, err
	}
	ms = float64(time.Since(began).Microseconds()) / 1000
	m, err = p.Memory()
	return ms, m, err
}

// Median gives the middle one of some numbers.
func Median(numbers []float64) float64 {
	sorted := slices.Sorted(slices.Values(numbers))
	if n := len(sorted); n%2 == 0 {
		return (sorted[n/2-1] + sorted[n/2]) / 2
	}
	return sorted[len(sorted)/2]
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }

func join(numbers []float64) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = fmt.Sprintf("%.0f", n)
	}
	return strings.Join(texts, " ")
}
