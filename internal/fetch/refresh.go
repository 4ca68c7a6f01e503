package fetch

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/weburl"
)

const (
	refreshAtMost = 16 << 10 // bytes of a page that is nothing but a sign to elsewhere
	refreshWithin = 5        // seconds: a page that shows itself longer is meant to be read
	maxRefreshes  = 3
)

// Refresh follows pages that only point elsewhere by <meta http-equiv="refresh">,
// as site generators write them for moved pages. Each new address goes through
// the whole chain behind it, the guard's check included.
func Refresh(next Fetcher) Fetcher {
	return Func(func(ctx context.Context, r Request) (*Page, error) {
		var tries []Attempt
		for range maxRefreshes {
			page, err := next.Fetch(ctx, r)
			to, points := refreshTarget(page, err)
			if !points {
				return withEarlier(page, err, tries)
			}
			tries = append(tries, triesBecause(page, nil, "refresh to another address")...)
			if r, err = r.elsewhere(page, to); err != nil {
				return nil, err
			}
		}
		return nil, withAttempts(siteError("ERR_TOO_MANY_REDIRECTS", "The site redirects too many times"), tries)
	})
}

// elsewhere is the request for the page another one points to. Credentials do not
// go along to another site.
func (r Request) elsewhere(page *Page, to *url.URL) (Request, error) {
	from, err := url.Parse(page.URL)
	if err != nil {
		return r, siteError("ERR_INVALID_REDIRECT", "The site redirects to something that is no address").Because(err)
	}
	r.URL, r.Conditional = to, Conditional{}
	if !leaves(from, to) {
		return r, nil
	}
	headers := map[string]string{}
	for name, value := range r.Headers {
		if !isCredential(name) {
			headers[name] = value
		}
	}
	r.Headers = headers
	return r, nil
}

// refreshTarget finds where a small page of the plain engine points to.
func refreshTarget(page *Page, err error) (*url.URL, bool) {
	if err != nil || page.Engine != EngineHTTP || page.Status != http.StatusOK || len(page.Body) > refreshAtMost || !looksLikeHTML(page) {
		return nil, false
	}
	if !bytes.Contains(bytes.ToLower(page.Body), []byte("http-equiv")) {
		return nil, false
	}
	base, err := url.Parse(page.URL)
	if err != nil {
		return nil, false
	}
	to, err := weburl.Resolve(base, metaRefresh(page.Body))
	if err != nil || !weburl.IsWeb(to) || weburl.WithoutFragment(to).String() == weburl.WithoutFragment(base).String() {
		return nil, false
	}
	return to, true
}

// metaRefresh gives the address in the first refresh of a page that is not for
// readers without scripts only.
func metaRefresh(body []byte) string {
	z := html.NewTokenizer(bytes.NewReader(body))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			if t.Data == "body" {
				return ""
			}
			if t.Data == "meta" && strings.EqualFold(attribute(t, "http-equiv"), "refresh") {
				return parseRefresh(attribute(t, "content"))
			}
		}
	}
}

// parseRefresh reads `0; url='/next'` in the spellings browsers accept.
func parseRefresh(content string) string {
	seconds, rest, found := strings.Cut(content, ";")
	if !found {
		seconds, rest, found = strings.Cut(content, ",")
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(seconds), 64)
	if !found || err != nil || n > refreshWithin {
		return ""
	}
	rest = strings.TrimSpace(rest)
	if len(rest) > 3 && strings.EqualFold(rest[:3], "url") {
		if value, ok := strings.CutPrefix(strings.TrimSpace(rest[3:]), "="); ok {
			rest = strings.TrimSpace(value)
		}
	}
	return strings.Trim(rest, `"'`)
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
