package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/trawlhq/trawl"
)

// Rows of jobs are kept here; what may become of them is decided in package job.

const jobColumns = `id, team_id, kind, lane, priority, unique_key, state, payload, result, failure, attempt, max_attempts,
	lost, lease, lease_until, worker, cancelling, run_at, created_at, started_at, finished_at, expires_at`

// jobsAtOnce bounds the rows of one statement, and so its number of values.
const jobsAtOnce = 500

// Job returns a job, or ErrNotFound.
func (s *Store) Job(ctx context.Context, id string) (*trawl.Job, error) {
	j, err := one(ctx, s.reader(), scanJob, `SELECT `+jobColumns+` FROM jobs WHERE id = ?`, id)
	if err != nil {
		return nil, fmt.Errorf("read job %s: %w", id, err)
	}
	return j, nil
}

// InsertJobs adds jobs. Where a live job of the same team and kind has the
// unique key already, none is added and *job becomes that one.
func (tx *Tx) InsertJobs(ctx context.Context, jobs ...*trawl.Job) error {
	for len(jobs) > 0 {
		batch := jobs[:min(len(jobs), jobsAtOnce)]
		jobs = jobs[len(batch):]
		if err := tx.insertJobs(ctx, batch); err != nil {
			return fmt.Errorf("insert jobs: %w", err)
		}
	}
	return nil
}

func (tx *Tx) insertJobs(ctx context.Context, jobs []*trawl.Job) error {
	row := `(` + marks(strings.Count(jobColumns, ",")+1) + `)`
	var args []any
	for _, j := range jobs {
		failure, err := failureText(j.Failure)
		if err != nil {
			return err
		}
		args = append(args, j.ID, j.TeamID, j.Kind, string(j.Lane), j.Priority, orNull(j.UniqueKey), string(j.State),
			string(j.Payload), orNull(string(j.Result)), failure, j.Attempt, j.MaxAttempts, j.Lost, j.Lease,
			millis(j.LeaseUntil), j.Worker, j.Cancelling, millis(j.RunAt), millis(j.CreatedAt), millis(j.StartedAt),
			millis(j.FinishedAt), millis(j.ExpiresAt))
	}
	added, err := all(ctx, tx.conn, scanString, `INSERT INTO jobs (`+jobColumns+`) VALUES `+
		strings.TrimSuffix(strings.Repeat(row+`, `, len(jobs)), `, `)+` ON CONFLICT DO NOTHING RETURNING id`, args...)
	if err != nil || len(added) == len(jobs) {
		return err
	}
	return tx.becomeExisting(ctx, jobs, added)
}

// becomeExisting replaces each job that was not added by the one that has its unique key.
func (tx *Tx) becomeExisting(ctx context.Context, jobs []*trawl.Job, added []string) error {
	isNew := make(map[string]bool, len(added))
	for _, id := range added {
		isNew[id] = true
	}
	for _, j := range jobs {
		if isNew[j.ID] {
			continue
		}
		existing, err := one(ctx, tx.conn, scanJob, `SELECT `+jobColumns+` FROM jobs WHERE team_id = ? AND kind = ?
			AND unique_key = ? AND state IN ('queued', 'running')`, j.TeamID, j.Kind, j.UniqueKey)
		if err != nil { // the other one ended this very moment, or it was the id that existed
			return fmt.Errorf("%w: job %s: %w", ErrConflict, j.ID, err)
		}
		*j = *existing
	}
	return nil
}

// LockJobs returns those of the jobs that exist, in the order of their ids, and
// keeps others from changing them until tx ends. The one order for everybody
// is what keeps two transactions from waiting for each other.
func (tx *Tx) LockJobs(ctx context.Context, ids ...string) ([]*trawl.Job, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := all(ctx, tx.conn, scanJob, `SELECT `+jobColumns+` FROM jobs WHERE id IN (`+marks(len(ids))+
		`) ORDER BY id`+tx.dialect.lockRows, anys(ids)...)
	if err != nil {
		return nil, fmt.Errorf("lock jobs: %w", err)
	}
	return found, nil
}

