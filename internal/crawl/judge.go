package crawl

import (
	"context"
	"crypto/sha256"
	"net/url"
	"sync"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/fetch"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/weburl"
)

// identity is what all spellings of an address share: a hash, because a
// frontier may hold a million of them.
type identity [16]byte

func identify(u *url.URL, same weburl.Sameness) identity {
	sum := sha256.Sum256([]byte(weburl.Identity(withoutSession(u), same)))
	return identity(sum[:16])
}

// candidate is an address that may be put into the frontier.
type candidate struct {
	url      string
	identity identity
	depth    int
	blocked  bool // robots.txt refuses it: kept, but never fetched
	hidden   bool // known from the crawl before
}

// newPage makes the row of a candidate.
func newPage(c store.Crawl, from candidate, seq int64) store.CrawlPage {
	p := store.CrawlPage{
		ID: uuid.Must(uuid.NewV7()).String(), CrawlID: c.ID, Seq: seq, Depth: from.depth, URL: from.url, Identity: from.identity[:],
		State: store.PageWaiting, Hidden: from.hidden, ExpiresAt: c.ExpiresAt,
	}
	if from.blocked {
		p.State = store.PageBlocked
	}
	return p
}

// judge decides which addresses belong to a crawl. It is asked by many pages at once.
type judge struct {
	same   weburl.Sameness
	robots *fetch.RobotsFiles // nil: not asked
	agent  string
	traps  *traps

	mu    sync.RWMutex
	base  *url.URL
	scope *weburl.Scope
	seen  map[identity]struct{} // a filter before the frontier, which alone decides
}

// maxSeen bounds the memory of the filter; beyond it the frontier does the work alone.
const maxSeen = 1 << 20

func newJudge(base *url.URL, o trawl.CrawlOptions, robots *fetch.RobotsFiles) (*judge, error) {
	scope, err := weburl.NewScope(base, scopeOptions(o))
	if err != nil {
		return nil, err
	}
	if o.IgnoreRobotsTxt {
		robots = nil
	}
	return &judge{
		same: samenessOf(o), robots: robots, agent: o.RobotsUserAgent, traps: newTraps(), base: base, scope: scope, seen: map[identity]struct{}{},
	}, nil
}

func scopeOptions(o trawl.CrawlOptions) weburl.ScopeOptions {
	return weburl.ScopeOptions{
		IncludePaths: o.IncludePaths, ExcludePaths: o.ExcludePaths, RegexOnFullURL: o.RegexOnFullURL,
		CrawlEntireDomain: o.CrawlEntireDomain, AllowSubdomains: o.AllowSubdomains, AllowExternalLinks: o.AllowExternalLinks,
	}
}

// within gives the scope as it is now.
func (j *judge) within() *weburl.Scope {
	j.mu.RLock()
	defer j.mu.RUnlock()
	return j.scope
}

// rebase measures the scope from another host: the start has led there.
func (j *judge) rebase(base *url.URL, scope *weburl.Scope) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.base, j.scope = base, scope
}

// start is what the scope is measured from.
func (j *judge) start() *url.URL {
	j.mu.RLock()
	defer j.mu.RUnlock()
	return j.base
}

// links judges what a page leads to.
func (j *judge) links(ctx context.Context, page *url.URL, links []*url.URL, depth int) ([]candidate, error) {
	scope := j.within()
	var kept []candidate
	for _, link := range links {
		if scope.Link(page, link) != weburl.InScope {
			continue
		}
		c, ok, err := j.take(ctx, link, depth)
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// listed judges an address that no page linked to.
func (j *judge) listed(ctx context.Context, u *url.URL) (candidate, bool, error) {
	if j.within().URL(u) != weburl.InScope {
		return candidate{}, false, nil
	}
	return j.take(ctx, u, 0)
}

// take is for addresses in scope: not seen before, no trap, and what robots.txt says.
func (j *judge) take(ctx context.Context, u *url.URL, depth int) (candidate, bool, error) {
	u = weburl.WithoutFragment(u)
	c := candidate{identity: identify(u, j.same), depth: depth}
	if !j.first(c.identity) || j.traps.caught(u) {
		return c, false, nil
	}
	c.url = u.String()
	allowed, err := j.allows(ctx, u)
	c.blocked = !allowed
	return c, err == nil, err
}

// first tells whether an identity is met for the first time here.
func (j *judge) first(id identity) bool {
	j.mu.RLock()
	_, known := j.seen[id]
	j.mu.RUnlock()
	if known {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, known := j.seen[id]; known {
		return false
	}
	if len(j.seen) >= maxSeen {
		clear(j.seen)
	}
	j.seen[id] = struct{}{}
	return true
}

// allows asks robots.txt.
func (j *judge) allows(ctx context.Context, u *url.URL) (bool, error) {
	if j.robots == nil {
		return true, nil
	}
	rules, err := j.robots.Rules(ctx, u, j.agent)
	if err != nil {
		return false, err
	}
	return rules.Allows(u), nil
}
