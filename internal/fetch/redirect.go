package fetch

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/trawlhq/trawl/internal/weburl"
)

// maxRedirects is Chromium's own limit.
const maxRedirects = 20

// trail is the way of one fetch through its redirects. Cookies set on the way are
// kept for the way and forgotten with it.
type trail struct {
	at     *url.URL
	header http.Header
	jar    http.CookieJar
	seen   map[string]bool
	hops   int
}

func (t *trail) request(ctx context.Context) *http.Request {
	req := (&http.Request{Method: http.MethodGet, URL: t.at, Host: t.at.Host, Header: t.header.Clone()}).WithContext(ctx)
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
		req.Header.Del("Host")
	}
	if user := t.at.User; user != nil && req.Header.Get("Authorization") == "" {
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
	}
	if t.jar != nil {
		for _, c := range t.jar.Cookies(t.at) {
			req.AddCookie(c)
		}
	}
	return req
}

// step moves on to where res points.
func (t *trail) step(location string, res *http.Response) error {
	next, err := weburl.Resolve(t.at, location)
	if err != nil {
		return siteError("ERR_INVALID_REDIRECT", "The site redirects to something that is no address").Because(err)
	}
	if !weburl.IsWeb(next) {
		return siteError("ERR_UNSAFE_REDIRECT", "The site redirects to something that is not a web address")
	}
	if err := t.keepCookies(res); err != nil {
		return err
	}
	if next.Fragment == "" { // a fragment lives on through redirects
		next.Fragment, next.RawFragment = t.at.Fragment, t.at.RawFragment
	}
	if leaves(t.at, next) {
		leaveOrigin(t.header)
	}
	t.at = next
	return t.count()
}

// count ends endless trails: too long, or back at an address with nothing changed.
// A site may well send us to the same address again once it has set a cookie.
func (t *trail) count() error {
	t.hops++
	place := t.at.String()
	if t.jar != nil {
		place += fmt.Sprint(t.jar.Cookies(t.at))
	}
	if t.hops > maxRedirects || t.seen[place] {
		return siteError("ERR_TOO_MANY_REDIRECTS", "The site redirects too many times")
	}
	if t.seen == nil {
		t.seen = map[string]bool{}
	}
	t.seen[place] = true
	return nil
}

func (t *trail) keepCookies(res *http.Response) error {
	cookies := res.Cookies()
	if len(cookies) == 0 {
		return nil
	}
	if t.jar == nil {
		jar, err := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
		if err != nil {
			return fmt.Errorf("make cookie jar: %w", err)
		}
		t.jar = jar
	}
	t.jar.SetCookies(t.at, cookies)
	return nil
}

// leaves says whether a hop goes to someone else, or to where others can listen.
// From http to https on the same host, with www. or without, is the same site.
func leaves(from, to *url.URL) bool {
	return !weburl.SameHost(from, to) || from.Scheme == "https" && to.Scheme == "http"
}

// location gives the target of a redirect. An answer without one is a page.
func location(res *http.Response) (string, bool) {
	switch res.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		to := strings.TrimSpace(res.Header.Get("Location"))
		return to, to != ""
	}
	return "", false
}
