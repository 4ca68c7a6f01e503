package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The states of a page of a crawl.
const (
	PageWaiting = "waiting" // seen, not yet scraped
	PageLeased  = "leased"  // a worker has it
	PageDone    = "done"    // has its document
	PageFailed  = "failed"  // has its error
	PageBlocked = "blocked" // robots.txt refuses it
	PageDropped = "dropped" // turned out to be another page of the crawl, or was cancelled
	PageAlias   = "alias"   // not to be scraped: where another page's redirect ended
)

// CrawlPage is one address of a crawl.
type CrawlPage struct {
	ID         string // its scrape id
	CrawlID    string
	Seq        int64 // order of discovery
	Depth      int
	URL        string
	Identity   []byte // what all spellings of the address share
	State      string
	Options    int // index into the crawl's scrape options
	Hidden     bool
	Tries      int
	Position   int64 // of a document: order of completion
	Code       string
	Message    string
	FinishedAt time.Time
	ExpiresAt  time.Time
}

const crawlPageColumns = `id, crawl_id, seq, depth, url, identity, state, options, hidden, tries, leased_by, lease_until, position, code,
	message, finished_at, expires_at`

// pagesAtOnce bounds the rows of one statement.
const pagesAtOnce = 100

// AddPages puts addresses into the frontier and says how many of them were new.
func (tx *Tx) AddPages(ctx context.Context, pages []CrawlPage) (added int64, err error) {
	row := `(` + marks(17) + `), `
	for batch := range slices.Chunk(pages, pagesAtOnce) {
		args := make([]any, 0, 17*len(batch))
		for _, p := range batch {
			args = append(args, p.ID, p.CrawlID, p.Seq, p.Depth, p.URL, p.Identity, p.State, p.Options, p.Hidden, 0, "", 0, -1, p.Code,
				p.Message, millis(p.FinishedAt), millis(p.ExpiresAt))
		}
		n, err := tx.exec(ctx, `INSERT INTO crawl_pages (`+crawlPageColumns+`) VALUES `+
			strings.TrimSuffix(strings.Repeat(row, len(batch)), `, `)+` ON CONFLICT (crawl_id, identity) DO NOTHING`, args...)
		if err != nil {
			return added, fmt.Errorf("add pages: %w", err)
		}
		added += n
	}
	return added, nil
}

// LeasePages gives the next waiting pages of a crawl to a job: breadth first, in the order they were found.
func (tx *Tx) LeasePages(ctx context.Context, crawl, job string, until time.Time, most int) ([]CrawlPage, error) {
	pages, err := all(ctx, tx.conn, scanCrawlPage, `UPDATE crawl_pages SET state = 'leased', leased_by = ?, lease_until = ?, tries = tries + 1
		WHERE id IN (SELECT id FROM crawl_pages WHERE crawl_id = ? AND state = 'waiting' ORDER BY depth, seq LIMIT ?)
		RETURNING id, crawl_id, seq, depth, url, identity, state, options, hidden, tries, position, code, message, finished_at, expires_at`,
		job, millis(until), crawl, most)
	if err != nil {
		return nil, fmt.Errorf("lease pages: %w", err)
	}
	slices.SortFunc(pages, func(a, b CrawlPage) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.Seq, b.Seq))
	})
	return pages, nil
}

// ReleasePages gives back the pages of a crawl that a job holds, and those that
// nobody will end: their lease ran out before now, or their job is over. It says how many.
func (tx *Tx) ReleasePages(ctx context.Context, crawl, job string, now time.Time) (int64, error) {
	n, err := tx.exec(ctx, `UPDATE crawl_pages SET state = 'waiting', leased_by = '' WHERE crawl_id = ? AND state = 'leased'
		AND (leased_by = ? OR lease_until < ? OR NOT EXISTS (
			SELECT 1 FROM jobs j WHERE j.id = crawl_pages.leased_by AND j.state IN ('queued', 'running')))`, crawl, job, millis(now))
	if err != nil {
		return 0, fmt.Errorf("release pages: %w", err)
	}
	return n, nil
}

