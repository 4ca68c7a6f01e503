package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// KnownURL is an address this server has seen.
type KnownURL struct {
	ID          string // hash of the address
	Domain      string // registrable, with a port that is not the usual one
	URL         string
	Title       string
	Description string
	SeenAt      time.Time
	ExpiresAt   time.Time
}

// KeepURLs remembers addresses. What is known already is brought up to date.
// No address may stand in the list twice.
func (tx *Tx) KeepURLs(ctx context.Context, list []KnownURL) error {
	for batch := range slices.Chunk(list, pagesAtOnce) {
		args := make([]any, 0, 7*len(batch))
		for _, u := range batch {
			args = append(args, u.ID, u.Domain, u.URL, u.Title, u.Description, millis(u.SeenAt), millis(u.ExpiresAt))
		}
		_, err := tx.exec(ctx, `INSERT INTO urls (id, domain, url, title, description, seen_at, expires_at) VALUES `+
			strings.TrimSuffix(strings.Repeat(`(?, ?, ?, ?, ?, ?, ?), `, len(batch)), `, `)+
			` ON CONFLICT (id) DO UPDATE SET title = excluded.title, description = excluded.description, seen_at = excluded.seen_at,
			expires_at = excluded.expires_at`, args...)
		if err != nil {
			return fmt.Errorf("keep addresses: %w", err)
		}
	}
	return nil
}

// KnownURLs gives the addresses of a registrable domain, newest first.
func (s *Store) KnownURLs(ctx context.Context, domain string, most int) ([]KnownURL, error) {
	found, err := all(ctx, s.reader(), func(r row) (u KnownURL, err error) {
		var seen int64
		err = r.Scan(&u.URL, &u.Title, &u.Description, &seen)
		u.Domain, u.SeenAt = domain, moment(seen)
		return u, err
	}, `SELECT url, title, description, seen_at FROM urls WHERE domain = ? ORDER BY seen_at DESC, id LIMIT ?`, domain, most)
	if err != nil {
		return nil, fmt.Errorf("list known addresses: %w", err)
	}
	return found, nil
}

// KeepSitemap remembers what the sitemaps of a site said.
func (s *Store) KeepSitemap(ctx context.Context, start string, body []byte, now, until time.Time) error {
	return s.InTx(ctx, func(tx *Tx) error {
		_, err := tx.exec(ctx, `INSERT INTO sitemaps (id, body, read_at, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT (id)
			DO UPDATE SET body = excluded.body, read_at = excluded.read_at, expires_at = excluded.expires_at`, start, body, millis(now), millis(until))
		if err != nil {
			return fmt.Errorf("keep sitemap: %w", err)
		}
		return nil
	})
}

// Sitemap gives what the sitemaps of a site said, or ErrNotFound.
func (s *Store) Sitemap(ctx context.Context, start string, now time.Time) ([]byte, error) {
	return one(ctx, s.reader(), scanBytes, `SELECT body FROM sitemaps WHERE id = ? AND expires_at > ?`, start, millis(now))
}
