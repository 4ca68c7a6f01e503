package crawl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/job"
	"github.com/trawlhq/trawl/internal/notify"
	"github.com/trawlhq/trawl/internal/sitemap"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/weburl"
)

// batch is what is written down together.
type batch struct {
	pages      []outcome
	found      []candidate // beside the links of pages
	discovered bool
	revisited  bool
}

func (b *batch) take(d discovery) {
	b.found = append(b.found, d.pages...)
	b.discovered = b.discovered || d.discovered
	b.revisited = b.revisited || d.revisited
}

// turn is what a transaction came to.
type turn struct {
	leased  []store.CrawlPage
	over    bool // this worker has nothing left to do
	revisit bool // all is done but the pages of the crawl before
}

const (
	writeTime = 30 * time.Second // for one batch
	leaseTime = 15 * time.Minute // longer than any page takes; a lost worker's pages come back with its job
	maxTries  = 20               // leases of one page: one that kills its worker must come to an end
)

// record writes a batch, however long the database takes to come back.
func (w *walk) record(ctx context.Context, b batch) (turn, error) {
	for {
		t, err := w.commit(ctx, b, true)
		if err == nil || !store.Unavailable(err) && !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return t, err
		}
		w.Log.WarnContext(ctx, "crawl waits for the database", "crawl", w.crawl.ID, "pages", len(b.pages), "err", err)
		pause(ctx, time.Second)
	}
}

// commit is one transaction: results, new addresses, progress, events, and the next lease.
func (w *walk) commit(ctx context.Context, b batch, goOn bool) (t turn, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTime)
	defer cancel()
	err = w.Store.InTx(ctx, func(tx *store.Tx) error {
		if _, err := w.Queue.Hold(ctx, tx, w.job); err != nil {
			return err
		}
		c, err := tx.LockCrawl(ctx, w.crawl.ID)
		if err != nil {
			return err
		}
		e := &entry{walk: w, tx: tx, crawl: c}
		if err := e.write(ctx, b); err != nil {
			return err
		}
		if t, err = e.proceed(ctx, b, goOn); err != nil {
			return err
		}
		return tx.UpdateCrawl(ctx, e.crawl)
	})
	return t, err
}

// leave writes what is done and gives everything else back: the worker stops, or the crawl was cancelled.
func (w *walk) leave(ctx context.Context, unwritten batch) error {
	if errors.Is(context.Cause(ctx), job.ErrLost) {
		return job.ErrLost // all of it is the successor's
	}
	for o := range w.results {
		unwritten.pages = append(unwritten.pages, o)
	}
	_, err := w.commit(ctx, unwritten, false)
	return errors.Join(context.Cause(ctx), err)
}

// entry is a batch on its way into the store.
type entry struct {
	*walk
	tx     *store.Tx
	crawl  store.Crawl
	events []notify.Event
	urls   map[string]store.KnownURL
}

func (e *entry) write(ctx context.Context, b batch) error {
	var found []candidate
	for _, o := range b.pages {
		if err := e.settle(ctx, o); err != nil {
			return err
		}
		found = append(found, o.found...)
	}
	c := &e.crawl
	if c.Status == trawl.CrawlScraping {
		if err := e.add(ctx, append(found, b.found...)); err != nil {
			return err
		}
	}
	c.Discovered, c.Revisited = c.Discovered || b.discovered, c.Revisited || b.revisited
	if e.judge != nil && c.Trapped == "" {
		c.Trapped = e.judge.traps.refused()
	}
	if err := e.keepURLs(ctx); err != nil {
		return err
	}
	return e.Notify.Tell(ctx, e.tx, c.Webhook, e.events...)
}

// settle writes down what became of one page, unless it is not ours any more.
func (e *entry) settle(ctx context.Context, o outcome) error {
	p, c := o.page, &e.crawl
	p.State, p.Code, p.Message, p.Position, p.FinishedAt = o.state, o.code, o.message, -1, e.Now()
	if p.State == store.PageDone && o.landed != "" {
		known, err := e.isKnown(ctx, o)
		if err != nil {
			return err
		}
		if known {
			p.State = store.PageDropped
		}
	}
	if o.ours {
		p.Tries-- // a page is not given up because we had no room for it
	}
	switch {
	case p.State == store.PageDone:
		p.Position = c.Done
	case p.State == store.PageWaiting && c.Status != trawl.CrawlScraping:
		p.State = store.PageDropped
	}
	ours, err := e.tx.EndPage(ctx, p, e.job.ID)
	if err != nil {
		return err
	}
	if ours {
		e.count(p, o)
	}
	if o.harvest == nil {
		return nil
	}
	if !ours || p.State != store.PageDone {
		return o.harvest.Discard(ctx, e.tx)
	}
	e.announce(o)
	return o.harvest.Keep(ctx, e.tx)
}

// isKnown tells whether a redirect ended at a page the crawl has already. If not, nobody else may have it.
func (e *entry) isKnown(ctx context.Context, o outcome) (bool, error) {
	alias := newPage(e.crawl, candidate{url: o.landed, identity: o.alias, depth: o.page.Depth}, e.crawl.Seen)
	alias.State = store.PageAlias
	added, err := e.tx.AddPages(ctx, []store.CrawlPage{alias})
	e.crawl.Seen += added
	return added == 0, err
}

// count keeps the numbers of the crawl in step with its pages.
func (e *entry) count(p store.CrawlPage, o outcome) {
	c := &e.crawl
	c.Leased--
	switch p.State {
	case store.PageDone:
		c.Done++
		c.Credits += o.credits
	case store.PageFailed:
		c.Failed++
		c.Credits += o.credits
	case store.PageBlocked:
		c.Blocked++
	case store.PageWaiting:
		c.Waiting++
	}
	if o.base != "" {
		c.Base = o.base
	}
}

// announce tells others about a document: the webhook, and the index of known addresses.
func (e *entry) announce(o outcome) {
	ev := event(e.crawl, trawl.EventPage)
	ev.ScrapeID, ev.Seq = o.page.ID, e.crawl.Done
	e.events = append(e.events, ev)
	if e.crawl.ZeroRetention {
		return
	}
	u := weburl.WithoutFragment(o.harvest.URL)
	known, now := knownURL(u), e.Now()
	known.Title, known.Description, known.SeenAt, known.ExpiresAt = cut(o.title, 60), cut(o.about, 160), now, now.Add(urlLife)
	if e.urls == nil {
		e.urls = map[string]store.KnownURL{}
	}
	e.urls[known.ID] = known
}

// urlLife is how long an address is remembered that nobody has seen again.
const urlLife = 30 * 24 * time.Hour

// knownURL makes the row of an address in the index of this server.
func knownURL(u *url.URL) store.KnownURL {
	address := u.String()
	sum := sha256.Sum256([]byte(address))
	return store.KnownURL{ID: hex.EncodeToString(sum[:16]), Domain: sitemap.SiteOf(u), URL: address}
}

// cut shortens a text to a number of characters.
func cut(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return text[:i]
		}
		n++
	}
	return text
}

func (e *entry) keepURLs(ctx context.Context) error {
	if len(e.urls) == 0 {
		return nil
	}
	list := make([]store.KnownURL, 0, len(e.urls))
	for _, u := range e.urls {
		list = append(list, u)
	}
	return e.tx.KeepURLs(ctx, list)
}
