package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime/debug"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/api"
)

// Depth tells how many durable jobs of a team wait and run; of all teams when team is empty.
func (a *App) Depth(ctx context.Context, team string) (waiting, active int, err error) {
	counts, err := a.Store.JobCounts(ctx, team)
	for _, c := range counts {
		switch c.State {
		case trawl.JobQueued:
			waiting += int(c.Jobs)
		case trawl.JobRunning:
			active += int(c.Jobs)
		}
	}
	return waiting, active, err
}

// gcPercent lets garbage grow to several times what lives, unless the operator
// says otherwise: what lives is a few MiB, and collecting it for every few
// answers took a fifth of the processor time of a cached one.
const gcPercent = 600

// softMemory is where that generosity ends: above it the collector works
// harder, so that a long crawl stays near a quarter of a gigabyte. GOMEMLIMIT
// overrides it.
const softMemory = 192 << 20

// Serve runs the server on a listener until ctx ends, and then lets running
// requests finish. ready is called once requests are answered.
func (a *App) Serve(ctx context.Context, listener net.Listener, ready func()) error {
	handler, err := a.Handler()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
	requests, refuse := context.WithCancelCause(context.WithoutCancel(ctx))
	defer refuse(nil)
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute,
		BaseContext: func(net.Listener) context.Context { return requests },
		ErrorLog:    slog.NewLogLogger(a.Log.Handler(), slog.LevelDebug),
	}
	// The writers stop last: a request that finishes while we drain still leaves its traces.
	writing, stopWriting := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWriting()
	writers, working := a.background(writing, ctx)
	serving := make(chan error, 1)
	go func() { serving <- server.Serve(listener) }()
	ready()
	select {
	case err = <-serving:
	case <-ctx.Done():
		err = a.drain(server, refuse)
	}
	err = errors.Join(err, working.Wait())
	stopWriting()
	return errors.Join(err, writers.Wait())
}

// background runs what works beside the requests: writers until writing ends, workers until working does.
func (a *App) background(writing, working context.Context) (writers, workers *errgroup.Group) {
	writers, workers = &errgroup.Group{}, &errgroup.Group{}
	writers.Go(func() error { return a.Writes.Run(writing) })
	writers.Go(func() error { return a.Access.Run(writing) })
	workers.Go(func() error { return a.Queue.Run(working) })
	workers.Go(func() error { return a.openGov(working) })
	workers.Go(func() error { return a.warmReaders(working) })
	if a.Settings.Role != "api" {
		workers.Go(func() error { return a.janitor(working) })
		workers.Go(func() error { return a.Crawl.Run(working) })
		workers.Go(func() error { return a.Notify.Run(working) })
		workers.Go(func() error { return a.starter(working) })
	}
	return writers, workers
}

// Background runs the writers for a command that works without a server; the
// function it gives stops them and waits until everything is written.
func (a *App) Background(ctx context.Context) (stop func()) {
	writing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var writers errgroup.Group
	writers.Go(func() error { return a.Writes.Run(writing) })
	writers.Go(func() error { return a.Access.Run(writing) })
	return func() {
		cancel()
		if err := writers.Wait(); err != nil {
			a.Log.Warn("not everything was written", "err", err)
		}
	}
}

// drain stops taking requests and waits for those that run; whoever is not done
// in time is answered that the server is going away.
func (a *App) drain(server *http.Server, refuse context.CancelCauseFunc) error {
	a.Log.Info("stopping", "drain", a.Settings.DrainTime)
	timer := time.AfterFunc(a.Settings.DrainTime, func() { refuse(api.ErrStopping) })
	defer timer.Stop()
	last, cancel := context.WithTimeout(context.Background(), a.Settings.DrainTime+5*time.Second)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return errors.Join(fmt.Errorf("stop serving: %w", err), server.Close())
	}
	return nil
}

// Handler is the door; a worker shows only whether it is well.
func (a *App) Handler() (http.Handler, error) {
	proxies, err := prefixes(a.Settings.TrustedProxies)
	if err != nil {
		return nil, err
	}
	server, err := api.New(api.Options{
		Access: a.Access, Scraper: a.Scraper, Crawler: a.Crawl, Batches: a.Crawl, Mapper: a.Map, Parser: a.Parse, Uploads: a.Parse, SpoolDir: a.Parse.SpoolDir, Gov: a, Files: a.Scrape, CheckURL: a.CheckURL, Queue: a,
		PublicURL: a.Settings.PublicURL, TrustedProxies: proxies, BodyLimit: a.Settings.BodyLimit, Version: a.Version,
		Checks: a.checks(), Log: a.Log, Metrics: a.Metrics, HealthOnly: a.Settings.Role == "worker",
	})
	if err != nil {
		return nil, err
	}
	return server.Handler(), nil
}

// prefixes reads addresses and ranges.
func prefixes(texts []string) ([]netip.Prefix, error) {
	var list []netip.Prefix
	for _, text := range texts {
		if addr, err := netip.ParseAddr(text); err == nil {
			list = append(list, netip.PrefixFrom(addr, addr.BitLen()))
			continue
		}
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("--trusted-proxies: %q is neither an address nor a range", text)
		}
		list = append(list, prefix)
	}
	return list, nil
}
