// Package app is the wiring: it opens the ground (store, blobs, guard), the
// engines above it, the capabilities above those and at last the doors, in this
// order, and closes them in the reverse one. It is the only place that knows how
// the parts fit together, and which of them a role needs.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/blob"
	"github.com/trawlhq/trawl/internal/config"
	"github.com/trawlhq/trawl/internal/crawl"
	"github.com/trawlhq/trawl/internal/job"
	"github.com/trawlhq/trawl/internal/netguard"
	"github.com/trawlhq/trawl/internal/notify"
	"github.com/trawlhq/trawl/internal/parse"
	"github.com/trawlhq/trawl/internal/scrape"
	"github.com/trawlhq/trawl/internal/sitemap"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/telemetry"
	"github.com/trawlhq/trawl/internal/weburl"
)

// App is everything that is open.
type App struct {
	Settings config.Serve
	Version  string
	Log      *slog.Logger
	Metrics  *telemetry.Metrics

	Guard   *netguard.Guard
	Store   *store.Store
	Blobs   *blob.Store
	Writes  *store.Group
	Queue   *job.Queue
	Access  *access.Service
	Engines *Engines
	Scrape  *scrape.Service
	Map     *sitemap.Service
	Crawl   *crawl.Service
	Notify  *notify.Service
	Parse   *parse.Service
	Scraper trawl.Scraper // Scrape itself, or a queue to the workers that have one

	FirstKey string    // text of the key made at this start; empty: there was one
	law      *lawIndex // nil in a worker
	closers  []func() error
}

// Open opens all parts a role needs. What was opened before a failure is closed again.
func Open(ctx context.Context, settings config.Serve, version string, log *slog.Logger) (_ *App, err error) {
	a := &App{Settings: settings, Version: version, Log: log, Metrics: telemetry.NewMetrics()}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	for _, open := range []func(context.Context) error{a.openGround, a.openAccess, a.openEngines, a.openCapabilities, a.openParse, a.openCrawl, a.prepareGov} {
		if err := open(ctx); err != nil {
			return nil, err
		}
	}
	a.watch()
	return a, nil
}

// Close closes everything in the reverse order of opening.
func (a *App) Close() error {
	var errs []error
	for i := len(a.closers) - 1; i >= 0; i-- {
		errs = append(errs, a.closers[i]())
	}
	a.closers = nil
	return errors.Join(errs...)
}

func (a *App) onClose(fn func() error) { a.closers = append(a.closers, fn) }

// openGround opens what everything stands on.
func (a *App) openGround(ctx context.Context) error {
	s := a.Settings
	if s.Role != "all" && s.Role != "" && s.DatabaseURL == "" {
		return fmt.Errorf("role %s needs PostgreSQL: set --database-url", s.Role)
	}
	policy, err := netguard.ParsePolicy(s.AllowPrivateNetworks)
	if err != nil {
		return fmt.Errorf("--allow-private-networks: %w", err)
	}
	a.Guard = netguard.New(policy, netguard.Options{})
	a.Store, err = store.Open(ctx, store.Options{DataDir: s.DataDir, DatabaseURL: s.DatabaseURL})
	if err != nil {
		return err
	}
	a.onClose(a.Store.Close)
	a.Blobs, err = blob.Open(blob.Options{URL: s.BlobURL, Dir: filepath.Join(s.DataDir, "blobs"), DialContext: a.blobDialer()})
	if err != nil {
		return err
	}
	a.onClose(a.Blobs.Close)
	a.Writes = store.NewGroup(a.Store, a.Log)
	return nil
}

// openAccess opens the gate.
func (a *App) openAccess(ctx context.Context) error {
	s := a.Settings
	var plans map[string]access.Plan
	if s.Plans != "" {
		var err error
		if plans, err = access.LoadPlans(s.Plans); err != nil {
			return err
		}
	}
	keyless, err := keylessOptions(s.Access)
	if err != nil {
		return err
	}
	a.Access = access.New(a.Store, access.Options{
		Off: s.Auth == "off", BootstrapKey: s.BootstrapKey, Plans: plans, DefaultPlan: s.DefaultPlan,
		Slots: a.slots(), Keyless: keyless, Log: a.Log,
	})
	a.FirstKey, err = a.Access.Start(ctx)
	return err
}

// openCapabilities opens the capabilities, each on the parts below it.
func (a *App) openCapabilities(context.Context) error {
	interactive, bulk := a.workers()
	a.Queue = job.New(job.Options{Store: a.Store, Log: a.Log, Interactive: interactive, Bulk: bulk, TeamLimit: a.teamLimit})
	a.Scrape = scrape.New(scrape.Options{
		Fetcher: a.Engines.Fetcher, Readers: a.Engines.Readers, Store: a.Store, Blobs: a.Blobs, Writes: a.Writes, Access: a.Access,
		ParseURL: a.parseURL, Browser: a.Engines.Browser != nil, NoZDR: a.Settings.ZeroRetention == "off",
		BlockedHosts: a.Settings.BlockedHosts, ProfileDir: filepath.Join(a.Settings.DataDir, "profiles"), Log: a.Log, Metrics: a.Metrics,
	})
	a.Scraper = a.Scrape
	if a.Settings.Role == "api" {
		a.Scraper = &scrape.Queued{Service: a.Scrape, Queue: a.Queue}
		return nil
	}
	a.Queue.Handle(scrape.JobKind, job.Handler{Work: a.Scrape.Work, Timeout: trawl.MaxScrapeTime})
	return nil
}

// parseURL reads an address field as the contract does, with what the operator permits.
func (a *App) parseURL(raw string) (*url.URL, error) { return weburl.Parse(raw, a.Guard.AllowsName) }

// CheckURL gives what is wrong with an address field; empty: nothing.
func (a *App) CheckURL(raw string) string {
	if _, err := a.parseURL(raw); err != nil {
		return err.Error()
	}
	return ""
}
