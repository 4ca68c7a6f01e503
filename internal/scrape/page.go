package scrape

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl/internal/fetch"
	"github.com/trawlhq/trawl/internal/store"
)

// page is a page at hand: just fetched, or a copy from the cache.
type page struct {
	*fetch.Page
	id       string
	state    string    // hit or miss; empty when the cache was not to be read
	cachedAt time.Time // of a copy
	waitFor  time.Duration
	loaded   time.Time // when this process last saw it in the store
}

// extra is what the cache keeps of a rendered page beside its body.
type extra struct {
	ShotMIME string         `json:"shotMime,omitempty"`
	Branding map[string]any `json:"branding,omitempty"`
}

// pageLife is how long a copy may be asked for at all; the budget of the cache usually ends it sooner.
const pageLife = 2 * 365 * 24 * time.Hour

// row gives the form in which a page is stored, its bytes already put away.
func (s *Service) row(ctx context.Context, key string, p *page) (store.Page, error) {
	body, err := s.putAway(ctx, "pages", p.Body)
	if err != nil {
		return store.Page{}, err
	}
	header, err := json.Marshal(p.Header)
	if err != nil {
		return store.Page{}, fmt.Errorf("write headers: %w", err)
	}
	row := store.Page{
		ID: p.id, CacheKey: key, URL: p.URL, Status: p.Status, Reason: p.Reason, ContentType: p.ContentType, Header: string(header),
		ETag: p.Header.Get("ETag"), LastModified: p.Header.Get("Last-Modified"), Engine: p.Engine, Proxy: p.ProxyUsed,
		WaitFor: p.waitFor, Body: body, Extra: "{}", FetchedAt: p.FetchedAt, ExpiresAt: p.FetchedAt.Add(pageLife),
	}
	return row, s.rowExtra(ctx, &row, p.Rendered)
}

// rowExtra adds what a browser brought beside the page.
func (s *Service) rowExtra(ctx context.Context, row *store.Page, rendered *fetch.Rendered) error {
	if rendered == nil {
		return nil
	}
	x := extra{Branding: rendered.Branding}
	if shot := rendered.Screenshot; shot != nil {
		x.ShotMIME, row.ShotKey = shot.MIME, "shots/"+uuid.NewString()
		if err := s.Blobs.Put(ctx, row.ShotKey, shot.Data); err != nil {
			return fmt.Errorf("keep screenshot: %w", err)
		}
	}
	text, err := json.Marshal(x)
	row.Extra = string(text)
	return err
}

// restore makes a page of its stored form.
func (s *Service) restore(ctx context.Context, row store.Page) (*page, error) {
	if row.Body.BlobKey == "" {
		inline, err := s.Store.PageBody(ctx, row.ID)
		if err != nil {
			return nil, fmt.Errorf("read cached page: %w", err)
		}
		row.Body.Inline = inline
	}
	body, err := s.takeOut(ctx, row.Body)
	if err != nil {
		return nil, fmt.Errorf("read cached page: %w", err)
	}
	p := &page{id: row.ID, waitFor: row.WaitFor, loaded: s.Now(), Page: &fetch.Page{
		URL: row.URL, Status: row.Status, Reason: row.Reason, ContentType: row.ContentType, Body: body,
		Engine: row.Engine, ProxyUsed: row.Proxy, FetchedAt: row.FetchedAt, Header: http.Header{},
	}}
	if err := json.Unmarshal([]byte(row.Header), &p.Header); err != nil {
		return nil, fmt.Errorf("read headers of cached page: %w", err)
	}
	return p, s.restoreExtra(ctx, row, p)
}

func (s *Service) restoreExtra(ctx context.Context, row store.Page, p *page) error {
	if row.ShotKey == "" && row.Extra == "{}" {
		return nil
	}
	var x extra
	if err := json.Unmarshal([]byte(row.Extra), &x); err != nil {
		return fmt.Errorf("read extras of cached page: %w", err)
	}
	p.Rendered = &fetch.Rendered{Branding: x.Branding}
	if row.ShotKey == "" {
		return nil
	}
	data, err := s.Blobs.Get(ctx, row.ShotKey)
	if err != nil {
		return fmt.Errorf("read screenshot of cached page: %w", err)
	}
	p.Rendered.Screenshot = &fetch.Image{Data: data, MIME: x.ShotMIME}
	return nil
}
