package app

import (
	"context"
	"fmt"
	"time"

	"github.com/trawlhq/trawl/internal/api"
	"github.com/trawlhq/trawl/internal/telemetry"
)

// watch adds the numbers that are read when somebody asks for the metrics.
func (a *App) watch() {
	a.Metrics.Watch(
		telemetry.Gauge{Name: "trawl_jobs", Help: "Jobs in the queue, by state.", Label: "state", Read: a.jobsByState},
		telemetry.Gauge{Name: "trawl_cache_bytes", Help: "Bytes of cached pages.", Read: a.cacheBytes},
		telemetry.Gauge{Name: "trawl_page_slots", Help: "Pages that can be loaded at once.", Read: func() map[string]float64 {
			return map[string]float64{"": float64(a.slots())}
		}},
	)
	if a.Engines.Browser != nil {
		a.Metrics.Watch(telemetry.Gauge{Name: "trawl_browser", Help: "The browser pool: slots, busy, waiting, browsers, crashes, renders.", Label: "what", Read: a.browserStats})
	}
}

func (a *App) browserStats() map[string]float64 {
	s := a.Engines.Browser.Stats()
	return map[string]float64{
		"slots": float64(s.Slots), "busy": float64(s.Busy), "waiting": float64(s.Waiting), "browsers": float64(s.Browsers),
		"crashes": float64(s.Crashes), "renders": float64(s.Renders), "bytes": float64(s.Memory),
	}
}

// gaugeTime is how long reading a number from the store may take.
const gaugeTime = 2 * time.Second

func (a *App) jobsByState() map[string]float64 {
	ctx, cancel := context.WithTimeout(context.Background(), gaugeTime)
	defer cancel()
	counts, err := a.Store.JobCounts(ctx, "")
	if err != nil {
		return nil
	}
	states := map[string]float64{}
	for _, c := range counts {
		states[string(c.State)] += float64(c.Jobs)
	}
	return states
}

func (a *App) cacheBytes() map[string]float64 {
	ctx, cancel := context.WithTimeout(context.Background(), gaugeTime)
	defer cancel()
	size, err := a.Store.CacheSize(ctx)
	if err != nil {
		return nil
	}
	return map[string]float64{"": float64(size)}
}

// checks are the parts without which the server is of no use.
func (a *App) checks() []api.Check {
	return []api.Check{
		{Name: "database", Verify: func(ctx context.Context) (string, error) { return a.Store.Database(), a.Store.Ping(ctx) }},
		{Name: "queue", Verify: a.checkQueue},
		{Name: "blobs", Verify: func(ctx context.Context) (string, error) { return "", a.Blobs.Check(ctx) }},
		{Name: "browser", Verify: a.checkBrowser},
		{Name: "gov", Verify: a.checkGov},
	}
}

// checkBrowser fails when a browser that was there has gone; a server set up without one is well.
func (a *App) checkBrowser(ctx context.Context) (string, error) {
	if a.Engines.Browser == nil {
		return "none: pages that need scripts are not rendered", nil
	}
	s := a.Engines.Browser.Stats()
	return fmt.Sprintf("%d running, %d of %d slots busy", s.Browsers, s.Busy, s.Slots), a.Engines.Browser.Healthy(ctx)
}

// checkQueue fails when results cannot be written, and tells how much work there is.
func (a *App) checkQueue(ctx context.Context) (string, error) {
	if err := a.Writes.Failing(); err != nil {
		return "", err
	}
	waiting, active, err := a.Depth(ctx, "")
	return fmt.Sprintf("%d waiting, %d running", waiting, active), err
}
