package store

import (
	"context"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
)

// LockClaims lets one process at a time take jobs of a lane, until tx ends.
// Without it two would count the same running jobs and together pass a team's limit.
func (tx *Tx) LockClaims(ctx context.Context, lane trawl.Lane) error {
	return tx.lockNamed(ctx, "claim "+string(lane))
}

// TeamLoad is a team with waiting jobs and how many of its jobs run, in one lane.
type TeamLoad struct {
	TeamID  string
	Running int
}

// TeamLoads returns the teams that have jobs waiting in a lane, by id. It jumps
// from team to team in the index, so a queue of a million costs no more than
// one of ten.
func (tx *Tx) TeamLoads(ctx context.Context, lane trawl.Lane) ([]TeamLoad, error) {
	loads, err := all(ctx, tx.conn, func(r row) (l TeamLoad, err error) { return l, r.Scan(&l.TeamID, &l.Running) },
		`WITH RECURSIVE waiting (team_id) AS (
			SELECT MIN(team_id) FROM jobs WHERE state = 'queued' AND lane = ?
			UNION ALL
			SELECT (SELECT MIN(j.team_id) FROM jobs j WHERE j.state = 'queued' AND j.lane = ? AND j.team_id > waiting.team_id)
			FROM waiting WHERE waiting.team_id IS NOT NULL
		)
		SELECT team_id, (SELECT COUNT(*) FROM jobs r WHERE r.state = 'running' AND r.lane = ? AND r.team_id = waiting.team_id)
		FROM waiting WHERE team_id IS NOT NULL ORDER BY team_id`, string(lane), string(lane), string(lane))
	if err != nil {
		return nil, fmt.Errorf("list waiting teams: %w", err)
	}
	return loads, nil
}

// Pick says which waiting jobs to take.
type Pick struct {
	Lane   trawl.Lane
	TeamID string
	Kinds  []string // only these
	Now    time.Time
	Limit  int
}

// PickJobs returns the next due jobs of one team, locked.
func (tx *Tx) PickJobs(ctx context.Context, p Pick) ([]*trawl.Job, error) {
	if p.Limit <= 0 || len(p.Kinds) == 0 {
		return nil, nil
	}
	args := append([]any{string(p.Lane), p.TeamID, millis(p.Now)}, anys(p.Kinds)...)
	jobs, err := all(ctx, tx.conn, scanJob, `SELECT `+jobColumns+` FROM jobs
		WHERE state = 'queued' AND lane = ? AND team_id = ? AND run_at <= ? AND kind IN (`+marks(len(p.Kinds))+`)
		ORDER BY priority, run_at, id LIMIT ?`+tx.dialect.skipLocked, append(args, p.Limit)...)
	if err != nil {
		return nil, fmt.Errorf("pick jobs: %w", err)
	}
	return jobs, nil
}

// LostJobs returns running jobs whose lease has ended by now, locked.
func (tx *Tx) LostJobs(ctx context.Context, now time.Time, limit int) ([]*trawl.Job, error) {
	jobs, err := all(ctx, tx.conn, scanJob, `SELECT `+jobColumns+` FROM jobs
		WHERE state = 'running' AND lease_until < ? ORDER BY id LIMIT ?`+tx.dialect.skipLocked, millis(now), limit)
	if err != nil {
		return nil, fmt.Errorf("find lost jobs: %w", err)
	}
	return jobs, nil
}

// JobsDue reports whether a lane has a job whose time has come.
func (s *Store) JobsDue(ctx context.Context, lane trawl.Lane, now time.Time) (bool, error) {
	return s.any(ctx, "look for due jobs",
		`SELECT 1 FROM jobs WHERE state = 'queued' AND lane = ? AND run_at <= ? LIMIT 1`, string(lane), millis(now))
}

// JobsLost reports whether a running job's lease has ended.
func (s *Store) JobsLost(ctx context.Context, now time.Time) (bool, error) {
	return s.any(ctx, "look for lost jobs",
		`SELECT 1 FROM jobs WHERE state = 'running' AND lease_until < ? LIMIT 1`, millis(now))
}

// any reports whether a query finds something. Asking first, outside a
// transaction, spares an idle queue the write lock.
func (s *Store) any(ctx context.Context, doing, query string, args ...any) (bool, error) {
	found, err := all(ctx, s.reader(), scanInt, query, args...)
	if err != nil {
		return false, fmt.Errorf("%s: %w", doing, err)
	}
	return len(found) > 0, nil
}

// Cancelling returns the running jobs of a worker that were asked to stop.
func (s *Store) Cancelling(ctx context.Context, worker string) ([]string, error) {
	ids, err := all(ctx, s.reader(), scanString,
		`SELECT id FROM jobs WHERE state = 'running' AND cancelling AND worker = ?`, worker)
	if err != nil {
		return nil, fmt.Errorf("list cancelled jobs: %w", err)
	}
	return ids, nil
}

// ExtendLeases moves the end of the leases a worker holds on these jobs, and
// returns the tokens of those it still holds.
func (tx *Tx) ExtendLeases(ctx context.Context, worker string, ids []string, until time.Time) (map[string]int64, error) {
	jobs, err := tx.LockJobs(ctx, ids...)
	if err != nil {
		return nil, err
	}
	held := make(map[string]int64, len(jobs))
	for _, j := range jobs {
		if j.State == trawl.JobRunning && j.Worker == worker {
			held[j.ID] = j.Lease
		}
	}
	_, err = tx.exec(ctx, `UPDATE jobs SET lease_until = ? WHERE state = 'running' AND worker = ?
		AND id IN (`+marks(len(ids))+`)`, append([]any{millis(until), worker}, anys(ids)...)...)
	if err != nil {
		return nil, fmt.Errorf("extend leases: %w", err)
	}
	return held, nil
}
