package fetch

import (
	"context"
	"errors"

	"github.com/trawlhq/trawl"
)

// noStealth is the warning of a request that wanted a stealth proxy on a server
// that has none.
const noStealth = "No stealth proxy is configured; the basic one was used."

// Proxied chooses the way out: basic, stealth, or basic first and stealth when
// the site blocks that. stealth is nil where the operator has set no such proxy.
func Proxied(basic, stealth Fetcher) Fetcher {
	return Func(func(ctx context.Context, r Request) (*Page, error) {
		switch {
		case r.Proxy == ProxyStealth && stealth != nil:
			return through(ctx, stealth, r, ProxyStealth)
		case r.Proxy == ProxyStealth:
			page, err := through(ctx, basic, r, ProxyBasic)
			if err == nil {
				page.Warnings = append(page.Warnings, noStealth)
			}
			return page, err
		case r.Proxy == ProxyBasic || stealth == nil:
			return through(ctx, basic, r, ProxyBasic)
		}
		page, err := through(ctx, basic, r, ProxyBasic)
		if !isBlock(err) {
			return page, err
		}
		page, second := through(ctx, stealth, r, ProxyStealth)
		return withEarlier(page, second, attemptsOf(err))
	})
}

func through(ctx context.Context, next Fetcher, r Request, proxy string) (*Page, error) {
	page, err := next.Fetch(ctx, r)
	if err == nil {
		page.ProxyUsed = proxy
	}
	return page, err
}

// isBlock says whether the site turned us away, so that another way out may help.
func isBlock(err error) bool {
	var e *trawl.Error
	return errors.As(err, &e) && e.Code == "SCRAPE_ALL_ENGINES_FAILED"
}