// UpdateJobs writes back what can change in the life of a job. The rows must
// be locked: by LockJobs, PickJobs or LostJobs.
func (tx *Tx) UpdateJobs(ctx context.Context, jobs ...*trawl.Job) error {
	for len(jobs) > 0 {
		batch := jobs[:min(len(jobs), jobsAtOnce)]
		jobs = jobs[len(batch):]
		if err := tx.updateJobs(ctx, batch); err != nil {
			return fmt.Errorf("update jobs: %w", err)
		}
	}
	return nil
}

func (tx *Tx) updateJobs(ctx context.Context, jobs []*trawl.Job) error {
	// The casts tell PostgreSQL what SQLite need not know, the types of the
	// values; those of the first row go for the others.
	const first = `(CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT),
		CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS BOOLEAN), CAST(? AS BIGINT), CAST(? AS BIGINT),
		CAST(? AS BIGINT))`
	const more = `, (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	var args []any
	for _, j := range jobs {
		failure, err := failureText(j.Failure)
		if err != nil {
			return err
		}
		args = append(args, j.ID, string(j.State), orNull(string(j.Result)), failure, j.Attempt, j.Lost, j.Lease,
			millis(j.LeaseUntil), j.Worker, j.Cancelling, millis(j.RunAt), millis(j.StartedAt), millis(j.FinishedAt))
	}
	_, err := tx.exec(ctx, `WITH v (id, state, result, failure, attempt, lost, lease, lease_until, worker, cancelling, run_at,
		started_at, finished_at) AS (VALUES `+first+strings.Repeat(more, len(jobs)-1)+`)
		UPDATE jobs SET state = v.state, result = v.result, failure = v.failure, attempt = v.attempt, lost = v.lost,
		lease = v.lease, lease_until = v.lease_until, worker = v.worker, cancelling = v.cancelling, run_at = v.run_at,
		started_at = v.started_at, finished_at = v.finished_at FROM v WHERE jobs.id = v.id`, args...)
	return err
}

func scanJob(r row) (*trawl.Job, error) {
	var j trawl.Job
	var payload string
	var uniqueKey, result, failure sql.NullString
	var leaseUntil, runAt, created, started, finished, expires int64
	err := r.Scan(&j.ID, &j.TeamID, &j.Kind, &j.Lane, &j.Priority, &uniqueKey, &j.State, &payload, &result, &failure,
		&j.Attempt, &j.MaxAttempts, &j.Lost, &j.Lease, &leaseUntil, &j.Worker, &j.Cancelling, &runAt, &created, &started,
		&finished, &expires)
	if err != nil {
		return nil, err
	}
	j.UniqueKey, j.Payload = uniqueKey.String, json.RawMessage(payload)
	if result.Valid {
		j.Result = json.RawMessage(result.String)
	}
	if failure.Valid {
		if err := json.Unmarshal([]byte(failure.String), &j.Failure); err != nil {
			return nil, fmt.Errorf("read failure of job %s: %w", j.ID, err)
		}
	}
	j.LeaseUntil, j.RunAt, j.CreatedAt = moment(leaseUntil), moment(runAt), moment(created)
	j.StartedAt, j.FinishedAt, j.ExpiresAt = moment(started), moment(finished), moment(expires)
	return &j, nil
}

func failureText(f *trawl.Failure) (sql.NullString, error) {
	if f == nil {
		return sql.NullString{}, nil
	}
	text, err := json.Marshal(f)
	return orNull(string(text)), err
}

// orNull stores an empty text as no value.
func orNull(text string) sql.NullString { return sql.NullString{String: text, Valid: text != ""} }

// JobCount is how many jobs of a team are in one state.
type JobCount struct {
	TeamID string
	Lane   trawl.Lane
	State  trawl.JobState
	Jobs   int64
}

// JobCounts counts the jobs of one team, or of all when teamID is empty.
func (s *Store) JobCounts(ctx context.Context, teamID string) ([]JobCount, error) {
	where, args := ``, []any{}
	if teamID != "" {
		where, args = ` WHERE team_id = ?`, []any{teamID}
	}
	counts, err := all(ctx, s.reader(), func(r row) (c JobCount, err error) {
		return c, r.Scan(&c.TeamID, &c.Lane, &c.State, &c.Jobs)
	}, `SELECT team_id, lane, state, COUNT(*) FROM jobs`+where+` GROUP BY team_id, lane, state ORDER BY team_id, lane, state`, args...)
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}
	return counts, nil
}
