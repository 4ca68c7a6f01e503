package store

import (
	"context"
	"slices"
	"strings"
	"time"
)

// Scrape is a finished scrape: which content it gave out, and its own metadata.
type Scrape struct {
	ID        string
	TeamID    string
	ContentID string
	Metadata  string // JSON
	KeyID     string
	Endpoint  string // under which it counts as activity; empty: it does not
	Target    string // what was asked for
	CreatedAt time.Time
	ExpiresAt time.Time
}

// KeepContent keeps the content of documents under its hash until a moment. Content
// that is there already only lives longer; the blob that came with it is then nobody's.
func (tx *Tx) KeepContent(ctx context.Context, id string, body Body, until time.Time) error {
	known, err := tx.ProlongContent(ctx, id, until)
	if err != nil {
		return err
	}
	if known {
		if body.BlobKey == "" {
			return nil
		}
		return tx.OrphanBlob(ctx, body.BlobKey, time.Now())
	}
	_, err = tx.exec(ctx, `INSERT INTO contents (id, body, blob_key, size, expires_at) VALUES (?, ?, ?, ?, ?)`,
		id, body.Inline, body.BlobKey, body.Size, until.UnixMilli())
	return err
}

// ProlongContent lets content live until a moment, and tells whether there is any.
func (tx *Tx) ProlongContent(ctx context.Context, id string, until time.Time) (known bool, err error) {
	n, err := tx.exec(ctx, `UPDATE contents SET expires_at = CASE WHEN expires_at < ? THEN ? ELSE expires_at END WHERE id = ?`,
		until.UnixMilli(), until.UnixMilli(), id)
	return n > 0, err
}

// scrapesPerInsert is how many rows one statement carries: as many as keep its
// text short enough to stay parsed (statements.go).
const scrapesPerInsert = 50

// InsertScrapes records finished scrapes.
func (tx *Tx) InsertScrapes(ctx context.Context, list ...Scrape) error {
	for chunk := range slices.Chunk(list, scrapesPerInsert) {
		args := make([]any, 0, len(chunk)*9)
		for _, sc := range chunk {
			args = append(args, sc.ID, sc.TeamID, sc.ContentID, sc.Metadata, sc.KeyID, sc.Endpoint, sc.Target, sc.CreatedAt.UnixMilli(), sc.ExpiresAt.UnixMilli())
		}
		rows := strings.TrimSuffix(strings.Repeat(`(?, ?, ?, ?, ?, ?, ?, ?, ?), `, len(chunk)), ", ")
		_, err := tx.exec(ctx, `INSERT INTO scrapes (id, team_id, content_id, metadata, key_id, endpoint, target, created_at, expires_at) VALUES `+
			rows+` ON CONFLICT (id) DO NOTHING`, args...)
		if err != nil {
			return err
		}
	}
	return nil
}

// Scrape gives a scrape of a team that has not expired, and its content; or ErrNotFound.
func (s *Store) Scrape(ctx context.Context, team, id string, now time.Time) (Scrape, Body, error) {
	type found struct {
		scrape Scrape
		body   Body
	}
	f, err := one(ctx, s.reader(), func(r row) (f found, err error) {
		var created, expires int64
		err = r.Scan(&f.scrape.ID, &f.scrape.TeamID, &f.scrape.ContentID, &f.scrape.Metadata, &created, &expires,
			&f.body.Inline, &f.body.BlobKey, &f.body.Size)
		f.scrape.CreatedAt, f.scrape.ExpiresAt = moment(created), moment(expires)
		return f, err
	}, `SELECT s.id, s.team_id, s.content_id, s.metadata, s.created_at, s.expires_at, c.body, c.blob_key, c.size
		FROM scrapes s JOIN contents c ON c.id = s.content_id WHERE s.id = ? AND s.team_id = ? AND s.expires_at > ?`, id, team, now.UnixMilli())
	return f.scrape, f.body, err
}
