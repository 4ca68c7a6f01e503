package fetch

import (
	"context"
	"strings"

	"github.com/trawlhq/trawl"
)

// Located chooses the way out by the country the page is to be seen from. home is
// the way of requests that name none. An operator who has set ways abroad gets a
// refusal for countries that are not among them: a page seen from elsewhere would
// be another page. One who has set none gets the page with a warning, its language
// still that of the country.
func Located(home Fetcher, abroad map[string]Fetcher) Fetcher {
	return Func(func(ctx context.Context, r Request) (*Page, error) {
		if r.Country == "" {
			return home.Fetch(ctx, r)
		}
		country := strings.ToUpper(r.Country)
		if way, ok := abroad[country]; ok {
			return way.Fetch(ctx, r)
		}
		if len(abroad) > 0 {
			return nil, trawl.Errorf(trawl.SiteFailed, "No proxy in %s is configured", country).
				WithCode("SCRAPE_PROXY_SELECTION_ERROR").WithDetails(Details{Origin: "provider_proxy"})
		}
		page, err := home.Fetch(ctx, r)
		if err == nil {
			page.Warnings = append(page.Warnings, "No proxy in "+country+" is configured; the page was fetched from this server, in the country's language.")
		}
		return page, err
	})
}
