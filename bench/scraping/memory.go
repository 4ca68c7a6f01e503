package scraping

import (
	"context"
	"fmt"

	"github.com/trawlhq/trawl/bench/house/load"
	"github.com/trawlhq/trawl/bench/suite"
)

// memory compares what survives collection before and after many scrapes. The
// first tenth fills pools and statement caches and is not counted as growth.
func memory(ctx context.Context, env suite.Env, s *stage) ([]suite.Result, error) {
	scrapes := 20_000
	if env.Quick {
		scrapes = 2_000
	}
	if _, err := s.scrape(ctx, load.Plan{Count: scrapes / 10}); err != nil {
		return nil, err
	}
	before, err := s.weigh(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.scrape(ctx, load.Plan{Count: scrapes}); err != nil {
		return nil, err
	}
	after, err := s.weigh(ctx)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(env.Log, "scraping-memory: heap %.1f, then %.1f MiB; resident %.1f, then %.1f MiB\n", before.heap, after.heap, before.resident, after.resident)
	return []suite.Result{
		{Name: "scraping-memory.heap", Value: after.heap / before.heap, Unit: "x", Lower: true,
			Note: fmt.Sprintf("collected heap after %d scrapes by that before: %.1f to %.1f MiB", scrapes, before.heap, after.heap)},
		{Name: "scraping-memory.resident", Value: after.resident / before.resident, Unit: "x", Lower: true,
			Note: fmt.Sprintf("the whole process: %.0f to %.0f MiB", before.resident, after.resident)},
	}, nil
}

// weight is in MiB.
type weight struct{ heap, resident float64 }

func (s *stage) weigh(ctx context.Context) (weight, error) {
	heap, err := s.trawl.KeptHeap(ctx)
	if err != nil {
		return weight{}, err
	}
	m, err := s.trawl.Memory()
	return weight{heap: float64(heap) / (1 << 20), resident: float64(m.Resident) / (1 << 20)}, err
}
