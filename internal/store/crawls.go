package store

import (
	"context"
	"fmt"
	"time"
)

// Crawl is a crawl or a batch: what was asked for, and how far it is. What may
// become of it is decided in package crawl.
type Crawl struct {
	ID            string
	TeamID        string
	KeyID         string
	Kind          string // crawl or batch
	URL           string // the start, as written; of a batch its first address
	Base          string // what the scope is measured from
	Options       string // JSON
	ScrapeOptions string // JSON array
	Webhook       string // JSON; empty: none
	ZeroRetention bool
	Status        string
	Error         string
	Limit         int64 // documents at most
	Discovered    bool  // sitemaps are read to their end
	Revisited     bool  // pages of the crawl before were looked at
	Trapped       string
	Seen          int64 // addresses taken into the frontier so far
	Waiting       int64
	Leased        int64
	Done          int64
	Failed        int64
	Blocked       int64
	Credits       int64
	CreatedAt     time.Time
	FinishedAt    time.Time // zero: it runs
	ExpiresAt     time.Time
}

const crawlColumns = `id, team_id, key_id, kind, url, base, options, scrape_options, webhook, zero_retention, status, error, page_limit,
	discovered, revisited, trapped, seen, waiting, leased, done, failed, blocked, credits, created_at, finished_at, expires_at`

// InsertCrawl adds a crawl.
func (tx *Tx) InsertCrawl(ctx context.Context, c Crawl) error {
	_, err := tx.exec(ctx, `INSERT INTO crawls (`+crawlColumns+`) VALUES (`+marks(26)+`)`,
		c.ID, c.TeamID, c.KeyID, c.Kind, c.URL, c.Base, c.Options, c.ScrapeOptions, c.Webhook, c.ZeroRetention, c.Status, c.Error, c.Limit,
		c.Discovered, c.Revisited, c.Trapped, c.Seen, c.Waiting, c.Leased, c.Done, c.Failed, c.Blocked, c.Credits,
		millis(c.CreatedAt), millis(c.FinishedAt), millis(c.ExpiresAt))
	if err != nil {
		return fmt.Errorf("insert crawl: %w", err)
	}
	return nil
}

// Crawl returns a crawl, or ErrNotFound.
func (s *Store) Crawl(ctx context.Context, id string) (Crawl, error) {
	c, err := one(ctx, s.reader(), scanCrawl, `SELECT `+crawlColumns+` FROM crawls WHERE id = ?`, id)
	if err != nil {
		return c, fmt.Errorf("read crawl %s: %w", id, err)
	}
	return c, nil
}

// LockCrawl returns a crawl and keeps others from changing it until tx ends.
func (tx *Tx) LockCrawl(ctx context.Context, id string) (Crawl, error) {
	c, err := one(ctx, tx.conn, scanCrawl, `SELECT `+crawlColumns+` FROM crawls WHERE id = ?`+tx.dialect.lockRows, id)
	if err != nil {
		return c, fmt.Errorf("lock crawl %s: %w", id, err)
	}
	return c, nil
}

// UpdateCrawl writes back what can change in the life of a crawl. It must be locked.
func (tx *Tx) UpdateCrawl(ctx context.Context, c Crawl) error {
	_, err := tx.exec(ctx, `UPDATE crawls SET base = ?, scrape_options = ?, status = ?, error = ?, page_limit = ?, discovered = ?, revisited = ?,
		trapped = ?, seen = ?, waiting = ?, leased = ?, done = ?, failed = ?, blocked = ?, credits = ?, finished_at = ? WHERE id = ?`,
		c.Base, c.ScrapeOptions, c.Status, c.Error, c.Limit, c.Discovered, c.Revisited, c.Trapped, c.Seen, c.Waiting, c.Leased, c.Done,
		c.Failed, c.Blocked, c.Credits, millis(c.FinishedAt), c.ID)
	if err != nil {
		return fmt.Errorf("update crawl %s: %w", c.ID, err)
	}
	return nil
}

