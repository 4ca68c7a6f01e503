package browserbench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/browser"
)

const mib = 1 << 20

// tenTabs holds ten pages open at once and weighs the browser.
func tenTabs(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	at := site()
	defer at.Close()
	pool, done, err := open(10)
	if err != nil {
		return nil, err
	}
	defer done()
	const hold = 3 * time.Second
	var all sync.WaitGroup
	errs := make(chan error, 10)
	for range 10 {
		all.Go(func() { errs <- render(ctx, pool, browser.Request{URL: at.URL + "/script", WaitFor: hold}) })
	}
	most := weighUntil(&all)
	for range 10 {
		if err := <-errs; err != nil {
			return nil, err
		}
	}
	return []suite.Result{{Name: "browser-tabs.ten", Value: float64(most) / mib, Unit: "MiB", Lower: true,
		Note: "proportional memory of all browser processes, ten pages open"}}, nil
}

// weighUntil gives the most the children of this process weighed meanwhile.
func weighUntil(all *sync.WaitGroup) int64 {
	over := make(chan struct{})
	go func() { all.Wait(); close(over) }()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	var most int64
	for {
		select {
		case <-over:
			return most
		case <-tick.C:
			_, weight := children()
			most = max(most, weight)
		}
	}
}

// leftovers renders many pages, and looks at what is there after the first
// tenth and at the end, and after the pool is closed.
func leftovers(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	pages := 500
	if env.Quick {
		pages = 100
	}
	at := site()
	defer at.Close()
	pool, done, err := open(4)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if err := renderMany(ctx, pool, at.URL, pages/10); err != nil {
		done()
		return nil, err
	}
	early, earlyWeight := settled()
	if err := renderMany(ctx, pool, at.URL, pages-pages/10); err != nil {
		done()
		return nil, err
	}
	late, lateWeight := settled()
	took := time.Since(began)
	done()
	after, _ := children()
	fmt.Fprintf(env.Log, "%d pages in %v; processes %d then %d then %d; memory %d then %d MiB\n",
		pages, took, early, late, after, earlyWeight/mib, lateWeight/mib)
	return []suite.Result{
		{Name: "browser-leftovers.processes-after-close", Value: float64(after), Unit: "processes", Lower: true, Note: "children of this process once the pool is closed"},
		{Name: "browser-leftovers.process-growth", Value: float64(late - early), Unit: "processes", Lower: true, Note: "between the first tenth and the end, browser kept"},
		{Name: "browser-leftovers.memory-growth", Value: float64(lateWeight) / float64(earlyWeight), Unit: "x", Lower: true, Note: "the same for proportional memory"},
		{Name: "browser-leftovers.throughput", Value: float64(pages) / took.Seconds(), Unit: "pages/s", Note: "four at once"},
	}, nil
}

// renderMany renders that many pages, four at once.
func renderMany(ctx context.Context, pool *browser.Pool, at string, pages int) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan struct{}, pages)
	for range pages {
		next <- struct{}{}
	}
	close(next)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range next {
				if err := render(ctx, pool, browser.Request{URL: at + "/script"}); err != nil {
					cancel(err)
				}
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// settled waits until the number of processes stays the same for a second, at
// most ten, and weighs them.
func settled() (processes int, weight int64) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	processes, weight = children()
	for range 10 {
		<-tick.C
		now, w := children()
		if now == processes {
			return now, w
		}
		processes, weight = now, w
	}
	return processes, weight
}

// children counts the living descendants of this process and adds up their
// proportional memory. On systems without /proc there are none to see.
func children() (count int, weight int64) {
	below := map[int][]int{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is right
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // ended meanwhile
		}
		_, after, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(after)
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil || len(fields) < 2 || fields[0] == "Z" {
			continue
		}
		if parent, err := strconv.Atoi(fields[1]); err == nil {
			below[parent] = append(below[parent], pid)
		}
	}
	family := below[os.Getpid()]
	for i := 0; i < len(family); i++ {
		weight += proportional(family[i])
		family = append(family, below[family[i]]...)
	}
	return len(family), weight
}

// proportional is a process's memory with shared pages divided among sharers.
func proportional(pid int) int64 {
	rollup, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(rollup)) {
		if fields := strings.Fields(line); len(fields) >= 2 && fields[0] == "Pss:" {
			kib, err := strconv.ParseInt(fields[1], 10, 64)
			if err != nil {
				return 0
			}
			return kib << 10
		}
	}
	return 0
}
