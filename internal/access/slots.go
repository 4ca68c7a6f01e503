package access

import (
	"context"
	"time"

	"github.com/trawlhq/trawl"
)

// Slot is the right to load one page now.
type Slot struct {
	Release func()
	Waited  time.Duration // zero: it was free at once
}

// Acquire waits for one of the team's slots, at most for the given time. most
// lowers the limit of the plan; 0 leaves it.
func (a *Service) Acquire(ctx context.Context, teamID string, most int, wait time.Duration) (Slot, error) {
	team, err := a.keys.team(ctx, teamID)
	if err != nil {
		team = trawl.Team{ID: teamID} // a keyless caller has no row; the built-in limit applies
	}
	limit := a.Plan(team).Concurrency
	if most > 0 {
		limit = min(limit, most)
	}
	began := a.now()
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	release, atOnce, err := a.slots.acquire(waiting, teamID, limit)
	if err == nil && atOnce {
		return Slot{Release: release}, nil
	}
	if err == nil {
		return Slot{Release: release, Waited: max(a.now().Sub(began), time.Millisecond)}, nil
	}
	if ctx.Err() == nil && waiting.Err() != nil {
		return Slot{}, trawl.Errorf(trawl.RateLimited, "Concurrency limit reached").WithCode("CONCURRENCY_QUEUE_TIMEOUT").
			After(time.Second).WithDetails(map[string]any{"retryable": true})
	}
	return Slot{}, err
}

// Busy tells how many pages of a team are being loaded, and how many wait in this process.
func (a *Service) Busy(ctx context.Context, teamID string) (busy, waiting int, err error) {
	return a.slots.busy(ctx, teamID)
}

// slotKeeper hands out slots.
type slotKeeper interface {
	acquire(ctx context.Context, team string, limit int) (release func(), atOnce bool, err error)
	busy(ctx context.Context, team string) (busy, waiting int, err error)
}
