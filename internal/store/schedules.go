package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
)

const scheduleColumns = `id, team_id, kind, lane, priority, payload, max_attempts, keep_ms, spec, every_ms, next_run, last_run,
	paused, problem`

// PutSchedule adds a schedule or replaces the one with its id.
func (tx *Tx) PutSchedule(ctx context.Context, sc *trawl.Schedule) error {
	payload := string(sc.Payload)
	if payload == "" {
		payload = "null"
	}
	_, err := tx.exec(ctx, `INSERT INTO schedules (`+scheduleColumns+`) VALUES (`+marks(14)+`)
		ON CONFLICT (id) DO UPDATE SET team_id = excluded.team_id, kind = excluded.kind, lane = excluded.lane,
		priority = excluded.priority, payload = excluded.payload, max_attempts = excluded.max_attempts,
		keep_ms = excluded.keep_ms, spec = excluded.spec, every_ms = excluded.every_ms, next_run = excluded.next_run,
		last_run = excluded.last_run, paused = excluded.paused, problem = excluded.problem`,
		sc.ID, sc.TeamID, sc.Kind, string(sc.Lane), sc.Priority, payload, sc.MaxAttempts,
		sc.Keep.Milliseconds(), sc.Spec, sc.Every.Milliseconds(), millis(sc.NextRun), millis(sc.LastRun), sc.Paused, sc.Problem)
	if err != nil {
		return fmt.Errorf("put schedule %s: %w", sc.ID, err)
	}
	return nil
}

// DeleteSchedule removes a schedule, or says ErrNotFound. Jobs it made stay.
func (tx *Tx) DeleteSchedule(ctx context.Context, id string) error {
	n, err := tx.exec(ctx, `DELETE FROM schedules WHERE id = ?`, id)
	if err == nil && n == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("delete schedule %s: %w", id, err)
	}
	return nil
}

// Schedule returns a schedule, or ErrNotFound.
func (s *Store) Schedule(ctx context.Context, id string) (*trawl.Schedule, error) {
	sc, err := one(ctx, s.reader(), scanSchedule, `SELECT `+scheduleColumns+` FROM schedules WHERE id = ?`, id)
	if err != nil {
		return nil, fmt.Errorf("read schedule %s: %w", id, err)
	}
	return sc, nil
}

// SchedulesDue reports whether a schedule's time has come.
func (s *Store) SchedulesDue(ctx context.Context, now time.Time) (bool, error) {
	return s.any(ctx, "look for due schedules", `SELECT 1 FROM schedules WHERE NOT paused AND next_run <= ? LIMIT 1`, millis(now))
}

// DueSchedules returns schedules whose time has come, the longest due first, locked.
func (tx *Tx) DueSchedules(ctx context.Context, now time.Time, limit int) ([]*trawl.Schedule, error) {
	due, err := all(ctx, tx.conn, scanSchedule, `SELECT `+scheduleColumns+` FROM schedules
		WHERE NOT paused AND next_run <= ? ORDER BY next_run LIMIT ?`+tx.dialect.skipLocked, millis(now), limit)
	if err != nil {
		return nil, fmt.Errorf("list due schedules: %w", err)
	}
	return due, nil
}

func scanSchedule(r row) (*trawl.Schedule, error) {
	var sc trawl.Schedule
	var payload string
	var keep, every, next, last int64
	err := r.Scan(&sc.ID, &sc.TeamID, &sc.Kind, &sc.Lane, &sc.Priority, &payload, &sc.MaxAttempts, &keep, &sc.Spec, &every,
		&next, &last, &sc.Paused, &sc.Problem)
	if err != nil {
		return nil, err
	}
	sc.Payload = json.RawMessage(payload)
	sc.Keep, sc.Every = time.Duration(keep)*time.Millisecond, time.Duration(every)*time.Millisecond
	sc.NextRun, sc.LastRun = moment(next), moment(last)
	return &sc, nil
}
