// Package browser renders pages in Chromium.
//
// A [Pool] has seats for a few browsers, each started when it is first needed
// and replaced when it is worn out or lost. A render gets a tab in a browser
// context of its own, so no two renders share cookies, cache or connections.
// All traffic leaves through a proxy of ours (package egress) that connects
// with the guarded dialer, so nothing a page does reaches a private network.
//
// Every wait is bound by the caller's context; a page that does not answer any
// more costs its tab, or its browser, never the process.
package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/browser/egress"
)

// Options say which browsers to use and when to replace them. Only Dial is required.
type Options struct {
	Path      string   // browser program; empty: looked up when first needed
	Endpoints []string // ws:// or http:// addresses of remote browsers; when set, none is started here

	MaxBrowsers     int // browser processes at once; 0: one per two cores. Remote: one per endpoint
	PagesPerBrowser int // renders at once in each; 0: 6

	Dial     egress.Dial          // the guarded dialer
	CheckURL func(*url.URL) error // asked about every address and host; nil: schemes only
	DataDir  string               // where browsers keep their temporary files; empty: below the system's
	Logger   *slog.Logger         // nil: none

	RecyclePages  int           // renders after which a browser is replaced; 0: 500
	RecycleAge    time.Duration // age after which it is; 0: 1 h
	RecycleMemory int64         // bytes of all its processes after which it is; 0: 3 GiB
	PageMemory    int64         // bytes one page's process may take before it is ended; 0: 1.5 GiB
	IdleAfter     time.Duration // unused this long, a browser is closed; 0: 10 min
	MaxRender     time.Duration // bound of a render whose context has none; 0: 5 min
}

func (o Options) withDefaults() Options {
	setDefault(&o.MaxBrowsers, max(1, runtime.NumCPU()/2))
	setDefault(&o.PagesPerBrowser, 6)
	setDefault(&o.DataDir, filepath.Join(os.TempDir(), "trawl-browser"))
	setDefault(&o.Logger, slog.New(slog.DiscardHandler))
	setDefault(&o.RecyclePages, 500)
	setDefault(&o.RecycleAge, time.Hour)
	setDefault(&o.RecycleMemory, 3<<30)
	setDefault(&o.PageMemory, 3<<29)
	setDefault(&o.IdleAfter, 10*time.Minute)
	setDefault(&o.MaxRender, 5*time.Minute)
	return o
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Pool renders pages, a bounded number at a time.
type Pool struct {
	opts    Options
	proxies proxies
	seats   []*seat
	slots   chan struct{}
	life    context.Context // ends with Close
	end     context.CancelFunc
	work    sync.WaitGroup // renders, and everything that runs beside them
	closing sync.WaitGroup // browsers on their way out

	mu      sync.Mutex
	waiting int
	closed  bool

	renders, crashes, started, recycled atomic.Int64
}

// Open prepares a pool. No browser is started yet; what a former process left
// behind is swept.
func Open(opts Options) (*Pool, error) {
	if opts.Dial == nil {
		return nil, errors.New("open browser pool: no dialer given")
	}
	p := &Pool{opts: opts.withDefaults()}
	if err := sweepRunDirs(p.opts.DataDir); err != nil {
		return nil, fmt.Errorf("open browser pool: %w", err)
	}
	p.proxies.options = egress.Options{Dial: p.opts.Dial, CheckURL: p.opts.CheckURL}
	p.life, p.end = context.WithCancel(context.Background())
	p.seats = p.makeSeats()
	p.slots = make(chan struct{}, len(p.seats)*p.opts.PagesPerBrowser)
	p.work.Go(p.watch)
	return p, nil
}

// Render brings one page. The answer comes within ctx's deadline.
func (p *Pool) Render(ctx context.Context, r Request) (*Result, error) {
	address, err := p.admit(r)
	if err != nil {
		return nil, err
	}
	if !p.begin() {
		return nil, errClosed()
	}
	defer p.work.Done()
	ctx, cancel := context.WithTimeout(ctx, p.opts.MaxRender)
	defer cancel()
	defer context.AfterFunc(p.life, cancel)()
	p.renders.Add(1)
	for attempt := 1; ; attempt++ {
		result, err := p.attempt(ctx, r, address)
		switch {
		case err == nil:
			result.Attempts = attempt
			return result, nil
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			return nil, timeoutError(err)
		case attempt == 1 && isLoss(err) && !errors.Is(err, errTooHeavy):
			p.opts.Logger.Warn("page lost, trying once more", "url", address.Redacted(), "error", err)
			continue
		}
		return nil, finalError(err)
	}
}

// begin counts a render in, unless the pool is closed.
func (p *Pool) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.work.Add(1)
	}
	return !p.closed
}

func errClosed() error { return trawl.Errorf(trawl.Unavailable, "Service Unavailable") }

// admit refuses addresses no browser should see.
func (p *Pool) admit(r Request) (*url.URL, error) {
	address, err := url.Parse(r.URL)
	if err != nil || address.Host == "" {
		return nil, trawl.Errorf(trawl.Invalid, "Invalid URL").Because(err)
	}
	if address.Scheme != "http" && address.Scheme != "https" {
		return nil, trawl.Errorf(trawl.Invalid, "URL uses unsupported protocol")
	}
	if p.opts.CheckURL != nil {
		if err := p.opts.CheckURL(address); err != nil {
			return nil, err
		}
	}
	return address, nil
}

// attempt renders once, in a tab that is given back whatever happens.
func (p *Pool) attempt(ctx context.Context, r Request, address *url.URL) (*Result, error) {
	if err := p.enter(ctx); err != nil {
		return nil, err
	}
	if r.Profile != nil {
		defer p.leave()
		return p.withProfile(ctx, r, address)
	}
	b, err := p.checkOut(ctx)
	if err != nil {
		p.leave()
		return nil, err
	}
	t, err := b.tab(ctx)
	if err != nil {
		p.giveBack(b, nil, err)
		return nil, err
	}
	result, err := t.render(ctx, r, address)
	if errors.Is(err, errCrashed) && b.heavy.Swap(false) {
		err = errTooHeavy
	}
	p.giveBack(b, t, err)
	return result, err
}

// isLoss reports whether an error means that the tab or browser died.
func isLoss(err error) bool {
	return (errors.Is(err, errCrashed) || errors.Is(err, errLost)) && !errors.Is(err, errNoBrowser)
}

// finalError is what the caller sees of an error that no retry will mend.
func finalError(err error) error {
	var domain *trawl.Error
	switch {
	case errors.As(err, &domain):
		return domain
	case errors.Is(err, errTooHeavy):
		return codeError("ERR_OUT_OF_MEMORY", err)
	case isLoss(err):
		return trawl.Errorf(trawl.SiteFailed, "The page was given up: it took its browser with it twice.").
			WithCode("SCRAPE_RETRY_LIMIT").WithDetails(retryable(true)).Because(err)
	case errors.Is(err, errNoBrowser):
		return trawl.Errorf(trawl.Unavailable, "Service Unavailable").WithCode("BROWSER_UNAVAILABLE").
			WithDetails(retryable(true)).Because(err)
	}
	return fmt.Errorf("render page: %w", err)
}

// Close ends all browsers and waits until nothing of them is left. Renders
// under way are cut short.
func (p *Pool) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.end()
	p.work.Wait()
	for _, s := range p.seats {
		s.vacate()
	}
	p.closing.Wait()
	return p.proxies.close()
}
