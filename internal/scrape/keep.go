package scrape

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// How long a finished scrape can be read again; its content is kept a little
// longer, so that it need not be prolonged for every scrape that shares it.
const (
	resultLife  = 24 * time.Hour
	contentLife = resultLife + 2*time.Hour
)

// answer adds to a derived document what belongs to this one request.
func (s *Service) answer(r *run, p *page, d *derived) *trawl.Document {
	doc := *d.doc
	m := &doc.Metadata
	m.ScrapeID, m.SourceURL, m.CacheState = r.id, r.req.URL, p.state
	m.CreditsUsed = costOf(r.req.ScrapeOptions, r.req.ZeroDataRetention)
	m.CreditsUsed += pageCredits(d)
	if p.ProxyUsed == "stealth" {
		m.CreditsUsed += perAddOn
	}
	if p.state == "hit" {
		m.CachedAt = &p.cachedAt
	}
	if r.slot.Waited > 0 {
		m.ConcurrencyLimited, m.ConcurrencyQueueDurationMs = true, r.slot.Waited.Milliseconds()
	}
	for _, warning := range r.warn {
		doc.Warn(warning)
	}
	return &doc
}

// content is a document's content as it is stored: once, however often it is given out.
type content struct {
	id   string
	body store.Body

	mu   sync.Mutex
	kept time.Time // until when the store has it; zero: not at all
}

// keep stores what may be read again.
func (s *Service) keep(ctx context.Context, r *run, d *derived, doc *trawl.Document) error {
	if !r.retains() {
		return nil
	}
	c, err := s.contentOf(ctx, d, doc)
	if err != nil {
		return err
	}
	metadata, err := doc.MetadataJSON()
	if err != nil {
		return fmt.Errorf("write metadata: %w", err)
	}
	now := s.Now()
	row := store.Scrape{
		ID: r.id, TeamID: r.caller.TeamID, ContentID: c.id, Metadata: string(metadata),
		KeyID: r.caller.KeyID, Endpoint: r.endpoint, Target: r.req.URL, CreatedAt: r.began, ExpiresAt: now.Add(resultLife),
	}
	s.pending.add(r.id, r.caller.TeamID, doc)
	mustKeep := c.needs(row.ExpiresAt)
	return s.Writes.ScrapeLater(ctx, row, func(ctx context.Context, tx *store.Tx) error {
		s.pending.written(tx, r.id)
		if !mustKeep {
			return nil
		}
		return tx.KeepContent(ctx, c.id, c.body, now.Add(contentLife))
	})
}

// needs tells, once, that the content must be stored or prolonged to be there at a moment.
func (c *content) needs(at time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept.After(at) {
		return false
	}
	c.kept = at.Add(contentLife - resultLife)
	return true
}

// contentOf puts the content away: once per derived document, unless this
// request added something of its own.
func (s *Service) contentOf(ctx context.Context, d *derived, doc *trawl.Document) (*content, error) {
	if doc.Actions != nil || doc.Screenshot != "" || doc.ChangeTracking != nil || doc.Branding != nil {
		return s.newContent(ctx, doc)
	}
	d.once.Lock()
	defer d.once.Unlock()
	if d.content != nil {
		return d.content, nil
	}
	c, err := s.newContent(ctx, doc)
	d.content = c
	return c, err
}

func (s *Service) newContent(ctx context.Context, doc *trawl.Document) (*content, error) {
	text, err := doc.ContentJSON()
	if err != nil {
		return nil, fmt.Errorf("write document: %w", err)
	}
	sum := sha256.Sum256(text)
	body, err := s.putAway(ctx, "contents", text)
	if err != nil {
		return nil, err
	}
	return &content{id: hex.EncodeToString(sum[:]), body: body}, nil
}

// Scraped gives the document of an earlier scrape of the same team.
func (s *Service) Scraped(ctx context.Context, id string) (*trawl.Document, error) {
	team := trawl.CallerFrom(ctx).TeamID
	if doc := s.pending.get(id, team); doc != nil {
		return doc, nil
	}
	row, body, err := s.Store.Scrape(ctx, team, id, s.Now())
	if errors.Is(err, store.ErrNotFound) {
		return nil, trawl.Errorf(trawl.NotFound, "Not Found")
	}
	if err != nil {
		return nil, err
	}
	text, err := s.takeOut(ctx, body)
	if err != nil {
		return nil, fmt.Errorf("read document: %w", err)
	}
	var doc trawl.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("read document: %w", err)
	}
	if err := json.Unmarshal([]byte(row.Metadata), &doc.Metadata); err != nil {
		return nil, fmt.Errorf("read metadata: %w", err)
	}
	return &doc, nil
}
