package scrape

import (
	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/fetch"
	"github.com/trawlhq/trawl/internal/store"
)

// fetchRequest says how the page is to be brought.
func (s *Service) fetchRequest(r *run, stale *store.Page) fetch.Request {
	o := r.req.ScrapeOptions
	f := fetch.Request{
		URL: r.url, Headers: o.Headers, Mobile: o.Mobile, SkipTLSVerify: o.SkipsTLS(), Proxy: proxyOf(o),
		PlainOnly: o.FastMode,
		Browser: fetch.BrowserOptions{
			WaitFor: r.waitFor(), Actions: o.Actions, BlockAds: o.WithoutAds(), Profile: o.Profile, ProfileDir: s.profileDir(r),
			Branding: o.Wants(trawl.FormatBranding), Required: r.needsBrowser(),
		},
	}
	if o.FastMode && !r.needsBrowser() {
		f.Browser.WaitFor = 0 // plain HTTP has nothing to wait for
	}
	if shot, ok := o.Format(trawl.FormatScreenshot); ok {
		f.Browser.Screenshot = &fetch.Shot{FullPage: shot.FullPage, Quality: shot.Quality, Viewport: shot.Viewport}
	}
	if o.Location != nil {
		f.Languages = o.Location.Languages
		if o.Location.Country != trawl.CountryAny {
			f.Country = o.Location.Country
		}
	}
	if stale != nil {
		f.Conditional = fetch.Conditional{ETag: stale.ETag, LastModified: stale.LastModified}
	}
	return f
}

// needsBrowser tells whether plain HTTP cannot do what is asked. With fastMode
// a wait alone is no reason for a browser.
func (r *run) needsBrowser() bool {
	o := r.req.ScrapeOptions
	return len(o.Actions) > 0 || o.Profile != nil || o.Wants(trawl.FormatScreenshot) || o.Wants(trawl.FormatBranding) ||
		o.WaitFor > 0 && !o.FastMode
}

func proxyOf(o trawl.ScrapeOptions) string {
	switch o.Proxy {
	case "basic":
		return fetch.ProxyBasic
	case "stealth", "enhanced":
		return fetch.ProxyStealth
	default:
		return fetch.ProxyAuto
	}
}
