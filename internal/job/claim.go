package job

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// dispatch fills the free slots of a lane whenever something may have changed:
// a job came in, one ended, or some time has passed.
func (q *Queue) dispatch(ctx context.Context, l *lane) {
	ticker := time.NewTicker(q.opt.Poll)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		case <-ticker.C:
		}
		free := q.free(l)
		if free == 0 {
			continue
		}
		jobs, err := q.claim(context.WithoutCancel(ctx), l, free) // to its end, lest we lease jobs and do not know
		if err != nil {
			q.log.Warn("claiming jobs failed", "lane", l.name, "error", err)
			continue // the ticker brings the next try
		}
		for _, j := range jobs {
			q.start(ctx, l, j)
		}
	}
}

func (q *Queue) free(l *lane) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return l.slots - l.busy
}

// claim leases up to free due jobs of a lane, fairly between the teams.
func (q *Queue) claim(ctx context.Context, l *lane, free int) ([]*trawl.Job, error) {
	ctx, cancel := context.WithTimeout(ctx, stepTime)
	defer cancel()
	due, err := q.opt.Store.JobsDue(ctx, l.name, q.now())
	if err != nil || !due {
		return nil, err
	}
	var claimed []*trawl.Job
	err = q.opt.Store.InTx(ctx, func(tx *store.Tx) error {
		claimed = nil
		if err := tx.LockClaims(ctx, l.name); err != nil {
			return err
		}
		loads, err := tx.TeamLoads(ctx, l.name)
		if err != nil {
			return err
		}
		claimed, err = q.claimFairly(ctx, tx, l, after(l.turn, loads), free)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(claimed) > 0 {
		l.turn = claimed[len(claimed)-1].TeamID
	}
	return claimed, nil
}

// claimFairly goes round the teams until the slots are full. A team that has
// fewer due jobs than its share leaves the rest to the others.
func (q *Queue) claimFairly(ctx context.Context, tx *store.Tx, l *lane, loads []store.TeamLoad, free int) ([]*trawl.Job, error) {
	limit := func(team string) int { return q.opt.TeamLimit(team, l.name) }
	kinds := slices.Sorted(maps.Keys(q.handlers))
	var claimed []*trawl.Job
	for free > len(claimed) && len(loads) > 0 {
		var round []*trawl.Job
		shares := fairShares(loads, free-len(claimed), limit)
		loads = nil
		for _, s := range shares {
			jobs, err := tx.PickJobs(ctx, store.Pick{Lane: l.name, TeamID: s.TeamID, Kinds: kinds, Now: q.now(), Limit: s.jobs})
			if err != nil {
				return nil, err
			}
			round = append(round, jobs...)
			if len(jobs) == s.jobs { // it may have more
				loads = append(loads, store.TeamLoad{TeamID: s.TeamID, Running: s.Running + len(jobs)})
			}
		}
		if len(round) == 0 && len(loads) == len(shares) { // all are at their limit
			break
		}
		if err := q.lease(ctx, tx, round); err != nil {
			return nil, err
		}
		claimed = append(claimed, round...)
	}
	return claimed, nil
}

func (q *Queue) lease(ctx context.Context, tx *store.Tx, jobs []*trawl.Job) error {
	now := q.now()
	for _, j := range jobs {
		if err := apply(j, move{verb: claim, worker: q.worker, at: now.Add(q.opt.Lease)}, now); err != nil {
			return err
		}
	}
	return tx.UpdateJobs(ctx, jobs...)
}

// share is how many jobs a team may start now.
type share struct {
	store.TeamLoad
	jobs int
}

// after turns the circle of teams, which come sorted, so that it begins behind
// the one served last. A single free slot then does not always go to the same.
func after(turn string, loads []store.TeamLoad) []store.TeamLoad {
	next := slices.IndexFunc(loads, func(l store.TeamLoad) bool { return l.TeamID > turn })
	if next <= 0 {
		return loads
	}
	return slices.Concat(loads[next:], loads[:next])
}

// fairShares hands out free slots one by one, each to the team with the fewest
// jobs running, and among equals to the first. Some may get none.
func fairShares(loads []store.TeamLoad, free int, limit func(team string) int) []share {
	var open []share // teams below their limit
	for _, load := range loads {
		open = append(open, share{TeamLoad: load})
	}
	var full []share
	for free > 0 && len(open) > 0 {
		least := 0
		for i, s := range open {
			if s.Running+s.jobs < open[least].Running+open[least].jobs {
				least = i
			}
		}
		s := &open[least]
		if most := limit(s.TeamID); most > 0 && s.Running+s.jobs >= most {
			full = append(full, *s)
			open = slices.Delete(open, least, least+1)
			continue
		}
		s.jobs++
		free--
	}
	return append(full, open...)
}
