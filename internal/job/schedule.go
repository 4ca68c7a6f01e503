package job

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// schedulesAtOnce bounds the schedules served in one transaction.
const schedulesAtOnce = 100

// startScheduled makes a job for each schedule whose time has come, and moves
// the schedule on in the same transaction: no run is lost and none happens twice.
func (q *Queue) startScheduled(ctx context.Context) error {
	due, err := q.opt.Store.SchedulesDue(ctx, q.now())
	if err != nil || !due {
		return err
	}
	return q.opt.Store.InTx(ctx, func(tx *store.Tx) error {
		schedules, err := tx.DueSchedules(ctx, q.now(), schedulesAtOnce)
		if err != nil {
			return err
		}
		for _, s := range schedules {
			if err := q.startOne(ctx, tx, s); err != nil {
				return fmt.Errorf("run schedule %s: %w", s.ID, err)
			}
		}
		return nil
	})
}

// startOne enqueues a run unless the last one is still going. Runs missed
// while nobody was there are not made up for: one now, then the next in turn.
func (q *Queue) startOne(ctx context.Context, tx *store.Tx, s *trawl.Schedule) error {
	now := q.now()
	_, err := q.Enqueue(ctx, tx, Spec{
		TeamID: s.TeamID, Kind: s.Kind, Lane: s.Lane, Priority: s.Priority, Payload: s.Payload,
		UniqueKey: "schedule " + s.ID, MaxAttempts: s.MaxAttempts, Keep: s.Keep,
	})
	if err != nil {
		return err
	}
	s.LastRun = now
	if s.NextRun, err = q.nextRun(s, now); err != nil {
		s.Paused, s.Problem = true, err.Error()
		q.log.Warn("schedule paused", "schedule", s.ID, "error", err)
	}
	return tx.PutSchedule(ctx, s)
}

func (q *Queue) nextRun(s *trawl.Schedule, now time.Time) (time.Time, error) {
	if s.Spec != "" {
		if q.opt.NextRun == nil {
			return time.Time{}, fmt.Errorf("nobody here can read %q", s.Spec)
		}
		return q.opt.NextRun(s, now)
	}
	if s.Every <= 0 {
		return time.Time{}, errors.New("the schedule has neither a spec nor an interval")
	}
	next := s.NextRun.Add(s.Every)
	if !next.After(now) {
		next = now.Add(s.Every)
	}
	return next, nil
}
