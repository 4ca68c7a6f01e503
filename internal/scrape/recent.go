package scrape

import (
	"sync"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// What is kept in memory so that a page asked for again and again costs no look
// into the store and no second derivation.
const (
	recentBytes  = 32 << 20
	derivedBytes = 32 << 20
	recentFresh  = 10 * time.Second // other processes may have a newer copy; look again after this
)

// recentPages are the pages that were used last.
type recentPages struct{ cache *otter.Cache[string, *page] }

func newRecentPages() *recentPages {
	return &recentPages{otter.Must(&otter.Options[string, *page]{
		MaximumWeight: recentBytes,
		Weigher:       func(_ string, p *page) uint32 { return uint32(min(len(p.Body)+1024, recentBytes)) },
	})}
}

func (c *recentPages) get(key string, now time.Time) *page {
	p, ok := c.cache.GetIfPresent(key)
	if !ok || now.Sub(p.loaded) > recentFresh {
		return nil
	}
	return p
}

func (c *recentPages) put(key string, p *page) {
	if p.Rendered == nil && len(p.Body) < recentBytes/8 { // pictures are looked up in the store
		c.cache.Set(key, p)
	}
}

func (c *recentPages) drop(key string) { c.cache.Invalidate(key) }

// derivedDocuments are documents made from pages, for the options they were made with.
type derivedDocuments struct {
	cache *otter.Cache[string, *derived]
}

func newDerivedDocuments() *derivedDocuments {
	return &derivedDocuments{otter.Must(&otter.Options[string, *derived]{
		MaximumWeight: derivedBytes,
		Weigher:       func(_ string, d *derived) uint32 { return uint32(min(d.size+1024, derivedBytes)) },
	})}
}

// pendingScrapes are results that were given out but are not in the store yet.
type pendingScrapes struct{ held sync.Map } // id → pendingScrape

type pendingScrape struct {
	team string
	doc  *trawl.Document
}

func (p *pendingScrapes) add(id, team string, doc *trawl.Document) {
	p.held.Store(id, pendingScrape{team, doc})
}

func (p *pendingScrapes) get(id, team string) *trawl.Document {
	if held, ok := p.held.Load(id); ok && held.(pendingScrape).team == team {
		return held.(pendingScrape).doc
	}
	return nil
}

// written forgets a result once its transaction is committed.
func (p *pendingScrapes) written(tx *store.Tx, id string) {
	tx.AfterCommit(func() { p.held.Delete(id) })
}
