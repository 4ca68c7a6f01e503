package store

import (
	"context"
	"time"
)

// Spent is what one key of a team spent on one day.
type Spent struct {
	TeamID  string
	KeyID   string
	Day     time.Time // midnight UTC
	Credits int64
}

const dayMillis = int64(24 * time.Hour / time.Millisecond)

// AddUsage adds to what a key has spent on a day.
func (tx *Tx) AddUsage(ctx context.Context, u Spent) error {
	_, err := tx.exec(ctx, `INSERT INTO usage (team_id, key_id, day, credits) VALUES (?, ?, ?, ?)
		ON CONFLICT (team_id, day, key_id) DO UPDATE SET credits = usage.credits + excluded.credits`,
		u.TeamID, u.KeyID, u.Day.UnixMilli()/dayMillis, u.Credits)
	return err
}

// Usage gives what a team spent since a day, day by day and key by key, oldest first.
func (s *Store) Usage(ctx context.Context, team string, since time.Time) ([]Spent, error) {
	return all(ctx, s.reader(), func(r row) (u Spent, err error) {
		var day int64
		err = r.Scan(&u.KeyID, &day, &u.Credits)
		u.TeamID, u.Day = team, time.UnixMilli(day*dayMillis).UTC()
		return u, err
	}, `SELECT key_id, day, credits FROM usage WHERE team_id = ? AND day >= ? ORDER BY day, key_id`, team, since.UnixMilli()/dayMillis)
}
