package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
)

const teamColumns = `id, name, plan, webhook_secret, allowed_ips, created_at`

// Team gives a team, or ErrNotFound.
func (s *Store) Team(ctx context.Context, id string) (trawl.Team, error) {
	return one(ctx, s.reader(), scanTeam, `SELECT `+teamColumns+` FROM teams WHERE id = ?`, id)
}

// Teams gives all teams, oldest first.
func (s *Store) Teams(ctx context.Context) ([]trawl.Team, error) {
	return all(ctx, s.reader(), scanTeam, `SELECT `+teamColumns+` FROM teams ORDER BY created_at, id`)
}

// EnsureTeam makes the team unless there is one with its id.
func (s *Store) EnsureTeam(ctx context.Context, t trawl.Team) error {
	ips, err := listText(t.AllowedIPs)
	if err != nil {
		return err
	}
	return s.InTx(ctx, func(tx *Tx) error {
		_, err := tx.exec(ctx, `INSERT INTO teams (`+teamColumns+`) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
			t.ID, t.Name, t.Plan, t.WebhookSecret, ips, t.CreatedAt.UnixMilli())
		return err
	})
}

// UpdateTeam changes the plan and the allowed addresses of a team, or gives ErrNotFound.
func (s *Store) UpdateTeam(ctx context.Context, t trawl.Team) error {
	ips, err := listText(t.AllowedIPs)
	if err != nil {
		return err
	}
	return s.InTx(ctx, func(tx *Tx) error {
		n, err := tx.exec(ctx, `UPDATE teams SET plan = ?, allowed_ips = ? WHERE id = ?`, t.Plan, ips, t.ID)
		if err == nil && n == 0 {
			return ErrNotFound
		}
		return err
	})
}

func scanTeam(r row) (t trawl.Team, err error) {
	var ips string
	var created int64
	if err := r.Scan(&t.ID, &t.Name, &t.Plan, &t.WebhookSecret, &ips, &created); err != nil {
		return t, err
	}
	t.CreatedAt = moment(created)
	return t, textList(ips, &t.AllowedIPs)
}

// moment reads a column of Unix milliseconds; 0 is the zero time.
func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// millis writes a moment; the zero time is 0.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// listText and textList keep a list of short texts in one column.
func listText(list []string) (string, error) {
	if len(list) == 0 {
		return "[]", nil
	}
	data, err := json.Marshal(list)
	return string(data), err
}

func textList(text string, into *[]string) error {
	if text == "[]" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return fmt.Errorf("read list column: %w", err)
	}
	return nil
}
