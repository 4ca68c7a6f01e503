package app

import (
	"context"
	"errors"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/crawl"
	"github.com/trawlhq/trawl/internal/fetch"
	"github.com/trawlhq/trawl/internal/job"
	"github.com/trawlhq/trawl/internal/notify"
	"github.com/trawlhq/trawl/internal/sitemap"
)

// robotsNames are the groups of a robots.txt that are meant for us, the first one first.
var robotsNames = []string{"trawl", "FirecrawlAgent"}

// openCrawl opens what works on whole sites: map, crawl and batch, and the webhooks that tell about them.
func (a *App) openCrawl(context.Context) error {
	robots := fetch.NewRobotsFiles(a.Engines.Fetcher, robotsNames...)
	finder := &sitemap.Finder{Fetcher: a.Engines.Fetcher, Robots: robots}
	a.Map = sitemap.New(sitemap.Options{
		Finder: finder, Fetcher: a.Engines.Fetcher, Store: a.Store, Access: a.Access, ParseURL: a.parseURL, Refuse: a.Scrape.Check, Log: a.Log,
	})
	a.Notify = notify.New(notify.Options{
		Store: a.Store, Queue: a.Queue, Guard: a.Guard, Version: a.Version, Document: a.documentOf, Log: a.Log,
	})
	a.Crawl = crawl.New(crawl.Options{
		Store: a.Store, Queue: a.Queue, Scraper: a.Scrape, Access: a.Access, Robots: robots, Sitemaps: finder, Notify: a.Notify,
		ParseURL: a.parseURL, Mapper: a.Map, MayIgnoreRobots: a.Settings.IgnoreRobots == "on", Log: a.Log,
	})
	if a.Settings.Role != "api" {
		a.Queue.Handle(crawl.JobKind, job.Handler{Work: a.Crawl.Work})
		a.Queue.Handle(notify.JobKind, job.Handler{Work: a.Notify.Work})
	}
	return nil
}

// documentOf gives a finished scrape to a webhook.
func (a *App) documentOf(ctx context.Context, team, scrapeID string) (*trawl.Document, error) {
	return a.Scrape.Scraped(trawl.WithCaller(ctx, trawl.Caller{TeamID: team}), scrapeID)
}

// Work runs everything that works beside requests, for a command or a test
// without a server; the function it gives stops it and waits.
func (a *App) Work(ctx context.Context) (stop func()) {
	writing, stopWriting := context.WithCancel(context.WithoutCancel(ctx))
	working, stopWorking := context.WithCancel(context.WithoutCancel(ctx))
	writers, workers := a.background(writing, working)
	return func() {
		stopWorking()
		err := workers.Wait()
		stopWriting()
		if err = errors.Join(err, writers.Wait()); err != nil {
			a.Log.Warn("not everything was finished", "err", err)
		}
	}
}
