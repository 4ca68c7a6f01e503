package store

import (
	"context"
	"slices"
	"strings"
	"time"
)

// Activity is one request of a team.
type Activity struct {
	ID        string
	TeamID    string
	KeyID     string
	Endpoint  string
	Target    string // address, query, prompt or file name; empty where nothing may be kept
	Succeeded bool
	At        time.Time
	Expires   time.Time
}

// activitiesPerInsert is how many rows one statement carries: most of the cost
// of a row is its statement's.
const activitiesPerInsert = 50

// InsertActivities records requests.
func (tx *Tx) InsertActivities(ctx context.Context, list []Activity) error {
	for chunk := range slices.Chunk(list, activitiesPerInsert) {
		args := make([]any, 0, len(chunk)*8)
		for _, a := range chunk {
			args = append(args, a.ID, a.TeamID, a.KeyID, a.Endpoint, a.Target, a.Succeeded, a.At.UnixMilli(), a.Expires.UnixMilli())
		}
		rows := strings.TrimSuffix(strings.Repeat(`(?, ?, ?, ?, ?, ?, ?, ?), `, len(chunk)), ", ")
		_, err := tx.exec(ctx, `INSERT INTO activity (id, team_id, key_id, endpoint, target, succeeded, created_at, expires_at) VALUES `+
			rows+` ON CONFLICT (id) DO NOTHING`, args...)
		if err != nil {
			return err
		}
	}
	return nil
}

// ActivityPage says which part of a team's activity is wanted: newest first,
// after the entry (Before, BeforeID), of one endpoint or of all.
type ActivityPage struct {
	TeamID   string
	Endpoint string
	Since    time.Time
	Before   time.Time // zero: from the newest
	BeforeID string
	Limit    int
}

// requests is all activity: what is only noted, and the finished scrapes, which
// are kept anyway and so need no second row.
const requests = `(SELECT id, team_id, key_id, endpoint, target, succeeded, created_at, expires_at FROM activity
	UNION ALL SELECT id, team_id, key_id, endpoint, target, TRUE, created_at, expires_at FROM scrapes WHERE endpoint <> '') AS requests`

// Activities gives a page of activity.
func (s *Store) Activities(ctx context.Context, p ActivityPage) ([]Activity, error) {
	before := int64(1 << 62)
	if !p.Before.IsZero() {
		before = p.Before.UnixMilli()
	}
	return all(ctx, s.reader(), scanActivity, `SELECT id, team_id, key_id, endpoint, target, succeeded, created_at, expires_at FROM `+requests+`
		WHERE team_id = ? AND created_at >= ? AND (endpoint = ? OR ? = '')
		AND (created_at < ? OR (created_at = ? AND id < ?)) ORDER BY created_at DESC, id DESC LIMIT ?`,
		p.TeamID, p.Since.UnixMilli(), p.Endpoint, p.Endpoint, before, before, p.BeforeID, p.Limit)
}

// LastSuccess gives when a request of the team last succeeded; the zero time when none did.
func (s *Store) LastSuccess(ctx context.Context, team string) (time.Time, error) {
	ms, err := one(ctx, s.reader(), scanInt, `SELECT COALESCE(MAX(created_at), 0) FROM `+requests+` WHERE team_id = ? AND succeeded`, team)
	return moment(ms), err
}

func scanActivity(r row) (a Activity, err error) {
	var at, expires int64
	err = r.Scan(&a.ID, &a.TeamID, &a.KeyID, &a.Endpoint, &a.Target, &a.Succeeded, &at, &expires)
	a.At, a.Expires = moment(at), moment(expires)
	return a, err
}
