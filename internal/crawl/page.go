package crawl

import (
	"context"
	"errors"
	"net/url"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/scrape"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/weburl"
)

// outcome is what became of one page.
type outcome struct {
	page    store.CrawlPage
	state   string // done, failed, blocked, or waiting: to be tried again
	harvest *scrape.Harvest
	ours    bool // what went wrong is this server's trouble, not the page's
	code    string
	message string
	credits int64
	title   string
	about   string // the page's own description
	cached  bool   // it was not fetched now
	landed  string // where a redirect ended; empty: it is the page itself
	alias   identity
	base    string // the start is on another host: the scope is measured from there
	found   []candidate
}

// denied is the code of pages that turn out not to belong to the crawl.
const denied = "CRAWL_DENIAL"

// scrape brings one page and judges what it leads to.
func (w *walk) scrape(ctx context.Context, p store.CrawlPage) outcome {
	o := outcome{page: p}
	if p.Tries > maxTries { // whoever had it did not live to tell
		return o.giveUp()
	}
	if w.isSeed(p) {
		if blocked, err := w.seedBlocked(ctx, p); blocked || err != nil {
			o.state = store.PageBlocked
			if err != nil {
				o.state = store.PageWaiting
			}
			return o
		}
	}
	h, err := w.harvest(ctx, p)
	if err != nil {
		return o.fail(err)
	}
	o.state, o.harvest, o.credits = store.PageDone, h, int64(h.Document.Metadata.CreditsUsed)
	o.title, _ = h.Document.Metadata.Page["title"].(string)
	o.about, _ = h.Document.Metadata.Page["description"].(string)
	o.cached = h.Document.Metadata.CacheState == "hit"
	h.Document = nil // what is stored is packed already
	if w.crawl.Kind == kindBatch {
		return o
	}
	return w.follow(ctx, o)
}

// harvest loads the page through its host's line.
func (w *walk) harvest(ctx context.Context, p store.CrawlPage) (*scrape.Harvest, error) {
	host := ""
	if u, err := w.ParseURL(p.URL); err == nil {
		host = u.Host
	}
	leave, err := w.hosts.enter(ctx, host)
	if err != nil {
		return nil, err
	}
	defer leave()
	return w.Scraper.Harvest(ctx, scrape.Order{
		ID: p.ID, Caller: trawl.Caller{TeamID: w.crawl.TeamID, KeyID: w.crawl.KeyID}, Hidden: p.Hidden, Until: w.crawl.ExpiresAt,
		Request: trawl.ScrapeRequest{URL: p.URL, ZeroDataRetention: w.crawl.ZeroRetention, ScrapeOptions: w.options(p)},
	})
}

// fail keeps why a page could not be had. What is our own trouble and not the
// page's is no reason to give the page up.
func (o outcome) fail(err error) outcome {
	o.state = store.PageFailed
	var e *trawl.Error
	switch {
	case errors.As(err, &e) && e.Kind != trawl.Unavailable:
		o.code, o.message, o.credits = e.Code, e.Message, int64(scrape.FailureCredits(err))
	case store.Unavailable(err) || errors.Is(err, context.Canceled) || e != nil:
		o.state, o.ours = store.PageWaiting, store.Unavailable(err)
	default:
		o.code, o.message = "UNKNOWN_ERROR", "Internal Server Error"
	}
	return o
}

// follow checks where the page ended up and judges its links.
func (w *walk) follow(ctx context.Context, o outcome) outcome {
	o = w.landing(o)
	if o.state != store.PageDone && !w.isSeed(o.page) {
		return o
	}
	if w.limits.Sitemap == trawl.SitemapOnly || w.limits.MaxDiscoveryDepth != nil && o.page.Depth >= *w.limits.MaxDiscoveryDepth || o.page.Hidden {
		return o
	}
	found, err := w.judge.links(ctx, o.harvest.URL, o.harvest.Links, o.page.Depth+1)
	o.harvest.Links = nil
	if err != nil { // ctx has ended: the page is done again by the next worker
		o.state = store.PageWaiting
		return o
	}
	o.found = found
	return o
}

// landing compares the address that was asked for with the one that answered.
// The start itself is always followed, but it is a result only if it fits the patterns.
func (w *walk) landing(o outcome) outcome {
	final := w.final(o)
	scope := w.judge.within()
	if w.isSeed(o.page) {
		if !scope.Internal(final) {
			scope = w.move(&o, final)
		}
		if scope.Pattern(final) != weburl.InScope {
			return o.deny("The start does not match the path patterns of the crawl.")
		}
	} else if why := scope.URL(final); why != weburl.InScope {
		return o.deny("The page redirects out of the crawl: " + string(why) + ".")
	}
	if id := identify(final, w.judge.same); id != identity(o.page.Identity) {
		o.landed, o.alias = final.String(), id
	}
	return o
}

// final is where the page ended up. A copy from the cache bears the spelling
// of whoever fetched it, which is no redirect of ours.
func (w *walk) final(o outcome) *url.URL {
	asked, err := w.ParseURL(o.page.URL)
	if err == nil && o.cached && weburl.CacheKey(asked) == weburl.CacheKey(o.harvest.URL) {
		return asked
	}
	return o.harvest.URL
}

// giveUp ends a page that nobody could be done with.
func (o outcome) giveUp() outcome {
	o.state, o.code, o.message = store.PageFailed, "SCRAPE_RETRY_LIMIT", "The page was given up after too many tries."
	return o
}

func (o outcome) deny(message string) outcome {
	o.state, o.code, o.message, o.credits = store.PageFailed, denied, message, 0
	return o
}

// move takes the host the start redirects to for the host of the crawl. The
// path the crawl is confined to stays that of the start.
func (w *walk) move(o *outcome, final *url.URL) *weburl.Scope {
	base := *final
	if start, err := w.ParseURL(w.crawl.URL); err == nil {
		base.Path, base.RawPath = start.Path, start.RawPath
	}
	base.RawQuery, base.Fragment = "", ""
	scope, err := weburl.NewScope(&base, scopeOptions(w.limits))
	if err != nil { // the patterns compiled before
		return w.judge.within()
	}
	w.judge.rebase(&base, scope)
	o.base = base.String()
	return scope
}

func (w *walk) isSeed(p store.CrawlPage) bool { return w.crawl.Kind == kindCrawl && p.Seq == 0 }

// seedBlocked asks robots.txt about the start; all other addresses were asked for when they were found.
func (w *walk) seedBlocked(ctx context.Context, p store.CrawlPage) (bool, error) {
	u, err := w.ParseURL(p.URL)
	if err != nil {
		return false, nil // the scrape tells what is wrong with it
	}
	allowed, err := w.judge.allows(ctx, u)
	return !allowed, err
}
