package scrape

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/fetch"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/weburl"
)

// cacheKey tells apart pages that the same address gives to different askers.
func (r *run) cacheKey() string {
	o := r.req.ScrapeOptions
	country, languages := "", ""
	if o.Location != nil {
		country, languages = strings.ToUpper(o.Location.Country), strings.Join(o.Location.Languages, ",")
	}
	return strings.Join([]string{
		weburl.CacheKey(r.url), strconv.FormatBool(o.Mobile), strconv.FormatBool(o.WithoutAds()),
		strconv.FormatBool(o.Stealth()), country, languages, shotKind(o),
	}, "\n")
}

func shotKind(o trawl.ScrapeOptions) string {
	f, ok := o.Format(trawl.FormatScreenshot)
	switch {
	case !ok:
		return "none"
	case f.FullPage:
		return "full"
	default:
		return "viewport"
	}
}

// mayRead tells whether a copy would do. A caller who sends headers, acts on
// the page or asks for changes wants the page itself.
func (r *run) mayRead() bool {
	o := r.req.ScrapeOptions
	fresh := o.MaxAge != nil && *o.MaxAge == 0 && o.MinAge == nil
	return !fresh && len(o.Headers) == 0 && len(o.Actions) == 0 && !o.Wants(trawl.FormatChangeTracking) &&
		o.Profile == nil && !o.Stealth()
}

// mayWrite tells whether the page may serve others.
func (r *run) mayWrite() bool {
	o := r.req.ScrapeOptions
	if !o.MayStore() || !r.retains() || len(o.Headers) > 0 || len(o.Actions) > 0 || o.Profile != nil {
		return false
	}
	if f, ok := o.Format(trawl.FormatScreenshot); ok && (f.Viewport != nil || f.Quality != 0) {
		return false
	}
	pdf, parses := o.Parser("pdf")
	return parses && pdf.MaxPages == 0 && !pdf.WantsPages() && !pdf.Blocks && !pdf.PageMarkers
}

// bring gives a copy that will do, or fetches the page.
func (s *Service) bring(ctx context.Context, r *run) (*page, error) {
	key := r.cacheKey()
	if r.mayRead() {
		found, err := s.lookUp(ctx, r, key)
		if err != nil {
			return nil, err
		}
		if found != nil {
			s.Metrics.CacheLook("hit")
			return found, nil
		}
		s.Metrics.CacheLook("miss")
	}
	switch {
	case r.req.Lockdown:
		return nil, trawl.Errorf(trawl.NotFound, "No cached copy of this page.").WithCode("SCRAPE_LOCKDOWN_CACHE_MISS")
	case r.req.MinAge != nil:
		return nil, trawl.Errorf(trawl.NotFound, "No cached copy of this page in the requested age range.").WithCode("SCRAPE_NO_CACHED_DATA")
	}
	p, err := s.load(ctx, r, key)
	if err != nil {
		return nil, err
	}
	if r.mayRead() {
		p.state = "miss"
	}
	return p, nil
}

// lookUp finds the newest copy in the caller's range of ages.
func (s *Service) lookUp(ctx context.Context, r *run, key string) (*page, error) {
	now := s.Now()
	oldest, newest := now.Add(-r.req.OldestCopy()), now
	if r.req.MinAge != nil {
		newest = now.Add(-time.Duration(min(*r.req.MinAge, pageLife.Milliseconds())) * time.Millisecond)
	}
	if p := s.recent.get(key, now); p != nil && r.serves(p.Page, p.waitFor) && !p.FetchedAt.Before(oldest) && !p.FetchedAt.After(newest) {
		return p.hit(), nil
	}
	rows, err := s.Store.Pages(ctx, key, oldest, newest, copiesSeen)
	if err != nil {
		return nil, err
	}
	row, ok := best(rows, r.waitFor())
	if !ok {
		return nil, nil
	}
	p, err := s.restore(ctx, row)
	if err != nil || !r.serves(p.Page, p.waitFor) {
		return nil, err
	}
	if r.req.MinAge == nil {
		s.recent.put(key, p)
	}
	return p.hit(), nil
}

// hit is the page as a copy.
func (p *page) hit() *page {
	copied := *p
	copied.state, copied.cachedAt = "hit", p.FetchedAt
	return &copied
}

// waitFor is how long the page is given after loading. Tracking changes needs a settled page.
func (r *run) waitFor() time.Duration {
	wait := time.Duration(r.req.WaitFor) * time.Millisecond
	if r.req.Wants(trawl.FormatChangeTracking) {
		wait = max(wait, trackingWait)
	}
	return wait
}

