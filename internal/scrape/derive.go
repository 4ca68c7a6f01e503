package scrape

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"runtime/debug"
	"sync"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/format"
)

// derived is a document made from a page: all that does not depend on who asked.
type derived struct {
	doc     *trawl.Document
	kind    document.Kind // what the bytes were; empty when nobody looked
	size    int
	links   []*url.URL // on the whole page; only for pages of a job
	once    sync.Mutex
	content *content // nil until it is kept
}

// derive understands the page and makes the formats. The work runs beside the
// deadline: a page that takes too long to understand costs its own time, not the answer's.
func (s *Service) derive(ctx context.Context, r *run, p *page) (*derived, error) {
	key, err := fingerprint(p.id, r.req.ScrapeOptions)
	if err != nil {
		return nil, err
	}
	if p.state == "hit" {
		if d, ok := s.derived.cache.GetIfPresent(key); ok {
			return d, nil
		}
	}
	type result struct {
		d   *derived
		err error
	}
	done := make(chan result, 1)
	go func() {
		d, err := s.understand(ctx, r, p)
		done <- result{d, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case res := <-done:
		if res.err == nil && p.state != "" {
			s.derived.cache.Set(key, res.d)
		}
		return res.d, res.err
	}
}

// fingerprint names a page together with the options its formats depend on.
func fingerprint(page string, o trawl.ScrapeOptions) (string, error) {
	key := page
	if !o.MainOnly() {
		key += " all"
	}
	if !o.WithoutBase64() {
		key += " base64"
	}
	if o.Formats == nil && len(o.IncludeTags)+len(o.ExcludeTags) == 0 && o.Parsers == nil {
		return key, nil // as most callers ask
	}
	options, err := json.Marshal([]any{o.FormatList(), o.IncludeTags, o.ExcludeTags, o.Parsers})
	return key + string(options), err
}

// understand reads the page and fills the formats. Readers meet hostile bytes,
// so a panic is the failure of this one page.
func (s *Service) understand(ctx context.Context, r *run, p *page) (d *derived, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("understand %s: panic: %v\n%s", p.URL, v, debug.Stack())
		}
	}()
	out := &trawl.Document{Metadata: trawl.Metadata{URL: p.URL, StatusCode: p.Status, ContentType: p.ContentType, ProxyUsed: p.ProxyUsed}}
	if p.Status >= 400 {
		out.Metadata.Error = p.Reason
	}
	in := r.input(p)
	kind := document.Sniff(in.Body, in.ContentType, in.Name)
	if r.unread(kind, p, out) {
		return &derived{doc: out, size: sizeOf(out)}, nil
	}
	if err := r.refuseKind(kind); err != nil {
		return nil, err
	}
	release, err := s.carry(ctx, kind, len(in.Body))
	if err != nil {
		return nil, err
	}
	defer release()
	in.Wanted = r.wanted(p)
	doc, err := s.Readers.Read(ctx, in)
	if err != nil {
		return nil, err
	}
	if err := fill(out, doc, r, p); err != nil {
		return nil, err
	}
	out.Metadata.Page, out.Metadata.NumPages, out.Metadata.TotalPages = doc.Meta, doc.NumPages, doc.TotalPages
	for _, warning := range doc.Warnings {
		out.Warn(warning)
	}
	if err := out.Seal(); err != nil {
		return nil, fmt.Errorf("write document: %w", err)
	}
	d = &derived{doc: out, kind: doc.Kind, size: sizeOf(out) + len(in.Body)} // its strings are pieces of the page
	if r.queued {
		d.links = addressesOn(doc)
	}
	return d, nil
}

// wanted is what a reader apart may make of the page. Pages of a job are left out:
// their links are looked for in the tree.
func (r *run) wanted(p *page) *document.Wanted {
	if r.queued || r.req.Wants(trawl.FormatRawBase64) {
		return nil
	}
	return &document.Wanted{Options: r.req.ScrapeOptions, URL: p.URL}
}

// fill makes the formats, or takes them from the reader that has made them.
func fill(out *trawl.Document, doc *document.Doc, r *run, p *page) error {
	if doc.Made == nil {
		return format.Fill(out, format.Source{Doc: doc, Raw: p.Body, URL: p.URL, ContentType: p.ContentType}, r.req.ScrapeOptions)
	}
	metadata := out.Metadata
	*out = *doc.Made
	out.Metadata = metadata
	return nil
}

// sizeOf is about how much memory a document takes.
func sizeOf(d *trawl.Document) int {
	n := len(d.Markdown) + len(d.HTML) + len(d.RawHTML) + len(d.RawBase64)
	for _, link := range d.Links {
		n += len(link) + 16
	}
	return n + 64*len(d.Images)
}
