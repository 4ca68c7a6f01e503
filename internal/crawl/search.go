package crawl

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/trawlhq/trawl/internal/sitemap"
	"github.com/trawlhq/trawl/internal/store"
)

const (
	sitemapTime  = 120 * time.Second // for all files of a crawl
	sitemapBatch = 500               // addresses handed over at once
)

// readSitemaps brings the addresses of the site's sitemaps. A missing or broken
// one is no error, and neither is one that takes too long.
func (w *walk) readSitemaps(ctx context.Context) {
	select {
	case <-w.seedKnown:
	case <-ctx.Done():
		return
	}
	limited, cancel := context.WithTimeout(ctx, sitemapTime)
	defer cancel()
	var pages []candidate
	listed := int64(0)
	err := w.Sitemaps.Walk(limited, sitemap.Search{Start: w.judge.start(), Agent: w.limits.RobotsUserAgent}, func(u *url.URL) error {
		c, ok, err := w.judge.listed(limited, u)
		if err != nil || !ok {
			return err
		}
		pages = append(pages, c)
		if listed++; listed > 2*w.crawl.Limit+spareAddresses {
			return errEnough
		}
		if len(pages) < sitemapBatch {
			return nil
		}
		err = w.deliver(ctx, discovery{pages: pages})
		pages = nil
		return err
	})
	if err != nil && !errors.Is(err, errEnough) && limited.Err() == nil {
		w.Log.WarnContext(ctx, "sitemaps not read to their end", "crawl", w.crawl.ID, "err", err)
	}
	_ = w.deliver(ctx, discovery{pages: pages, discovered: true}) // it fails only when the walk has ended
}

var errEnough = errors.New("more addresses than the crawl can take")

// deliver hands a discovery to the walk.
func (w *walk) deliver(ctx context.Context, d discovery) error {
	select {
	case w.found <- d:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// revisitPages is how many pages of the crawl before are read at once.
const revisitPages = 500

// revisit brings the pages of the last crawl of the same start that nobody
// links to any more: what tracks changes must also tell what has gone.
func (w *walk) revisit(ctx context.Context) {
	before, err := w.Store.CrawlBefore(ctx, w.crawl.TeamID, w.crawl.URL, w.crawl.CreatedAt)
	for from := int64(0); err == nil; {
		var pages []store.CrawlPage
		pages, err = w.Store.PagesDone(ctx, before.ID, from, revisitPages)
		if err != nil || len(pages) == 0 {
			break
		}
		from = pages[len(pages)-1].Position + 1
		err = w.deliver(ctx, discovery{pages: w.gone(ctx, pages)})
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) && ctx.Err() == nil {
		w.Log.WarnContext(ctx, "pages of the crawl before not read", "crawl", w.crawl.ID, "err", err)
	}
	_ = w.deliver(ctx, discovery{revisited: true}) // as above
}

// gone are those of the pages that this crawl has not met.
func (w *walk) gone(ctx context.Context, pages []store.CrawlPage) []candidate {
	var list []candidate
	for _, p := range pages {
		u, err := w.ParseURL(p.URL)
		if err != nil {
			continue
		}
		c, ok, err := w.judge.listed(ctx, u)
		if err != nil || !ok || c.blocked {
			continue
		}
		c.hidden = true
		list = append(list, c)
	}
	return list
}
