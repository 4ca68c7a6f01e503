package store

import (
	"context"
	"time"
)

// Body is stored content: in the row while it is small, otherwise a blob.
type Body struct {
	Inline  []byte // compressed
	BlobKey string
	Size    int64 // bytes kept
}

// Page is a fetched page as the cache keeps it.
type Page struct {
	ID           string
	CacheKey     string
	URL          string
	Status       int
	Reason       string
	ContentType  string
	Header       string // JSON
	ETag         string
	LastModified string
	Engine       string
	Proxy        string
	WaitFor      time.Duration
	Body         Body
	ShotKey      string // blob of the screenshot; empty: none
	Extra        string // JSON
	FetchedAt    time.Time
	ExpiresAt    time.Time
}

const pageColumns = `id, cache_key, url, status, reason, content_type, header, etag, last_modified, engine, proxy, wait_for, blob_key, shot_key, extra, size, fetched_at, expires_at`

// InsertPage keeps a page.
func (tx *Tx) InsertPage(ctx context.Context, p Page) error {
	_, err := tx.exec(ctx, `INSERT INTO pages (body, `+pageColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
		p.Body.Inline, p.ID, p.CacheKey, p.URL, p.Status, p.Reason, p.ContentType, p.Header, p.ETag, p.LastModified, p.Engine, p.Proxy,
		p.WaitFor.Milliseconds(), p.Body.BlobKey, p.ShotKey, p.Extra, p.Body.Size, millis(p.FetchedAt), millis(p.ExpiresAt))
	return err
}

// RenewPage says that a page was found unchanged just now.
func (tx *Tx) RenewPage(ctx context.Context, id string, fetched, expires time.Time) error {
	_, err := tx.exec(ctx, `UPDATE pages SET fetched_at = ?, expires_at = ? WHERE id = ?`, millis(fetched), millis(expires), id)
	return err
}

// Pages gives the newest pages under a cache key that were fetched between two
// moments, newest first, without their bodies.
func (s *Store) Pages(ctx context.Context, cacheKey string, after, before time.Time, most int) ([]Page, error) {
	return all(ctx, s.reader(), scanPage, `SELECT `+pageColumns+` FROM pages WHERE cache_key = ? AND fetched_at >= ? AND fetched_at <= ?
		ORDER BY fetched_at DESC, id DESC LIMIT ?`, cacheKey, after.UnixMilli(), before.UnixMilli(), most)
}

// PageBody gives the body kept in the row of a page.
func (s *Store) PageBody(ctx context.Context, id string) ([]byte, error) {
	return one(ctx, s.reader(), scanBytes, `SELECT body FROM pages WHERE id = ?`, id)
}

// CacheSize gives the bytes all cached pages take up.
func (s *Store) CacheSize(ctx context.Context) (int64, error) {
	return one(ctx, s.reader(), scanInt, `SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM pages`)
}

// EvictPages lets the oldest pages end now, until the rest fits into a budget.
// They and their blobs go with the next sweep.
func (s *Store) EvictPages(ctx context.Context, budget int64, now time.Time) (evicted int64, err error) {
	size, err := s.CacheSize(ctx)
	for err == nil && size > budget {
		var freed int64
		freed, err = s.evictSome(ctx, size-budget, now)
		if freed == 0 {
			break
		}
		size -= freed
		evicted += freed
	}
	return evicted, err
}

func (s *Store) evictSome(ctx context.Context, over int64, now time.Time) (freed int64, err error) {
	type sized struct {
		id   string
		size int64
	}
	err = s.InTx(ctx, func(tx *Tx) error {
		oldest, err := all(ctx, tx.conn, func(r row) (p sized, err error) { return p, r.Scan(&p.id, &p.size) },
			`SELECT id, size FROM pages WHERE expires_at > ? ORDER BY fetched_at LIMIT 200`, now.UnixMilli())
		if err != nil {
			return err
		}
		for _, p := range oldest {
			if freed >= over {
				return nil
			}
			if _, err := tx.exec(ctx, `UPDATE pages SET expires_at = ? WHERE id = ?`, now.UnixMilli(), p.id); err != nil {
				return err
			}
			freed += p.size
		}
		return nil
	})
	return freed, err
}

func scanPage(r row) (p Page, err error) {
	var wait, fetched, expires int64
	err = r.Scan(&p.ID, &p.CacheKey, &p.URL, &p.Status, &p.Reason, &p.ContentType, &p.Header, &p.ETag, &p.LastModified,
		&p.Engine, &p.Proxy, &wait, &p.Body.BlobKey, &p.ShotKey, &p.Extra, &p.Body.Size, &fetched, &expires)
	p.WaitFor, p.FetchedAt, p.ExpiresAt = time.Duration(wait)*time.Millisecond, moment(fetched), moment(expires)
	return p, err
}

func scanBytes(r row) (b []byte, err error) { return b, r.Scan(&b) }
