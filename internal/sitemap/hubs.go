package sitemap

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/fetch"
	"github.com/trawlhq/trawl/internal/weburl"
)

// frontPage is what a map needs of a page.
type frontPage struct {
	url   *url.URL // after redirects
	title string
	about string
	links []link
	next  []*url.URL // further pages of the list this one is part of
}

// maxMapPage is how much of a page is read: links beyond it are rare, and nothing else is wanted.
const maxMapPage = 8 << 20

// load brings a page and lists what it links to. A page that is none has no links.
func (s *Service) load(ctx context.Context, req trawl.MapRequest, u *url.URL) (*frontPage, error) {
	r := fetch.Request{URL: u, Headers: req.Headers, MaxBytes: maxMapPage, CutBody: true, SkipTLSVerify: len(req.Headers) == 0}
	if req.Location != nil {
		r.Languages = req.Location.Languages
		if req.Location.Country != trawl.CountryAny {
			r.Country = req.Location.Country
		}
	}
	page, err := s.Fetcher.Fetch(ctx, r)
	if err != nil {
		return nil, err
	}
	landed, err := url.Parse(page.URL)
	if err != nil {
		landed = u
	}
	out := &frontPage{url: landed}
	if page.Status == http.StatusOK && (page.ContentType == "" || strings.Contains(page.ContentType, "html")) {
		out.read(page.Body)
	}
	return out, nil
}

// read walks the tags of a page; no tree is needed to list its links.
func (p *frontPage) read(body []byte) {
	z := html.NewTokenizer(bytes.NewReader(body))
	base, current, inTitle := p.url, -1, false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.TextToken:
			if inTitle {
				p.title += strings.TrimSpace(string(z.Text()))
			} else if current >= 0 {
				p.links[current].text += " " + strings.TrimSpace(string(z.Text()))
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			switch atom.Lookup(name) {
			case atom.A:
				current = -1
			case atom.Title:
				inTitle = false
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			switch t.DataAtom {
			case atom.Base:
				if u, err := weburl.Resolve(p.url, attr(t, "href")); err == nil {
					base = u
				}
			case atom.Title:
				inTitle = p.title == ""
			case atom.Meta:
				if strings.EqualFold(attr(t, "name"), "description") && p.about == "" {
					p.about = strings.TrimSpace(attr(t, "content"))
				}
			case atom.A, atom.Link:
				current = p.link(base, t)
			}
		}
	}
}

// link takes a link of the page and gives its place; -1: it is none.
func (p *frontPage) link(base *url.URL, t html.Token) int {
	rel := strings.Fields(strings.ToLower(attr(t, "rel")))
	isNext := false
	for _, word := range rel {
		isNext = isNext || word == "next" || word == "prev"
	}
	if t.DataAtom == atom.Link && !isNext {
		return -1
	}
	u, err := weburl.Resolve(base, attr(t, "href"))
	if err != nil || !weburl.IsWeb(u) {
		return -1
	}
	if isNext || isListPage(u) {
		p.next = append(p.next, u)
	}
	p.links = append(p.links, link{url: u})
	if t.DataAtom == atom.Link || t.Type == html.SelfClosingTagToken {
		return -1
	}
	return len(p.links) - 1
}

var (
	listPath  = regexp.MustCompile(`(?i)/(page|seite|p)[/-]?\d{1,5}/?$`)
	listQuery = regexp.MustCompile(`(?i)(^|&)(page|p|pg|start|offset|paged)=\d{1,6}(&|$)`)
)

// isListPage recognises the second and later pages of a list by their address.
func isListPage(u *url.URL) bool {
	return listPath.MatchString(u.Path) || listQuery.MatchString(u.RawQuery)
}

func attr(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// How far a map looks where a site has no sitemap: the pages its start links
// to, and every list among them to its end.
const (
	maxHubs    = 60
	maxLists   = 500
	hubsTime   = 25 * time.Second
	hubsAtOnce = 8
)

// fromHubs loads the pages the start links to and the lists they are part of,
// and adds what these link to. What does not come in time is left out.
func (s *Service) fromHubs(ctx context.Context, req trawl.MapRequest, front *frontPage, pool *pool) error {
	limited, cancel := context.WithTimeout(ctx, hubsTime)
	defer cancel()
	w := &hubWalk{seen: map[string]bool{}, host: front.url}
	w.mark(front.url)
	round := append(w.pick(front.next, &w.lists, maxLists), w.pick(urlsOf(front.links), &w.hubs, maxHubs)...)
	for len(round) > 0 && !pool.isFull() && limited.Err() == nil {
		var next []*url.URL
		for _, page := range s.loadAll(limited, req, round) {
			if page == nil {
				continue
			}
			pool.add(link{url: page.url, title: page.title, about: page.about})
			for _, l := range page.links {
				pool.add(l)
			}
			next = append(next, w.pick(page.next, &w.lists, maxLists)...)
		}
		round = next
	}
	return ctx.Err()
}

// hubWalk remembers what was loaded, and how much.
type hubWalk struct {
	seen        map[string]bool
	host        *url.URL
	hubs, lists int
}

// mark tells whether an address is new.
func (w *hubWalk) mark(u *url.URL) bool {
	id := weburl.Identity(u, weburl.Sameness{DeduplicateSimilarURLs: true})
	if w.seen[id] {
		return false
	}
	w.seen[id] = true
	return true
}

// pick takes new addresses of the host, as far as the count goes.
func (w *hubWalk) pick(from []*url.URL, count *int, most int) []*url.URL {
	var list []*url.URL
	for _, u := range from {
		if *count < most && weburl.SameHost(u, w.host) && w.mark(u) {
			*count++
			list = append(list, u)
		}
	}
	return list
}

func urlsOf(links []link) []*url.URL {
	list := make([]*url.URL, len(links))
	for i, l := range links {
		list[i] = l.url
	}
	return list
}

// loadAll loads pages, several at once; one that cannot be had is nil.
func (s *Service) loadAll(ctx context.Context, req trawl.MapRequest, list []*url.URL) []*frontPage {
	pages := make([]*frontPage, len(list))
	var loaders sync.WaitGroup
	places := make(chan struct{}, hubsAtOnce)
	for i, u := range list {
		places <- struct{}{}
		loaders.Go(func() {
			defer func() { <-places }()
			if page, err := s.load(ctx, req, u); err == nil {
				pages[i] = page
			}
		})
	}
	loaders.Wait()
	return pages
}