// RunningCrawls gives the crawls of a team that run, oldest first; of all teams when team is empty.
func (s *Store) RunningCrawls(ctx context.Context, team string) ([]Crawl, error) {
	where, args := ``, []any{}
	if team != "" {
		where, args = ` AND team_id = ?`, []any{team}
	}
	found, err := all(ctx, s.reader(), scanCrawl, `SELECT `+crawlColumns+` FROM crawls WHERE status = 'scraping'`+where+` ORDER BY created_at, id`, args...)
	if err != nil {
		return nil, fmt.Errorf("list running crawls: %w", err)
	}
	return found, nil
}

// IdleCrawls gives the ids of running crawls for which no job is queued or running.
func (s *Store) IdleCrawls(ctx context.Context, jobKind string) ([]string, error) {
	ids, err := all(ctx, s.reader(), scanString, `SELECT c.id FROM crawls c WHERE c.status = 'scraping' AND NOT EXISTS (
		SELECT 1 FROM jobs j WHERE j.team_id = c.team_id AND j.kind = ? AND j.unique_key = c.id AND j.state IN ('queued', 'running'))`, jobKind)
	if err != nil {
		return nil, fmt.Errorf("list idle crawls: %w", err)
	}
	return ids, nil
}

// LiveJobs gives the ids of jobs of a team and kind that are not over and have one of these unique keys.
func (tx *Tx) LiveJobs(ctx context.Context, team, kind string, keys ...string) ([]string, error) {
	ids, err := all(ctx, tx.conn, scanString, `SELECT id FROM jobs WHERE team_id = ? AND kind = ? AND unique_key IN (`+marks(len(keys))+
		`) AND state IN ('queued', 'running') ORDER BY id`, append([]any{team, kind}, anys(keys)...)...)
	if err != nil {
		return nil, fmt.Errorf("list live jobs: %w", err)
	}
	return ids, nil
}

// QueuedPages gives how many pages of a team's running crawls wait.
func (tx *Tx) QueuedPages(ctx context.Context, team string) (int64, error) {
	return one(ctx, tx.conn, scanInt, `SELECT CAST(COALESCE(SUM(waiting), 0) AS BIGINT) FROM crawls WHERE status = 'scraping' AND team_id = ?`, team)
}

// CrawlBefore gives the newest completed crawl of a team with the same start that
// began before a moment, or ErrNotFound.
func (s *Store) CrawlBefore(ctx context.Context, team, url string, before time.Time) (Crawl, error) {
	return one(ctx, s.reader(), scanCrawl, `SELECT `+crawlColumns+` FROM crawls WHERE team_id = ? AND url = ? AND created_at < ?
		AND kind = 'crawl' AND status = 'completed' ORDER BY created_at DESC LIMIT 1`, team, url, millis(before))
}

// ClaimKey remembers an idempotency key of a team for a job. It returns the job
// that has it already; empty: it was free.
func (tx *Tx) ClaimKey(ctx context.Context, team, key, job string, now, until time.Time) (taken string, err error) {
	id := team + "\n" + key
	if _, err := tx.exec(ctx, `DELETE FROM idempotency WHERE id = ? AND expires_at <= ?`, id, millis(now)); err != nil {
		return "", fmt.Errorf("claim idempotency key: %w", err)
	}
	n, err := tx.exec(ctx, `INSERT INTO idempotency (id, job_id, expires_at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING`, id, job, millis(until))
	if err != nil {
		return "", fmt.Errorf("claim idempotency key: %w", err)
	}
	if n > 0 {
		return "", nil
	}
	return one(ctx, tx.conn, scanString, `SELECT job_id FROM idempotency WHERE id = ?`, id)
}

func scanCrawl(r row) (c Crawl, err error) {
	var created, finished, expires int64
	err = r.Scan(&c.ID, &c.TeamID, &c.KeyID, &c.Kind, &c.URL, &c.Base, &c.Options, &c.ScrapeOptions, &c.Webhook, &c.ZeroRetention, &c.Status,
		&c.Error, &c.Limit, &c.Discovered, &c.Revisited, &c.Trapped, &c.Seen, &c.Waiting, &c.Leased, &c.Done, &c.Failed, &c.Blocked, &c.Credits,
		&created, &finished, &expires)
	c.CreatedAt, c.FinishedAt, c.ExpiresAt = moment(created), moment(finished), moment(expires)
	return c, err
}
