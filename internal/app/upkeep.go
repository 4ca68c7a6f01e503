package app

import (
	"context"
	"time"

	"github.com/trawlhq/trawl/internal/store"
)

// sweepEvery is how often what has expired is removed.
const sweepEvery = 10 * time.Minute

// Sweep removes what has expired, rows first and then their blobs; with dryRun it only tells.
func (a *App) Sweep(ctx context.Context, dryRun bool) ([]store.Removed, int, error) {
	if !dryRun {
		if _, err := a.Store.EvictPages(ctx, a.Settings.CacheSize<<20, time.Now()); err != nil {
			return nil, 0, err
		}
	}
	removed, keys, err := a.Store.Expired(ctx, time.Now(), dryRun)
	if err != nil || dryRun {
		return removed, len(keys), err
	}
	if err := a.Blobs.Delete(ctx, keys...); err != nil {
		return removed, 0, err // they are listed again the next time
	}
	return removed, len(keys), a.Store.ForgetBlobs(ctx, keys)
}

// janitor sweeps until ctx ends.
func (a *App) janitor(ctx context.Context) error {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if _, _, err := a.Sweep(ctx, false); err != nil && ctx.Err() == nil {
			a.Log.WarnContext(ctx, "expired rows not removed, trying again later", "err", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}