// EndPage writes down what became of a leased page. It is false when the job
// does not hold the page any more: then nothing is written.
func (tx *Tx) EndPage(ctx context.Context, p CrawlPage, job string) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE crawl_pages SET state = ?, leased_by = '', tries = ?, position = ?, code = ?, message = ?, finished_at = ?
		WHERE id = ? AND state = 'leased' AND leased_by = ?`, p.State, p.Tries, p.Position, p.Code, p.Message, millis(p.FinishedAt), p.ID, job)
	if err != nil {
		return false, fmt.Errorf("end page %s: %w", p.ID, err)
	}
	return n > 0, nil
}

// DropWaiting takes all waiting pages out of a crawl and says how many.
func (tx *Tx) DropWaiting(ctx context.Context, crawl string) (int64, error) {
	return tx.exec(ctx, `UPDATE crawl_pages SET state = 'dropped' WHERE crawl_id = ? AND state = 'waiting'`, crawl)
}

// EndedPages gives the newest pages of a crawl that ended in a state, newest first.
func (s *Store) EndedPages(ctx context.Context, crawl, state string, most int) ([]CrawlPage, error) {
	pages, err := all(ctx, s.reader(), scanCrawlPage, `SELECT id, crawl_id, seq, depth, url, identity, state, options, hidden, tries, position,
		code, message, finished_at, expires_at FROM crawl_pages WHERE crawl_id = ? AND state = ? ORDER BY finished_at DESC, seq DESC LIMIT ?`,
		crawl, state, most)
	if err != nil {
		return nil, fmt.Errorf("list %s pages: %w", state, err)
	}
	return pages, nil
}

// PagesDone gives the finished pages of a crawl from a position on.
func (s *Store) PagesDone(ctx context.Context, crawl string, from int64, most int) ([]CrawlPage, error) {
	return all(ctx, s.reader(), scanCrawlPage, `SELECT id, crawl_id, seq, depth, url, identity, state, options, hidden, tries, position,
		code, message, finished_at, expires_at FROM crawl_pages WHERE crawl_id = ? AND state = 'done' AND position >= ? ORDER BY position LIMIT ?`,
		crawl, from, most)
}

// CrawlResult is a document of a crawl as it is kept.
type CrawlResult struct {
	Position int64
	Metadata string // JSON
	Body     Body
}

// CrawlResults calls each for the documents of a crawl in the order of their
// completion, from a position on, until it returns false.
func (s *Store) CrawlResults(ctx context.Context, crawl string, from int64, most int, each func(CrawlResult) (bool, error)) error {
	c := s.reader()
	rows, err := c.db.QueryContext(ctx, c.dialect.rebind(`SELECT p.position, s.metadata, c.body, c.blob_key, c.size FROM crawl_pages p
		JOIN scrapes s ON s.id = p.id JOIN contents c ON c.id = s.content_id
		WHERE p.crawl_id = ? AND p.state = 'done' AND p.position >= ? ORDER BY p.position LIMIT ?`), crawl, from, most)
	if err != nil {
		return fmt.Errorf("read results: %w", classify(err))
	}
	defer rows.Close()
	for rows.Next() {
		var r CrawlResult
		if err := rows.Scan(&r.Position, &r.Metadata, &r.Body.Inline, &r.Body.BlobKey, &r.Body.Size); err != nil {
			return fmt.Errorf("read results: %w", classify(err))
		}
		if more, err := each(r); err != nil || !more {
			return err
		}
	}
	return classify(rows.Err())
}

// Queries calls each for the addresses in the frontier of a crawl that have a query.
func (s *Store) Queries(ctx context.Context, crawl string, each func(url string)) error {
	c := s.reader()
	rows, err := c.db.QueryContext(ctx, c.dialect.rebind(`SELECT url FROM crawl_pages WHERE crawl_id = ? AND url LIKE '%?%'`), crawl)
	if err != nil {
		return fmt.Errorf("read frontier: %w", classify(err))
	}
	defer rows.Close()
	for rows.Next() {
		var url string
		if err := rows.Scan(&url); err != nil {
			return fmt.Errorf("read frontier: %w", classify(err))
		}
		each(url)
	}
	return classify(rows.Err())
}

func scanCrawlPage(r row) (p CrawlPage, err error) {
	var finished, expires int64
	err = r.Scan(&p.ID, &p.CrawlID, &p.Seq, &p.Depth, &p.URL, &p.Identity, &p.State, &p.Options, &p.Hidden, &p.Tries, &p.Position, &p.Code,
		&p.Message, &finished, &expires)
	p.FinishedAt, p.ExpiresAt = moment(finished), moment(expires)
	return p, err
}
