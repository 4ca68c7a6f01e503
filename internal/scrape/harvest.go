package scrape

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/weburl"
)

// Order is one page of a larger job.
type Order struct {
	ID      string // the scrape id, given beforehand so that a second try has the same
	Caller  trawl.Caller
	Request trawl.ScrapeRequest
	Hidden  bool      // the page is not linked any more; told where changes are tracked
	Until   time.Time // how long the document can be read again
}

// Harvest is a page that was scraped for a job. Nothing of it is in the store
// until Keep: the job writes many of them in one transaction with its progress.
type Harvest struct {
	Document *trawl.Document
	URL      *url.URL   // after redirects
	Links    []*url.URL // addresses on the whole page, whatever part of it the document shows; each once

	metadata string
	content  *content
	order    Order
	made     time.Time
	writes   []func(ctx context.Context, tx *store.Tx) error
}

// Harvest scrapes a page of a job: as Scrape, but the job waits for a slot as
// long as it takes, and decides when the result is written.
func (s *Service) Harvest(ctx context.Context, o Order) (*Harvest, error) {
	u, err := s.ParseURL(o.Request.URL)
	if err != nil {
		return nil, trawl.BadRequest([]trawl.Issue{trawl.URLIssue(err.Error(), "url")})
	}
	if err := s.permit(o.Request, u); err != nil {
		return nil, err
	}
	r := &run{id: o.ID, caller: o.Caller, req: o.Request, url: u, began: s.Now(), queued: true}
	r.charge, err = s.Access.Reserve(ctx, r.caller, costOf(o.Request.ScrapeOptions, o.Request.ZeroDataRetention))
	if err != nil {
		return nil, err
	}
	h, err := s.reap(ctx, r, o)
	if err != nil {
		r.charge.Settle(costOfFailure(err))
		return nil, err
	}
	credits := h.Document.Metadata.CreditsUsed
	r.charge.Settle(credits)
	s.Metrics.Credits(credits)
	return h, nil
}

// queueLife is the longest that a page waits for a slot. Its deadline begins only then.
const queueLife = 48 * time.Hour

// reap is the four steps, the last of which ends in memory.
func (s *Service) reap(ctx context.Context, r *run, o Order) (*Harvest, error) {
	slot, err := s.Access.Acquire(ctx, r.caller.TeamID, 0, queueLife)
	if err != nil {
		return nil, err
	}
	defer slot.Release()
	r.slot = slot
	deadline, cancel := context.WithTimeoutCause(ctx, r.req.Deadline(), errTimeout())
	defer cancel()
	h, err := s.gather(deadline, r, o)
	if err != nil {
		return nil, timeoutOf(deadline, ctx, err)
	}
	return h, nil
}

func (s *Service) gather(ctx context.Context, r *run, o Order) (*Harvest, error) {
	p, err := s.bring(ctx, r)
	if err != nil {
		return nil, err
	}
	d, err := s.understand(ctx, r, p)
	if err != nil {
		return nil, err
	}
	doc := s.answer(r, p, d)
	if err := s.attach(ctx, r, p, doc); err != nil {
		return nil, err
	}
	if err := s.track(ctx, r, p, doc); err != nil {
		return nil, err
	}
	if doc.ChangeTracking != nil && o.Hidden {
		doc.ChangeTracking.Visibility = "hidden"
	}
	h := &Harvest{Document: doc, Links: d.links, order: o, made: s.Now(), writes: r.writes}
	if h.URL, err = url.Parse(p.URL); err != nil {
		return nil, fmt.Errorf("read address after redirects: %w", err)
	}
	return h, s.pack(ctx, h)
}

// pack makes the stored form, outside of any transaction.
func (s *Service) pack(ctx context.Context, h *Harvest) error {
	metadata, err := h.Document.MetadataJSON()
	if err != nil {
		return fmt.Errorf("write metadata: %w", err)
	}
	h.metadata = string(metadata)
	h.content, err = s.newContent(ctx, h.Document)
	return err
}

// Keep writes the document, and what others may profit from, in the job's transaction.
func (h *Harvest) Keep(ctx context.Context, tx *store.Tx) error {
	for _, write := range h.writes {
		if err := write(ctx, tx); err != nil {
			return err
		}
	}
	if err := tx.KeepContent(ctx, h.content.id, h.content.body, h.order.Until.Add(contentLife-resultLife)); err != nil {
		return err
	}
	return tx.InsertScrapes(ctx, store.Scrape{
		ID: h.order.ID, TeamID: h.order.Caller.TeamID, ContentID: h.content.id, Metadata: h.metadata,
		CreatedAt: h.made, ExpiresAt: h.order.Until,
	})
}

// Discard leaves the document to nobody: the job does not want it any more.
func (h *Harvest) Discard(ctx context.Context, tx *store.Tx) error {
	if h.content.body.BlobKey == "" {
		return nil
	}
	return tx.OrphanBlob(ctx, h.content.body.BlobKey, h.made)
}

// Check refuses, before anything is created, pages that could never be scraped:
// options this server cannot carry out, hosts and uses that are not permitted.
func (s *Service) Check(req trawl.ScrapeRequest) error {
	u, err := s.ParseURL(req.URL)
	if err != nil {
		return trawl.BadRequest([]trawl.Issue{trawl.URLIssue(err.Error(), "url")})
	}
	if issues := s.unavailable(req.ScrapeOptions); len(issues) > 0 {
		return trawl.BadRequest(issues)
	}
	return s.permit(req, u)
}

// later has a change written: with the job's own where there is one, otherwise soon.
func (s *Service) later(ctx context.Context, r *run, write func(ctx context.Context, tx *store.Tx) error) error {
	if r.queued {
		r.writes = append(r.writes, write)
		return nil
	}
	return s.Writes.Later(ctx, write)
}

// addressesOn lists where a page leads to, each address once, in document order.
func addressesOn(doc *document.Doc) []*url.URL {
	if doc.Root == nil {
		return nil
	}
	seen := map[string]bool{}
	var links []*url.URL
	for n := range doc.Root.Descendants() {
		href := target(n)
		if href == "" || seen[href] {
			continue
		}
		seen[href] = true
		if u, err := weburl.Resolve(doc.Base, climb(doc.Base, href)); err == nil && weburl.IsWeb(u) {
			links = append(links, u)
		}
	}
	return links
}

// climb undoes the leading ../ of a link by hand. Generated documentation has
// hundreds of them on a page, and with them gone the link is an ordinary one,
// which is resolved ten times as fast.
func climb(base *url.URL, href string) string {
	rest, climbs := strings.CutPrefix(href, "../")
	if !climbs || base.Opaque != "" {
		return href
	}
	directory := base.EscapedPath()
	directory = directory[:strings.LastIndexByte(directory, '/')+1]
	plain := href
	for ; climbs; rest, climbs = strings.CutPrefix(rest, "../") {
		plain = rest
		if above := strings.LastIndexByte(strings.TrimSuffix(directory, "/"), '/'); above >= 0 {
			directory = directory[:above+1]
		}
	}
	if plain == "" || !isWordCharacter(plain[0]) { // slashes and further dots mean something of their own
		return href
	}
	return directory + plain
}

func isWordCharacter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// target is where an element leads to; empty: nowhere.
func target(n *html.Node) string {
	if n.Type != html.ElementNode {
		return ""
	}
	name := "href"
	switch n.DataAtom {
	case atom.A, atom.Area:
	case atom.Iframe, atom.Frame:
		name = "src"
	default:
		return ""
	}
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// FailureCredits gives what a page that failed costs.
func FailureCredits(err error) int { return costOfFailure(err) }
