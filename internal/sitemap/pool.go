package sitemap

import (
	"net/url"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/weburl"
)

// link is an address and what is known about it.
type link struct {
	url   *url.URL
	title string
	about string
	text  string // what a page that links to it calls it; for ranking only
}

// pool gathers links: it drops what does not belong to the map, and keeps the
// rest once each, in the order it came.
type pool struct {
	req    trawl.MapRequest
	start  *url.URL
	scope  *weburl.Scope // for the patterns
	prefix string        // of the path; empty: any
	site   string        // of the start
	limit  int
	links  []entry
	index  map[string]int // identity to place in links
}

type entry struct {
	address string
	title   string
	about   string
	text    string
}

func newPool(req trawl.MapRequest, start *url.URL) (*pool, error) {
	scope, err := weburl.NewScope(start, weburl.ScopeOptions{
		IncludePaths: req.IncludePaths, ExcludePaths: req.ExcludePaths, RegexOnFullURL: req.RegexOnFullURL,
	})
	if err != nil {
		return nil, trawl.BadRequest([]trawl.Issue{trawl.CustomIssue(err.Error(), "includePaths")})
	}
	p := &pool{req: req, start: start, scope: scope, site: SiteOf(start), limit: req.Limit, index: map[string]int{}}
	if p.limit == 0 {
		p.limit = trawl.DefaultMapLimit
	}
	if path := strings.TrimSuffix(start.EscapedPath(), "/"); req.ByPath() {
		p.prefix = path
	}
	return p, nil
}

func (p *pool) isEmpty() bool { return len(p.links) == 0 }

// isFull tells that nothing more can come into the result: without a ranking, what is there stays there.
func (p *pool) isFull() bool { return p.req.Search == "" && len(p.links) >= p.limit }

// add takes a link in, if it belongs to the map.
func (p *pool) add(l link) {
	u := p.trimmed(l.url)
	if !p.belongs(u) {
		return
	}
	id := weburl.Identity(u, weburl.Sameness{DeduplicateSimilarURLs: p.req.Similar()})
	address := u.String()
	if at, known := p.index[id]; known {
		p.links[at].merge(address, l)
		return
	}
	p.index[id] = len(p.links)
	p.links = append(p.links, entry{address: address, title: l.title, about: l.about, text: l.text})
}

// merge keeps of two spellings the better one, and what either knows.
func (e *entry) merge(address string, l link) {
	if strings.HasPrefix(address, "https://") && strings.HasPrefix(e.address, "http://") {
		e.address = "https://" + strings.TrimPrefix(e.address, "http://")
	}
	if e.title == "" {
		e.title = l.title
	}
	if e.about == "" {
		e.about = l.about
	}
	if e.text == "" {
		e.text = l.text
	}
}

// trimmed is the address as the map shows it: without fragment, one trailing slash, and mostly without its query.
func (p *pool) trimmed(u *url.URL) *url.URL {
	out := *u
	out.Fragment, out.RawFragment, out.User = "", "", nil
	if p.req.WithoutQuery() {
		out.RawQuery, out.ForceQuery = "", false
	}
	out.Path, out.RawPath = strings.TrimSuffix(out.Path, "/"), strings.TrimSuffix(out.RawPath, "/")
	return &out
}

func (p *pool) belongs(u *url.URL) bool {
	if !weburl.IsWeb(u) {
		return false
	}
	if !p.req.AllowExternalLinks {
		if p.req.Subdomains() && SiteOf(u) != p.site || !p.req.Subdomains() && !weburl.SameHost(u, p.start) {
			return false
		}
	}
	if p.prefix != "" && !strings.HasPrefix(u.EscapedPath(), p.prefix) {
		return false
	}
	return p.scope.Pattern(u) == weburl.InScope
}

// result ranks, cuts and writes the links.
func (p *pool) result() []trawl.MapLink {
	list := p.links
	if p.req.Search != "" {
		list = rank(p.req.Search, list)
	}
	list = list[:min(len(list), p.limit)]
	out := make([]trawl.MapLink, len(list))
	for i, e := range list {
		out[i] = trawl.MapLink{URL: e.address, Title: clip(e.title, 60), Description: clip(e.about, 160)}
	}
	return out
}

// clip shortens a text to a number of characters.
func clip(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return text[:i]
		}
		n++
	}
	return text
}

// SiteOf names the site an address belongs to: its registrable domain, and its
// port where that is not the usual one, because another port is another server.
func SiteOf(u *url.URL) string {
	domain, port := weburl.RegistrableDomain(u), u.Port()
	if port == "" || u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		return domain
	}
	return domain + ":" + port
}
