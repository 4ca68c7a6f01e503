package process

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
)

// Metrics reads the metrics without labels from the server's /metrics.
func (p *Process) Metrics(ctx context.Context) (map[string]float64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("read metrics: status %d", res.StatusCode)
	}
	return samples(res.Body)
}

func samples(text io.Reader) (map[string]float64, error) {
	found := map[string]float64{}
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		name, value, ok := strings.Cut(lines.Text(), " ")
		if !ok || strings.HasPrefix(name, "#") || strings.Contains(name, "{") {
			continue
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, fmt.Errorf("read metric %s: %w", name, err)
		}
		found[name] = v
	}
	return found, lines.Err()
}

// collections is how often the collector must have run since the load ended
// before what is left counts as kept: what pools hold is let go at the second run.
const collections = 3

// maxPolls is how often the metrics are read while waiting for the collector.
const maxPolls = 20_000

// KeptHeap gives the bytes on the Go heap that survive collection when the
// server has nothing to do. Reading the metrics is work, too: it is repeated until
// the collector has run often enough, and the least that was seen is the answer.
func (p *Process) KeptHeap(ctx context.Context) (int64, error) {
	least, first := math.Inf(1), -1.0
	for range maxPolls {
		m, err := p.Metrics(ctx)
		if err != nil {
			return 0, err
		}
		runs, heap := m["go_gc_duration_seconds_count"], m["go_memstats_heap_alloc_bytes"]
		if heap == 0 {
			return 0, fmt.Errorf("read metrics: the heap is not among them")
		}
		if first < 0 {
			first = runs
		}
		if runs >= first+collections-1 {
			least = min(least, heap)
		}
		if runs >= first+2*collections {
			return int64(least), nil
		}
	}
	return 0, fmt.Errorf("the collector did not run in %d looks", maxPolls)
}