const trackingWait = 5 * time.Second

// serves tells whether a copy has what the formats need.
func (r *run) serves(p *fetch.Page, waited time.Duration) bool {
	if waited < r.waitFor() {
		return false
	}
	return !r.req.Wants(trawl.FormatBranding) || p.Rendered != nil && p.Rendered.Branding != nil
}

// copiesSeen is how many copies are looked at, and failuresSeen after how many
// newer failures an older success is no longer believed.
const (
	copiesSeen   = 10
	failuresSeen = 3
)

// best picks the newest success, unless three newer copies failed: then the page is gone.
func best(rows []store.Page, waited time.Duration) (store.Page, bool) {
	var usable []store.Page
	for _, row := range rows {
		if row.WaitFor >= waited {
			usable = append(usable, row)
		}
	}
	for i, row := range usable {
		if i >= failuresSeen {
			break
		}
		if row.Status >= 200 && row.Status < 300 {
			return row, true
		}
	}
	if len(usable) == 0 {
		return store.Page{}, false
	}
	return usable[0], true
}

// load fetches the page through one of the team's slots, and lets others profit.
func (s *Service) load(ctx context.Context, r *run, key string) (*page, error) {
	if !r.queued { // a page of a job has its slot already
		slot, err := s.Access.Acquire(ctx, r.caller.TeamID, 0, r.patience())
		if err != nil {
			return nil, err
		}
		r.slot = slot
		defer slot.Release()
	}
	stale, err := s.staleCopy(ctx, r, key)
	if err != nil {
		return nil, err
	}
	fetched, err := s.Fetcher.Fetch(ctx, s.fetchRequest(r, stale))
	if err != nil {
		s.Metrics.Page("none", "failed")
		return nil, err
	}
	s.Metrics.Page(fetched.Engine, outcome(fetched))
	r.warn = append(r.warn, fetched.Warnings...)
	if fetched.NotModified {
		return s.renew(ctx, r, key, *stale, fetched.FetchedAt)
	}
	p := &page{Page: fetched, id: uuid.Must(uuid.NewV7()).String(), waitFor: r.waitFor(), loaded: s.Now()}
	if r.mayWrite() {
		return p, s.putInCache(ctx, r, key, p)
	}
	return p, nil
}

// patience is how long a scrape waits for a slot: two thirds of its time.
func (r *run) patience() time.Duration {
	if r.req.Timeout == 0 {
		return time.Minute
	}
	return r.req.Deadline() * 2 / 3
}

func outcome(p *fetch.Page) string {
	switch {
	case p.NotModified:
		return "unchanged"
	case p.Status >= 400:
		return "refused"
	default:
		return "ok"
	}
}

// staleCopy finds a copy that is too old but can be asked after.
func (s *Service) staleCopy(ctx context.Context, r *run, key string) (*store.Page, error) {
	if !r.mayRead() || !r.mayWrite() || r.needsBrowser() {
		return nil, nil
	}
	now := s.Now()
	rows, err := s.Store.Pages(ctx, key, now.Add(-pageLife), now, 1)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	if p := rows[0]; p.Engine == fetch.EngineHTTP && p.Status == 200 && (p.ETag != "" || p.LastModified != "") {
		return &p, nil
	}
	return nil, nil
}

// renew takes a copy that its server calls unchanged for a page just fetched.
func (s *Service) renew(ctx context.Context, r *run, key string, row store.Page, fetched time.Time) (*page, error) {
	p, err := s.restore(ctx, row)
	if err != nil {
		return nil, err
	}
	p.FetchedAt = fetched
	s.recent.put(key, p)
	return p, s.later(ctx, r, func(ctx context.Context, tx *store.Tx) error {
		return tx.RenewPage(ctx, row.ID, fetched, fetched.Add(pageLife))
	})
}

func (s *Service) putInCache(ctx context.Context, r *run, key string, p *page) error {
	row, err := s.row(ctx, key, p)
	if err != nil {
		return err
	}
	if p.Status >= 200 && p.Status < 300 {
		if !r.queued { // nobody asks for the pages of a crawl again at once
			s.recent.put(key, p)
		}
	} else {
		s.recent.drop(key)
	}
	return s.later(ctx, r, func(ctx context.Context, tx *store.Tx) error { return tx.InsertPage(ctx, row) })
}
