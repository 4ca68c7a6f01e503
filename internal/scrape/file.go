package scrape

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/fetch"
)

// fileScheme begins the addresses of files that were sent to us.
const fileScheme = "upload"

// File makes a document of a file that was sent to us: as Scrape, but there is
// nothing to bring and nothing that others could profit from, hence no cache.
func (s *Service) File(ctx context.Context, f trawl.File, o trawl.ParseOptions) (*trawl.Document, error) {
	req := trawl.ScrapeRequest{URL: f.Name, ZeroDataRetention: o.ZeroDataRetention, ScrapeOptions: o.Effective()}
	r, err := s.admit(ctx, req, &url.URL{Scheme: fileScheme, Opaque: f.Name})
	if err != nil {
		return nil, err
	}
	r.endpoint, r.fileName = "parse", f.Name
	return s.carryOut(ctx, r, func(ctx context.Context, r *run) (*trawl.Document, error) { return s.workFile(ctx, r, f) })
}

// workFile is what remains of the four steps. A file takes a slot of its team
// as a page does, and its bytes come into memory only then.
func (s *Service) workFile(ctx context.Context, r *run, f trawl.File) (*trawl.Document, error) {
	slot, err := s.Access.Acquire(ctx, r.caller.TeamID, 0, r.patience())
	if err != nil {
		return nil, err
	}
	r.slot = slot
	defer slot.Release()
	p, err := filePage(f)
	if err != nil {
		return nil, err
	}
	d, err := s.derive(ctx, r, p)
	if err != nil {
		return nil, err
	}
	doc := s.answer(r, p, d)
	doc.Metadata.SourceFile = f.Name
	doc.Metadata.ContentType = document.MediaType(document.Sniff(p.Body, f.ContentType, f.Name), p.Body)
	return doc, s.keep(ctx, r, d, doc)
}

// filePage is a file in the form of a page that was fetched without fault.
func filePage(f trawl.File) (*page, error) {
	body := make([]byte, f.Size)
	if _, err := io.ReadFull(f.Content, body); err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	return &page{Page: &fetch.Page{
		URL: fileScheme + "://" + f.Name, Status: http.StatusOK, ContentType: f.ContentType, Body: body, ProxyUsed: fetch.ProxyBasic,
	}}, nil
}
