package fetch

import (
	"context"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/netguard"
)

// Guard refuses what can be refused by looking at the address, before any other
// step spends time on it. The dialer of each engine refuses the rest.
func Guard(next Fetcher, guard *netguard.Guard) Fetcher {
	return Func(func(ctx context.Context, r Request) (*Page, error) {
		if r.URL == nil {
			return nil, trawl.Errorf(trawl.Invalid, "Invalid URL").WithCode("BAD_REQUEST")
		}
		if err := guard.CheckURL(r.URL); err != nil {
			return nil, err
		}
		return next.Fetch(ctx, r)
	})
}
