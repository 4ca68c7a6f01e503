package store

import (
	"context"
	"time"
)

// Snapshot is the last tracked text of a page.
type Snapshot struct {
	TeamID    string
	URL       string
	Tag       string
	Text      []byte // compressed
	ScrapedAt time.Time
}

// SwapSnapshot puts a snapshot in the place of the one before and gives that
// back; ok is false when there was none. Of two scrapes at once one sees the other.
func (s *Store) SwapSnapshot(ctx context.Context, next Snapshot) (before Snapshot, ok bool, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		if err := tx.lockNamed(ctx, "snapshot "+next.URL); err != nil {
			return err
		}
		rows, err := all(ctx, tx.conn, scanSnapshot,
			`SELECT team_id, url, tag, text, scraped_at FROM snapshots WHERE team_id = ? AND url = ? AND tag = ?`,
			next.TeamID, next.URL, next.Tag)
		if err != nil {
			return err
		}
		if ok = len(rows) > 0; ok {
			before = rows[0]
		}
		_, err = tx.exec(ctx, `INSERT INTO snapshots (team_id, url, tag, text, scraped_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (team_id, url, tag) DO UPDATE SET text = excluded.text, scraped_at = excluded.scraped_at`,
			next.TeamID, next.URL, next.Tag, next.Text, next.ScrapedAt.UnixMilli())
		return err
	})
	return before, ok, err
}

func scanSnapshot(r row) (s Snapshot, err error) {
	var at int64
	err = r.Scan(&s.TeamID, &s.URL, &s.Tag, &s.Text, &at)
	s.ScrapedAt = moment(at)
	return s, err
}
