package store

import (
	"context"
	"fmt"
	"time"
)

// perishable is a table whose rows have an end.
type perishable struct {
	table string
	ended string   // SQL condition of a row that may go; its one ? is the present in Unix milliseconds
	bytes string   // SQL expression: about how much a row holds
	blobs []string // columns with keys of blobs that go with the row
}

// Every table with rows that end has a line here, and so is emptied by the
// janitor and shown by `trawl gc --dry-run`. Each row's blobs are its own: a
// key that a later row used again could be deleted from under it.
var perishables = []perishable{
	{
		table: "jobs",
		ended: "expires_at <= ? AND state <> 'running'",
		bytes: "OCTET_LENGTH(payload) + COALESCE(OCTET_LENGTH(result), 0) + COALESCE(OCTET_LENGTH(failure), 0)",
	},
	{table: "meters", ended: "expires_at <= ?", bytes: "OCTET_LENGTH(id)"},
	{table: "slots", ended: "expires_at <= ?", bytes: "OCTET_LENGTH(id)"},
	{table: "activity", ended: "expires_at <= ?", bytes: "OCTET_LENGTH(target)"},
	{table: "scrapes", ended: "expires_at <= ?", bytes: "OCTET_LENGTH(metadata)"},
	{table: "contents", ended: "expires_at <= ?", bytes: "size", blobs: []string{"blob_key"}},
	{table: "pages", ended: "expires_at <= ?", bytes: "size", blobs: []string{"blob_key", "shot_key"}},
	{table: "files", ended: "expires_at <= ?", bytes: "OCTET_LENGTH(id)", blobs: []string{"blob_key"}},
	{table: "upload_slots", ended: "expires_at <= ?", bytes: "OCTET_LENGTH(filename)"},
	{table: "uploads", ended: "expires_at <= ?", bytes: "size", blobs: []string{"blob_key"}},
	{table: "crawls", ended: "expires_at <= ?", bytes: "OCTET_LENGTH(options) + OCTET_LENGTH(scrape_options)"},
	{table: "crawl_pages", ended: "expires_at <= ?", bytes: "OCTET_LENGTH(url)"},
	{table: "idempotency", ended: "expires_at <= ?", bytes: "OCTET_LENGTH(id)"},
	{table: "deliveries", ended: "expires_at <= ?", bytes: "OCTET_LENGTH(webhook)"},
	{table: "urls", ended: "expires_at <= ?", bytes: "OCTET_LENGTH(url) + OCTET_LENGTH(title) + OCTET_LENGTH(description)"},
	{table: "sitemaps", ended: "expires_at <= ?", bytes: "OCTET_LENGTH(body)"},
}

// Removed is what Expired took, or would take, from one table.
type Removed struct {
	Table string
	Rows  int64
	Bytes int64 // of text and bytes in the rows; blobs not counted
}

// removeAtOnce bounds a transaction of Expired, so that other writers get their turn.
const removeAtOnce = 1000

// Expired removes the rows that have ended by now and says how many. It also
// returns the keys of the blobs nobody refers to any more: delete them, then
// call ForgetBlobs. Until then each call returns them again, so a crash in
// between leaves no orphan. With dryRun nothing is changed.
func (s *Store) Expired(ctx context.Context, now time.Time, dryRun bool) (removed []Removed, blobKeys []string, err error) {
	for _, p := range perishables {
		r, err := s.countExpired(ctx, p, now)
		if err != nil {
			return removed, nil, fmt.Errorf("count expired %s: %w", p.table, err)
		}
		if !dryRun && r.Rows > 0 {
			if err := s.removeExpired(ctx, p, now); err != nil {
				return removed, nil, fmt.Errorf("remove expired %s: %w", p.table, err)
			}
		}
		removed = append(removed, r)
	}
	blobKeys, err = s.orphans(ctx, now, dryRun)
	return removed, blobKeys, err
}

func (s *Store) countExpired(ctx context.Context, p perishable, now time.Time) (Removed, error) {
	return one(ctx, s.reader(), func(r row) (Removed, error) {
		found := Removed{Table: p.table}
		return found, r.Scan(&found.Rows, &found.Bytes)
	}, `SELECT COUNT(*), CAST(COALESCE(SUM(`+p.bytes+`), 0) AS BIGINT) FROM `+p.table+` WHERE `+p.ended, now.UnixMilli())
}

func (s *Store) removeExpired(ctx context.Context, p perishable, now time.Time) error {
	for {
		var gone int64
		err := s.InTx(ctx, func(tx *Tx) (err error) {
			gone, err = tx.removeSome(ctx, p, now)
			return err
		})
		if err != nil || gone < removeAtOnce {
			return err
		}
	}
}

// removeSome deletes up to removeAtOnce rows and notes the keys of their blobs.
func (tx *Tx) removeSome(ctx context.Context, p perishable, now time.Time) (int64, error) {
	batch := `SELECT id FROM ` + p.table + ` WHERE ` + p.ended + ` ORDER BY id LIMIT ?` + tx.dialect.lockRows
	ids, err := all(ctx, tx.conn, scanString, batch, now.UnixMilli(), removeAtOnce)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	in := ` WHERE id IN (` + marks(len(ids)) + `)`
	for _, blob := range p.blobs {
		_, err := tx.exec(ctx, `INSERT INTO orphans (blob_key, since) SELECT `+blob+`, `+fmt.Sprint(now.UnixMilli())+
			` FROM `+p.table+in+` AND `+blob+` <> '' ON CONFLICT (blob_key) DO NOTHING`, anys(ids)...)
		if err != nil {
			return 0, err
		}
	}
	return tx.exec(ctx, `DELETE FROM `+p.table+in, anys(ids)...)
}

// orphans returns the keys noted so far, in a dry run also those that would be noted.
func (s *Store) orphans(ctx context.Context, now time.Time, dryRun bool) ([]string, error) {
	query, args := `SELECT blob_key FROM orphans`, []any{}
	for _, p := range perishables {
		for _, blob := range p.blobs {
			if dryRun {
				query += ` UNION SELECT ` + blob + ` FROM ` + p.table + ` WHERE ` + p.ended + ` AND ` + blob + ` <> ''`
				args = append(args, now.UnixMilli())
			}
		}
	}
	keys, err := all(ctx, s.reader(), scanString, query, args...)
	if err != nil {
		return nil, fmt.Errorf("list orphaned blobs: %w", err)
	}
	return keys, nil
}

// OrphanBlob notes that nobody refers to a blob any more once tx is committed:
// the next Expired returns its key.
func (tx *Tx) OrphanBlob(ctx context.Context, key string, now time.Time) error {
	_, err := tx.exec(ctx, `INSERT INTO orphans (blob_key, since) VALUES (?, ?) ON CONFLICT (blob_key) DO NOTHING`,
		key, now.UnixMilli())
	if err != nil {
		return fmt.Errorf("note orphaned blob: %w", err)
	}
	return nil
}

// ForgetBlobs says that the blobs with these keys are deleted.
func (s *Store) ForgetBlobs(ctx context.Context, keys []string) error {
	err := s.InTx(ctx, func(tx *Tx) error {
		for _, key := range keys {
			if _, err := tx.exec(ctx, `DELETE FROM orphans WHERE blob_key = ?`, key); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("forget blobs: %w", err)
	}
	return nil
}

// anys is the argument list of an IN.
func anys[T any](values []T) []any {
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = v
	}
	return list
}
